#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "synthetic/numbering.hpp"
#include "synthetic/synthetic.hpp"

namespace onecast::events {
namespace {

/// The generator SplitMix64: each seed gives its own sequence, so events can be made in any order.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
    return z ^ z >> 31U;
  }
  /// Returns a number in [0, 1).
  double fraction() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

class TestProducts final : public Source {
 public:
  explicit TestProducts(const Request& request)
      : numbering_(request.options),
        bytes_(request.options.number("size")),
        spread_(request.options.decimal("spread")),
        seed_(request.options.number("seed")) {
    const std::string& types = request.options.text("types");
    for (std::uint64_t i = 0; i < request.options.number("products"); ++i) {
      const bool is_float = types == "float" || (types == "both" && i % 2 == 1);
      list_.products.push_back(
          {fmt::format("product{:02}", i), is_float ? "std::vector<float>" : "std::vector<int>"});
      is_float_.push_back(is_float);
    }
    if (spread_ > 1) request.options.reject("spread", "0 to 1 was expected");
  }

  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return numbering_.events(); }
  bool goes_concurrently() const override { return true; }
  std::unique_ptr<Cursor> cursor() override;

  [[nodiscard]] const Numbering& numbering() const { return numbering_; }

  /// Makes the values of a product, as 32-bit patterns.
  void make(std::uint64_t entry, std::size_t product, std::vector<std::uint32_t>& values) const {
    Random random(seed_ * 0x10001U + entry * 1009U + product);
    const double share = 1 + spread_ * (2 * random.fraction() - 1);
    values.resize(static_cast<std::size_t>(static_cast<double>(bytes_) * share / 4));
    if (is_float_[product]) {
      for (std::uint32_t& value : values) {
        // Momenta fall off exponentially, and have few significant bits.
        const auto number = static_cast<float>(-30 * std::log(1 - random.fraction()));
        std::memcpy(&value, &number, sizeof value);
        value &= 0xfffff000U;
      }
    } else {
      for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.next() % 1000);
    }
  }

 private:
  Numbering numbering_;
  std::uint64_t bytes_;
  double spread_;
  std::uint64_t seed_;
  ProductList list_{"raw", {}};
  std::vector<bool> is_float_;
};

class TestCursor final : public Cursor {
 public:
  explicit TestCursor(const TestProducts& source)
      : source_(source), values_(source.products().size()), bytes_(values_.size()) {}

  bool go_to(std::uint64_t entry) override {
    entry_ = entry;
    return entry < source_.numbering().events();
  }
  Identity identity() const override { return source_.numbering()(entry_); }
  std::size_t fetch(std::size_t product) override {
    source_.make(entry_, product, values_[product]);
    return values_[product].size() * sizeof(std::uint32_t);
  }
  Bytes serialized(std::size_t product) override {
    const Bytes values = std::as_bytes(std::span(values_[product]));
    bytes_[product].assign(values.begin(), values.end());
    return bytes_[product];
  }

 private:
  const TestProducts& source_;
  std::uint64_t entry_ = 0;
  std::vector<std::vector<std::uint32_t>> values_;
  std::vector<std::vector<std::byte>> bytes_;
};

std::unique_ptr<Cursor> TestProducts::cursor() { return std::make_unique<TestCursor>(*this); }

}  // namespace

SourceInfo test_products_source() {
  using Kind = OptionInfo::Kind;
  std::vector<OptionInfo> options = Numbering::options();
  options.push_back({.name = "products",
                     .kind = Kind::number,
                     .otherwise = "17",
                     .description = "products of an event"});
  options.push_back({.name = "size",
                     .kind = Kind::size,
                     .otherwise = "6k",
                     .description = "bytes of a product, on average"});
  options.push_back({.name = "spread",
                     .kind = Kind::decimal,
                     .otherwise = "0.5",
                     .description = "the largest deviation of sizes from the average, 0 to 1"});
  options.push_back({.name = "types",
                     .kind = Kind::choice,
                     .otherwise = "both",
                     .description = "the type of the numbers",
                     .choices = {"int", "float", "both"}});
  options.push_back({.name = "seed",
                     .kind = Kind::number,
                     .otherwise = "1",
                     .description = "other seeds give other values"});
  return {.name = "TestProducts",
          .description = "random numbers, equal for equal options",
          .file = FileUse::none,
          .options = options,
          .make = [](const Request& request) { return std::make_unique<TestProducts>(request); }};
}

}  // namespace onecast::events
