#include "statistics_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace fs = std::filesystem;

StatisticsFile::StatisticsFile(std::string path)
    : path_(std::move(path)),
      is_to_be_removed_(fs::symlink_status(path_).type() == fs::file_type::not_found),
      out_(path_, std::ios::app) {
  if (!out_)
    throw Error(ErrorCode::io, fmt::format("--json: {}: {}", path_, std::strerror(errno)), errno);
}

StatisticsFile::~StatisticsFile() {
  std::error_code ignored;
  if (is_to_be_removed_) fs::remove(path_, ignored);
}

void StatisticsFile::write(const std::string& text) {
  is_to_be_removed_ = false;
  if (fs::is_regular_file(path_)) fs::resize_file(path_, 0);
  out_ << text;
  out_.close();
  if (!out_) throw Error(ErrorCode::io, fmt::format("--json: {}: cannot be written", path_));
}

}  // namespace onecast::events
