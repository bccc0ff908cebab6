#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "onecast/transport/random_access_file.hpp"

namespace onecast::cgns {

/// A file in memory, whose contents are lost when it is closed: CG_CONFIG_HDF5_DISKLESS.
class MemoryFile final : public RandomAccessFile {
 public:
  MemoryFile(std::string name, std::vector<std::byte> bytes)
      : name_(std::move(name)), bytes_(std::move(bytes)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= bytes_.size()) return 0;
    const auto from = std::span(bytes_).subspan(static_cast<std::size_t>(offset));
    const std::size_t count = std::min(from.size(), out.size());
    std::ranges::copy(from.first(count), out.begin());
    return count;
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::uint64_t end = offset + bytes.size();
    if (end > bytes_.size()) bytes_.resize(static_cast<std::size_t>(end));
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t size) override { bytes_.resize(static_cast<std::size_t>(size)); }

 private:
  std::string name_;
  std::vector<std::byte> bytes_;
};

}  // namespace onecast::cgns
