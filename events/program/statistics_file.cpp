#include "statistics_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

/// Adds the name of the option to errors of `work`.
template <class F>
void with_option(F&& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--json: {}", error.what()), error.system_errno());
  }
}

}  // namespace

StatisticsFile::StatisticsFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_.emplace(ByteFile::standard_output());
    return;
  }
  struct stat before{};
  is_to_be_removed_ = lstat(path_.c_str(), &before) != 0;
  with_option([&] { file_.emplace(ByteFile::open_for_writing(path_)); });
}

StatisticsFile::~StatisticsFile() {
  if (is_to_be_removed_) unlink(path_.c_str());
}

void StatisticsFile::write(const std::string& text) {
  is_to_be_removed_ = false;
  with_option([&] {
    if (path_ != "-") file_->truncate();
    const Bytes bytes = std::as_bytes(std::span(text));
    file_->append({&bytes, 1});
    file_->close();
  });
}

void StatisticsFile::write_if_possible(const std::string& text) noexcept {
  try {
    write(text);
  } catch (...) {
    return;
  }
}

}  // namespace onecast::events
