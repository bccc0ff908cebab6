#include <algorithm>
#include <type_traits>
#include <vector>

#include "filters/bit_reader.hpp"
#include "filters/bit_writer.hpp"
#include "filters/own_filter.hpp"

namespace onecast::filters {
namespace {

/// A datatype as the client data describe it, in the order of its members.
struct Type {
  enum class Class : std::uint32_t { atomic = 1, array = 2, compound = 3, unpacked = 4 };

  Class type_class = Class::unpacked;
  std::uint64_t size = 0;    ///< in bytes
  std::uint64_t offset = 0;  ///< in the compound that contains it
  bool big_endian = false;   ///< for atomic types, like the next two
  std::uint64_t precision = 0;
  std::uint64_t bit_offset = 0;
  std::vector<Type> members;  ///< the members of a compound, or the base type of an array
  std::uint64_t bits = 0;     ///< the bits of one element in the stream, never 0
};

/// Reads the description of the datatype. For any accepted one, decoding stays within `size` bytes
/// of each element and consumes at least one bit per step.
class TypeReader {
 public:
  TypeReader(const FilterJob& job, std::size_t first) : job_(job), next_(first) {}

  Type type(unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 32;
    if (depth > kMaxDepth) fail("datatypes nested more than 32 deep");
    Type type;
    type.type_class = static_cast<Type::Class>(value());
    type.size = value();
    if (type.size == 0) fail("a datatype of no bytes");
    switch (type.type_class) {
      case Type::Class::atomic:
        atomic(type);
        break;
      case Type::Class::array:
        array(type, depth);
        break;
      case Type::Class::compound:
        compound(type, depth);
        break;
      case Type::Class::unpacked:
        type.bits = 8 * type.size;
        break;
      default:
        fail("an unknown class of datatype");
    }
    return type;
  }

 private:
  void atomic(Type& type) {
    const std::uint32_t order = value();
    type.precision = value();
    type.bit_offset = value();
    if (order > 1) fail("an unknown byte order");
    type.big_endian = order == 1;
    if (type.precision == 0 || type.precision + type.bit_offset > 8 * type.size)
      fail("a precision or an offset outside of the datatype");
    type.bits = type.precision;
  }

  void array(Type& type, unsigned depth) {
    type.members.push_back(this->type(depth + 1));
    const Type& base = type.members.front();
    const std::uint64_t count = type.size / base.size;
    if (count == 0) fail("an array of no elements");
    if (__builtin_mul_overflow(count, base.bits, &type.bits)) fail("too many bits");
  }

  void compound(Type& type, unsigned depth) {
    const std::uint32_t count = value();
    if (count == 0) fail("a compound of no members");
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t offset = value();
      Type member = this->type(depth + 1);
      member.offset = offset;
      if (offset + member.size > type.size) fail("a member that leaves its compound");
      if (__builtin_add_overflow(type.bits, member.bits, &type.bits)) fail("too many bits");
      type.members.push_back(std::move(member));
    }
  }

  std::uint32_t value() {
    if (next_ == job_.spec.client_data.size()) fail("they end early");
    return job_.spec.client_data[next_++];
  }

  [[noreturn]] void fail(std::string_view what) const {
    job_.fail(std::string("client data: ").append(what));
  }

