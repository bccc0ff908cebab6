#pragma once

#include <string>

#include "onecast/events/product.hpp"

/// What a job says on standard error before it begins: its result is not what one may think.
namespace onecast::events {

/// Does the file hold events, and did its writer not come to the end?
bool is_of_interrupted_writer(const std::string& path);

/// Says that only some events of the file are read, if its writer was interrupted.
void warn_of_interrupted_writer(const std::string& path);

/// Says what PDS does not keep of products of numbers, if there are any.
void warn_of_numbers_in_pds(const ProductList& products);

}  // namespace onecast::events
