// Binds copies of objects within and between files.

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "onecast/objects/group.hpp"
#include "text.hpp"

namespace {

using onecast::CopyOptions;
using onecast::Filter;
using onecast::Group;
using onecast::Layout;
using onecast::Object;
using onecast::Shape;
using onecast::StorageChange;

using Changes = Typed<nb::dict, "dict[str, StorageChange]">;
using Progress = Typed<nb::object, "collections.abc.Callable[[int, int], object]">;

CopyOptions make_options(bool shallow, bool expand_soft, bool expand_external,
                         bool expand_references, bool without_attributes,
                         bool merge_committed_types, const Changes& storage,
                         const Progress& progress) {
  CopyOptions options;
  options.shallow = shallow;
  options.expand_soft = expand_soft;
  options.expand_external = expand_external;
  options.expand_references = expand_references;
  options.without_attributes = without_attributes;
  options.merge_committed_types = merge_committed_types;
  for (const auto& [path, change] : storage)
    options.storage.emplace(nb::cast<Text>(path).bytes, nb::cast<StorageChange>(change));
  if (!progress.is_none())
    options.progress = [function = progress.ptr()](std::uint64_t done, std::uint64_t all) {
      const HeldGil gil;
      const CallFromCore call;
      call_python(nb::borrow(function), done, all);
    };
  return options;
}

}  // namespace

void bind_copy(nb::module_& m) {
  nb::class_<StorageChange>(m, "StorageChange", "Changes to the storage of a copied dataset.")
      .def(
          "__init__",
          [](StorageChange* self, std::optional<Layout> layout, Shape chunk,
             std::optional<std::vector<Filter>> filters) {
            new (self) StorageChange{layout, std::move(chunk), std::move(filters)};
          },
          nb::arg("layout") = nb::none(), nb::arg("chunk") = Shape(),
          nb::arg("filters") = nb::none());
  nb::class_<CopyOptions>(m, "CopyOptions", "The options of a copy.")
      .def(
          "__init__",
          [](CopyOptions* self, bool shallow, bool expand_soft, bool expand_external,
             bool expand_references, bool without_attributes, bool merge_committed_types,
             const Changes& storage, const Progress& progress) {
            new (self) CopyOptions(make_options(shallow, expand_soft, expand_external,
                                                expand_references, without_attributes,
                                                merge_committed_types, storage, progress));
          },
          nb::kw_only(), nb::arg("shallow") = false, nb::arg("expand_soft") = false,
          nb::arg("expand_external") = false, nb::arg("expand_references") = false,
          nb::arg("without_attributes") = false, nb::arg("merge_committed_types") = false,
          nb::arg("storage") = nb::dict(), nb::arg("progress") = nb::none(),
          nb::keep_alive<1, 9>());
  m.def(
      "copy",
      [](Group& group, const Object& source, const Text& path, const CopyOptions& options) {
        group.copy(source, path.bytes, options);
      },
      core_call());
  m.def(
      "copy_members",
      [](Group& group, const Group& source, const CopyOptions& options) {
        group.copy_members(source, options);
      },
      core_call());
}
