#include "objects/filter_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "filters/filter_id.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

using Values = std::vector<std::uint32_t>;

/// What the client data of one filter are made of.
class FilterSetup {
 public:
  FilterSetup(const Filter& filter, const FilteredDataset& dataset, const std::string& where)
      : filter_(filter), dataset_(dataset), where_(where) {}

  Values deflate() {
    most_values(1);
    return {value(0, 6, 0, 9, "level")};
  }

  Values shuffle() {
    // Others leave the choice to the library, too.
    return {narrow(type().size(), "bytes of an element")};
  }

  /// The library refuses what is nothing but of variable length, whatever compounds hold.
  Values fletcher32() {
    most_values(0);
    if (type().type_class() == TypeClass::variable_string ||
        type().type_class() == TypeClass::sequence)
      fail(fmt::format("is not for {}", type().describe()));
    return {};
  }

  Values szip();
  Values nbit();
  Values scale_offset();

  Values bzip2() {
    most_values(1);
    return {value(0, 9, 1, 9, "level")};
  }

  /// Two versions, which the plugin's readers do not mind, and the bytes of a chunk.
  Values lzf() {
    constexpr std::uint32_t kPluginVersion = 4;
    constexpr std::uint32_t kLzfVersion = 0x0105;
    return {kPluginVersion, kLzfVersion, chunk_bytes()};
  }

  /// Four values of its own, then level, shuffle and codec.
  Values blosc() {
    constexpr std::uint32_t kPluginVersion = 2;
    constexpr std::uint32_t kBloscVersion = 2;
    constexpr std::size_t kMaxWidth = 255;
    most_values(7);
    const std::size_t width =
        type().type_class() == TypeClass::array ? type().base().size() : type().size();
    Values values = {kPluginVersion, kBloscVersion,
                     static_cast<std::uint32_t>(width > kMaxWidth ? 1 : width), chunk_bytes()};
    values.push_back(value(4, 5, 0, 9, "level"));
    values.push_back(value(5, 1, 0, 2, "shuffle"));
    values.push_back(value(6, 0, 0, 5, "codec"));
    return values;
  }

  Values lz4() {
    constexpr std::uint32_t kMostBlock = 0x7E000000;  // LZ4's own
    most_values(1);
    return {value(0, 0, 0, kMostBlock, "bytes of a block")};
  }

  /// The version of the layout, the bytes of an element; then block, codec and its level.
  Values bitshuffle() {
    constexpr std::uint32_t kMajor = 0;
    constexpr std::uint32_t kMinor = 4;
    constexpr std::uint32_t kZstd = 3;
    most_values(3);
    const std::uint32_t width = narrow(type().size(), "bytes of an element");
    Values values = {kMajor, kMinor, width};
    values.push_back(value(0, 0, 0, std::numeric_limits<std::int32_t>::max() / width, "block"));
    values.push_back(value(1, 0, 0, kZstd, "codec"));
    if (values[3] % 8 != 0) fail("a block that is no multiple of 8 elements");
    if (values[4] == 1) fail("codec 1, which there is not");
    if (filter_.client_data.size() > 2) values.push_back(zstd_level(2));
    return values;
  }

  Values zstd() {
    most_values(1);
    return {filter_.client_data.empty() ? 3 : zstd_level(0)};
  }

 private:
  [[nodiscard]] const Datatype& type() const { return dataset_.type; }

  [[noreturn]] void fail(std::string_view what) const {
    const std::string_view name = filter_name(filter_.id);
    throw Error(ErrorCode::invalid_argument, fmt::format("{}: filter {}: {}", where_, name, what));
  }

  void most_values(std::size_t count) const {
    if (filter_.client_data.size() > count)
      fail(fmt::format("{} values of client data, at most {} are expected",
                       filter_.client_data.size(), count));
  }

