// Strings and sequences, whose elements hold addresses of values.

#include "onecast/objects/variable_values.hpp"

#include "capi/arguments.hpp"
#include "capi/attribute_values.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "capi/transfers.hpp"
#include "onecast/capi/structs.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

void require_sequences(const Datatype& type, const std::string& where) {
  if (type.type_class() != TypeClass::sequence)
    reject(where + ": is " + type.describe() + ", not sequences");
  if (type.base().points_elsewhere()) reject(where + ": sequences of " + type.base().describe());
}

void make_sequences(const Datatype& type, const std::string& where, std::size_t count,
                    const onecast_sequence* sequences, MadeElements& made) {
  require_sequences(type, where);
  const auto all = list(sequences, count, "sequences");
  made.bytes.resize(count * type.size());
  std::span<std::byte> rest = made.bytes;
  for (const onecast_sequence& one : all) {
    std::size_t size = 0;
    if (__builtin_mul_overflow(one.count, type.base().size(), &size)) reject("sequence too long");
    made.values.sequence(type, bytes(one.elements, size), rest.first(type.size()));
    rest = rest.subspan(type.size());
  }
}

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

onecast_status read_strings(const onecast_object* dataset, const onecast_selection* part,
                            size_t* count, char*** texts, Way way) {
  return read_values(
      dataset, part, way, count, texts, [](const Dataset& /*from*/) {},
      [](const Dataset& from, std::span<const std::byte> elements) {
        return returned_texts(VariableValues(from).strings(from.datatype(), elements));
      });
}

onecast_status write_strings(onecast_object* dataset, const onecast_selection* part, size_t count,
                             const char* const* first, Way way) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    std::vector<std::string> strings;
    const TransferRequest request = attempt(part, [&] {
      strings = texts(first, count);
      return values_request_of(part);
    });
    write(to, way, strings, request);
  });
}

onecast_status read_sequences(const onecast_object* dataset, const onecast_selection* part,
                              size_t* count, onecast_sequence** sequences, Way way) {
  return read_values(
      dataset, part, way, count, sequences,
      [](const Dataset& from) { require_sequences(from.datatype(), from.path()); },
      [](const Dataset& from, std::span<const std::byte> elements) {
        VariableValues values(from);
        return returned_sequences(from.datatype(), elements, values);
      });
}

onecast_status write_sequences(onecast_object* dataset, const onecast_selection* part, size_t count,
                               const onecast_sequence* sequences, Way way) {
  return write_values(dataset, part, way, [&](const Dataset& to, MadeElements& made) {
    make_sequences(to.datatype(), to.path(), count, sequences, made);
  });
}

}  // namespace

onecast_status onecast_dataset_read_strings(const onecast_object* dataset,
                                            const onecast_selection* part, size_t* count,
                                            char*** texts) {
  return read_strings(dataset, part, count, texts, Way::alone);
}

onecast_status onecast_dataset_read_all_strings(const onecast_object* dataset,
                                                const onecast_selection* part, size_t* count,
                                                char*** texts) {
  return read_strings(dataset, part, count, texts, Way::together);
}

onecast_status onecast_dataset_write_strings(onecast_object* dataset, const onecast_selection* part,
                                             size_t count, const char* const* texts) {
  return write_strings(dataset, part, count, texts, Way::alone);
}

onecast_status onecast_dataset_write_all_strings(onecast_object* dataset,
                                                 const onecast_selection* part, size_t count,
                                                 const char* const* texts) {
  return write_strings(dataset, part, count, texts, Way::together);
}

onecast_status onecast_dataset_write_equal_strings(onecast_object* dataset,
                                                   const onecast_selection* part, size_t count,
                                                   const char* const* texts) {
  return write_strings(dataset, part, count, texts, Way::equally);
}

onecast_status onecast_dataset_read_sequences(const onecast_object* dataset,
                                              const onecast_selection* part, size_t* count,
                                              onecast_sequence** sequences) {
  return read_sequences(dataset, part, count, sequences, Way::alone);
}

onecast_status onecast_dataset_read_all_sequences(const onecast_object* dataset,
                                                  const onecast_selection* part, size_t* count,
                                                  onecast_sequence** sequences) {
  return read_sequences(dataset, part, count, sequences, Way::together);
}

onecast_status onecast_dataset_write_sequences(onecast_object* dataset,
                                               const onecast_selection* part, size_t count,
                                               const onecast_sequence* sequences) {
  return write_sequences(dataset, part, count, sequences, Way::alone);
}

onecast_status onecast_dataset_write_all_sequences(onecast_object* dataset,
                                                   const onecast_selection* part, size_t count,
                                                   const onecast_sequence* sequences) {
  return write_sequences(dataset, part, count, sequences, Way::together);
}

onecast_status onecast_dataset_write_equal_sequences(onecast_object* dataset,
                                                     const onecast_selection* part, size_t count,
                                                     const onecast_sequence* sequences) {
  return write_sequences(dataset, part, count, sequences, Way::equally);
}

onecast_status onecast_attribute_read_sequences(const onecast_object* object, const char* name,
                                                size_t* count, onecast_sequence** sequences) {
  return read_attribute_values(
      object, name, count, sequences,
      [](const Attribute& from, const std::string& where, VariableValues& values) {
        require_sequences(from.datatype(), where);
        return returned_sequences(from.datatype(), from.bytes(), values);
      });
}

onecast_status onecast_attribute_set_sequences(onecast_object* object, const char* name,
                                               const onecast_type* type,
                                               const onecast_dataspace* space, size_t count,
                                               const onecast_sequence* sequences) {
  return set_attribute_values(
      object, name, type, space, count,
      [&](const Datatype& stored, const std::string& where, MadeElements& made) {
        make_sequences(stored, where, count, sequences, made);
      });
}
