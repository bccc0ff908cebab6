#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "structures/dense.hpp"
#include "structures/group_btree_v1.hpp"
#include "structures/object_contents.hpp"

namespace onecast::structures {

/// Finds single links of a group by its index of names, without reading the other links, if they
/// are dense or in a symbol table.
class LinkLookup {
 public:
  /// Returns nothing if the group has no such index; its links then lie in its header.
  static std::optional<LinkLookup> of(MetadataSource& source, const ObjectHeader& header);
  LinkLookup(MetadataSource& source, const LinksInfo& info);

  std::optional<LinkMessage> find(std::string_view name);
  [[nodiscard]] const LinksInfo& info() const { return info_; }
  /// The number of links; for symbol tables, an estimate.
  [[nodiscard]] std::uint64_t count() const {
    return dense_ ? dense_->count() : symbols_->estimated_count();
  }

 private:
  LinkLookup(MetadataSource& source, const SymbolTableMessage& table);

  MetadataSource* source_;
  LinksInfo info_;
  std::optional<DenseLinks> dense_;
  std::optional<SymbolTable> symbols_;
};

}  // namespace onecast::structures
