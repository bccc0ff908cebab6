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

// Throws std::invalid_argument with the reason.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace onecast::lab