  const FilterJob& job_;
  std::size_t next_;
};

/// Unpacks the significant bits of one number into `out`, whose bytes are zero.
void pass_atomic(BitReader& in, const Type& type, std::byte* out) {
  for (std::uint64_t top = type.bit_offset + type.precision; top > type.bit_offset;) {
    // Goes from the most significant byte down; the first and the last byte may be filled in part.
    const std::uint64_t byte = (top - 1) / 8;
    const std::uint64_t bottom = std::max(type.bit_offset, 8 * byte);
    const std::uint64_t bits = in.uint(static_cast<unsigned>(top - bottom));
    out[type.big_endian ? type.size - 1 - byte : byte] =
        static_cast<std::byte>(bits << (bottom - 8 * byte));
    top = bottom;
  }
}

/// Unpacks numbers of up to eight bytes, all bits at once; kSize is a power of two.
template <std::size_t kSize>
void pass_numbers(BitReader& in, const Type& type, std::span<std::byte> out) {
  const auto precision = static_cast<unsigned>(type.precision);
  for (std::size_t i = 0; i < out.size(); i += kSize) {
    std::uint64_t value = in.uint(precision) << type.bit_offset;
    if (type.big_endian) value = __builtin_bswap64(value) >> (64 - 8 * kSize);
    for (std::size_t b = 0; b < kSize; ++b)
      out[i + b] = static_cast<std::byte>(value >> (8 * b) & 0xFFU);
  }
}

void pass_bytes(BitReader& in, std::span<std::byte> out) {
  for (std::byte& b : out) b = static_cast<std::byte>(in.uint(8));
}

/// Each packs what the function of the same name above unpacks.
void pass_atomic(BitWriter& out, const Type& type, const std::byte* in) {
  for (std::uint64_t top = type.bit_offset + type.precision; top > type.bit_offset;) {
    const std::uint64_t byte = (top - 1) / 8;
    const std::uint64_t bottom = std::max(type.bit_offset, 8 * byte);
    const auto value =
        std::to_integer<std::uint64_t>(in[type.big_endian ? type.size - 1 - byte : byte]);
    out.put(value >> (bottom - 8 * byte), static_cast<unsigned>(top - bottom));
    top = bottom;
  }
}

template <std::size_t kSize>
void pass_numbers(BitWriter& out, const Type& type, ByteView in) {
  const auto precision = static_cast<unsigned>(type.precision);
  for (std::size_t i = 0; i < in.size(); i += kSize) {
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < kSize; ++b)
      value |= std::to_integer<std::uint64_t>(in[i + b]) << (8 * b);
    if (type.big_endian) value = __builtin_bswap64(value) >> (64 - 8 * kSize);
    out.put(value >> type.bit_offset, precision);
  }
}

void pass_bytes(BitWriter& out, ByteView in) {
  for (const std::byte b : in) out.put(std::to_integer<std::uint64_t>(b), 8);
}

/// Packs or unpacks one element.
template <class Bits, class Bytes>
void pass(Bits& bits, const Type& type, Bytes bytes) {
  switch (type.type_class) {
    case Type::Class::atomic:
      pass_atomic(bits, type, bytes.data());
      break;
    case Type::Class::array: {
      const Type& base = type.members.front();
      const auto size = static_cast<std::size_t>(base.size);
      for (; bytes.size() >= size; bytes = bytes.subspan(size)) pass(bits, base, bytes.first(size));
      break;
    }
    case Type::Class::compound:
      for (const Type& member : type.members)
        pass(bits, member,
             bytes.subspan(static_cast<std::size_t>(member.offset),
                           static_cast<std::size_t>(member.size)));
      break;
    case Type::Class::unpacked:
      pass_bytes(bits, bytes);
      break;
  }
}

template <class Bits, class Bytes>
void pass_elements(Bits& bits, const Type& type, Bytes bytes) {
  if (type.type_class == Type::Class::atomic) {
    if (type.size == 1) return pass_numbers<1>(bits, type, bytes);
    if (type.size == 2) return pass_numbers<2>(bits, type, bytes);
    if (type.size == 4) return pass_numbers<4>(bits, type, bytes);
    if (type.size == 8) return pass_numbers<8>(bits, type, bytes);
  }
  // Bits that are not stored are zero.
  if constexpr (std::is_same_v<Bits, BitReader>)
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
  const auto size = static_cast<std::size_t>(type.size);
  for (; !bytes.empty(); bytes = bytes.subspan(size)) pass(bits, type, bytes.first(size));
}

/// The client data are: their number, whether the bytes are stored unpacked, the number of
/// elements, the datatype. The significant bits of all numbers are adjacent, most significant
/// first.
bool is_packed(const FilterJob& job) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() < 3 || values[0] != values.size())
    job.fail("client data: the first value is not their number, or they are too few");
  return values[1] == 0;
}

