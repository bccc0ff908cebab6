#pragma once

#include <stdexcept>
#include <string>

namespace onecast::cgns {

/// An error of a function of the API: its text, and the number that the function returns.
class Failure : public std::runtime_error {
 public:
  // The values of CG_ERROR, CG_NODE_NOT_FOUND and so on.
  static constexpr int kError = 1;
  static constexpr int kNodeNotFound = 2;
  static constexpr int kIncorrectPath = 3;
  static constexpr int kNoIndexDim = 4;

  explicit Failure(const std::string& text, int status = kError)
      : std::runtime_error(text), status_(status) {}
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

}  // namespace onecast::cgns
