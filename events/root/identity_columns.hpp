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
  const NumberType* number;  ///< the type, if the column is one number for each event; else nullptr
  std::string words;         ///< a description of the type
};

/// Returns the kind of the column of that name; nothing if there is no such column.
using KindOf = std::function<std::optional<ColumnKind>(const std::string&)>;

/// A column with run, lumi or event.
struct IdentityColumn {
  std::string name{};                ///< empty: there is no such column
  const NumberType* type = nullptr;  ///< of its numbers
  std::uint64_t most = 0;            ///< the identity's maximum, which a float holds exactly

  /// Throws Error (format) if an identity cannot have this number.
  [[nodiscard]] std::uint64_t valid(const Number& number, const std::string& path,
                                    std::uint64_t entry) const;
};
using IdentityColumns = std::array<IdentityColumn, 3>;

/// Returns the columns that `given` names, or those with the usual names if each is one number for
/// each event.
IdentityColumns identity_columns(const std::string& given, const KindOf& kind_of,
                                 const std::string& path);

/// Returns the identity of an entry whose column i has the number `number_of(i)`. Without columns,
/// the entries are numbered from 1 on.
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