ByteView decode_nbit(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (!is_packed(job)) return filtered;
  const Type type = TypeReader(job, 3).type();
  const std::uint64_t count = job.spec.client_data[2];
  std::uint64_t bits = 0;
  if (__builtin_mul_overflow(count, type.bits, &bits) || bits > 8 * std::uint64_t{filtered.size()})
    job.fail("ends early");
  const std::span<std::byte> out = workspace.result(job.claimed_size(count * type.size));
  BitReader in(filtered);
  pass_elements(in, type, out);
  return out;
}

std::optional<ByteView> encode_nbit(const FilterJob& job, ByteView plain, Workspace& workspace) {
  if (!is_packed(job)) return plain;
  const Type type = TypeReader(job, 3).type();
  const std::uint64_t count = job.spec.client_data[2];
  if (count * type.size != plain.size()) job.fail("client data: a chunk of another size");
  std::uint64_t bits = 0;
  if (__builtin_mul_overflow(count, type.bits, &bits)) job.fail("too many bits");
  // One byte more if the last byte is full, as the HDF5 library writes.
  const std::span<std::byte> packed = workspace.result(static_cast<std::size_t>(bits / 8 + 1));
  BitWriter out(packed);
  pass_elements(out, type, plain);
  out.finish();
  return packed;
}

// --- its client data -----------------------------------------------------------------------------

/// Appends the class, by its number in the client data, the size, and the values of the class.
void add_type(ClientData& values, const FilterSetup& setup, const Datatype& type,
              bool& leaves_all) {
  const auto number_of = [](Type::Class c) { return static_cast<std::uint32_t>(c); };
  const std::uint32_t size = setup.narrow(type.size(), "bytes of an element");
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::floating:
    case TypeClass::enumeration: {
      const bool is_named = type.type_class() == TypeClass::enumeration;
      const Datatype& number = is_named ? type.base() : type;
      const BitRange bits = number.bits();
      values.insert(values.end(), {number_of(Type::Class::atomic), size, setup.byte_order(number),
                                   bits.precision, bits.offset});
      if (bits.offset != 0 || bits.precision != 8 * size) leaves_all = false;
      break;
    }
    case TypeClass::array:
      if (type.base().type_class() == TypeClass::sequence)
        setup.fail("it cannot be applied to an array of sequences of variable length");
      values.insert(values.end(), {number_of(Type::Class::array), size});
      add_type(values, setup, type.base(), leaves_all);
      break;
    case TypeClass::compound:
      values.insert(values.end(), {number_of(Type::Class::compound), size,
                                   static_cast<std::uint32_t>(type.members().size())});
      for (const CompoundMember& member : type.members()) {
        values.push_back(static_cast<std::uint32_t>(member.offset));
        add_type(values, setup, member.type, leaves_all);
      }
      break;
    default:
      values.insert(values.end(), {number_of(Type::Class::unpacked), size});
  }
}

/// Their number, whether no bits can be left out, the elements of a chunk, the datatype.
ClientData client_data(const FilterSetup& setup) {
  constexpr std::size_t kMost = 4096;  // the limit of the HDF5 library
  ClientData datatype;
  bool leaves_all = true;
  add_type(datatype, setup, setup.type(), leaves_all);
  // A type that is stored as it is has no description.
  if (datatype.size() == 2) datatype.clear();
  ClientData values = {0, leaves_all ? 1U : 0U,
                       setup.narrow(setup.chunk_elements(), "elements in a chunk")};
  values.insert(values.end(), datatype.begin(), datatype.end());
  if (values.size() > kMost) setup.fail("a datatype of too many members");
  values[0] = static_cast<std::uint32_t>(values.size());
  return values;
}

}  // namespace

constinit const OwnFilter kNbitFilter{.id = 5,
                                      .name = "nbit",
                                      .decode = decode_nbit,
                                      .encode = encode_nbit,
                                      .client_data = client_data,
                                      .asked = kNothingAsked};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::nbit() { return kNbitFilter.with({}); }

}  // namespace onecast
