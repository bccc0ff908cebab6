#pragma once

#include <optional>
#include <string>

#include "model/byte_file.hpp"

namespace onecast::events {

/// The file for the statistics of a job; "-": standard output. It is made before the job, and
/// written behind it: what was there stays until then. If it is not written, and was not there, it
/// is removed.
class StatisticsFile {
 public:
  /// Throws Error as ByteFile::open_for_writing.
  explicit StatisticsFile(std::string path);
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;
  ~StatisticsFile();

  void write(const std::string& text);
  /// Where something else has failed, whose error counts.
  void write_if_possible(const std::string& text) noexcept;

 private:
  std::string path_;
  bool is_to_be_removed_ = false;
  std::optional<ByteFile> file_;
};

}  // namespace onecast::events
