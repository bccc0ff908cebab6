#include "onecast/capi/reference.h"

#include "capi/arguments.hpp"
#include "capi/attribute_values.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "capi/transfers.hpp"
#include "onecast/objects/variable_values.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

void require_references(const Datatype& type) {
  if (type.type_class() != TypeClass::reference) reject(type.describe() + ", not references");
}

void make_references(const Datatype& type, std::size_t count,
                     const onecast_reference* const* references, MadeElements& made) {
  require_references(type);
  const auto all = list(references, count, "references");
  made.bytes.resize(count * type.size());
  std::span<std::byte> rest = made.bytes;
  for (const onecast_reference* one : all) {
    if (one != nullptr) made.values.reference(type, one->value, rest.first(type.size()));
    rest = rest.subspan(type.size());
  }
}

/// A list of handles, which is deleted unless it is passed to the caller.
class ReturnedReferences {
 public:
  explicit ReturnedReferences(std::size_t most) : block_(most, sizeof(onecast_reference*), 0) {}
  ReturnedReferences(const ReturnedReferences&) = delete;
  ReturnedReferences& operator=(const ReturnedReferences&) = delete;
  ~ReturnedReferences() {
    while (count_ != 0) delete table()[--count_];
  }

  void put(Reference reference) {
    table()[count_] = new onecast_reference{std::move(reference)};
    ++count_;
  }
  onecast_reference** release() {
    count_ = 0;
    return static_cast<onecast_reference**>(block_.release());
  }

 private:
  [[nodiscard]] onecast_reference** table() const { return block_.entries<onecast_reference*>(); }

  ReturnedBlock block_;
  std::size_t count_ = 0;
};

onecast_reference** returned_references(const Datatype& type, std::span<const std::byte> elements,
                                        VariableValues& values) {
  const std::size_t number = elements.size() / type.size();
  ReturnedReferences found(number);
  for (std::size_t i = 0; i < number; ++i)
    found.put(values.reference(type, elements.subspan(i * type.size(), type.size())));
  return found.release();
}

onecast_status read_references(const onecast_object* dataset, const onecast_selection* part,
                               size_t* count, onecast_reference*** references, Way way) {
  return read_values(
      dataset, part, way, count, references,
      [](const Dataset& from) { require_references(from.datatype()); },
      [](const Dataset& from, std::span<const std::byte> elements) {
        VariableValues values(from);
        return returned_references(from.datatype(), elements, values);
      });
}

onecast_status write_references(onecast_object* dataset, const onecast_selection* part,
                                size_t count, const onecast_reference* const* references, Way way) {
  return write_values(dataset, part, way, [&](const Dataset& to, MadeElements& made) {
    make_references(to.datatype(), count, references, made);
  });
}

}  // namespace

onecast_status onecast_object_get_reference(const onecast_object* object,
                                            onecast_reference** reference) {
  return guard_making(reference, [&] {
    required(reference, "reference");
    *reference = new onecast_reference{as_object(object).reference()};
  });
}

onecast_status onecast_dataset_get_reference(const onecast_object* dataset,
                                             const onecast_selection* part,
                                             onecast_reference** reference) {
  return guard_making(reference, [&] {
    required(reference, "reference");
    *reference =
        new onecast_reference{as_dataset(dataset).region_reference(plain_selection_of(part))};
  });
}

void onecast_reference_free(onecast_reference** reference) {
  if (reference != nullptr) delete std::exchange(*reference, nullptr);
}

onecast_status onecast_reference_is_set(const onecast_reference* reference, int* set) {
  return guard([&] {
    required(set, "set") = required(reference, "reference").value.address.has_value() ? 1 : 0;
  });
}

onecast_status onecast_reference_get_kind(const onecast_reference* reference,
                                          onecast_reference_kind* kind) {
  return guard([&] {
    required(kind, "kind") =
        static_cast<onecast_reference_kind>(required(reference, "reference").value.kind);
  });
}

onecast_status onecast_reference_open(const onecast_object* group,
                                      const onecast_reference* reference, onecast_object** object) {
  return guard_making(object, [&] {
    required(object, "object");
    const Group& from = as_group(group);
    const Reference& wanted = required(reference, "reference").value;
    open_any(from, wanted, from.kind_of(wanted), object);
  });
}

onecast_status onecast_reference_list_blocks(const onecast_object* dataset,
                                             const onecast_reference* reference, size_t* count,
                                             uint64_t** blocks) {
  return guard_listing(blocks, count, [&] {
    const Dataset& of = as_dataset(dataset);
    const std::size_t rank = of.dataspace().rank();
    const Selection part = VariableValues(of).region(required(reference, "reference").value, rank);
    std::vector<std::uint64_t> corners;
    // Kind::all becomes one block, and an unlimited part ends at the end of the dataset.
    const Selection bounded = part.clipped(of.shape());
    const auto add = [&](std::span<const Interval> block) {
      for (const Interval& side : block) corners.push_back(side.first);
      for (const Interval& side : block) corners.push_back(side.end);
    };
    if (bounded.kind() == Selection::Kind::all) {
      std::vector<Interval> whole;
      for (const std::uint64_t extent : of.shape()) whole.push_back({0, extent});
      add(whole);
    } else {
      bounded.for_each_block(add);
    }
    required(count, "count");
    const auto bytes = std::as_bytes(std::span(corners));
    ReturnedBlock block(0, 0, ReturnedBlock::padded(bytes.size()));
    block.put(bytes);
    required(blocks, "blocks");
    *blocks = static_cast<uint64_t*>(block.release());
    *count = rank != 0 ? corners.size() / (2 * rank) : 0;
  });
}

onecast_status onecast_dataset_read_references(const onecast_object* dataset,
                                               const onecast_selection* part, size_t* count,
                                               onecast_reference*** references) {
  return read_references(dataset, part, count, references, Way::alone);
}

onecast_status onecast_dataset_read_all_references(const onecast_object* dataset,
                                                   const onecast_selection* part, size_t* count,
                                                   onecast_reference*** references) {
  return read_references(dataset, part, count, references, Way::together);
}

onecast_status onecast_dataset_write_references(onecast_object* dataset,
                                                const onecast_selection* part, size_t count,
                                                const onecast_reference* const* references) {
  return write_references(dataset, part, count, references, Way::alone);
}

onecast_status onecast_dataset_write_all_references(onecast_object* dataset,
                                                    const onecast_selection* part, size_t count,
                                                    const onecast_reference* const* references) {
  return write_references(dataset, part, count, references, Way::together);
}

onecast_status onecast_dataset_write_equal_references(onecast_object* dataset,
                                                      const onecast_selection* part, size_t count,
                                                      const onecast_reference* const* references) {
  return write_references(dataset, part, count, references, Way::equally);
}

onecast_status onecast_attribute_read_references(const onecast_object* object, const char* name,
                                                 size_t* count, onecast_reference*** references) {
  return read_attribute_values(
      object, name, count, references,
      [](const Attribute& from, const std::string& /*where*/, VariableValues& values) {
        require_references(from.datatype());
        return returned_references(from.datatype(), from.bytes(), values);
      });
}

onecast_status onecast_attribute_set_references(onecast_object* object, const char* name,
                                                const onecast_type* type,
                                                const onecast_dataspace* space, size_t count,
                                                const onecast_reference* const* references) {
  return set_attribute_values(
      object, name, type, space, count,
      [&](const Datatype& stored, const std::string& /*where*/, MadeElements& made) {
        make_references(stored, count, references, made);
      });
}
