#pragma once

#include <string>
#include <vector>

#include "server.hpp"

namespace onecast::lab {

struct Options {
  ServerOptions server;
  std::vector<std::string> mounts;  // one for each client
  bool help = false;
};

extern const char* const kUsage;

// Throws std::invalid_argument that says what is wrong.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace onecast::lab
