#include <TBranch.h>
#include <TClass.h>
#include <TFile.h>
#include <TList.h>
#include <TNamed.h>
#include <TTree.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "object_holder.hpp"
#include "product_names.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"
#include "root_file.hpp"

namespace onecast::events::root {
namespace {

/// The branch of a product: numbers as they are, an object, or bytes.
struct BranchOut {
  std::string name;
  TBranch* branch = nullptr;
  bool is_late = false;                  ///< created after the branch that counts its numbers
  std::optional<NumberClass> numbers{};  ///< set for leaves
  std::size_t counted_by = 0;            ///< the product that counts them, + 1
  std::string class_name{};              ///< the class of the held object
  std::unique_ptr<Holder> holder{};      ///< of an object, a list or a text
  std::unique_ptr<void*> object{};       ///< the branch reads the object's address here
  std::string noted_class{};             ///< empty: the branch tells the class of the product
};

/// Replaces the characters that have a meaning in a list of leaves.
std::string leaf_name(std::string name) {
  std::ranges::replace_if(name, [](char c) { return std::strchr(":/[]", c) != nullptr; }, '_');
  return name;
}

class TreeOutputer final : public RootFileOutputer {
 public:
  explicit TreeOutputer(const Request& request)
      : RootFileOutputer(request),
        split_(static_cast<int>(request.options.number("split"))),
        basket_(static_cast<int>(request.options.number("basket"))) {}

  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events) fill(event);
  }

 private:
  void prepare(const ProductList& products) override {
    std::vector<std::string> names;
    names.reserve(products.size());
    for (const Product& product : products.products) names.push_back(product.name);
    require_names(products, names, {kEventId}, path());
    for (std::size_t p = 0; p < products.size(); ++p) outs_.push_back(planned(products, p));
  }

  void begin_events(const ProductList& products) override {
    tree_ = new TTree("Events", "");  // the file owns it
    tree_->Branch(kEventId, &id_, kEventIdLeaves, basket_);
    note(kSerializer, products.serializer);
    // Counters come first, since ROOT fills the branches in their order.
    for (const bool late : {false, true})
      for (BranchOut& out : outs_)
        if (out.is_late == late) make_branch(out);
  }

  void note(const std::string& name, const std::string& text) {
    tree_->GetUserInfo()->Add(new TNamed(name.c_str(), text.c_str()));
  }

  /// Plans the branch of a product.
  static BranchOut planned(const ProductList& products, std::size_t p) {
    const Product& product = products.products[p];
    const bool is_root = products.serializer == kRoot;
    BranchOut out{.name = product.name};
    if (!is_root) out.noted_class = product.class_name;
    if (auto numbers = numbers_of(product, products.serializer)) {
      const bool is_list = !numbers->is_fixed();
      if (is_list) out.counted_by = counter_of(products, *numbers);
      out.is_late = is_list && (is_root || out.counted_by != 0);
      if (is_list && out.counted_by == 0)
        hold_list(out, *numbers->type);
      else
        out.numbers = std::move(numbers);
      return out;
    }
    if (is_text(product, products.serializer)) {
      out.class_name = "string";
      out.holder = text_holder();
      return out;
    }
    TClass* of = is_root ? class_named(product.class_name) : nullptr;
    if (of == nullptr || !has_dictionary(*of)) {
      out.noted_class = product.class_name;
      hold_list(out, *number_named("UChar_t"));
      return out;
    }
    out.class_name = of->GetName();
    out.holder = object_holder(*of);
    return out;
  }

  static void hold_list(BranchOut& out, const NumberType& type) {
    out.class_name = type.vector;
    out.holder = type.make_list();
  }

