#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/make_error.hpp"
#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "onecast/objects/order.hpp"

namespace onecast::memory {

inline bool is_by_creation(Order order) {
  return order == Order::creation || order == Order::creation_descending;
}

inline bool is_by_name(Order order) {
  return order == Order::name || order == Order::name_descending;
}

inline bool is_descending(Order order) {
  return order == Order::name_descending || order == Order::creation_descending;
}

/// Throws Error (invalid_argument), which names `where`, if the order is that of creation and not
/// `tracked`.
inline void require_tracked(Order order, bool tracked, const Where& where) {
  if (is_by_creation(order) && !tracked)
    throw argument_error("{}: order: the order of creation is not tracked", where.text());
}

/// Sorts items, which are in stored order and have a name(item) each. `tracked` is true if the
/// stored order is that of creation. Throws as require_tracked() does.
template <class Item, class Name>
void put_in_order(std::vector<Item>& items, Order order, bool tracked, const Where& where,
                  Name&& name) {
  require_tracked(order, tracked, where);
  if (is_by_name(order))
    std::sort(items.begin(), items.end(),
              [&](const Item& a, const Item& b) { return name(a) < name(b); });
  if (is_descending(order)) std::reverse(items.begin(), items.end());
}

/// Returns item `n` of an order in which put_in_order() would put the items, without sorting all.
/// @param n less than the number of items
/// @param key null: the items are in that order, or in its reverse
template <class Item, class Key>
Item nth_in_order(std::vector<Item> items, std::size_t n, bool descending, const Key* key) {
  const auto at =
      items.begin() + static_cast<std::ptrdiff_t>(descending ? items.size() - 1 - n : n);
  if (key != nullptr) std::ranges::nth_element(items, at, {}, *key);
  return *at;
}

}  // namespace onecast::memory
