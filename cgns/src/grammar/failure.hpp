#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

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

/// Joins texts and numbers.
template <class... Parts>
std::string words(const Parts&... parts) {
  std::string text;
  const auto add = [&text](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_arithmetic_v<Part> || std::is_enum_v<Part>)
      text += std::to_string(+part);
    else
      text += part;
  };
  (add(parts), ...);
  return text;
}
/// Returns a Failure with these words as its text.
template <class... Parts>
Failure failure(const Parts&... parts) {
  return Failure(words(parts...));
}

}  // namespace onecast::cgns
