#include <algorithm>
#include <limits>
#include <new>

#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_BZ2
#include <bzlib.h>
#endif

namespace onecast::filters {
namespace {

constexpr FilterParameter kLevel{"level", 0, 9, 1, 9};
constexpr FilterParameter kParameters[] = {kLevel};

#ifdef ONECAST_HAVE_BZ2
constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();

/// The state of one decompression.
class Stream {
 public:
  explicit Stream(const FilterJob& job) {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) job.fail("cannot be set up");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { BZ2_bzDecompressEnd(&state_); }

  bz_stream* operator->() { return &state_; }
  int step() { return BZ2_bzDecompress(&state_); }

 private:
  bz_stream state_{};
};

ByteView decode_bzip2(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (filtered.size() > kMost) job.fail("4 GiB or more");
  Stream stream(job);
  // The library does not write to its input.
  stream->next_in = const_cast<char*>(reinterpret_cast<const char*>(filtered.data()));
  stream->avail_in = static_cast<unsigned>(filtered.size());
  const std::span<std::byte> out = workspace.result(job.max_size);
  std::size_t size = 0;
  for (;;) {
    const std::size_t room = std::min(out.size() - size, kMost);
    stream->next_out = reinterpret_cast<char*>(out.data() + size);
    stream->avail_out = static_cast<unsigned>(room);
    const unsigned left = stream->avail_in;
    const int status = stream.step();
    size += room - stream->avail_out;
    if (status == BZ_STREAM_END) return out.first(size);
    if (status != BZ_OK) job.fail("not a valid bzip2 stream");
    if (stream->avail_out == room && stream->avail_in == left)
      job.fail(size == out.size() ? "expands to more than is possible" : "ends early");
  }
}

std::optional<ByteView> encode_bzip2(const FilterJob& job, ByteView plain, Workspace& workspace) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  const std::int64_t level = values.empty() ? kLevel.otherwise : values[0];
  if (level < kLevel.least || level > kLevel.most)
    job.fail("client data: a level other than 1 to 9");
  // According to the library's manual, this is enough for any input.
  const std::size_t most = plain.size() + plain.size() / 100 + 600;
  if (most > kMost) job.fail("almost 4 GiB or more");
  const std::span<std::byte> out = workspace.result(most);
  auto size = static_cast<unsigned>(most);
  // The library does not write to its input.
  const int status =
      BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size,
                               const_cast<char*>(reinterpret_cast<const char*>(plain.data())),
                               static_cast<unsigned>(plain.size()), static_cast<int>(level), 0, 0);
  if (status == BZ_MEM_ERROR) throw std::bad_alloc();
  if (status != BZ_OK) job.fail("bzip2 failed");
  return out.first(size);
}
#endif

/// The level. PyTables adds its version and the class of the dataset.
ClientData client_data(const FilterSetup& setup) {
  setup.expect_at_most(3);
  ClientData values = setup.given();
  if (values.empty()) values.push_back(0);
  values[0] = setup.value(kLevel);
  return values;
}

}  // namespace

constinit const OwnFilter kBzip2Filter{.id = 307,
                                       .name = "bzip2",
                                       .parameters = kParameters,
                                       .library = "libbz2",
#ifdef ONECAST_HAVE_BZ2
                                       .decode = decode_bzip2,
                                       .encode = encode_bzip2,
#endif
                                       .client_data = client_data};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::bzip2(std::uint32_t level) { return kBzip2Filter.with({level}); }

}  // namespace onecast
