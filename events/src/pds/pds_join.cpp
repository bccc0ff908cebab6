#include <fmt/format.h>

#include <algorithm>

#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events::pds {

JoinReport join(const std::string& out, const std::vector<std::string>& in) {
  std::vector<ByteFile> files;
  std::vector<Header> headers;
  for (const std::string& path : in) {
    files.push_back(ByteFile::open(path));
    headers.push_back(read_header(files.back()));
    if (headers.back().products != headers[0].products || headers.back().codec != headers[0].codec)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} and {} differ in products or compression", in[0], path));
  }
  ByteFile joined = ByteFile::create(out);
  std::vector<std::byte> bytes = encode_header(headers[0].products, headers[0].codec);
  const auto append = [&] {
    const Bytes piece = bytes;
    joined.append({&piece, 1});
  };
  append();
  constexpr std::uint64_t kPart = std::uint64_t{8} << 20U;
  JoinReport report;
  std::vector<Identity> identities;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Index index = Index::made_of(files[i], headers[i]);
    if (index.incomplete_bytes() != 0) report.interrupted.push_back(in[i]);
    for (const Index::Entry& entry : index.entries()) identities.push_back(entry.start.identity);
    const std::uint64_t end = files[i].size() - index.incomplete_bytes();
    for (std::uint64_t at = headers[i].bytes; at < end; at += bytes.size()) {
      bytes.resize(static_cast<std::size_t>(std::min(kPart, end - at)));
      if (files[i].read(at, bytes) != bytes.size())
        throw Error(ErrorCode::io, fmt::format("{}: became shorter", in[i]));
      append();
    }
  }
  joined.close();
  std::ranges::sort(identities);
  report.repeated = repeated_in(identities);
  return report;
}

}  // namespace onecast::events::pds
