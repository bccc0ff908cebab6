#include <algorithm>

#include "model/make_error.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_records.hpp"

namespace onecast::events::pds {

namespace {

Header header_of(const std::string& path) { return read_header(ByteFile::open(path)); }

}  // namespace

JoinReport join(const std::string& out, const std::vector<std::string>& in) {
  const Header header = header_of(in.front());
  for (const std::string& path : in)
    if (const Header other = header_of(path);
        other.products != header.products || other.codec != header.codec)
      throw argument_error("{} and {} differ in products or compression", in.front(), path);
  ByteFile joined = ByteFile::create(out);
  std::vector<std::byte> bytes = encode_header(header.products, header.codec);
  const auto append = [&] {
    const Bytes piece = bytes;
    joined.append({&piece, 1});
  };
  append();
  constexpr std::uint64_t kPart = std::uint64_t{8} << 20U;
  JoinReport report;
  std::vector<Identity> identities;
  for (const std::string& path : in) {
    const ByteFile file = ByteFile::open(path);
    const Header own = read_header(file);
    const Scanned found =
        scan(file, own, [&](const Entry& entry) { identities.push_back(entry.start.identity); });
    if (found.damage) throw Error(ErrorCode::format, *found.damage);
    if (found.incomplete_bytes != 0) report.interrupted.push_back(path);
    const std::uint64_t end = file.size() - found.incomplete_bytes;
    for (std::uint64_t at = own.bytes; at < end; at += bytes.size()) {
      bytes.resize(static_cast<std::size_t>(std::min(kPart, end - at)));
      if (file.read(at, bytes) != bytes.size()) throw io_error("{}: became shorter", path);
      append();
    }
  }
  joined.close();
  std::ranges::sort(identities);
  report.repeated = repeated_in(identities);
  return report;
}

}  // namespace onecast::events::pds
