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
#include "hdf5/element_types.hpp"
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

/// Returns the name of a number type in numpy's notation: "<f4".
std::string letters_of(const onecast::Datatype& type) {
  const bool is_integer = type.type_class() == onecast::TypeClass::integer;
  return std::string("<") + (is_integer ? type.is_signed() ? "i" : "u" : "f") +
         std::to_string(type.size());
}

/// Returns the argument for numpy's dtype(): such a name, or (name, type) for each member of a
/// compound.
nb::object dtype_of(const std::optional<onecast::Datatype>& type) {
  if (!type) return nb::none();
  if (type->type_class() != onecast::TypeClass::compound) return nb::cast(letters_of(*type));
  nb::list members;
  for (const auto& member : type->members())
    members.append(nb::make_tuple(member.name, letters_of(member.type)));
  return members;
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

Any dtype_of_class(const std::string& class_name, const std::string& serializer) {
  const Product product{"", class_name};
  const auto type = hdf5::element_type(product, serializer);
  return type && hdf5::has_booleans(product) ? nb::cast("?") : dtype_of(type);
}

using Described = Typed<nb::list, "list[tuple[str, str, typing.Any]]">;

/// Returns (name, class, dtype of its numbers or None) for each product.
Described describe(const ProductFile& file) {
  Described all;
  const ProductList& list = file.products();
  for (const Product& product : list.products)
    all.append(nb::make_tuple(product.name, product.class_name,
                              dtype_of_class(product.class_name, list.serializer)));
  return all;
}

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
  m.def("dtype_of", &dtype_of_class, "class_name"_a, "serializer"_a);
  nb::class_<ProductFile>(m, "ProductFile")
      .def(nb::init<std::string>(), "path"_a, nb::call_guard<ReleasedGil>())
      .def("describe", &describe)
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
