#pragma once

// Gives access to the C-contiguous memory of Python objects (arrays, bytes, arrays of a device).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings.hpp"

/// An array in memory of a device, which Python has examined. Only transfers of datasets get it.
struct DeviceArray {
  nb::object owner;  ///< keeps the memory
  std::uintptr_t address;
  std::size_t size;                      ///< in bytes
  std::optional<std::uintptr_t> stream;  ///< see TransferRequest
};

/// Holds the buffer of an object; construct and destroy it with the GIL held.
class Buffer {
 public:
  Buffer(nb::handle source, int flags) {
    if (take_device_array(source)) return;
    if (PyObject_GetBuffer(source.ptr(), &view_, flags) != 0) throw nb::python_error();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  virtual ~Buffer() { PyBuffer_Release(&view_); }

  /// See TransferRequest.
  [[nodiscard]] std::optional<std::uintptr_t> stream() const { return stream_; }

 protected:
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(view_.buf); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  /// Returns false if it is memory of the process.
  bool take_device_array(nb::handle source) {
    if (PyObject_CheckBuffer(source.ptr()) != 0) return false;
    const DeviceArray* array = nullptr;
    if (!nb::try_cast(source, array) || array == nullptr) return false;
    device_array_ = nb::borrow(source);
    stream_ = array->stream;
    view_.buf = reinterpret_cast<void*>(array->address);  // NOLINT(performance-no-int-to-ptr)
    view_.len = static_cast<Py_ssize_t>(array->size);
    return true;
  }

  Py_buffer view_{};
  nb::object device_array_;
  std::optional<std::uintptr_t> stream_;
};

class ReadBuffer : public Buffer {
 public:
  explicit ReadBuffer(nb::handle source) : Buffer(source, PyBUF_SIMPLE) {}
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data(), size()}; }
};

class WriteBuffer : public Buffer {
 public:
  explicit WriteBuffer(nb::handle target) : Buffer(target, PyBUF_SIMPLE | PyBUF_WRITABLE) {}
  [[nodiscard]] std::span<std::byte> bytes() const { return {data(), size()}; }
};

using ListOfBytes = Typed<nb::list, "list[bytes]">;
inline ListOfBytes list_of_bytes(const std::vector<std::string>& strings) {
  ListOfBytes values;
  for (const std::string& text : strings) values.append(nb::bytes(text.data(), text.size()));
  return values;
}
