// Reads and writes chunks in stored form.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/device/wait_for_stream.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace {

using onecast::Dataset;
using onecast::Selection;
using onecast::Shape;
using onecast::StoredBytes;
using onecast::StoredChunk;

/// Waits for the work on the array: these calls take no stream.
template <class AnyBuffer>
void wait_for_stream_of(const AnyBuffer& buffer) {
  const auto stream = buffer.stream();
  if (stream && !buffer.bytes().empty()) onecast::wait_for_stream(buffer.bytes().data(), *stream);
}

/// (start, size, filter mask, address or None)
using Described = std::tuple<Extents, std::uint64_t, std::uint32_t, std::optional<std::uint64_t>>;

Described described(const StoredChunk& chunk) {
  return {tuple_of(chunk.start), chunk.size, chunk.filter_mask, chunk.address};
}

std::vector<Described> stored_chunks(const Dataset& dataset) {
  const auto found = during<CoreRead>([&] { return onecast::stored_chunks(dataset); });
  std::vector<Described> chunks;
  for (const StoredChunk& chunk : found) chunks.push_back(described(chunk));
  return chunks;
}

std::optional<Described> find_stored_chunk(const Dataset& dataset, const Shape& start) {
  const auto found = during<CoreRead>([&] { return onecast::find_stored_chunk(dataset, start); });
  if (!found) return std::nullopt;
  return described(*found);
}

StoredBytes read_chunk(const Dataset& dataset, const Shape& start) {
  const CoreRead call;
  return onecast::read_stored_chunk(dataset, start);
}

std::pair<std::uint32_t, nb::bytes> read_stored_chunk(const Dataset& dataset, const Shape& start) {
  const StoredBytes chunk = read_chunk(dataset, start);
  return {chunk.filter_mask, nb::bytes(chunk.bytes.data(), chunk.bytes.size())};
}

/// Returns (filter mask, number of bytes written to the buffer).
std::pair<std::uint32_t, std::size_t> read_stored_chunk_into(const Dataset& dataset,
                                                             const Shape& start, AnyMemory out) {
  const WriteBuffer buffer(out);
  const CoreRead call;
  wait_for_stream_of(buffer);
  const auto chunk = onecast::read_stored_chunk(dataset, start, buffer.bytes());
  return {chunk.filter_mask, chunk.size};
}

using MakesRoom =
    Typed<nb::object, "collections.abc.Callable[[int], typing_extensions.Buffer | DeviceArray]">;
using Loaded = std::tuple<Extents, std::size_t, std::size_t, std::uint32_t>;

/// `room`: a function of Python that returns memory of so many bytes
std::vector<Loaded> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                       const MakesRoom& room) {
  std::optional<WriteBuffer> buffer;
  const auto made = [&](std::size_t size) {
    {
      const HeldGil gil;
      const CallFromCore call;
      buffer.emplace(call_python(room, size));
    }
    wait_for_stream_of(*buffer);
    return buffer->bytes();
  };
  const auto found =
      during<CoreRead>([&] { return onecast::read_stored_chunks(dataset, part, made); });
  std::vector<Loaded> chunks;
  for (const onecast::LoadedChunk& chunk : found)
    chunks.emplace_back(tuple_of(chunk.start), chunk.at, chunk.size, chunk.filter_mask);
  return chunks;
}

void write_stored_chunk(Dataset& dataset, const Shape& start, AnyMemory bytes,
                        std::uint32_t filter_mask) {
  const ReadBuffer buffer(bytes);
  const CoreCall call;
  wait_for_stream_of(buffer);
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
      .def("read_stored_chunks", &read_stored_chunks, nb::arg("part"), nb::arg("room"),
           "Lists (start, position, size, filter mask) of each chunk.")
      .def("write_stored_chunk", &write_stored_chunk, nb::arg("start"), nb::arg("data"),
           nb::arg("filter_mask"));
}
