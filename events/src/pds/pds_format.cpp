#include "pds/pds_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "components/file_kind.hpp"
#include "model/little_endian.hpp"
#include "model/make_error.hpp"

namespace onecast::events::pds {
namespace {

constexpr const char* kRecordName = "Event";
constexpr std::array<std::pair<Codec, const char*>, 3> kCodecNames{
    {{Codec::none, "None"}, {Codec::lz4, "LZ4\0"}, {Codec::zstd, "ZSTD"}}};
/// The two serializers that the magic number distinguishes.
constexpr std::array<const char*, 2> kSerializers{"root", "root-unrolled"};

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw format_error("{}: {}", where, what);
}

std::size_t padded(std::size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

void pad(std::vector<std::byte>& out) { out.resize(padded(out.size())); }

/// Returns the bytes of an event's payload before compression.
std::uint64_t payload_size(const std::vector<Bytes>& products) {
  std::uint64_t size = 0;
  for (const Bytes& product : products) size += 2 * kWord + padded(product.size());
  if (size > UINT32_MAX - 64)
    throw argument_error("PDS: an event of {} bytes; 4 GiB do not fit", size);
  return size;
}

/// @param words the words of size and payload @param size the word before the payload
void append_start(std::vector<std::byte>& out, const Identity& identity, std::uint64_t words,
                  std::uint64_t size) {
  for (const std::uint64_t word :
       {std::uint64_t{0}, std::uint64_t{identity.run}, std::uint64_t{identity.lumi},
        identity.event >> 32U, identity.event & UINT32_MAX, words, size})
    append_u32(out, static_cast<std::uint32_t>(word));
}

void append_text(std::vector<std::byte>& out, const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.c_str());
  out.insert(out.end(), bytes, bytes + text.size() + 1);
}

std::vector<std::string> classes_of(const ProductList& products) {
  std::set<std::string> classes;
  for (const Product& product : products.products) classes.insert(product.class_name);
  return {classes.begin(), classes.end()};
}

/// Reads a header word by word.
class Words {
 public:
  Words(Bytes bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  std::uint32_t next(const char* field) { return read_u32(take(kWord, field)); }
  Bytes take(std::uint64_t bytes, const char* field) {
    if (bytes > bytes_.size() - at_)
      fail(where_, fmt::format("header: {}: {} bytes at {} leave the header of {}", field, bytes,
                               at_, bytes_.size()));
    const Bytes part = bytes_.subspan(at_, static_cast<std::size_t>(bytes));
    at_ += static_cast<std::size_t>(bytes);
    return part;
  }
  /// Reads a text up to a NUL, and skips the padding of its last word.
  std::string text(const char* field) {
    const Bytes rest = bytes_.subspan(at_);
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    if (end == rest.end()) fail(where_, fmt::format("header: {}: a text has no end", field));
    const auto size = static_cast<std::size_t>(end - rest.begin());
    std::string text(reinterpret_cast<const char*>(rest.data()), size);
    take((size + kWord) / kWord * kWord, field);
    return text;
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t words_left() const { return (bytes_.size() - at_) / kWord; }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
  std::string where_;
};

std::vector<std::string> split_names(Bytes names) {
  std::vector<std::string> all;
  auto at = names.begin();
  while (at != names.end()) {
    const auto end = std::find(at, names.end(), std::byte{0});
    if (end != at)
      all.emplace_back(reinterpret_cast<const char*>(&*at), static_cast<std::size_t>(end - at));
    at = end == names.end() ? end : end + 1;
  }
  return all;
}

}  // namespace

bool keeps_serializer(const std::string& serializer) {
  return std::ranges::find(kSerializers, serializer) != kSerializers.end();
}

std::vector<std::byte> encode_header(const ProductList& list, Codec codec) {
  const std::vector<std::string> classes = classes_of(list);
  std::vector<std::byte> words;
  append_u32(words, 2);
  append_text(words, kRecordName);
  pad(words);
  std::vector<std::byte> names;
  for (const std::string& name : classes) append_text(names, name);
  pad(names);
  append_u32(words, static_cast<std::uint32_t>(names.size() / kWord));
  words.insert(words.end(), names.begin(), names.end());
  append_u32(words, 0);
  append_u32(words, static_cast<std::uint32_t>(list.size()));
  for (const Product& product : list.products) {
    const auto at = std::lower_bound(classes.begin(), classes.end(), product.class_name);
    append_u32(words, static_cast<std::uint32_t>(at - classes.begin()));
    append_text(words, product.name);
    pad(words);
  }

  std::vector<std::byte> header;
  append_u32(header, kPdsMagic + (list.serializer == kSerializers[1] ? 1 : 0));
  append_u32(header, 0);  // file id
  const auto name = std::ranges::find(kCodecNames, codec, &std::pair<Codec, const char*>::first);
  const auto* bytes = reinterpret_cast<const std::byte*>(name->second);
  header.insert(header.end(), bytes, bytes + kWord);
  const auto count = static_cast<std::uint32_t>(words.size() / kWord);
  append_u32(header, count);
  header.insert(header.end(), words.begin(), words.end());
  append_u32(header, count);
  return header;
}

std::uint64_t header_bytes(Bytes start, const std::string& file) {
  if (start.size() < kStartBytes) fail(file, "is too short for a PDS file");
  const std::uint32_t magic = read_u32(start);
  if (magic != kPdsMagic && magic != kPdsMagic + 1) fail(file, "is not a PDS file");
  return kStartBytes + read_u32(start.subspan(3 * kWord)) * kWord + kWord;
}

Header decode_header(Bytes bytes, const std::string& file) {
  Header header;
  header.bytes = bytes.size();
  header.products.serializer = kSerializers[read_u32(bytes) - kPdsMagic];
  const auto codec = std::ranges::find_if(kCodecNames, [&](const auto& named) {
    return std::memcmp(named.second, bytes.data() + 2 * kWord, kWord) == 0;
  });
  if (codec == kCodecNames.end()) fail(file, "header: unknown compression");
  header.codec = codec->first;
  const std::uint32_t count = read_u32(bytes.subspan(3 * kWord));
  if (read_u32(bytes.last(kWord)) != count)
    fail(file, fmt::format("header: has {} words, and says {} behind them", count,
                           read_u32(bytes.last(kWord))));
  Words words(bytes.subspan(kStartBytes, count * kWord), file);
  words.take(words.next("records") * kWord, "records");
  const std::vector<std::string> classes =
      split_names(words.take(words.next("classes") * kWord, "classes"));
  words.next("zero");
  const std::uint32_t products = words.next("products");
  if (products > words.words_left())
    fail(file, fmt::format("header: products: {} do not fit the header", products));
  for (std::uint32_t i = 0; i < products; ++i) {
    const std::uint32_t at = words.next("class of a product");
    if (at >= classes.size())
      fail(file, fmt::format("header: product {}: class {} of {}", i, at, classes.size()));
    header.products.products.push_back({words.text("product"), classes[at]});
  }
  if (!words.at_end()) fail(file, "header: has words behind the products");
  return header;
}

std::uint64_t RecordStart::stored_bytes() const {
  const std::uint64_t rest = size & 3U;
  return payload_bytes() - (rest == 0 || payload_bytes() == 0 ? 0 : kWord - rest);
}

RecordStart decode_start(Bytes bytes, const std::string& where) {
  const auto word = [&](std::size_t i) { return read_u32(bytes.subspan(i * kWord)); };
  if (word(0) != 0) fail(where, fmt::format("a record of kind {}; 0 was expected", word(0)));
  RecordStart start;
  start.identity = {word(1), word(2), std::uint64_t{word(3)} << 32U | word(4)};
  start.words = word(5);
  start.size = word(6);
  if (start.words == 0) fail(where, "a record without words");
  return start;
}

RecordParts record_in_parts(const Identity& identity, const std::vector<Bytes>& products) {
  const std::uint64_t size = payload_size(products);
  const std::uint64_t words = size / kWord + 1;
  RecordParts record;
  // Parts point into this buffer, so it must not move.
  record.words.reserve(RecordStart::kBytes + products.size() * 3 * kWord + kWord);
  record.parts.reserve(2 * products.size() + 1);
  std::size_t from = 0;  // words that are in no part yet
  const auto add_words = [&] {
    record.parts.push_back(Bytes(record.words).subspan(from));
    from = record.words.size();
  };
  append_start(record.words, identity, words, size);
  for (std::size_t i = 0; i < products.size(); ++i) {
    append_u32(record.words, static_cast<std::uint32_t>(i));
    append_u32(record.words, static_cast<std::uint32_t>((products[i].size() + 3) / kWord));
    add_words();
    record.parts.push_back(products[i]);
    record.words.resize(record.words.size() + padded(products[i].size()) - products[i].size());
  }
  append_u32(record.words, static_cast<std::uint32_t>(words));
  add_words();
  return record;
}

std::vector<std::byte> encode_record(const Identity& identity, const std::vector<Bytes>& products,
                                     const Compression& compression) {
  const RecordParts plain = record_in_parts(identity, products);
  std::vector<std::byte> record;
  std::size_t bytes = 0;
  for (const Bytes& part : plain.parts) bytes += part.size();
  record.reserve(bytes);
  for (const Bytes& part : plain.parts) record.insert(record.end(), part.begin(), part.end());
  if (!compression.is_on() || bytes == RecordStart::kBytes + kWord) return record;
  const Bytes payload =
      Bytes(record).subspan(RecordStart::kBytes).first(bytes - RecordStart::kBytes - kWord);
  std::vector<std::byte> packed;
  compress(compression, payload, packed);
  const std::uint64_t words = padded(packed.size()) / kWord + 1;
  std::vector<std::byte> result;
  result.reserve(RecordStart::kBytes + static_cast<std::size_t>(words * kWord));
  append_start(result, identity, words, payload.size() + packed.size() % kWord);
  result.insert(result.end(), packed.begin(), packed.end());
  pad(result);
  append_u32(result, static_cast<std::uint32_t>(words));
  return result;
}

void split_payload(Bytes payload, std::vector<Bytes>& products, const std::string& where) {
  std::fill(products.begin(), products.end(), Bytes());
  std::vector<bool> seen(products.size());
  while (!payload.empty()) {
    if (payload.size() < 2 * kWord) fail(where, "the payload ends within a product");
    const std::uint32_t index = read_u32(payload);
    const std::uint64_t bytes = read_u32(payload.subspan(kWord)) * kWord;
    payload = payload.subspan(2 * kWord);
    if (index >= products.size())
      fail(where, fmt::format("product {} of {}", index, products.size()));
    if (seen[index]) fail(where, fmt::format("product {} is there twice", index));
    if (bytes > payload.size())
      fail(where, fmt::format("product {}: {} bytes, {} are left", index, bytes, payload.size()));
    seen[index] = true;
    products[index] = payload.first(static_cast<std::size_t>(bytes));
    payload = payload.subspan(static_cast<std::size_t>(bytes));
  }
}

}  // namespace onecast::events::pds
