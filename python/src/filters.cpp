// Filters that Python registers.

#include <nanobind/stl/string.h>

#include <memory>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/filters/register_filter.hpp"
#include "text.hpp"

namespace {

/// A callable that C++ may copy, call and drop on any thread, without the GIL.
class Callback {
 public:
  explicit Callback(nb::callable function)
      : function_(new nb::callable(std::move(function)), &release) {}

  std::vector<std::byte> operator()(const onecast::FilterInput& in) const {
    const nb::gil_scoped_acquire gil;
    const CallFromCore here;
    try {
      const ReadBuffer result(
          (*function_)(nb::bytes(in.bytes.data(), in.bytes.size()), values(in.client_data)));
      return {result.bytes().begin(), result.bytes().end()};
    } catch (nb::python_error& error) {
      // Its text, taken while the GIL is held.
      throw std::runtime_error(summary(error));
    }
  }

 private:
  static nb::tuple values(std::span<const std::uint32_t> client_data) {
    nb::list list;
    for (const std::uint32_t value : client_data) list.append(value);
    return nb::tuple(list);
  }

  static std::string summary(nb::python_error& error) {
    return text(error.type().attr("__name__")) + ": " + text(nb::str(error.value()));
  }

  static std::string text(nb::handle value) { return nb::cast<Text>(value).bytes; }

  static void release(nb::callable* function) {
    if (Py_IsInitialized() == 0) return;
    const nb::gil_scoped_acquire gil;
    delete function;
  }

  std::shared_ptr<nb::callable> function_;
};

void register_python(std::uint16_t id, std::string name, nb::callable decode) {
  Callback callback(std::move(decode));
  const nb::gil_scoped_release released;
  onecast::register_filter(id, std::move(name), std::move(callback));
}

bool unregister_python(std::uint16_t id) {
  const nb::gil_scoped_release released;
  return onecast::unregister_filter(id);
}

}  // namespace

void bind_filters(nb::module_& m) {
  m.def("register_filter", &register_python, nb::arg("id"), nb::arg("name"), nb::arg("decode"));
  m.def("unregister_filter", &unregister_python, nb::arg("id"));
}
