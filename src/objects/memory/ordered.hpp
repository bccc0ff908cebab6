#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/order.hpp"

namespace onecast::memory {

inline bool is_by_creation(Order order) {
  return order == Order::creation || order == Order::creation_descending;
}

/// Sorts items, which are in stored order and have a name(item) each. `tracked` is true if the
/// stored order is that of creation. Throws Error (invalid_argument), which names `where`, if that
/// order is requested but not tracked.
template <class Item, class Name>
void put_in_order(std::vector<Item>& items, Order order, bool tracked, const Where& where,
                  Name&& name) {
  if (is_by_creation(order) && !tracked)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: order: the order of creation is not tracked", where.text()));
  if (order == Order::name || order == Order::name_descending)
    std::sort(items.begin(), items.end(),
              [&](const Item& a, const Item& b) { return name(a) < name(b); });
  if (order == Order::name_descending || order == Order::creation_descending)
    std::reverse(items.begin(), items.end());
}

}  // namespace onecast::memory
