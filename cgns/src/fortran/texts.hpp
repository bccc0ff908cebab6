#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "cgnslib.h"
#include "grammar/names.hpp"

/// Texts of Fortran, which have a length and are padded with blanks, as arguments of C functions.
/// Programs pass all arguments by reference, and the lengths of texts behind all other arguments.
namespace onecast::cgns::fortran {

/// A text that is passed to C, without the blanks at its end.
class Text {
 public:
  Text(const char* text, std::size_t length) : text_(text, length) {
    text_.resize(text_.find_last_not_of(' ') + 1);
  }
  operator const char*() const { return text_.c_str(); }

 private:
  std::string text_;
};

/// The name of a node. Longer names are truncated, as by the CGNS library.
class Name : public Text {
 public:
  Name(const char* text, std::size_t length) : Text(text, std::min(length, kLongestName)) {}
};

/// Copies a text to a character variable of Fortran: truncates it, or pads it with blanks.
inline void give_padded(std::string_view text, char* out, std::size_t length) {
  const std::size_t count = std::min(text.size(), length);
  std::memcpy(out, text.data(), count);
  std::memset(out + count, ' ', length - count);
}

/// Memory for a text that C reads. The destructor copies it to the program's variable if *status is
/// CG_OK.
class ReadText {
 public:
  ReadText(char* out, std::size_t length, const int* status)
      : out_(out), length_(length), status_(status) {}
  ReadText(const ReadText&) = delete;
  ReadText& operator=(const ReadText&) = delete;
  ~ReadText() {
    if (*status_ == CG_OK) give_padded(text_.data(), out_, length_);
  }
  operator char*() { return text_.data(); }

 private:
  char* out_;
  std::size_t length_;
  const int* status_;
  std::array<char, 4097> text_{};  // the longest text is the path of a link
};

/// Receives a text that C allocates. The destructor copies it to the program's variable if *status
/// is CG_OK, and frees it.
class AllocatedText {
 public:
  AllocatedText(char* out, std::size_t length, const int* status)
      : out_(out), length_(length), status_(status) {}
  AllocatedText(const AllocatedText&) = delete;
  AllocatedText& operator=(const AllocatedText&) = delete;
  ~AllocatedText() {
    if (*status_ == CG_OK) give_padded(text_ == nullptr ? "" : text_, out_, length_);
    cg_free(text_);
  }
  operator char**() { return &text_; }

 private:
  char* out_;
  std::size_t length_;
  const int* status_;
  char* text_ = nullptr;
};

}  // namespace onecast::cgns::fortran

/// Declares another name of a subroutine.
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name is declared
#define ONECAST_CGNS_ALSO(name, other) decltype(name) other __attribute__((alias(#name)))