  [[nodiscard]] std::uint32_t value(std::size_t i, std::uint32_t absent, std::uint32_t least,
                                    std::uint32_t most, std::string_view what) const {
    if (i >= filter_.client_data.size()) return absent;
    const std::uint32_t found = filter_.client_data[i];
    if (found < least || found > most)
      fail(fmt::format("{} {}: expected {} to {}", what, found, least, most));
    return found;
  }

  /// Negative ones, as the plugin stores them, are faster still.
  [[nodiscard]] std::uint32_t zstd_level(std::size_t i) const {
    constexpr std::int32_t kMost = 22;
    constexpr std::int32_t kLeast = -(1 << 17);
    const auto level = static_cast<std::int32_t>(filter_.client_data[i]);
    if (level < kLeast || level > kMost)
      fail(fmt::format("level {}: expected at most {}", level, kMost));
    return filter_.client_data[i];
  }

  [[nodiscard]] std::uint32_t narrow(std::uint64_t count, std::string_view what) const {
    if (count > std::numeric_limits<std::uint32_t>::max())
      fail(fmt::format("{} {}: its client data take 32 bits", count, what));
    return static_cast<std::uint32_t>(count);
  }

  [[nodiscard]] std::uint64_t chunk_elements() const {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : dataset_.chunk)
      if (__builtin_mul_overflow(count, extent, &count)) fail("a chunk of too many elements");
    return count;
  }

  [[nodiscard]] std::uint32_t chunk_bytes() const {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(chunk_elements(), type().size(), &bytes))
      fail("a chunk of too many bytes");
    return narrow(bytes, "bytes in a chunk");
  }

  /// 0: little-endian, 1: big-endian.
  [[nodiscard]] std::uint32_t byte_order(const Datatype& number) const {
    if (number.byte_order() == ByteOrder::vax) fail("the byte order of VAX");
    return number.byte_order() == ByteOrder::big ? 1 : 0;
  }

  /// The number that szip takes an element for, or a part of it.
  [[nodiscard]] const Datatype& szip_number() const;
  [[nodiscard]] std::uint32_t szip_bits(const Datatype& number) const;
  [[nodiscard]] std::uint32_t szip_scanline(std::uint32_t block) const;
  void add_nbit(Values& values, const Datatype& type, bool& leaves_all) const;
  void add_fill_value(Values& values, bool big_endian) const;

  const Filter& filter_;
  const FilteredDataset& dataset_;
  const std::string& where_;
};

// --- szip ----------------------------------------------------------------------------------------

const Datatype& FilterSetup::szip_number() const {
  const Datatype* number = &type();
  for (;;) switch (number->type_class()) {
      case TypeClass::array:
      case TypeClass::complex:
      case TypeClass::enumeration:
        number = &number->base();
        break;
      case TypeClass::integer:
      case TypeClass::floating:
      case TypeClass::bitfield:
      case TypeClass::time:
        return *number;
      default:
        fail(fmt::format("it cannot be applied to {}", type().describe()));
    }
}

std::uint32_t FilterSetup::szip_bits(const Datatype& number) const {
  const auto all = static_cast<std::uint32_t>(8 * number.size());
  std::uint32_t bits = number.type_class() == TypeClass::time ? all : number.bits().precision;
  if (bits < all && number.bits().offset != 0) bits = all;
  if (bits > 24 && bits <= 32) bits = 32;
  if (bits > 32 && bits <= 64) bits = 64;
  // It works on 1, 2 or 4 bytes for so many bits, or on 8: elements have to consist of these.
  const std::size_t sample = bits > 32 ? 8 : bits > 16 ? 4 : bits > 8 ? 2 : 1;
  if (bits > 64 || number.size() % sample != 0)
    fail(fmt::format("it cannot be applied to {}", type().describe()));
  return bits;
}

