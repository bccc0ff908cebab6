#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"

/// The PDS format consists of 32-bit little-endian words: a file header, then one record for each
/// event with identity, a count of words and the products.
namespace onecast::events::pds {

constexpr std::uint64_t kWord = 4;

/// The header of a file.
struct Header {
  ProductList products;
  Codec codec = Codec::none;
  std::uint64_t bytes = 0;  ///< the size of the header in the file
};

std::vector<std::byte> encode_header(const ProductList& products, Codec codec);

/// Returns the size of the header that the start of the file states. @param start the first
/// kStartBytes of the file. Throws Error (format).
constexpr std::size_t kStartBytes = 16;
std::uint64_t header_bytes(Bytes start, const std::string& file);
/// @param header of header_bytes() bytes. Throws Error (format).
Header decode_header(Bytes header, const std::string& file);

/// The start of an event's record.
struct RecordStart {
  static constexpr std::size_t kBytes = 28;

  Identity identity;
  std::uint32_t words = 0;  ///< of size and payload
  std::uint32_t size = 0;   ///< the word before the payload, which holds the sizes of the payload

  [[nodiscard]] std::uint64_t payload_bytes() const { return (words - 1ULL) * kWord; }
  /// Returns the bytes of the compressed payload, without the padding of its last word.
  [[nodiscard]] std::uint64_t stored_bytes() const;
  [[nodiscard]] std::uint64_t unpacked_bytes() const { return size & ~3U; }
  /// Returns the bytes of the whole record, with the count of words after the payload.
  [[nodiscard]] std::uint64_t record_bytes() const { return kBytes + (words * kWord); }

  bool operator==(const RecordStart&) const = default;
};
/// True if the format names this serializer. Any other becomes the first one that it names.
bool keeps_serializer(const std::string& serializer);
/// Throws Error (format) that begins with `where`.
RecordStart decode_start(Bytes bytes, const std::string& where);

/// A whole uncompressed record, in parts: alternately words of its own and products.
struct RecordParts {
  std::vector<std::byte> words;
  std::vector<Bytes> parts;
};
/// Throws Error (invalid_argument) if its size does not fit 32 bits.
RecordParts record_in_parts(const Identity& identity, const std::vector<Bytes>& products);
/// Returns a whole record. Throws Error (invalid_argument) if its size does not fit 32 bits.
std::vector<std::byte> encode_record(const Identity& identity, const std::vector<Bytes>& products,
                                     const Compression& compression);
/// Returns the products in an unpacked payload, by number; missing products are empty. Throws Error
/// (format) that begins with `where`.
void split_payload(Bytes payload, std::vector<Bytes>& products, const std::string& where);

}  // namespace onecast::events::pds
