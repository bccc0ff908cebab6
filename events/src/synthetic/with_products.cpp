#include <algorithm>
#include <functional>
#include <utility>

#include "model/make_error.hpp"
#include "onecast/events/source.hpp"

namespace onecast::events {
namespace {

class SomeProducts final : public Source {
 public:
  SomeProducts(std::unique_ptr<Source> source, const std::vector<std::string>& names)
      : source_(std::move(source)) {
    list_.serializer = source_->products().serializer;
    const std::vector<Product>& all = source_->products().products;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(all, name, &Product::name);
      if (found == all.end()) throw not_found_error("there is no product {}", name);
      if (std::ranges::find(list_.products, name, &Product::name) != list_.products.end())
        throw argument_error("product {} is named twice", name);
      list_.products.push_back(*found);
      numbers_.push_back(static_cast<std::size_t>(found - all.begin()));
    }
    source_->select(numbers_);
  }

  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return source_->size(); }
  bool is_interrupted() const override { return source_->is_interrupted(); }
  bool blocks() const override { return source_->blocks(); }
  bool goes_concurrently() const override { return source_->goes_concurrently(); }
  bool fetches_later() const override { return source_->fetches_later(); }
  std::optional<std::uint64_t> find(const Identity& identity) override {
    return source_->find(identity);
  }
  bool could_read_ahead() override { return source_->could_read_ahead(); }
  std::function<void()> read_ahead() override { return source_->read_ahead(); }
  std::unique_ptr<Cursor> cursor() override;

 private:
  std::unique_ptr<Source> source_;
  ProductList list_;
  std::vector<std::size_t> numbers_;
};

class SomeCursor final : public Cursor {
 public:
  SomeCursor(std::unique_ptr<Cursor> cursor, const std::vector<std::size_t>& numbers)
      : cursor_(std::move(cursor)), numbers_(numbers) {}
  bool go_to(std::uint64_t entry) override { return cursor_->go_to(entry); }
  bool go_to_known(std::uint64_t entry) override { return cursor_->go_to_known(entry); }
  Identity identity() const override { return cursor_->identity(); }
  void prepare() override { cursor_->prepare(); }
  std::size_t fetch(std::size_t product) override { return cursor_->fetch(numbers_[product]); }
  void begin_fetch(std::size_t product, Fetched fetched) override {
    cursor_->begin_fetch(numbers_[product], std::move(fetched));
  }
  Bytes serialized(std::size_t product) override { return cursor_->serialized(numbers_[product]); }

 private:
  std::unique_ptr<Cursor> cursor_;
  const std::vector<std::size_t>& numbers_;
};

std::unique_ptr<Cursor> SomeProducts::cursor() {
  return std::make_unique<SomeCursor>(source_->cursor(), numbers_);
}

}  // namespace

std::unique_ptr<Source> with_products(std::unique_ptr<Source> source,
                                      const std::vector<std::string>& names) {
  return std::make_unique<SomeProducts>(std::move(source), names);
}

}  // namespace onecast::events
