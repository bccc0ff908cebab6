#include "hdf5/checked_reads.hpp"

#include <algorithm>

#include "hdf5/element_types.hpp"
#include "model/make_error.hpp"
#include "model/tight.hpp"
#include "onecast/objects/details.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::events::hdf5 {

void throw_format(const Object& where, const std::string& what) {
  throw format_error("{}: {}: {}", where.file().path(), where.path(), what);
}

Dataset need_dataset(const Group& group, const std::string& path) {
  if (group.kind_of(path) != ObjectKind::dataset) fail_format(group, "has no dataset {}", path);
  return group.open_dataset(path);
}

std::string text_attribute(const Object& object, const char* name) {
  const auto found = object.find_attribute(name);
  const bool is_text = found && found->dataspace().element_count() == 1 &&
                       (found->datatype().type_class() == TypeClass::string ||
                        found->datatype().type_class() == TypeClass::variable_string);
  if (!is_text) fail_format(object, "has no attribute {} with a text", name);
  return found->read<std::string>().front();
}

std::int64_t number_attribute(const Object& object, const char* name) {
  const auto found = object.find_attribute(name);
  if (!found || found->dataspace().element_count() != 1 ||
      found->datatype().type_class() != TypeClass::integer)
    fail_format(object, "has no attribute {} with a number", name);
  return found->read<std::int64_t>().front();
}

std::vector<std::string> texts_of(const Dataset& dataset) {
  if (dataset.datatype().type_class() != TypeClass::string || dataset.shape().size() != 1)
    fail_format(dataset, "is no list of texts");
  return dataset.read<std::string>();
}

std::uint64_t most_bytes(const Dataset& dataset) {
  const std::uint64_t file = dataset.file().metadata_report().file_size;
  const bool filtered = !storage_of(dataset).filters.empty();
  return std::min(std::uint64_t{8} << 30U, filtered ? file * 1024 + (64U << 20U) : file);
}

void require_stored(const Dataset& dataset) {
  const std::size_t element = dataset.datatype().size();
  if (element == 0 || dataset.element_count() > most_bytes(dataset) / element)
    fail_format(dataset, "has {} elements, more than the file can hold", dataset.element_count());
}

NumberTable::NumberTable(Dataset dataset, std::uint64_t width) : dataset_(std::move(dataset)) {
  const Shape& shape = dataset_.shape();
  const bool fits = dataset_.datatype().type_class() == TypeClass::integer &&
                    (shape.size() == 2 ? shape[1] == width : shape.size() == 1 && width == 1);
  if (!fits) fail_format(dataset_, "is no table with {} integers in a row", width);
  require_stored(dataset_);
  rows_ = shape[0];
}

std::vector<std::uint64_t> NumberTable::read(std::uint64_t first, std::uint64_t rows) const {
  if (rows == 0) return {};
  return dataset_.read<std::uint64_t>(dataset_.rows(first, first + rows));
}

ByteTable::ByteTable(Dataset dataset) : dataset_(std::move(dataset)) {
  if (!is_element_type(dataset_.datatype()) || dataset_.shape().size() != 1)
    fail_format(dataset_, "does not consist of bytes or numbers");
  element_ = dataset_.datatype().size();
  if (element_ == 0 || __builtin_mul_overflow(dataset_.shape()[0], element_, &size_))
    fail_format(dataset_, "has too many elements");
  most_ = most_bytes(dataset_);
}

void ByteTable::read(std::uint64_t start, std::uint64_t end, std::vector<std::byte>& out,
                     const std::string& row) const {
  out.resize(static_cast<std::size_t>(read_to(out, 0, start, end, row)));
}

void ByteTable::check(std::uint64_t at, std::uint64_t start, std::uint64_t end,
                      const std::string& row) const {
  if (start > end || end > size_ || at > most_ || end - start > most_ - at)
    fail_format(dataset_, "{}: bytes {} to {} of {}", row, start, end, size_);
  if (start % element_ != 0 || end % element_ != 0)
    fail_format(dataset_, "{}: bytes {} to {} are no elements of {} bytes", row, start, end,
                element_);
}

std::uint64_t ByteTable::read_to(std::vector<std::byte>& out, std::uint64_t at, std::uint64_t start,
                                 std::uint64_t end, const std::string& row) const {
  check(at, start, end, row);
  if (start == end) return at;
  const auto first = static_cast<std::size_t>(at);
  const auto bytes = static_cast<std::size_t>(end - start);
  if (out.size() < first + bytes) resize_tightly(out, first + bytes);
  dataset_.read(std::as_writable_bytes(std::span(out).subspan(first, bytes)),
                {.part = dataset_.rows(start / element_, end / element_)});
  return first + bytes;
}

void ByteTable::decode_later() {
  if (dataset_.layout() != Layout::chunked) fail_format(dataset_, "has no chunks");
  decoder_.emplace(dataset_);
}

std::uint64_t ByteTable::read_chunks(EventRun& run, std::uint64_t at, std::uint64_t start,
                                     std::uint64_t end, const std::string& row) const {
  check(at, start, end, row);
  if (start == end) return at;
  const std::uint64_t bytes = decoder_->chunk_bytes();
  const std::uint64_t chunks = (end - 1) / bytes - start / bytes + 1;
  check(at + chunks * bytes, start, start, row);
  for (LoadedChunk& chunk :
       read_stored_chunks(dataset_, dataset_.rows(start / element_, end / element_),
                          run.memory.front(), run.chunk_bytes)) {
    run.chunk_bytes = std::max(run.chunk_bytes, chunk.at + chunk.size);
    run.chunks.push_back({&*decoder_, std::move(chunk)});
  }
  return at + chunks * bytes;
}

}  // namespace onecast::events::hdf5
