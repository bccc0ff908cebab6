#include "synthetic/numbering.hpp"
#include "synthetic/synthetic.hpp"

namespace onecast::events {
namespace {

class EmptyCursor final : public Cursor {
 public:
  explicit EmptyCursor(const Numbering& numbering) : numbering_(numbering) {}
  bool go_to(std::uint64_t entry) override {
    entry_ = entry;
    return entry < numbering_.events();
  }
  Identity identity() const override { return numbering_(entry_); }
  std::size_t fetch(std::size_t) override { return 0; }
  Bytes serialized(std::size_t) override { return {}; }

 private:
  const Numbering& numbering_;
  std::uint64_t entry_ = 0;
};

class Empty final : public Source {
 public:
  explicit Empty(const Request& request) : numbering_(request.options) {}
  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return numbering_.events(); }
  bool goes_concurrently() const override { return true; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<EmptyCursor>(numbering_); }

 private:
  Numbering numbering_;
  ProductList list_;
};

}  // namespace

SourceInfo empty_source() {
  return {.name = "Empty",
          .description = "events without products",
          .file = FileUse::none,
          .options = Numbering::options(),
          .make = [](const Request& request) { return std::make_unique<Empty>(request); }};
}

}  // namespace onecast::events
