#pragma once

#include <optional>
#include <string>

#include "onecast/events/outputer.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::events::hdf5 {

/// The type of the elements that the bytes of a product are, little-endian one behind the other, as
/// its class tells: of numbers (`float`, `std::vector<float>`, `Float_t[nMuon]`), or compounds of
/// them as ROOT writes them (`run/i:lumi/i:event/l`). None: the class or the serializer is another.
std::optional<Datatype> element_type(const Product& product, const std::string& serializer);

/// Throws Error (format) that begins with `where` if the bytes of a product are no elements of that
/// size.
void require_whole_elements(const Event& event, const std::string& product, std::size_t bytes,
                            std::size_t element_bytes, const std::string& where);

/// Are the elements, which are numbers, booleans?
bool has_booleans(const Product& product);

/// May the dataset of a product have this type? Numbers, and compounds of numbers.
bool is_element_type(const Datatype& type);

}  // namespace onecast::events::hdf5
