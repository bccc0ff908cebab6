#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/address.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

/// An Error about bytes of a file, with its parts for callers that list them.
class LocatedError final : public Error {
 public:
  LocatedError(ErrorCode code, const std::string& file, Address where, std::string in_structure,
               std::string of_field, std::string problem)
      : Error(code, fmt::format("{}: address {:#x}: {}: {}: {}", file, where.value, in_structure,
                                of_field, problem)),
        address(where),
        structure(std::move(in_structure)),
        field(std::move(of_field)),
        what_is_wrong(std::move(problem)) {}

  Address address;
  std::string structure;
  std::string field;
  std::string what_is_wrong;
};

}  // namespace onecast
