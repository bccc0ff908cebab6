#include "onecast/capi/type.h"

#include <array>
#include <atomic>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/types/encode.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

constexpr std::size_t kNatives = ONECAST_NATIVE_BOOL64 + 1;

/// The type of booleans of `size` bytes, as h5py stores them.
Datatype boolean(std::size_t size) {
  return Datatype::enumeration(Datatype::integer(size, true), {{"FALSE", 0}, {"TRUE", 1}});
}

// The types in the order of onecast_native_type. They are never freed, because programs may use
// them after static objects are destroyed.
const std::array<onecast_type, kNatives>& natives() {
  static const auto& all = *new std::array<onecast_type, kNatives>{{
      {Datatype::of<std::int8_t>()},
      {Datatype::of<std::int16_t>()},
      {Datatype::of<std::int32_t>()},
      {Datatype::of<std::int64_t>()},
      {Datatype::of<std::uint8_t>()},
      {Datatype::of<std::uint16_t>()},
      {Datatype::of<std::uint32_t>()},
      {Datatype::of<std::uint64_t>()},
      {Datatype::floating(2)},
      {Datatype::of<float>()},
      {Datatype::of<double>()},
      {Datatype::of<long double>()},
      {Datatype::complex_pair(Datatype::of<float>())},
      {Datatype::complex_pair(Datatype::of<double>())},
      {Datatype::variable_string()},
      {Datatype::reference()},
      {Datatype::floating(16)},
      {boolean(1)},
      {boolean(2)},
      {boolean(4)},
      {boolean(8)},
  }};
  return all;
}

/// The types of texts that were requested; they are never freed. A list without a lock is enough,
/// because programs use few sizes.
class NativeTexts {
 public:
  const onecast_type* of(std::size_t size) {
    Entry* before = first_.load(std::memory_order_acquire);
    for (const Entry* entry = before; entry != nullptr; entry = entry->next)
      if (entry->type.value.size() == size) return &entry->type;
    auto* made = new Entry{{Datatype::string(size, StringPadding::space_padded)}, before};
    // Another thread may have added the same size, which does no harm.
    while (!first_.compare_exchange_weak(made->next, made, std::memory_order_acq_rel)) {
    }
    return &made->type;
  }

 private:
  struct Entry {
    onecast_type type;
    Entry* next;
  };
  std::atomic<Entry*> first_ = nullptr;
};

ByteOrder order_of(onecast_byte_order order) {
  return enumeration_of(static_cast<int>(order), ByteOrder::vax, "order");
}
CharacterSet set_of(onecast_character_set set) {
  return enumeration_of(static_cast<int>(set), CharacterSet::utf8, "set");
}

template <class Make>
onecast_status make_type(onecast_type** type, Make&& make) {
  return guard_making(type, [&] {
    required(type, "type");
    give_type(type, make());
  });
}

}  // namespace

const onecast_type* onecast_native(onecast_native_type which) {
  const auto number = static_cast<std::size_t>(which);
  return number < natives().size() ? &natives()[number] : nullptr;
}

const onecast_type* onecast_native_text(size_t size) {
  static constinit NativeTexts texts;
  const onecast_type* found = nullptr;
  guard([&] { found = texts.of(size); });
  return found;
}

onecast_status onecast_type_integer(size_t size, int is_signed, onecast_byte_order order,
                                    onecast_type** type) {
  return make_type(type, [&] { return Datatype::integer(size, is_signed != 0, order_of(order)); });
}

onecast_status onecast_type_floating(size_t size, onecast_byte_order order, onecast_type** type) {
  return make_type(type, [&] { return Datatype::floating(size, order_of(order)); });
}

onecast_status onecast_type_string(size_t size, onecast_padding padding, onecast_character_set set,
                                   onecast_type** type) {
  return make_type(type, [&] {
    return Datatype::string(
        size, enumeration_of(static_cast<int>(padding), StringPadding::space_padded, "padding"),
        set_of(set));
  });
}

onecast_status onecast_type_variable_string(onecast_character_set set, onecast_type** type) {
  return make_type(type, [&] { return Datatype::variable_string(set_of(set)); });
}

onecast_status onecast_type_bitfield(size_t size, onecast_byte_order order, onecast_type** type) {
  return make_type(type, [&] { return Datatype::bitfield(size, order_of(order)); });
}

onecast_status onecast_type_opaque(size_t size, const char* tag, onecast_type** type) {
  return make_type(type, [&] { return Datatype::opaque(size, tag != nullptr ? tag : ""); });
}

onecast_status onecast_type_compound(size_t size, size_t count, const onecast_member* members,
                                     onecast_type** type) {
  return make_type(type, [&] {
    std::vector<CompoundMember> all;
    for (const onecast_member& member : list(members, count, "members"))
      all.push_back({required_text(member.name, "the name of a member"), member.offset,
                     required(member.type, "the type of a member").value});
    return Datatype::compound(size, std::move(all));
  });
}

onecast_status onecast_type_enumeration(const onecast_type* base, size_t count,
                                        const onecast_enumerator* enumerators,
                                        onecast_type** type) {
  return make_type(type, [&] {
    std::vector<EnumerationMember> all;
    for (const onecast_enumerator& each : list(enumerators, count, "enumerators"))
      all.push_back({required_text(each.name, "the name of an enumerator"), each.value});
    return Datatype::enumeration(required(base, "base").value, std::move(all));
  });
}

onecast_status onecast_type_array(const onecast_type* base, size_t rank, const uint32_t* dimensions,
                                  onecast_type** type) {
  return make_type(type, [&] {
    if (rank > ONECAST_MAX_RANK) reject("an array of more than 32 dimensions");
    const auto all = list(dimensions, rank, "dimensions");
    return Datatype::array(required(base, "base").value, {all.begin(), all.end()});
  });
}

onecast_status onecast_type_sequence(const onecast_type* base, onecast_type** type) {
  return make_type(type, [&] { return Datatype::sequence(required(base, "base").value); });
}

onecast_status onecast_type_complex(const onecast_type* base, onecast_type** type) {
  return make_type(type, [&] { return Datatype::complex(required(base, "base").value); });
}

onecast_status onecast_type_reference(onecast_reference_kind kind, onecast_type** type) {
  return make_type(type, [&] {
    return Datatype::reference(
        enumeration_of(static_cast<int>(kind), ReferenceKind::revised_attribute, "kind"));
  });
}

onecast_status onecast_type_copy(const onecast_type* from, onecast_type** type) {
  return make_type(type, [&] { return required(from, "from").value; });
}

void onecast_type_free(onecast_type** type) {
  if (type != nullptr) delete std::exchange(*type, nullptr);
}

onecast_status onecast_type_encode(const onecast_type* type, size_t* size, void** data) {
  return guard_listing(data, size, [&] {
    required(size, "size");
    required(data, "data");
    const auto message = encode(required(type, "type").value);
    ReturnedBlock block(0, 0, ReturnedBlock::padded(message.size()));
    block.put(message);
    *data = block.release();
    *size = message.size();
  });
}

onecast_status onecast_type_decode(const void* data, size_t size, onecast_type** type) {
  return make_type(type, [&] { return decode_datatype(bytes(data, size)); });
}
