#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.hpp"
#include "device/cu_file.hpp"
#include "device/place.hpp"

namespace onecast::device {

/// An open file, as cuFile knows it. Used by one thread.
class DirectFile {
 public:
  /// @param descriptor a file of the process, which is opened once more
  /// @param again see cu_file()
  /// Throws DeviceError if the file, or cuFile, does not allow it.
  DirectFile(const Place& place, int descriptor, bool writes, bool again);
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;
  ~DirectFile();

  /// Reads to memory of the device. Returns how many bytes it read: fewer only at the end of the
  /// file. Throws DeviceError (io).
  std::size_t read(std::byte* device, std::size_t size, std::uint64_t offset) const;
  /// Writes all bytes. Throws DeviceError (io).
  void write(const std::byte* device, std::size_t size, std::uint64_t offset) const;

 private:
  void open_again(int descriptor, bool writes);

  CurrentContext context_;
  const CuFile& library_;
  int descriptor_ = -1;
  void* handle_ = nullptr;
};

}  // namespace onecast::device
