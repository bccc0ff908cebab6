#pragma once

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::check {

/// Looks up what elements hold a place of: strings and sequences of variable length, and the
/// regions of references. One for one type.
class ValueCheck {
 public:
  ValueCheck(CheckContext& context, const Datatype& type);

  /// Nothing to look up?
  [[nodiscard]] bool is_empty() const { return places_.empty(); }
  /// `elements`: whole ones. Damage becomes findings, before which `detail` stands.
  void check(ByteView elements, const std::string& detail);

 private:
  /// Where in an element, and what.
  struct Place {
    std::size_t offset;
    const Datatype* type;
  };

  void collect(const Datatype& type, std::size_t offset);
  void look_up(const Datatype& type, ByteView element, const std::string& detail);
  void look_up_revised(ByteView element);

  CheckContext& context_;
  std::size_t size_;
  std::vector<Place> places_;
};

}  // namespace onecast::check
