// Binds DLPack, by which libraries of arrays hand over their memory: docs of its C interface are at
// https://dmlc.github.io/dlpack. The structs below are that interface, which does not change within
// a major version.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"

namespace {

struct DlDevice {
  std::int32_t type;
  std::int32_t number;
};

struct DlType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t rank;
  DlType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: C order without gaps
  std::uint64_t byte_offset;
};

/// What a capsule holds before version 1.0.
struct DlManaged {
  DlTensor tensor;
  void* context;
  void (*deleter)(DlManaged*);
};

/// What a capsule holds since version 1.0.
struct DlVersioned {
  std::uint32_t major;
  std::uint32_t minor;
  void* context;
  void (*deleter)(DlVersioned*);
  std::uint64_t flags;
  DlTensor tensor;
};

constexpr std::uint32_t kMajor = 1;
constexpr std::uint64_t kReadOnly = 1;
constexpr std::uint64_t kIsCopy = 2;

/// An array that another library has handed over. It keeps the memory.
class DlPackArray {
 public:
  /// Takes the contents of a capsule, which nobody else can take afterwards.
  explicit DlPackArray(nb::handle capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0) {
      versioned_ = static_cast<DlVersioned*>(take(capsule, "dltensor_versioned"));
      PyCapsule_SetName(capsule.ptr(), "used_dltensor_versioned");
      if (versioned_->major != kMajor) {
        const std::string version = std::to_string(versioned_->major);
        release();
        throw nb::buffer_error(("DLPack of version 1 was expected, not " + version).c_str());
      }
      tensor_ = &versioned_->tensor;
    } else {
      managed_ = static_cast<DlManaged*>(take(capsule, "dltensor"));
      PyCapsule_SetName(capsule.ptr(), "used_dltensor");
      tensor_ = &managed_->tensor;
    }
  }
  DlPackArray(const DlPackArray&) = delete;
  DlPackArray& operator=(const DlPackArray&) = delete;
  ~DlPackArray() { release(); }

  [[nodiscard]] std::uintptr_t address() const {
    return reinterpret_cast<std::uintptr_t>(tensor_->data) + tensor_->byte_offset;
  }
  [[nodiscard]] Extents shape() const { return tuple_of(tensor_->shape, 1); }
  [[nodiscard]] std::optional<Extents> strides() const {
    if (tensor_->strides == nullptr) return std::nullopt;
    return tuple_of(tensor_->strides, tensor_->type.bits / 8);
  }
  /// Returns numpy's name of the type; nothing if it has none.
  [[nodiscard]] std::optional<std::string> typestr() const {
    constexpr const char* kKinds = "iuf  cb";  // by DLPack's codes
    constexpr std::uint8_t kCodes = 7;
    const auto [code, bits, lanes] = tensor_->type;
    if (lanes != 1 || bits % 8 != 0 || code >= kCodes || kKinds[code] == ' ') return std::nullopt;
    return std::string("=") + kKinds[code] + std::to_string(bits / 8);
  }
  [[nodiscard]] bool is_readonly() const { return has(kReadOnly); }
  [[nodiscard]] bool is_copy() const { return has(kIsCopy); }
  /// Returns false if it is from before DLPack 1.0, which has no flags.
  [[nodiscard]] bool has_flags() const { return versioned_ != nullptr; }

 private:
  static void* take(nb::handle capsule, const char* name) {
    void* contents = PyCapsule_GetPointer(capsule.ptr(), name);
    if (contents == nullptr) throw nb::python_error();
    return contents;
  }
  [[nodiscard]] bool has(std::uint64_t flag) const {
    return versioned_ != nullptr && (versioned_->flags & flag) != 0;
  }
  [[nodiscard]] nb::tuple tuple_of(const std::int64_t* numbers, std::int64_t unit) const {
    nb::list all;
    for (std::int32_t d = 0; d < tensor_->rank; ++d) all.append(numbers[d] * unit);
    return nb::tuple(all);
  }
  void release() {
    if (auto* old = std::exchange(managed_, nullptr); old != nullptr && old->deleter != nullptr)
      old->deleter(old);
    if (auto* old = std::exchange(versioned_, nullptr); old != nullptr && old->deleter != nullptr)
      old->deleter(old);
  }

  DlManaged* managed_ = nullptr;
  DlVersioned* versioned_ = nullptr;
  DlTensor* tensor_ = nullptr;
};

}  // namespace

void bind_dlpack(nb::module_& m) {
  nb::class_<DlPackArray>(m, "DLPackArray", "An array that another library has handed over.")
      .def(nb::init<nb::handle>(), nb::arg("capsule"))
      .def_prop_ro("address", &DlPackArray::address)
      .def_prop_ro("shape", &DlPackArray::shape)
      .def_prop_ro("strides", &DlPackArray::strides, "In bytes; None: C order without gaps.")
      .def_prop_ro("typestr", &DlPackArray::typestr)
      .def_prop_ro("is_readonly", &DlPackArray::is_readonly)
      .def_prop_ro("is_copy", &DlPackArray::is_copy)
      .def_prop_ro("has_flags", &DlPackArray::has_flags);
}
