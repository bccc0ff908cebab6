#pragma once

#include <string>

namespace onecast::events {

/// The file for the statistics of a job. It is made before the job, and written behind it: what was
/// there stays until then. If it is not written, and was not there, it is removed.
class StatisticsFile {
 public:
  /// Throws Error (io) if it cannot be made, or is open elsewhere as an HDF5 or PDS file.
  explicit StatisticsFile(std::string path);
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;
  ~StatisticsFile();

  void write(const std::string& text);

 private:
  std::string path_;
  bool is_to_be_removed_;
  int descriptor_ = -1;
};

}  // namespace onecast::events
