// Reads and writes chunks in stored form.

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace {

using onecast::Dataset;
using onecast::Shape;
using onecast::StoredBytes;
using onecast::StoredChunk;

/// Returns (start, size, filter mask, address or None).
nb::tuple described(const StoredChunk& chunk) {
  nb::object address = nb::none();
  if (chunk.address) address = nb::int_(*chunk.address);
  return nb::make_tuple(tuple_of(chunk.start), chunk.size, chunk.filter_mask, address);
}

nb::list stored_chunks(const Dataset& dataset) {
  const auto found = [&] {
    const CoreRead call;
    return onecast::stored_chunks(dataset);
  }();
  nb::list chunks;
  for (const StoredChunk& chunk : found) chunks.append(described(chunk));
  return chunks;
}

nb::object find_stored_chunk(const Dataset& dataset, const Shape& start) {
  const auto found = [&] {
    const CoreRead call;
    return onecast::find_stored_chunk(dataset, start);
  }();
  if (!found) return nb::none();
  return described(*found);
}

StoredBytes read_chunk(const Dataset& dataset, const Shape& start) {
  const CoreRead call;
  return onecast::read_stored_chunk(dataset, start);
}

nb::tuple read_stored_chunk(const Dataset& dataset, const Shape& start) {
  const StoredBytes chunk = read_chunk(dataset, start);
  return nb::make_tuple(chunk.filter_mask, nb::bytes(chunk.bytes.data(), chunk.bytes.size()));
}

/// Returns (filter mask, number of bytes written to the buffer).
nb::tuple read_stored_chunk_into(const Dataset& dataset, const Shape& start, nb::handle out) {
  const WriteBuffer buffer(out);
  const StoredBytes chunk = read_chunk(dataset, start);
  if (buffer.bytes().size() < chunk.bytes.size())
    throw nb::value_error(("out: the chunk has " + std::to_string(chunk.bytes.size()) +
                           " bytes, and the buffer has " + std::to_string(buffer.bytes().size()))
                              .c_str());
  std::ranges::copy(chunk.bytes, buffer.bytes().begin());
  return nb::make_tuple(chunk.filter_mask, chunk.bytes.size());
}

void write_stored_chunk(Dataset& dataset, const Shape& start, nb::handle bytes,
                        std::uint32_t filter_mask) {
  const ReadBuffer buffer(bytes);
  const CoreCall call;
  onecast::write_stored_chunk(dataset, start, buffer.bytes(), filter_mask);
}

}  // namespace

void bind_chunks(nb::class_<Dataset, onecast::Object>& dataset) {
  dataset
      .def("stored_chunks", &stored_chunks,
           "Lists (start, size, filter mask, address or None) of each chunk.")
      .def("find_stored_chunk", &find_stored_chunk, nb::arg("start"))
      .def("read_stored_chunk", &read_stored_chunk, nb::arg("start"),
           "Returns (filter mask, bytes).")
      .def("read_stored_chunk_into", &read_stored_chunk_into, nb::arg("start"), nb::arg("out"))
      .def("write_stored_chunk", &write_stored_chunk, nb::arg("start"), nb::arg("data"),
           nb::arg("filter_mask"));
}
