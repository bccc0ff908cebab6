#pragma once

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::check {

/// Checks what the elements of one type refer to: strings and sequences of variable length, and the
/// regions of references.
class ValueCheck {
 public:
  ValueCheck(CheckContext& context, const Datatype& type);

  /// True if elements of this type refer to nothing.
  [[nodiscard]] bool is_empty() const { return members_.empty(); }
  /// `elements` must be whole. Damage becomes findings, with `detail` before their text.
  void check(ByteView elements, const std::string& detail);

 private:
  /// The offset in an element, and the type there.
  struct Member {
    std::size_t offset;
    const Datatype* type;
  };

  void collect(const Datatype& type, std::size_t offset);
  void look_up(const Datatype& type, ByteView element, const std::string& detail);
  void look_up_revised(ByteView element);

  CheckContext& context_;
  std::size_t size_;
  std::vector<Member> members_;
};

}  // namespace onecast::check
