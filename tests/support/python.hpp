#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

/// Runs Python scripts of the tests, which let h5py write, read and change files.
namespace onecast {

struct PythonAnswer {
  int status;
  std::string text;  ///< standard output and error
};

/// Runs Python. ONECAST_PYTHON names the interpreter.
inline PythonAnswer run_python(const std::string& arguments) {
  const char* python = std::getenv("ONECAST_PYTHON");
  const std::string command =
      "'" + std::string(python != nullptr ? python : "python3") + "' " + arguments + " 2>&1";
  PythonAnswer answer{-1, {}};
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
      answer.text += buffer.data();
    answer.status = ::pclose(pipe);
  }
  return answer;
}

/// Runs a script that lies beside the test. `source` is the test's __FILE__.
inline PythonAnswer run_script(const char* source, const std::string& script,
                               const std::string& arguments) {
  const std::filesystem::path folder = std::filesystem::path(source).parent_path();
  return run_python("'" + (folder / script).string() + "' " + arguments);
}

inline bool has_h5py() {
  static const bool found = run_python("-c 'import h5py, numpy'").status == 0;
  return found;
}

}  // namespace onecast

#define ONECAST_NEEDS_H5PY() \
  if (!onecast::has_h5py()) GTEST_SKIP() << "no Python with h5py (name one by ONECAST_PYTHON)"
