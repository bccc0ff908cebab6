#pragma once

#include <optional>
#include <string>

#include "onecast/events/outputer.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::events::hdf5 {

/// Returns the type of the elements of a product, stored as consecutive little-endian values, from
/// its class: numbers (`float`, `std::vector<float>`, `Float_t[nMuon]`), or compounds of them as
/// ROOT writes them (`run/i:lumi/i:event/l`). Returns nothing for any other class or serializer.
std::optional<Datatype> element_type(const Product& product, const std::string& serializer);

/// Throws Error (format) that begins with `where` if the bytes of a product are not a whole number
/// of elements of that size.
void require_whole_elements(const Event& event, const std::string& product, std::size_t bytes,
                            std::size_t element_bytes, const std::string& where);

/// True if the elements, which are numbers, are booleans.
bool has_booleans(const Product& product);

/// True if the dataset of a product may have this type: numbers, and compounds of numbers.
bool is_element_type(const Datatype& type);

}  // namespace onecast::events::hdf5
