#include "tree_columns.hpp"

#include <TBasket.h>
#include <TBranch.h>
#include <TBuffer.h>
#include <TClass.h>
#include <TLeaf.h>
#include <TLeafC.h>

#include <algorithm>
#include <cstring>

#include "model/make_error.hpp"
#include "object_holder.hpp"
#include "root_errors.hpp"

namespace onecast::events::root {
namespace {

std::vector<TLeaf*> leaves_of(const TBranch& branch) {
  std::vector<TLeaf*> leaves;
  for (TObject* object : *const_cast<TBranch&>(branch).GetListOfLeaves())
    leaves.push_back(dynamic_cast<TLeaf*>(object));
  return leaves;
}

/// Returns the largest number of elements that the tree states for the leaf.
std::size_t most_elements(TLeaf& leaf) {
  std::size_t most = static_cast<std::size_t>(std::max(leaf.GetLenStatic(), 1));
  if (const TLeaf* count = leaf.GetLeafCount())
    most *= static_cast<std::size_t>(std::max(count->GetMaximum(), 1));
  return most;
}

}  // namespace

std::string class_of(TLeaf& leaf) {
  if (dynamic_cast<const TLeafC*>(&leaf) != nullptr) return "char*";
  const std::string title = leaf.GetTitle();
  const std::size_t bracket = title.find('[');
  // These are longer forms of the names of the numbers.
  return leaf.GetTypeName() + (bracket == std::string::npos ? "" : title.substr(bracket));
}

std::optional<TreeColumn> TreeColumn::of(TBranch& branch, const std::string& serializer,
                                         std::string& why) {
  const std::string name = branch.GetName();
  const std::string class_name = branch.GetClassName();
  if (class_name.empty()) {
    const std::vector<TLeaf*> leaves = leaves_of(branch);
    if (leaves.empty() || std::ranges::count(leaves, nullptr) != 0) {
      why = "it has no leaves";
      return {};
    }
    // The title of a branch with several leaves has a form such as run/i:event/l.
    TreeColumn column(branch,
                      {name, leaves.size() == 1 ? class_of(*leaves[0]) : branch.GetTitle()});
    column.hold_leaves();
    return column;
  }
  TreeColumn column(branch, {name, class_name});
  if (const NumberType* type = number_of_vector(class_name)) {
    column.product_.class_name = std::string(type->name) + "[]";
    column.holder_ = type->make_list();
  } else if (is_text(column.product_, serializer)) {
    column.holder_ = text_holder();
  } else {
    TClass* of = class_named(class_name);
    if (of == nullptr) {
      why = "ROOT cannot load the class " + class_name;
      return {};
    }
    column.holder_ = object_holder(*of);
  }
  column.object_ = std::make_unique<void*>(column.holder_->object());
  branch.SetAddress(static_cast<void*>(column.object_.get()));
  return column;
}

void TreeColumn::hold_leaves() {
  std::size_t bytes = 0;
  for (TLeaf* leaf : leaves_of(*branch_))
    bytes =
        std::max(bytes, static_cast<std::size_t>(leaf->GetOffset()) +
                            most_elements(*leaf) * static_cast<std::size_t>(leaf->GetLenType()));
  constexpr std::size_t kMost = std::size_t{1} << 32U;
  if (bytes > kMost) throw format_error("branch {}: an entry of {} bytes", product_.name, bytes);
  memory_ = std::make_unique<std::vector<double>>(bytes / sizeof(double) + 2);
  branch_->SetAddress(memory_->data());
}

/// Makes room for texts. The tree may state a wrong length, as uproot writes none. A text is no
/// longer than its basket.
void TreeColumn::hold_texts(long long entry) {
  const std::vector<TLeaf*> leaves = leaves_of(*branch_);
  const auto is_text = [](TLeaf* leaf) { return dynamic_cast<TLeafC*>(leaf) != nullptr; };
  if (std::ranges::none_of(leaves, is_text)) return;
  const Long64_t* first = branch_->GetBasketEntry();
  const Long64_t* behind = std::upper_bound(first, first + branch_->GetWriteBasket() + 1, entry);
  if (behind == first) return;
  TBasket* basket = branch_->GetBasket(static_cast<Int_t>(behind - first - 1));
  if (basket == nullptr || basket->GetBufferRef() == nullptr) return;
  std::size_t words = static_cast<std::size_t>(basket->GetBufferRef()->BufferSize());
  for (const TLeaf* leaf : leaves)
    words += static_cast<std::size_t>(std::max(leaf->GetOffset(), 0));
  words = words / sizeof(double) + 2;
  if (words <= memory_->size()) return;
  memory_->resize(words);
  branch_->SetAddress(memory_->data());
}

void TreeColumn::leaves_to_bytes(std::vector<std::byte>& out) const {
  out.clear();
  const auto* end = reinterpret_cast<const std::byte*>(memory_->data() + memory_->size());
  for (TLeaf* leaf : leaves_of(*branch_)) {
    const auto* at = static_cast<const std::byte*>(leaf->GetValuePointer());
    const std::size_t bytes =
        dynamic_cast<const TLeafC*>(leaf) != nullptr
            ? strnlen(reinterpret_cast<const char*>(at), static_cast<std::size_t>(end - at))
            : static_cast<std::size_t>(std::max(leaf->GetLen(), 0)) *
                  static_cast<std::size_t>(leaf->GetLenType());
    out.insert(out.end(), at, at + bytes);
  }
}

void TreeColumn::read(long long entry, std::vector<std::byte>& out, const std::string& where) {
  checked(where, [&] {
    if (memory_) hold_texts(entry);
    if (branch_->GetEntry(entry) < 0)
      throw format_error("{}: cannot be read: {}", where, take_report());
    if (holder_)
      holder_->to_bytes(out);
    else
      leaves_to_bytes(out);
  });
}

}  // namespace onecast::events::root
