#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "number_types.hpp"
#include "onecast/events/product.hpp"

class TBranch;
class TLeaf;

namespace onecast::events::root {

/// What a leaf has for each entry: `Float_t`, `Float_t[nMuon]`, `char*`, or a class.
std::string class_of(TLeaf& leaf);

/// A branch at the top of a tree, as a product.
class TreeColumn {
 public:
  /// None: ROOT cannot load it; `why` says so.
  /// @param serializer of the products of the tree
  static std::optional<TreeColumn> of(TBranch& branch, const std::string& serializer,
                                      std::string& why);

  [[nodiscard]] const Product& product() const { return product_; }
  /// The bytes of the entry. Throws Error that begins with `where`.
  void read(long long entry, std::vector<std::byte>& out, const std::string& where);

 private:
  TreeColumn(TBranch& branch, Product product) : branch_(&branch), product_(std::move(product)) {}
  void hold_leaves();
  void hold_texts(long long entry);
  void leaves_to_bytes(std::vector<std::byte>& out) const;

  TBranch* branch_;
  Product product_;
  std::unique_ptr<Holder> holder_;               ///< of an object
  std::unique_ptr<void*> object_;                ///< where the branch finds its address
  std::unique_ptr<std::vector<double>> memory_;  ///< of leaves; double, so that it is aligned
};

}  // namespace onecast::events::root
