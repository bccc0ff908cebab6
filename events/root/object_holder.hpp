#pragma once

#include <memory>
#include <string>

#include "number_types.hpp"

class TClass;

namespace onecast::events::root {

/// The class of this name, if ROOT can load it: by its dictionary, or by what the file that is open
/// says of it.
TClass* class_named(const std::string& name);
/// Can a branch of this class be written? For that its dictionary is needed.
bool has_dictionary(TClass& of);
/// An object, whose bytes are those of its streamer.
std::unique_ptr<Holder> object_holder(TClass& of);
/// A std::string, whose bytes are its characters.
std::unique_ptr<Holder> text_holder();

}  // namespace onecast::events::root
