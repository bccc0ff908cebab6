#include "device/direct_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace onecast::device {
namespace {

/// The most bytes of one call.
constexpr std::size_t kLargestCall = std::size_t{1} << 30U;

[[noreturn]] void fail(const char* function, const std::string& why, int system_errno = 0) {
  throw DeviceError(ErrorCode::io, fmt::format("{}: {}", function, why), system_errno);
}

std::string words(int system_errno) { return std::generic_category().message(system_errno); }

/// Returns the result of a transfer, which is made again if a signal came. Throws the error of one
/// that returned less than 0: -1, with an error of the system, or an error of cuFile.
template <class F>
std::size_t moved(const char* function, std::uint64_t offset, F&& transfer) {
  ssize_t result = 0;
  do {
    errno = 0;
    result = transfer();
  } while (result == -1 && errno == EINTR);
  if (result >= 0) return static_cast<std::size_t>(result);
  const int of_system = result == -1 ? errno : 0;
  fail(function,
       fmt::format("at {:#x}: {}", offset,
                   of_system != 0 ? words(of_system) : fmt::format("error {}", -result)),
       of_system);
}

}  // namespace

DirectFile::DirectFile(const Place& place, int descriptor, bool writes, bool again)
    : context_(place), library_(cu_file(*place.driver, again)) {
  open_again(descriptor, writes);
  CuFile::Description description;
  description.descriptor = descriptor_;
  const CuFile::Result result = library_.handle_register(&handle_, &description);
  if (result.error == 0) return;
  close(descriptor_);
  fail("cuFileHandleRegister",
       fmt::format("error {}, of the driver {}", result.error, result.driver_error));
}

DirectFile::~DirectFile() {
  library_.handle_deregister(handle_);
  close(descriptor_);
}

/// Opens the file without the page cache if its file system can: cuFile then goes to the storage.
void DirectFile::open_again(int descriptor, bool writes) {
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  const int flags = (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC;
  descriptor_ = open(path.c_str(), flags | O_DIRECT);
  if (descriptor_ < 0 && errno == EINVAL) descriptor_ = open(path.c_str(), flags);
  if (descriptor_ < 0) fail("open", fmt::format("{}: {}", path, words(errno)), errno);
}

std::size_t DirectFile::read(std::byte* device, std::size_t size, std::uint64_t offset) const {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t got = moved("cuFileRead", offset + done, [&] {
      return library_.read(handle_, device, std::min(size - done, kLargestCall),
                           static_cast<off_t>(offset + done), static_cast<off_t>(done));
    });
    if (got == 0) break;
    done += got;
  }
  return done;
}

void DirectFile::write(const std::byte* device, std::size_t size, std::uint64_t offset) const {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t put = moved("cuFileWrite", offset + done, [&] {
      return library_.write(handle_, device, std::min(size - done, kLargestCall),
                            static_cast<off_t>(offset + done), static_cast<off_t>(done));
    });
    if (put == 0) fail("cuFileWrite", fmt::format("at {:#x}: nothing was written", offset + done));
    done += put;
  }
}

}  // namespace onecast::device
