#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"

/// The PDS format: 32-bit little-endian words. A file header, then one record for each event:
/// identity, a count of words, the products.
namespace onecast::events::pds {

constexpr std::uint64_t kWord = 4;

/// The header of a file.
struct Header {
  ProductList products;
  Codec codec = Codec::none;
  std::uint64_t bytes = 0;  ///< of the header in the file
};

std::vector<std::byte> encode_header(const ProductList& products, Codec codec);

/// How many bytes the beginning says that the header has. @param start kStartBytes from the start
/// of the file. Throws Error (format).
constexpr std::size_t kStartBytes = 16;
std::uint64_t header_bytes(Bytes start, const std::string& file);
/// @param header as many bytes as header_bytes() says. Throws Error (format).
Header decode_header(Bytes header, const std::string& file);

/// The beginning of an event's record.
struct RecordStart {
  static constexpr std::size_t kBytes = 28;

  Identity identity;
  std::uint32_t words = 0;  ///< of size and payload
  std::uint32_t size = 0;   ///< the word before the payload: sizes of the payload

  [[nodiscard]] std::uint64_t payload_bytes() const { return (words - 1ULL) * kWord; }
  /// Bytes of the compressed payload, without what fills its last word.
  [[nodiscard]] std::uint64_t stored_bytes() const;
  [[nodiscard]] std::uint64_t unpacked_bytes() const { return size & ~3U; }
  /// Bytes of the whole record, with the count of words behind the payload.
  [[nodiscard]] std::uint64_t record_bytes() const { return kBytes + (words * kWord); }

  bool operator==(const RecordStart&) const = default;
};
/// Does the format name this serializer? Others become the first of those that it names.
bool keeps_serializer(const std::string& serializer);
/// Throws Error (format) that begins with `where`.
RecordStart decode_start(Bytes bytes, const std::string& where);

/// A whole record that is not compressed, in parts: in turns words of its own and products.
struct RecordParts {
  std::vector<std::byte> words;
  std::vector<Bytes> parts;
};
/// Throws Error (invalid_argument) if its size does not fit 32 bits.
RecordParts record_in_parts(const Identity& identity, const std::vector<Bytes>& products);
/// A whole record. Throws Error (invalid_argument) if its size does not fit 32 bits.
std::vector<std::byte> encode_record(const Identity& identity, const std::vector<Bytes>& products,
                                     const Compression& compression);
/// The products in an unpacked payload, by number; those that it lacks are empty. Throws Error
/// (format) that begins with `where`.
void split_payload(Bytes payload, std::vector<Bytes>& products, const std::string& where);

}  // namespace onecast::events::pds
