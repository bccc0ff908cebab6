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

/// Returns the class of a leaf's values: `Float_t`, `Float_t[nMuon]`, `char*`, or a class.
std::string class_of(TLeaf& leaf);

/// A branch at the top level of a tree, as a product.
class TreeColumn {
 public:
  /// Returns nothing if ROOT cannot load the branch; `why` then has the reason.
  /// @param serializer the serializer of the products of the tree
  static std::optional<TreeColumn> of(TBranch& branch, const std::string& serializer,
                                      std::string& why);

  [[nodiscard]] const Product& product() const { return product_; }
  /// Reads the bytes of the entry. Throws an Error that begins with `where`.
  void read(long long entry, std::vector<std::byte>& out, const std::string& where);

 private:
  TreeColumn(TBranch& branch, Product product) : branch_(&branch), product_(std::move(product)) {}
  void hold_leaves();
  void hold_texts(long long entry);
  void leaves_to_bytes(std::vector<std::byte>& out) const;

  TBranch* branch_;
  Product product_;
  std::unique_ptr<Holder> holder_;               ///< set for an object
  std::unique_ptr<void*> object_;                ///< the branch reads the object's address here
  std::unique_ptr<std::vector<double>> memory_;  ///< of leaves; double for its alignment
};

}  // namespace onecast::events::root
