#pragma once

// Gives access to the C-contiguous memory of Python objects (arrays, bytes).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bindings.hpp"

/// Holds the buffer of an object; construct and destroy it with the GIL held.
class Buffer {
 public:
  Buffer(nb::handle source, int flags) {
    if (PyObject_GetBuffer(source.ptr(), &view_, flags) != 0) throw nb::python_error();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  virtual ~Buffer() { PyBuffer_Release(&view_); }

 protected:
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(view_.buf); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
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
