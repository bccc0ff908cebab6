#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "onecast/check/check.hpp"
#include "support/disk.hpp"
#include "support/temporary_directory.hpp"

/// Checks that the files which a test leaves are sound, except those that it damaged on purpose.
namespace onecast::test {

inline bool is_hdf5(const std::string& file) {
  std::array<char, 8> signature{};
  std::ifstream(file, std::ios::binary).read(signature.data(), signature.size());
  return std::string_view(signature.data(), signature.size()) == "\x89HDF\r\n\x1a\n";
}

/// Expects `onecast check` to find nothing in any HDF5 file of the directory.
inline void expect_sound(const std::filesystem::path& directory) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string file = entry.path().string();
    if (!entry.is_regular_file() || !is_hdf5(file)) continue;
    for (const Finding& f : check_file(file, {.data = true}).findings)
      EXPECT_TRUE(f.kind == Finding::Kind::note || f.kind == Finding::Kind::unsupported)
          << file << ": " << f.path << ": " << f.structure << ": " << f.field << " " << f.what;
  }
}

/// A directory whose files are checked at the end.
class SoundDirectory : public TemporaryDirectory {
 public:
  ~SoundDirectory() { expect_sound(path()); }
};

/// A disk in memory whose files are checked at the end.
class SoundDisk : public Disk {
 public:
  SoundDisk() = default;
  SoundDisk(const SoundDisk&) = delete;
  SoundDisk& operator=(const SoundDisk&) = delete;
  ~SoundDisk() {
    if (leaves_damage_) return;
    const TemporaryDirectory directory;
    for (const std::string& name : names())
      save(name, directory / std::filesystem::path(name).filename().string());
    expect_sound(directory.path());
  }
  void leave_damage() { leaves_damage_ = true; }

 private:
  bool leaves_damage_ = false;
};

}  // namespace onecast::test
