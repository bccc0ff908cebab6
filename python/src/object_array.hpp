#pragma once

// Accesses the objects of an array of numpy's dtype object, without a Python call for each.

#include <cstring>

#include "buffer.hpp"

/// @param B ReadBuffer or WriteBuffer
template <class B>
class ObjectArray {
 public:
  explicit ObjectArray(nb::handle array) : buffer_(array) {}

  [[nodiscard]] std::size_t size() const { return buffer_.bytes().size() / sizeof(PyObject*); }
  void require_size(std::size_t expected) const {
    if (size() != expected) throw nb::value_error("the array has another number of elements");
  }

  /// Returns a borrowed reference; numpy may store null for None.
  [[nodiscard]] PyObject* at(std::size_t i) const {
    PyObject* item = nullptr;
    std::memcpy(&item, buffer_.bytes().data() + i * sizeof item, sizeof item);
    return item == nullptr ? Py_None : item;
  }

  /// Steals the reference to the new object.
  void set(std::size_t i, PyObject* item) const {
    std::byte* place = buffer_.bytes().data() + i * sizeof item;
    PyObject* old = nullptr;
    std::memcpy(&old, place, sizeof old);
    std::memcpy(place, &item, sizeof item);
    Py_XDECREF(old);
  }

 private:
  B buffer_;
};
