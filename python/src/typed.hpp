#pragma once

// Python objects whose types the stubs (python/onecast/*.pyi) show more exactly than nanobind does.

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

/// A text as a template argument.
template <std::size_t N>
struct Literal {
  char text[N]{};
  // NOLINTNEXTLINE(google-explicit-constructor): template arguments are written as plain texts
  consteval Literal(const char (&given)[N]) { std::copy_n(given, N, text); }
};

/// A `Base` of nanobind that signatures show as `shown`. Nothing checks that an object is of that
/// type.
template <class Base, Literal shown>
class Typed : public Base {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): nanobind looks for this name
  static constexpr auto Name = nanobind::detail::const_name(shown.text);
  using Base::Base;
  Typed() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it is the same object
  Typed(Base made) : Base(std::move(made)) {}
};

using Any = Typed<nanobind::object, "typing.Any">;
/// A shape, or coordinates.
using Extents = nanobind::typed<nanobind::tuple, std::uint64_t, nanobind::ellipsis>;
/// An object whose memory is read or written: an array, or bytes.
using Memory = Typed<nanobind::handle, "typing_extensions.Buffer">;
/// Memory of the process or of a device.
using AnyMemory = Typed<nanobind::handle, "typing_extensions.Buffer | DeviceArray">;
/// The fields of a report by their names.
using Report = Typed<nanobind::dict, "dict[str, typing.Any]">;
using Reports = Typed<nanobind::list, "list[dict[str, typing.Any]]">;
