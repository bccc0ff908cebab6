#include "onecast/capi/type.h"

#include <array>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/types/encode.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

// In the order of onecast_native_type. Never freed: handed-out types outlive all static objects.
const std::array<onecast_type, ONECAST_NATIVE_REFERENCE + 1>& natives() {
  static const auto& all = *new std::array<onecast_type, ONECAST_NATIVE_REFERENCE + 1>{{
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
      {Datatype::complex(Datatype::of<float>())},
      {Datatype::complex(Datatype::of<double>())},
      {Datatype::variable_string()},
      {Datatype::reference()},
  }};
  return all;
}

ByteOrder order_of(onecast_byte_order order) {
  return enumeration_of(static_cast<int>(order), ByteOrder::vax, "order");
}
CharacterSet set_of(onecast_character_set set) {
  return enumeration_of(static_cast<int>(set), CharacterSet::utf8, "set");
}

template <class Make>
onecast_status create(onecast_type** type, Make&& make) {
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

onecast_status onecast_type_integer(size_t size, int is_signed, onecast_byte_order order,
                                    onecast_type** type) {
  return create(type, [&] { return Datatype::integer(size, is_signed != 0, order_of(order)); });
}

onecast_status onecast_type_floating(size_t size, onecast_byte_order order, onecast_type** type) {
  return create(type, [&] { return Datatype::floating(size, order_of(order)); });
}

onecast_status onecast_type_string(size_t size, onecast_padding padding, onecast_character_set set,
                                   onecast_type** type) {
  return create(type, [&] {
    return Datatype::string(
        size, enumeration_of(static_cast<int>(padding), StringPadding::space_padded, "padding"),
        set_of(set));
  });
}

onecast_status onecast_type_variable_string(onecast_character_set set, onecast_type** type) {
  return create(type, [&] { return Datatype::variable_string(set_of(set)); });
}

onecast_status onecast_type_bitfield(size_t size, onecast_byte_order order, onecast_type** type) {
  return create(type, [&] { return Datatype::bitfield(size, order_of(order)); });
}

onecast_status onecast_type_opaque(size_t size, const char* tag, onecast_type** type) {
  return create(type, [&] { return Datatype::opaque(size, tag != nullptr ? tag : ""); });
}

onecast_status onecast_type_compound(size_t size, size_t count, const onecast_member* members,
                                     onecast_type** type) {
  return create(type, [&] {
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
  return create(type, [&] {
    std::vector<EnumerationMember> all;
    for (const onecast_enumerator& each : list(enumerators, count, "enumerators"))
      all.push_back({required_text(each.name, "the name of an enumerator"), each.value});
    return Datatype::enumeration(required(base, "base").value, std::move(all));
  });
}

onecast_status onecast_type_array(const onecast_type* base, size_t rank, const uint32_t* dimensions,
                                  onecast_type** type) {
  return create(type, [&] {
    if (rank > ONECAST_MAX_RANK) reject("an array of more than 32 dimensions");
    const auto all = list(dimensions, rank, "dimensions");
    return Datatype::array(required(base, "base").value, {all.begin(), all.end()});
  });
}

onecast_status onecast_type_sequence(const onecast_type* base, onecast_type** type) {
  return create(type, [&] { return Datatype::sequence(required(base, "base").value); });
}

onecast_status onecast_type_complex(const onecast_type* base, onecast_type** type) {
  return create(type, [&] { return Datatype::complex(required(base, "base").value); });
}

onecast_status onecast_type_reference(onecast_reference_kind kind, onecast_type** type) {
  return create(type, [&] {
    return Datatype::reference(
        enumeration_of(static_cast<int>(kind), ReferenceKind::revised_attribute, "kind"));
  });
}

onecast_status onecast_type_copy(const onecast_type* from, onecast_type** type) {
  return create(type, [&] { return required(from, "from").value; });
}

void onecast_type_free(onecast_type** type) {
  if (type != nullptr) delete std::exchange(*type, nullptr);
}

onecast_status onecast_type_encode(const onecast_type* type, size_t* size, void** data) {
  return guard_making(data, [&] {
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
  return create(type, [&] { return decode_datatype(bytes(data, size)); });
}
