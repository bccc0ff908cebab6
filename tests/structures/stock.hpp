#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

/// Runs the Python scripts of this folder, which ask h5py to write, read and change files.
namespace onecast {

struct StockAnswer {
  int status;
  std::string text;
};

inline StockAnswer run_stock(const std::string& script, const std::string& arguments) {
  const char* python = std::getenv("ONECAST_PYTHON");
  const std::filesystem::path folder = std::filesystem::path(__FILE__).parent_path();
  const std::string command = std::string(python != nullptr ? python : "python3") + " '" +
                              (folder / script).string() + "' " + arguments + " 2>&1";
  StockAnswer answer{-1, {}};
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
      answer.text += buffer.data();
    answer.status = ::pclose(pipe);
  }
  return answer;
}

inline bool has_h5py() {
  static const bool found = run_stock("make_files.py", "probe").status == 0;
  return found;
}

}  // namespace onecast

#define ONECAST_NEEDS_H5PY() \
  if (!onecast::has_h5py()) GTEST_SKIP() << "no Python with h5py (name one by ONECAST_PYTHON)"
