#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// Messages that any object may have: comment, times, reference count, continuation, and one for
/// tests.
namespace onecast::format {

/// "IV.A.2.j. The Bogus Message": for testing only.
struct BogusMessage {
  static constexpr const char* kTitle = "Bogus Message";
  static constexpr std::uint32_t kValue = 0xdeadbeef;

  std::uint32_t value = kValue;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Bogus Value", s.value);
    v.check(s.value == kValue, "Bogus Value", "is not 0xdeadbeef");
  }
};

/// "IV.A.2.n. The Object Comment Message".
struct CommentMessage {
  static constexpr const char* kTitle = "Object Comment Message";

  std::string_view comment;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.c_text("Comment", s.comment);
  }
};

/// "IV.A.2.o. The Object Modification Time (Old) Message": decimal digits, in UTC.
struct OldModificationTimeMessage {
  static constexpr const char* kTitle = "Object Modification Time Message (Old)";

  std::string_view year = "1970";
  std::string_view month = "01";
  std::string_view day_of_month = "01";
  std::string_view hour = "00";
  std::string_view minute = "00";
  std::string_view second = "00";

  /// Returns nothing unless all are digits.
  [[nodiscard]] std::optional<std::int64_t> seconds_after_epoch() const {
    int parts[6];
    const std::string_view texts[] = {year, month, day_of_month, hour, minute, second};
    for (int i = 0; i < 6; ++i)
      if (std::from_chars(texts[i].data(), texts[i].data() + texts[i].size(), parts[i]).ptr !=
          texts[i].data() + texts[i].size())
        return std::nullopt;
    using namespace std::chrono;
    const sys_days day{std::chrono::year(parts[0]) / parts[1] / parts[2]};
    return seconds(day.time_since_epoch()).count() + parts[3] * 3600 + parts[4] * 60 + parts[5];
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.text("Year", s.year, 4);
    v.text("Month", s.month, 2);
    v.text("Day of Month", s.day_of_month, 2);
    v.text("Hour", s.hour, 2);
    v.text("Minute", s.minute, 2);
    v.text("Second", s.second, 2);
    v.reserved("Reserved", 2);
  }
};

/// "IV.A.2.s. The Object Modification Time Message".
struct ModificationTimeMessage {
  static constexpr const char* kTitle = "Object Modification Time Message";

  std::uint32_t seconds_after_epoch = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    v.u32("Seconds After UNIX Epoch", s.seconds_after_epoch);
  }
};

/// "IV.A.2.w. The Object Reference Count Message". If it is missing, the count is 1.
struct ReferenceCountMessage {
  static constexpr const char* kTitle = "Object Reference Count Message";

  std::uint32_t reference_count = 1;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u32("Reference Count", s.reference_count);
  }
};

/// "IV.A.2.q. The Object Header Continuation Message".
struct ContinuationMessage {
  static constexpr const char* kTitle = "Object Header Continuation Message";

  Address offset;
  std::uint64_t length = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Offset", s.offset);
    v.length("Length", s.length);
    v.check(s.offset.is_defined(), "Offset", "is undefined");
  }
};

}  // namespace onecast::format
