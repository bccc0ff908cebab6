#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "onecast/events/source.hpp"

namespace onecast::events::root {

/// The bytes of each product of an event.
using ProductBytes = std::vector<std::vector<std::byte>>;

/// A source with a product for each branch or field, of which it reads those that are selected. The
/// thread that waits for the disk reads one event at a time, and each cursor keeps its own.
class ColumnSource : public Source {
 public:
  const ProductList& products() const override { return products_; }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<EventCursor>(*this); }
  void select(const std::vector<std::size_t>& products) override {
    selected_.assign(products_.size(), false);
    for (const std::size_t product : products) selected_[product] = true;
  }

 protected:
  [[nodiscard]] bool is_selected(std::size_t product) const {
    return selected_.empty() || selected_[product];
  }

  ProductList products_;

 private:
  struct EventCursor final : Cursor {
    explicit EventCursor(ColumnSource& of) : source(of), bytes(of.products_.size()) {}
    bool go_to(std::uint64_t entry) override {
      if (entry >= *source.size()) return false;
      id = source.read(entry, bytes);
      return true;
    }
    Identity identity() const override { return id; }
    std::size_t fetch(std::size_t product) override { return bytes[product].size(); }
    Bytes serialized(std::size_t product) override { return bytes[product]; }

    ColumnSource& source;
    Identity id;
    ProductBytes bytes;
  };

  /// Reads the selected products of an event, and returns its identity.
  virtual Identity read(std::uint64_t entry, ProductBytes& bytes) = 0;

  std::vector<bool> selected_;  // empty: all
};

}  // namespace onecast::events::root