  void make_branch(BranchOut& out) {
    if (!out.noted_class.empty()) note(out.name, out.noted_class);
    const char* const name = out.name.c_str();
    if (out.holder) {
      out.object = std::make_unique<void*>(out.holder->object());
      out.branch = tree_->Branch(name, out.class_name.c_str(), out.object.get(), basket_, split_);
    } else {
      const auto& [type, dimensions] = *out.numbers;
      room_.resize(std::max(room_.size(), out.counted_by != 0 ? 1 : out.numbers->count() + 1));
      const std::string leaf =
          fmt::format("{}{}/{}", leaf_name(out.name), dimensions, type->letter);
      out.branch = tree_->Branch(name, room_.data(), leaf.c_str(), basket_);
    }
    // ROOT strips a point from the end of a vector's name.
    if (out.branch->GetName() != out.name) out.branch->SetName(name);
  }

  /// Returns the type of the elements of a list: further dimensions are numbers, as in [nMuon][3].
  static NumberClass inner_of(const NumberClass& list) {
    return {list.type, list.dimensions.substr(list.dimensions.find(']') + 1)};
  }

  /// Returns the number of the product that counts others, + 1; 0 if it is missing or no number.
  static std::size_t counter_of(const ProductList& products, const NumberClass& numbers) {
    const std::string name = numbers.counter();
    if (leaf_name(name) != name || !inner_of(numbers).is_fixed()) return 0;
    for (std::size_t p = 0; p < products.size(); ++p) {
      const auto kind = numbers_of(products.products[p], products.serializer);
      if (products.products[p].name == name && kind && kind->dimensions.empty() &&
          std::string_view("BbSsIi").find(kind->type->letter) != std::string_view::npos)
        return p + 1;
    }
    return 0;
  }

  void fill(const EncodedEvent& event) {
    id_ = {event.identity.run, event.identity.lumi, event.identity.event};
    for (std::size_t p = 0; p < outs_.size(); ++p) {
      BranchOut& out = outs_[p];
      const Bytes bytes = product_of(event, p);
      const auto where = [&] {
        return fmt::format("{}: event {}: product {}", path(), event.identity.event, out.name);
      };
      if (out.holder) {
        out.holder->from_bytes(bytes, where());
        continue;
      }
      const std::size_t expected = numbers_in(event, out) * out.numbers->type->bytes;
      if (bytes.size() != expected)
        throw wrong_size(where(), bytes.size(), fmt::to_string(expected));
      // ROOT reads from this address; an empty product has no bytes there.
      out.branch->SetAddress(bytes.empty() ? static_cast<void*>(room_.data())
                                           : const_cast<std::byte*>(bytes.data()));
    }
    checked(path(), [&] {
      if (tree_->Fill() < 0) throw Error(ErrorCode::io, path() + ": " + take_report());
    });
  }

  /// Returns how many numbers the event must have in this branch.
  std::size_t numbers_in(const EncodedEvent& event, const BranchOut& out) const {
    if (out.counted_by == 0) return out.numbers->count();
    const Bytes counter = product_of(event, out.counted_by - 1);
    const NumberType& type = *outs_[out.counted_by - 1].numbers->type;
    std::int64_t count = 0;
    if (counter.size() == type.bytes) std::memcpy(&count, counter.data(), type.bytes);
    const bool is_negative = type.is_signed() && (count >> (8 * type.bytes - 1)) != 0;
    if (is_negative) return 0;
    return static_cast<std::size_t>(count) * inner_of(*out.numbers).count();
  }

  struct {
    std::uint32_t run, lumi;
    std::uint64_t event;
  } id_{};
  int split_, basket_;
  TTree* tree_ = nullptr;
  std::vector<BranchOut> outs_;
  std::vector<double> room_{0};
};

}  // namespace

OutputerInfo tree_outputer() {
  std::vector<OptionInfo> options = root_compression_options();
  options.push_back({.name = "split",
                     .kind = OptionInfo::Kind::number,
                     .otherwise = "99",
                     .description = "how deep classes are split into branches"});
  options.push_back({.name = "basket",
                     .kind = OptionInfo::Kind::size,
                     .otherwise = "16k",
                     .description = "bytes of a basket before it is compressed"});
  return {.name = "ROOT",
          .description = "a ROOT file: a TTree with a branch for each product",
          .file = FileUse::required,
          .options = options,
          .make = [](const Request& request) { return std::make_unique<TreeOutputer>(request); }};
}

}  // namespace onecast::events::root
