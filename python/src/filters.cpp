// Binds filters that Python registers.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/filters/filter_plugins.hpp"
#include "onecast/filters/known_filters.hpp"
#include "onecast/filters/register_filter.hpp"
#include "text.hpp"

namespace {

using Decode =
    Typed<nb::callable,
          "collections.abc.Callable[[bytes, tuple[int, ...]], typing_extensions.Buffer]">;
using Encode =
    Typed<nb::callable,
          "collections.abc.Callable[[bytes, tuple[int, ...]], typing_extensions.Buffer | None]">;

/// A callable that C++ may copy, call and destroy on any thread, without the GIL.
class Callback {
 public:
  /// @param may_decline true if the function may return None
  Callback(nb::callable function, bool may_decline)
      : function_(new nb::callable(std::move(function)), &release), may_decline_(may_decline) {}

  std::vector<std::byte> operator()(const onecast::FilterInput& in) const {
    const HeldGil gil;
    const CallFromCore here;
    try {
      const nb::object made = call_python(*function_, nb::bytes(in.bytes.data(), in.bytes.size()),
                                          values(in.client_data));
      if (may_decline_ && made.is_none()) return {};
      const ReadBuffer result(made);
      return {result.bytes().begin(), result.bytes().end()};
    } catch (nb::python_error& error) {
      // The text is taken while the GIL is held.
      throw std::runtime_error(words_of(error));
    }
  }

 private:
  static nb::tuple values(std::span<const std::uint32_t> client_data) {
    nb::list list;
    for (const std::uint32_t value : client_data) list.append(value);
    return nb::tuple(list);
  }

  static void release(nb::callable* function) {
    if (Py_IsInitialized() == 0) return;
    const HeldGil gil;
    delete function;
  }

  std::shared_ptr<nb::callable> function_;
  bool may_decline_;
};

void register_python(std::uint16_t id, std::string name, Decode decode,
                     std::optional<Encode> encode) {
  Callback decoder(std::move(decode), false);
  onecast::FilterFunction encoder;
  if (encode) encoder = Callback(std::move(*encode), true);
  const ReleasedGil released;
  onecast::register_filter(id, std::move(name), std::move(decoder), std::move(encoder));
}

bool unregister_python(std::uint16_t id) {
  const ReleasedGil released;
  return onecast::unregister_filter(id);
}

using Known = Typed<
    nb::list,
    "list[tuple[int, str, str | None, bool, bool, tuple[tuple[str, int, int, int, int], ...]]]">;

/// Returns (id, name, name in h5py or None, is it decoded?, is it encoded?, ((name, position,
/// otherwise, least, most), ...)) for each filter.
Known list_known() {
  Known all;
  for (const onecast::KnownFilter& filter : onecast::known_filters()) {
    nb::list parameters;
    for (const onecast::FilterParameter& p : filter.parameters)
      parameters.append(nb::make_tuple(nb::str(p.name.data(), p.name.size()), p.position,
                                       p.otherwise, p.least, p.most));
    all.append(nb::make_tuple(
        filter.id, Text{filter.name},
        filter.h5py_name.empty() ? nb::object(nb::none()) : nb::cast(Text{filter.h5py_name}),
        filter.decodes, filter.encodes, nb::tuple(parameters)));
  }
  return all;
}

}  // namespace

void bind_filters(nb::module_& m) {
  m.def("known_filters", &list_known);
  m.def("register_filter", &register_python, nb::arg("id"), nb::arg("name"), nb::arg("decode"),
        nb::arg("encode").none());
  m.def(
      "load_filter_plugins",
      [](const Text& path) {
        const ReleasedGil released;
        return onecast::load_filter_plugins(path.bytes);
      },
      nb::arg("path"));
  m.def("unregister_filter", &unregister_python, nb::arg("id"));
}
