#pragma once

#include <optional>
#include <string>

#include "model/byte_file.hpp"

namespace onecast::events {

/// The file for the statistics of a job; "-" means standard output. It is opened before the job and
/// written after it; its old contents stay until then. A new file that is never written is removed.
class StatisticsFile {
 public:
  /// Throws Error as ByteFile::open_for_writing.
  explicit StatisticsFile(std::string path);
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;
  ~StatisticsFile();

  void write(const std::string& text);
  /// Writes after another failure, whose error counts: does not throw.
  void write_if_possible(const std::string& text) noexcept;

 private:
  std::string path_;
  bool is_to_be_removed_ = false;
  std::optional<ByteFile> file_;
};

}  // namespace onecast::events
