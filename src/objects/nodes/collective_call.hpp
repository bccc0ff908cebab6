#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/memory/digest.hpp"
#include "objects/nodes/call_log.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::nodes {

/// Throws Error (state) unless the dataset of each of `items` exists and all ranks know it.
template <class Item>
void require_callable(CallKind kind, std::span<const Item> items) {
  for (const Item& item : items) {
    item.dataset->require_known_to_all(name_of(kind));
    item.dataset->require_there();
  }
}

/// Returns the description of a collective call for the other ranks. Each item has a `dataset`; the
/// caller keeps the items. Sets `failure` if the description cannot be computed.
template <class Item>
CollectiveCall call_of(CallKind kind, std::span<const Item> items, std::exception_ptr& failure) {
  CollectiveCall call{.kind = kind, .name = [items] {
                        constexpr std::size_t kNamed = 3;
                        if (items.size() == 1) return '"' + items[0].dataset->path() + '"';
                        std::string text = fmt::format("{} datasets (", items.size());
                        for (std::size_t i = 0; i < std::min(items.size(), kNamed); ++i)
                          text += (i == 0 ? "\"" : ", \"") + items[i].dataset->path() + '"';
                        return text + (items.size() > kNamed ? ", ...)" : ")");
                      }};
  try {
    if (failure) std::rethrow_exception(failure);
    require_callable(kind, items);
    Digest digest(items.size());
    for (const Item& item : items)
      digest.add(item.dataset->identity())
          .add(static_cast<std::uint64_t>(item.dataset->dataset().layout));
    call.object = std::max<std::uint64_t>(digest.value(), 1);
  } catch (...) {
    failure = std::current_exception();
  }
  return call;
}

}  // namespace onecast::nodes
