// Events: PDS headers, records and payloads; compressed pieces. The input is the bytes of a file;
// the records of its events are looked at wherever a PDS header leads, and behind it.
#include "compression/compression.hpp"
#include "fuzz/input.hpp"
#include "pds/pds_format.hpp"

namespace onecast {
namespace {

using namespace events;

void read_records(Bytes file, const pds::Header& header) {
  std::vector<Bytes> products(header.products.size());
  std::vector<std::byte> unpacked;
  std::uint64_t at = header.bytes;
  while (file.size() - at >= pds::RecordStart::kBytes) {
    const auto start = pds::decode_start(file.subspan(at, pds::RecordStart::kBytes), "record");
    if (start.record_bytes() > file.size() - at) return;
    Bytes payload = file.subspan(at + pds::RecordStart::kBytes, start.payload_bytes());
    fuzz::expect_errors_only([&] {
      if (header.codec != Codec::none && !payload.empty()) {
        payload = payload.first(start.stored_bytes());
        check_ratio(header.codec, payload.size(), start.unpacked_bytes(), "record");
        unpacked.resize(start.unpacked_bytes());
        decompress(header.codec, payload, unpacked, "record");
        payload = unpacked;
      }
      pds::split_payload(payload, products, "record");
    });
    at += start.record_bytes();
  }
}

void read_file(Bytes file) {
  const std::uint64_t size =
      pds::header_bytes(file.first(std::min<std::size_t>(file.size(), 16)), "file");
  if (size > file.size()) return;
  const pds::Header header = pds::decode_header(file.first(size), "file");
  // What is written of it is read as it was.
  const auto again = pds::encode_header(header.products, header.codec);
  if (pds::decode_header(again, "again").products != header.products) std::abort();
  read_records(file, header);
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] { read_file(bytes); });
  std::vector<std::byte> room;
  // More than 64 MiB are no finding: the ratio of a codec allows them.
  const bool is_small = bytes.size() >= 8 && std::to_integer<int>(bytes[7]) == 0 &&
                        std::to_integer<int>(bytes[3]) < 4 && std::to_integer<int>(bytes[4]) == 0 &&
                        std::to_integer<int>(bytes[5]) == 0 && std::to_integer<int>(bytes[6]) == 0;
  if (!is_small) return;
  for (const Codec codec : {Codec::lz4, Codec::zstd, Codec::lzma})
    fuzz::expect_errors_only([&] { open_piece(codec, bytes, room, "piece"); });
}

}  // namespace onecast
