#pragma once

#include <memory>
#include <string>

#include "number_types.hpp"

class TClass;

namespace onecast::events::root {

/// Returns the class of this name if ROOT can load it, from its dictionary or from the description
/// in the open file.
TClass* class_named(const std::string& name);
/// True if a branch of this class can be written, which needs its dictionary.
bool has_dictionary(TClass& of);
/// Returns a holder of an object, whose bytes are those of its streamer.
std::unique_ptr<Holder> object_holder(TClass& of);
/// Returns a holder of a std::string, whose bytes are its characters.
std::unique_ptr<Holder> text_holder();

}  // namespace onecast::events::root
