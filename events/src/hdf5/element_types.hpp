#pragma once

#include <optional>
#include <string>

#include "onecast/events/product.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::events::hdf5 {

/// The type of the elements that the bytes of a product are, little-endian one behind the other, as
/// its class tells: of numbers (`float`, `std::vector<float>`, `Float_t[nMuon]`), or compounds of
/// them as ROOT writes them (`run/i:lumi/i:event/l`). None: the class or the serializer is another.
std::optional<Datatype> element_type(const Product& product, const std::string& serializer);

/// May the dataset of a product have this type? Numbers, and compounds of numbers.
bool is_element_type(const Datatype& type);

}  // namespace onecast::events::hdf5
