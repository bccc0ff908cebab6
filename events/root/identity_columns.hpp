#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "number_types.hpp"
#include "onecast/events/identity.hpp"

namespace onecast::events::root {

/// What a column has for each event.
struct ColumnKind {
  const NumberType* number;  ///< of the one number that it is; nullptr: it is something else
  std::string words;         ///< what it is
};

/// Of the column of a name; nothing: there is none.
using KindOf = std::function<std::optional<ColumnKind>(const std::string&)>;

/// A column with run, lumi or event.
struct IdentityColumn {
  std::string name{};                ///< empty: there is none
  const NumberType* type = nullptr;  ///< of its numbers
  std::uint64_t most = 0;            ///< what the identity can have, and a float holds exactly

  /// Throws Error (format): an identity cannot have this number.
  [[nodiscard]] std::uint64_t valid(const Number& number, const std::string& path,
                                    std::uint64_t entry) const;
};
using IdentityColumns = std::array<IdentityColumn, 3>;

/// The columns that `given` names, or those with the usual names, if each is one number for each
/// event.
IdentityColumns identity_columns(const std::string& given, const KindOf& kind_of,
                                 const std::string& path);

/// Of an entry whose column i has the number `number_of(i)`. Without columns, the entries are
/// numbered from 1 on.
template <class F>
Identity identity_of(const IdentityColumns& columns, const std::string& path, std::uint64_t entry,
                     F&& number_of) {
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return columns[i].name.empty() ? otherwise : columns[i].valid(number_of(i), path, entry);
  };
  return {static_cast<std::uint32_t>(number(0, 1)), static_cast<std::uint32_t>(number(1, 1)),
          number(2, entry + 1)};
}

}  // namespace onecast::events::root