/// As few scanlines as there can be, of at most 128 blocks; of a row of the chunk, if that is not
/// less than a block.
std::uint32_t FilterSetup::szip_scanline(std::uint32_t block) const {
  constexpr std::uint64_t kMaxBlocks = 128;
  constexpr std::uint64_t kMaxPixels = 4096;
  const std::uint64_t count = chunk_elements();
  const std::uint64_t row = dataset_.chunk.empty() ? 1 : dataset_.chunk.back();
  if (count < block)
    fail(fmt::format("blocks of {} pixels, more than the {} elements of a chunk", block, count));
  if (row > kMaxPixels) return static_cast<std::uint32_t>(block * kMaxBlocks);
  return static_cast<std::uint32_t>(std::min(block * kMaxBlocks, row < block ? count : row));
}

Values FilterSetup::szip() {
  constexpr std::uint32_t kChoices = szip_option::kEntropyCoding | szip_option::kNearestNeighbour;
  constexpr std::uint32_t kOrders = szip_option::kLittleEndian | szip_option::kBigEndian;
  if (filter_.client_data.size() < 2) fail("client data: expected options and pixels per block");
  const std::uint32_t block = value(1, 8, 2, 32, "pixels per block");
  if (block % 2 != 0) fail("an odd number of pixels per block");
  std::uint32_t options = filter_.client_data[0] & ~kOrders;
  if ((options & kChoices) == 0 || (options & kChoices) == kChoices)
    fail("options: expected either entropy coding or nearest neighbour");
  options |= szip_option::kAllowK13 | szip_option::kRaw;

  const Datatype& number = szip_number();
  options |= byte_order(number) == 1 ? szip_option::kBigEndian : szip_option::kLittleEndian;
  return {options, block, szip_bits(number), szip_scanline(block)};
}

// --- n-bit ---------------------------------------------------------------------------------------

/// The class, as it numbers them, the size, and what else belongs to the class.
void FilterSetup::add_nbit(Values& values, const Datatype& type, bool& leaves_all) const {
  enum : std::uint32_t { kAtomic = 1, kArray = 2, kCompound = 3, kUnpacked = 4 };
  const std::uint32_t size = narrow(type.size(), "bytes of an element");
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::floating:
    case TypeClass::enumeration: {
      const bool is_named = type.type_class() == TypeClass::enumeration;
      const Datatype& number = is_named ? type.base() : type;
      const BitRange bits = number.bits();
      values.insert(values.end(), {kAtomic, size, byte_order(number), bits.precision, bits.offset});
      if (bits.offset != 0 || bits.precision != 8 * size) leaves_all = false;
      break;
    }
    case TypeClass::array:
      if (type.base().type_class() == TypeClass::sequence)
        fail("it cannot be applied to an array of sequences of variable length");
      values.insert(values.end(), {kArray, size});
      add_nbit(values, type.base(), leaves_all);
      break;
    case TypeClass::compound:
      values.insert(values.end(),
                    {kCompound, size, static_cast<std::uint32_t>(type.members().size())});
      for (const CompoundMember& member : type.members()) {
        values.push_back(static_cast<std::uint32_t>(member.offset));
        add_nbit(values, member.type, leaves_all);
      }
      break;
    default:
      values.insert(values.end(), {kUnpacked, size});
  }
}

/// Their number, whether there is nothing to leave out, the elements of a chunk, the datatype.
Values FilterSetup::nbit() {
  constexpr std::size_t kMost = 4096;  // of the HDF5 library
  Values datatype;
  bool leaves_all = true;
  add_nbit(datatype, type(), leaves_all);
  // Of a type that is not looked into, nothing is said.
  if (datatype.size() == 2) datatype.clear();
  Values values = {0, leaves_all ? 1U : 0U, narrow(chunk_elements(), "elements in a chunk")};
  values.insert(values.end(), datatype.begin(), datatype.end());
  if (values.size() > kMost) fail("a datatype of too many members");
  values[0] = static_cast<std::uint32_t>(values.size());
  return values;
}

// --- scale-offset --------------------------------------------------------------------------------

