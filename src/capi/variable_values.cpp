// Strings and sequences, whose elements only stand for values that lie elsewhere.

#include "onecast/objects/variable_values.hpp"

#include "capi/arguments.hpp"
#include "capi/collective.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/capi/dataset.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

const Datatype& sequence_type_of(const Dataset& dataset) {
  const Datatype& type = dataset.datatype();
  if (type.type_class() != TypeClass::sequence)
    reject(dataset.path() + ": is " + type.describe() + ", not sequences");
  if (type.base().points_elsewhere())
    reject(dataset.path() + ": sequences of " + type.base().describe());
  return type;
}

/// That the elements of the part take, as they are stored.
std::size_t bytes_of(const Dataset& dataset, const Selection& part) {
  const std::uint64_t count =
      part.kind() == Selection::Kind::all
          ? dataset.element_count()
          : (part.is_unlimited() ? part.clipped(dataset.dataspace().shape()) : part)
                .element_count();
  std::size_t size = 0;
  if (__builtin_mul_overflow(count, dataset.datatype().size(), &size))
    reject(dataset.path() + ": a part of " + std::to_string(count) + " elements is too large");
  return size;
}

struct Elements {
  Elements(const Dataset& dataset, std::size_t count, const onecast_sequence* sequences) {
    const Datatype& type = sequence_type_of(dataset);
    const auto all = list(sequences, count, "sequences");
    bytes.resize(count * type.size());
    std::span<std::byte> rest = bytes;
    for (const onecast_sequence& one : all) {
      std::size_t size = 0;
      if (__builtin_mul_overflow(one.count, type.base().size(), &size)) reject("sequence too long");
      values.sequence(type, capi::bytes(one.elements, size), rest.first(type.size()));
      rest = rest.subspan(type.size());
    }
  }

  NewValues values;
  std::vector<std::byte> bytes;
};

onecast_sequence* returned_sequences(const Datatype& type, std::span<const std::byte> elements,
                                     VariableValues& values) {
  std::vector<VariableValues::Sequence> all;
  std::size_t bytes = 0;
  for (; !elements.empty(); elements = elements.subspan(type.size())) {
    all.push_back(values.sequence(type, elements.first(type.size())));
    bytes += ReturnedBlock::padded(all.back().bytes.size());
  }
  ReturnedBlock block(all.size(), sizeof(onecast_sequence), bytes);
  for (std::size_t i = 0; i < all.size(); ++i)
    block.entries<onecast_sequence>()[i] = {static_cast<std::size_t>(all[i].count),
                                            all[i].count != 0 ? block.put(all[i].bytes) : nullptr};
  return static_cast<onecast_sequence*>(block.release());
}

}  // namespace

onecast_status onecast_dataset_read_strings(const onecast_object* dataset, const onecast_part* part,
                                            size_t* count, char*** texts) {
  return guard_making(texts, [&] {
    const auto found = as_dataset(dataset).read_strings(plain_selection_of(part));
    required(count, "count");
    required(texts, "texts");
    *texts = returned_texts(found);
    *count = found.size();
  });
}

onecast_status onecast_dataset_read_all_strings(const onecast_object* dataset,
                                                const onecast_part* part, size_t* count,
                                                char*** texts) {
  return guard_making(texts, [&] {
    const Dataset& from = as_dataset(dataset);
    Selection where;
    std::vector<std::byte> elements;
    prepare_read_all(from, [&] {
      required(count, "count");
      required(texts, "texts");
      where = plain_selection_of(part);
      elements.resize(bytes_of(from, where));
    });
    from.read_all(elements, where);
    const auto found = VariableValues(from).strings(from.datatype(), elements);
    *texts = returned_texts(found);
    *count = found.size();
  });
}

onecast_status onecast_dataset_write_strings(onecast_object* dataset, const onecast_part* part,
                                             size_t count, const char* const* first) {
  return guard(
      [&] { as_dataset(dataset).write_strings(texts(first, count), plain_selection_of(part)); });
}

onecast_status onecast_dataset_write_all_strings(onecast_object* dataset, const onecast_part* part,
                                                 size_t count, const char* const* first) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    std::vector<std::string> strings;
    Selection where;
    prepare_write_all(to, [&] {
      strings = texts(first, count);
      where = plain_selection_of(part);
    });
    to.write_all_strings(strings, where);
  });
}

onecast_status onecast_dataset_write_equal_strings(onecast_object* dataset,
                                                   const onecast_part* part, size_t count,
                                                   const char* const* first) {
  return guard([&] {
    as_dataset(dataset).write_equal_strings(texts(first, count), plain_selection_of(part));
  });
}

onecast_status onecast_dataset_read_sequences(const onecast_object* dataset,
                                              const onecast_part* part, size_t* count,
                                              onecast_sequence** sequences) {
  return guard_making(sequences, [&] {
    const Dataset& from = as_dataset(dataset);
    const Datatype& type = sequence_type_of(from);
    const auto elements = from.read_elements(plain_selection_of(part));
    VariableValues values(from);
    required(count, "count");
    required(sequences, "sequences");
    *sequences = returned_sequences(type, elements, values);
    *count = elements.size() / type.size();
  });
}

onecast_status onecast_dataset_write_sequences(onecast_object* dataset, const onecast_part* part,
                                               size_t count, const onecast_sequence* sequences) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    const Elements elements(to, count, sequences);
    to.write(elements.bytes, plain_selection_of(part), elements.values);
  });
}

onecast_status onecast_dataset_write_all_sequences(onecast_object* dataset,
                                                   const onecast_part* part, size_t count,
                                                   const onecast_sequence* sequences) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    std::optional<Elements> elements;
    Selection where;
    prepare_write_all(to, [&] {
      elements.emplace(to, count, sequences);
      where = plain_selection_of(part);
    });
    to.write_all(elements->bytes, where, elements->values);
  });
}
