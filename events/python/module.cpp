// The module onecast._events reads files whose events have products, through the sources of
// onecast-events. python/onecast/events/_products.py makes columns of the products.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "components/file_kind.hpp"
#include "gil.hpp"
#include "hdf5/column_plan.hpp"
#include "onecast/base/error.hpp"
#include "onecast/events/component.hpp"
#include "onecast/events/identity_names.hpp"
#include "pds/pds_index.hpp"
#include "typed.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace onecast::events;

namespace {

/// Returns a numpy array that owns the elements.
template <class T>
nb::object array_of(std::vector<T>&& elements) {
  auto* kept = new std::vector<T>(std::move(elements));
  const nb::capsule owner(kept, [](void* of) noexcept { delete static_cast<std::vector<T>*>(of); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

using hdf5::PlannedColumn;

/// Returns the argument for numpy's dtype(): the name of a number type, or (name, type) for each
/// field of a record. None: bytes.
nb::object dtype_of(const PlannedColumn& column) {
  if (column.kind == PlannedColumn::Kind::bytes) return nb::none();
  const auto& numbers = column.numbers;
  if (numbers.front().field.empty()) return nb::cast(numbers.front().primitive);
  nb::list fields;
  for (const auto& number : numbers) fields.append(nb::make_tuple(number.field, number.primitive));
  return fields;
}

const char* name_of(PlannedColumn::Kind kind) {
  using enum PlannedColumn::Kind;
  return kind == number ? "number" : kind == list ? "list" : kind == bytes ? "bytes" : "identity";
}

using Columns = Typed<nb::list, "list[tuple[str, str, str, typing.Any]]">;

/// Returns (name, class, kind, dtype of its numbers or None) for each column that shows products.
Columns columns_of(const ProductList& products) {
  Columns all;
  for (const PlannedColumn& column : hdf5::plan_columns(products).columns)
    all.append(nb::make_tuple(column.product.name, column.product.class_name, name_of(column.kind),
                              dtype_of(column)));
  return all;
}

/// A file in any of the formats with products. Any thread may call the methods; the calls run one
/// at a time.
class ProductFile {
 public:
  explicit ProductFile(std::string path) : path_(std::move(path)) {
    open({});
    if (!source_->size())
      throw onecast::Error(onecast::ErrorCode::unsupported, path_ + ": its size is not known");
  }

  [[nodiscard]] const ProductList& products() const { return source_->products(); }
  [[nodiscard]] std::uint64_t size() const { return *source_->size(); }
  [[nodiscard]] bool is_interrupted() const { return source_->is_interrupted(); }

  [[nodiscard]] std::optional<std::string> problem() const {
    if (kind_of_file(path_) != FileKind::pds) return {};
    return pds::problem_of(path_);
  }

  std::optional<std::uint64_t> find(const Identity& identity) {
    const std::scoped_lock lock(mutex_);
    return source_->find(identity);
  }

  struct Found {
    std::vector<std::uint32_t> runs, lumis;
    std::vector<std::uint64_t> events;
    std::vector<std::vector<std::uint8_t>> bytes;    ///< of each requested product
    std::vector<std::vector<std::int64_t>> offsets;  ///< where each event begins there, and the end
  };

  /// Returns products, given by number, of the events from `start` to `stop`.
  Found read(const std::vector<std::size_t>& wanted, std::uint64_t start, std::uint64_t stop) {
    const std::scoped_lock lock(mutex_);
    if (wanted != selected_) open(wanted);
    Found found;
    found.bytes.resize(wanted.size());
    found.offsets.assign(wanted.size(), {0});
    for (std::uint64_t entry = start; entry < stop; ++entry) {
      if (!cursor_->go_to(entry))
        throw onecast::Error(onecast::ErrorCode::format,
                             path_ + ": there is no event " + std::to_string(entry));
      const Identity identity = cursor_->identity();
      found.runs.push_back(identity.run);
      found.lumis.push_back(identity.lumi);
      found.events.push_back(identity.event);
      if (wanted.empty()) continue;
      cursor_->prepare();
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        cursor_->fetch(wanted[i]);
        const Bytes bytes = cursor_->serialized(wanted[i]);
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
        found.bytes[i].insert(found.bytes[i].end(), from, from + bytes.size());
        found.offsets[i].push_back(static_cast<std::int64_t>(found.bytes[i].size()));
      }
    }
    return found;
  }

 private:
  /// Opens the source for these products only, so that it reads no others.
  void open(const std::vector<std::size_t>& wanted) {
    // Never destroyed: a thread may read while the process ends.
    static const Registry& components = *new Registry(standard_components());
    cursor_.reset();
    source_ = components.source(source_for(path_));
    source_->select(wanted);
    cursor_ = source_->cursor();
    selected_ = wanted;
  }

  std::string path_;
  std::mutex mutex_;  ///< guards all following members
  std::unique_ptr<Source> source_;
  std::unique_ptr<Cursor> cursor_;
  std::vector<std::size_t> selected_;
};

using Read =
    Typed<nb::tuple,
          "tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], "
          "numpy.typing.NDArray[numpy.uint64], "
          "list[tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]]]">;

/// Returns (runs, lumis, events, [(bytes, offsets) of each product]) as numpy arrays.
Read read_products(ProductFile& file, const std::vector<std::size_t>& wanted, std::uint64_t start,
                   std::uint64_t stop) {
  ProductFile::Found found;
  {
    const ReleasedGil released;
    found = file.read(wanted, start, stop);
  }
  nb::list products;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    products.append(
        nb::make_tuple(array_of(std::move(found.bytes[i])), array_of(std::move(found.offsets[i]))));
  return nb::make_tuple(array_of(std::move(found.runs)), array_of(std::move(found.lumis)),
                        array_of(std::move(found.events)), products);
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the macro passes the module so
NB_MODULE(_events, m) {
  nb::set_leak_warnings(false);
  m.attr("usual_identities") = nb::cast(kUsualIdentities);
  m.def(
      "columns_of",
      [](const std::vector<std::pair<std::string, std::string>>& products,
         const std::string& serializer) {
        ProductList list{serializer, {}};
        for (const auto& [name, class_name] : products) list.products.push_back({name, class_name});
        return columns_of(list);
      },
      "products"_a, "serializer"_a);
  nb::class_<ProductFile>(m, "ProductFile")
      .def(nb::init<std::string>(), "path"_a, nb::call_guard<ReleasedGil>())
      .def("columns", [](const ProductFile& file) { return columns_of(file.products()); })
      .def("serializer", [](const ProductFile& file) { return file.products().serializer; })
      .def("size", &ProductFile::size)
      .def("is_interrupted", &ProductFile::is_interrupted)
      .def("problem", &ProductFile::problem, nb::call_guard<ReleasedGil>())
      .def("read", &read_products, "products"_a, "start"_a, "stop"_a)
      .def(
          "find",
          [](ProductFile& file, std::uint32_t run, std::uint32_t lumi, std::uint64_t event) {
            return file.find({run, lumi, event});
          },
          "run"_a, "lumi"_a, "event"_a, nb::call_guard<ReleasedGil>());
}
