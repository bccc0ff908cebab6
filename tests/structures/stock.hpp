#pragma once

#include "support/python.hpp"

namespace onecast {

using StockAnswer = PythonAnswer;

/// Runs a Python script of this folder.
inline StockAnswer run_stock(const std::string& script, const std::string& arguments) {
  return run_script(__FILE__, script, arguments);
}

}  // namespace onecast
