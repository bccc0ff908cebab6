#include "collective/method.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace onecast::collective {
namespace {

#define ONECAST_METHOD_ADDRESS(VALUE, NAME) &k##NAME##Method,
constexpr std::array kTable{ONECAST_TRANSFER_METHODS(ONECAST_METHOD_ADDRESS)};
#undef ONECAST_METHOD_ADDRESS

const TransferMethodEntry* find(Method method) {
  const auto at = std::ranges::find(kTable, method, &TransferMethodEntry::method);
  return at == kTable.end() ? nullptr : *at;
}

}  // namespace

std::span<const TransferMethodEntry* const> transfer_methods() { return kTable; }

const TransferMethodEntry& entry_of(Method method) {
  if (const TransferMethodEntry* entry = find(method)) return *entry;
  throw std::logic_error(fmt::format("{}: no transfer method", name_of(method)));
}

bool transfers_for_others(Method method) {
  const TransferMethodEntry* entry = find(method);
  return entry != nullptr && entry->transfers_for_others;
}

std::string_view name_of(Method method) {
  if (const TransferMethodEntry* entry = find(method)) return entry->name;
  constexpr std::array<std::string_view, 4> kOthers{"automatic", "none", "chunked", "serve"};
  return kOthers.at(static_cast<std::size_t>(method));
}

Method method_named(std::string_view name) {
  if (name == name_of(Method::automatic)) return Method::automatic;
  const auto at = std::ranges::find(kTable, name, &TransferMethodEntry::name);
  if (at != kTable.end()) return (*at)->method;
  throw std::logic_error(fmt::format("{}: no transfer method", name));
}

std::string Choice::reason() const {
  return fmt::format(fmt::runtime(words), numbers[0], numbers[1], numbers[2]);
}

}  // namespace onecast::collective
