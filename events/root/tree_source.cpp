#include <TBranch.h>
#include <TFile.h>
#include <TLeaf.h>
#include <TList.h>
#include <TTree.h>
#include <fmt/format.h>

#include <array>
#include <map>

#include "column_source.hpp"
#include "identity_columns.hpp"
#include "model/make_error.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"
#include "tree_columns.hpp"

namespace onecast::events::root {
namespace {

/// A source with a product for each branch.
class TreeSource final : public ColumnSource {
 public:
  TreeSource(std::unique_ptr<TFile> file, const std::string& name, const std::string& identity)
      : file_(std::move(file)), tree_(file_->Get<TTree>(name.c_str())) {
    std::map<std::string, std::string> classes = noted_classes();
    for (TObject* object : *tree_->GetListOfBranches()) {
      auto& branch = dynamic_cast<TBranch&>(*object);
      if (std::string_view(branch.GetName()) == kEventId) continue;
      std::string why;
      auto column = TreeColumn::of(branch, products_.serializer, why);
      if (!column) {
        leave_out(file_->GetName(), std::string("branch ") + branch.GetName(), why);
        continue;
      }
      Product product = column->product();
      if (const auto noted = classes.find(product.name); noted != classes.end())
        product.class_name = noted->second;
      products_.products.push_back(product);
      columns_.push_back(std::move(*column));
    }
    find_identity(identity);
  }

  std::optional<std::uint64_t> size() const override {
    return static_cast<std::uint64_t>(tree_->GetEntries());
  }

 private:
  /// Returns the classes that the writer has noted for products that are bytes.
  std::map<std::string, std::string> noted_classes() {
    std::map<std::string, std::string> classes;
    products_.serializer = kRoot;
    for (TObject* note : *tree_->GetUserInfo()) {
      const bool is_first = note == tree_->GetUserInfo()->First();  // products may have any name
      if (is_first && std::string_view(note->GetName()) == kSerializer)
        products_.serializer = note->GetTitle();
      else
        classes[note->GetName()] = note->GetTitle();
    }
    return classes;
  }

  void find_identity(const std::string& given) {
    identity_ = identity_columns(
        given, [&](const std::string& name) { return kind_of(name); }, file_->GetName());
    for (std::size_t i = 0; i < identity_.size(); ++i)
      if (!identity_[i].name.empty()) leaves_[i] = tree_->FindLeaf(identity_[i].name.c_str());
  }

  std::optional<ColumnKind> kind_of(const std::string& name) const {
    TLeaf* leaf = tree_->FindLeaf(name.c_str());
    if (leaf == nullptr) {
      const TBranch* branch = tree_->GetBranch(name.c_str());
      if (branch == nullptr) return {};
      return ColumnKind{nullptr, branch->GetClassName()};
    }
    const std::string words = class_of(*leaf);
    const auto number = number_class(words);
    // The event header of EDM4hep is a collection with one element.
    const bool is_one = number && (number->dimensions.empty() || name.starts_with("EventHeader."));
    return ColumnKind{is_one ? number->type : nullptr, words};
  }

  Identity read(std::uint64_t entry, ProductBytes& bytes) override {
    tree_->LoadTree(static_cast<Long64_t>(entry));
    for (std::size_t p = 0; p < columns_.size(); ++p)
      if (is_selected(p))
        columns_[p].read(static_cast<Long64_t>(entry), bytes[p],
                         fmt::format("{}: entry {}: branch {}", file_->GetName(), entry,
                                     columns_[p].product().name));
    return identity_at(entry);
  }

  Identity identity_at(std::uint64_t entry) const {
    Identity id;
    checked(fmt::format("{}: entry {}: its identity", file_->GetName(), entry), [&] {
      id = identity_of(identity_, file_->GetName(), entry,
                       [&](std::size_t i) { return number_of(i, entry); });
    });
    return id;
  }

  Number number_of(std::size_t i, std::uint64_t entry) const {
    TLeaf& leaf = *leaves_[i];
    leaf.GetBranch()->GetMother()->GetEntry(static_cast<Long64_t>(entry));
    if (leaf.GetLen() != 1)
      throw format_error("{}: entry {}: column {}: one number was expected, not {}",
                         file_->GetName(), entry, identity_[i].name, leaf.GetLen());
    const NumberType& type = *identity_[i].type;
    if (type.is_float()) return leaf.GetValue();
    const std::int64_t value = leaf.GetValueLong64();
    if (type.is_signed()) return value;
    return static_cast<std::uint64_t>(value);
  }

  std::unique_ptr<TFile> file_;
  TTree* tree_;
  std::vector<TreeColumn> columns_;
  IdentityColumns identity_;
  std::array<TLeaf*, 3> leaves_{};
};

}  // namespace

std::unique_ptr<Source> tree_source(std::unique_ptr<TFile> file, const std::string& tree,
                                    const std::string& identity) {
  return std::make_unique<TreeSource>(std::move(file), tree, identity);
}

}  // namespace onecast::events::root