/// The bytes of a number as little-endian words, behind whether there is one.
void FilterSetup::add_fill_value(Values& values, bool big_endian) const {
  values.push_back(dataset_.fill_value ? 1 : 0);
  if (!dataset_.fill_value || dataset_.fill_value->empty()) return;
  const std::span<const std::byte> fill = *dataset_.fill_value;
  if (fill.size() != type().size()) fail("a fill value of another size");
  for (std::size_t i = 0; i < fill.size(); ++i) {
    const std::byte b = fill[big_endian ? fill.size() - 1 - i : i];
    if (i % 4 == 0) values.push_back(0);
    values.back() |= std::to_integer<std::uint32_t>(b) << (8 * (i % 4));
  }
}

Values FilterSetup::scale_offset() {
  constexpr std::size_t kCount = 20;
  enum : std::uint32_t { kInteger = 0, kFloat = 1 };
  const bool is_named = type().type_class() == TypeClass::enumeration;
  const Datatype& number = is_named ? type().base() : type();
  const bool is_float = number.type_class() == TypeClass::floating;
  const std::size_t size = number.size();
  const bool possible = is_float ? size == 4 || size == 8
                                 : number.type_class() == TypeClass::integer &&
                                       (size == 1 || size == 2 || size == 4 || size == 8);
  if (!possible) fail(fmt::format("it cannot be applied to {}", type().describe()));

  if (filter_.client_data.size() < 2) fail("client data: expected the scale type and the factor");
  const auto scale_type = is_float ? ScaleType::decimal : ScaleType::integer;
  if (filter_.client_data[0] != static_cast<std::uint32_t>(scale_type))
    fail(is_float ? "floating-point numbers need a decimal scale" : "integers have no scale");
  constexpr std::uint32_t kMostDecimals = std::numeric_limits<std::int32_t>::max();
  const std::uint32_t scale =
      is_float ? value(1, 0, 0, kMostDecimals, "number of decimals")
               : value(1, 0, 0, static_cast<std::uint32_t>(8 * size), "number of bits");

  const std::uint32_t order = byte_order(number);
  Values values = {filter_.client_data[0],
                   scale,
                   narrow(chunk_elements(), "elements in a chunk"),
                   is_float ? kFloat : kInteger,
                   static_cast<std::uint32_t>(size),
                   !is_float && number.is_signed() ? 1U : 0U,
                   order};
  add_fill_value(values, order == 1);
  values.resize(kCount);
  return values;
}

using Make = Values (FilterSetup::*)();

constexpr std::pair<std::uint16_t, Make> kSetups[] = {
    {filter_id::kDeflate, &FilterSetup::deflate},
    {filter_id::kShuffle, &FilterSetup::shuffle},
    {filter_id::kFletcher32, &FilterSetup::fletcher32},
    {filter_id::kSzip, &FilterSetup::szip},
    {filter_id::kNbit, &FilterSetup::nbit},
    {filter_id::kScaleOffset, &FilterSetup::scale_offset},
    {filter_id::kBzip2, &FilterSetup::bzip2},
    {filter_id::kLzf, &FilterSetup::lzf},
    {filter_id::kBlosc, &FilterSetup::blosc},
    {filter_id::kLz4, &FilterSetup::lz4},
    {filter_id::kBitshuffle, &FilterSetup::bitshuffle},
    {filter_id::kZstd, &FilterSetup::zstd},
};

}  // namespace

FilterSpec prepare_filter(const Filter& filter, const FilteredDataset& dataset,
                          const std::string& where) {
  FilterSpec spec{filter.id, filter.optional, std::string(filter_name(filter.id)),
                  filter.client_data};
  const auto* own = std::find_if(std::begin(kSetups), std::end(kSetups),
                                 [&](const auto& setup) { return setup.first == filter.id; });
  if (own != std::end(kSetups))
    spec.client_data = (FilterSetup(filter, dataset, where).*own->second)();
  require_encoders({spec}, where);
  return spec;
}

}  // namespace onecast
