#include <TBranch.h>
#include <TClass.h>
#include <TFile.h>
#include <TList.h>
#include <TNamed.h>
#include <TTree.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "object_holder.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"
#include "root_file.hpp"

namespace onecast::events::root {
namespace {

/// A branch of a product: numbers as they are, an object, or bytes.
struct BranchOut {
  std::string name;
  TBranch* branch = nullptr;
  std::optional<NumberClass> numbers{};  ///< of leaves
  std::size_t counted_by = 0;            ///< the product that counts them, + 1
  std::unique_ptr<Holder> holder{};      ///< of an object or a list
  std::unique_ptr<void*> object{};       ///< where the branch finds its address
};

class TreeOutputer final : public RootFileOutputer {
 public:
  explicit TreeOutputer(const Request& request)
      : RootFileOutputer(request),
        split_(static_cast<int>(request.options.number("split"))),
        basket_(static_cast<int>(request.options.number("basket"))) {}

  void begin(const ProductList& products, const Expectation& expected) override {
    begin_file(expected);
    checked(path(), [&] {
      TDirectory::TContext context(&file());
      tree_ = new TTree("Events", "");  // the file owns it
      tree_->Branch(kEventId, &id_, kEventIdLeaves, basket_);
      note(kSerializer, products.serializer);
      outs_.resize(products.size());
      // What counts comes first: ROOT fills the branches in their order.
      for (const bool jagged : {false, true})
        for (std::size_t p = 0; p < products.size(); ++p) add(products, p, jagged);
    });
  }

  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events) fill(event);
  }

 private:
  void note(const std::string& name, const std::string& text) {
    tree_->GetUserInfo()->Add(new TNamed(name.c_str(), text.c_str()));
  }

  void add(const ProductList& products, std::size_t p, bool jagged) {
    const Product& product = products.products[p];
    const auto numbers = products.serializer == kRoot ? number_class(product.class_name)
                                                      : std::optional<NumberClass>();
    const bool is_jagged = numbers && !numbers->is_fixed();
    if (is_jagged != jagged) return;
    BranchOut& out = outs_[p];
    out.name = product.name;
    if (is_jagged) out.counted_by = counter_of(products, *numbers);
    if (numbers && (!is_jagged || out.counted_by != 0)) {
      out.numbers = numbers;
      const std::string leaf =
          fmt::format("{}{}/{}", product.name, numbers->dimensions, numbers->type->letter);
      room_.resize(std::max(room_.size(), numbers->is_fixed() ? numbers->count() + 1 : 1));
      out.branch = tree_->Branch(product.name.c_str(), room_.data(), leaf.c_str(), basket_);
      return;
    }
    if (numbers) return add_holder(out, std::string(numbers->type->vector), *numbers->type);
    TClass* of = products.serializer == kRoot ? class_named(product.class_name) : nullptr;
    if (of == nullptr || !has_dictionary(*of)) {
      note(product.name, product.class_name);
      const NumberType& bytes = *number_named("UChar_t");
      return add_holder(out, std::string(bytes.vector), bytes);
    }
    out.holder = object_holder(*of);
    out.object = std::make_unique<void*>(out.holder->object());
    out.branch =
        tree_->Branch(product.name.c_str(), of->GetName(), out.object.get(), basket_, split_);
  }

  void add_holder(BranchOut& out, const std::string& class_name, const NumberType& type) {
    out.holder = type.make_list();
    out.object = std::make_unique<void*>(out.holder->object());
    out.branch =
        tree_->Branch(out.name.c_str(), class_name.c_str(), out.object.get(), basket_, split_);
  }

  /// The product that counts others, + 1; 0: it is not there, or no number.
  static std::size_t counter_of(const ProductList& products, const NumberClass& numbers) {
    const std::string name = numbers.counter();
    for (std::size_t p = 0; p < products.size(); ++p) {
      const auto kind = number_class(products.products[p].class_name);
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
      const std::size_t expected = numbers_of(event, out) * out.numbers->type->bytes;
      if (bytes.size() != expected)
        throw Error(ErrorCode::format,
                    fmt::format("{}: {} bytes, {} were expected", where(), bytes.size(), expected));
      // ROOT reads from there; nothing is there if there are no bytes.
      out.branch->SetAddress(bytes.empty() ? static_cast<void*>(room_.data())
                                           : const_cast<std::byte*>(bytes.data()));
    }
    checked(path(), [&] {
      if (tree_->Fill() < 0) throw Error(ErrorCode::io, path() + ": " + take_report());
    });
  }

  /// How many numbers the event must have there.
  std::size_t numbers_of(const EncodedEvent& event, const BranchOut& out) const {
    if (out.counted_by == 0) return out.numbers->count();
    const Bytes counter = product_of(event, out.counted_by - 1);
    const NumberType& type = *outs_[out.counted_by - 1].numbers->type;
    std::int64_t count = 0;
    if (counter.size() == type.bytes) std::memcpy(&count, counter.data(), type.bytes);
    const bool is_negative = type.is_signed() && (count >> (8 * type.bytes - 1)) != 0;
    if (is_negative) return 0;
    // Further dimensions are numbers: [nMuon][3].
    const std::size_t bracket = out.numbers->dimensions.find(']') + 1;
    const NumberClass inner{out.numbers->type, out.numbers->dimensions.substr(bracket)};
    return static_cast<std::size_t>(count) * inner.count();
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
