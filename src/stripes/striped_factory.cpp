#include "stripes/striped_factory.hpp"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "stripes/lustre_layout.hpp"
#include "transport/path_rules.hpp"
#include "transport/retry_interrupted.hpp"

namespace onecast::stripes {
namespace {

/// Creates an empty file whose striping is chosen before it has any object. Returns false if it
/// fails.
bool make_striped(const std::string& path, const StripeOptions& wanted) {
  // To Lustre, the last two flags together mean: no objects yet. Elsewhere they have no effect
  // here.
  constexpr int kNoObjects = O_NOCTTY | O_ASYNC;
  const int file = retry_interrupted([&] {
    return open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | kNoObjects,
                FileRights::kOfNew);
  });
  if (file < 0) return false;
  const auto size = std::min<std::uint64_t>(wanted.stripe_size, std::uint64_t{1} << 31U);
  const auto count = std::min<std::uint64_t>(wanted.stripe_count, kAllTargets);
  const auto request = encode_lustre_request(static_cast<std::uint32_t>(size),
                                             static_cast<std::uint16_t>(count), wanted.front);
  // Old clients report success and do nothing, so the result is looked up later.
  static_cast<void>(fsetxattr(file, "lustre.lov", request.data(), request.size(), 0));
  close(file);
  return true;
}

}  // namespace

TransportFactory striped_factory(TransportFactory inner, const StripeOptions& wanted) {
  if (wanted == StripeOptions()) return inner;
  return replacing_factory(
      [inner = std::move(inner), wanted](const std::string& path, OpenMode mode) {
        require_path(path);
        // If something prevents creation, `inner` meets it again and reports it.
        if (mode != OpenMode::create || !make_striped(path, wanted)) return inner(path, mode);
        try {
          return inner(path, OpenMode::read_write);
        } catch (...) {
          unlink(path.c_str());
          throw;
        }
      });
}

}  // namespace onecast::stripes
