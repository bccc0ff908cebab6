#include "hdf5/event_layout.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "model/make_error.hpp"

namespace onecast::events::hdf5 {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"product", "event", "batch"};
constexpr std::array<std::string_view, 6> kUnits{"none",  "product", "event",
                                                 "batch", "both",    "chunk"};

template <class Value, std::size_t n>
Value named(const std::array<std::string_view, n>& names, std::string_view name, const char* what,
            const std::string& where) {
  for (std::size_t i = 0; i < n; ++i)
    if (names[i] == name) return static_cast<Value>(i);
  throw format_error("{}: unknown {} {}", where, what, name);
}

}  // namespace

std::string_view name_of(LayoutKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Unit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

LayoutKind layout_named(std::string_view name, const std::string& where) {
  return named<LayoutKind>(kKinds, name, "layout", where);
}

Unit unit_named(std::string_view name, const std::string& where) {
  return named<Unit>(kUnits, name, "unit of compression", where);
}

const std::vector<Unit>& units_of(LayoutKind kind) {
  static const std::array<std::vector<Unit>, 3> kAll{{
      {Unit::none, Unit::chunk, Unit::product},
      {Unit::none, Unit::event, Unit::product, Unit::chunk},
      {Unit::none, Unit::batch, Unit::event, Unit::both},
  }};
  return kAll[static_cast<std::size_t>(kind)];
}

std::string dataset_name(const std::string& product) {
  if (product.empty()) return "%";
  const bool only_dots = product.find_first_not_of('.') == std::string::npos;
  std::string name;
  for (const char c : product) {
    if (c == '/' || c == '%' || (c == '.' && only_dots))
      name += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      name += c;
  }
  return name;
}

bool is_interrupted(const Group& group) {
  return !group.has_attribute(kIndexAttribute) || group.has_attribute(kInterrupted);
}

Datatype identity_type() {
  return Datatype::compound(sizeof(Identity),
                            {{"run", offsetof(Identity, run), Datatype::of<std::uint32_t>()},
                             {"lumi", offsetof(Identity, lumi), Datatype::of<std::uint32_t>()},
                             {"event", offsetof(Identity, event), Datatype::of<std::uint64_t>()}});
}

}  // namespace onecast::events::hdf5
