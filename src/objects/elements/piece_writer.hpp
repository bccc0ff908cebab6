#pragma once

#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "base/sieve.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::elements {

/// Gathers pieces of raw data into few writes. The caller need not keep them.
class PieceWriter {
 public:
  explicit PieceWriter(FileState& file) : sieve_(file.comm().size() == 1, {file}, {file}) {}

  void add(Address address, std::span<const std::byte> bytes) {
    sieve_.add_copy(address.value, bytes);
  }
  /// Writes the pieces that are left.
  void finish() { sieve_.finish(); }

 private:
  struct Read {
    FileState& file;
    void operator()(std::uint64_t at, std::span<std::byte> out) const {
      read_file(file, Address{at}, out);
    }
  };
  struct Write {
    FileState& file;
    void operator()(std::uint64_t at, std::span<const std::byte> bytes) const {
      write_raw(file, Address{at}, bytes);
    }
  };

  WriteSieve<Read, Write> sieve_;
};

}  // namespace onecast::elements
