#include "types/gaps.hpp"

#include <algorithm>

namespace onecast::types {

Gaps::Gaps(const Datatype& type) : element_(type.size()) { find(type, 0); }

void Gaps::find(const Datatype& type, std::size_t offset) {
  if (type.type_class() == TypeClass::array) {
    const std::size_t size = type.base().size();
    if (Gaps(type.base()).none()) return;
    for (std::size_t at = 0; at + size <= type.size(); at += size) find(type.base(), offset + at);
  } else if (type.type_class() == TypeClass::compound) {
    std::vector<const CompoundMember*> members;
    for (const CompoundMember& member : type.members()) members.push_back(&member);
    std::ranges::sort(members, {}, [](const CompoundMember* m) { return m->offset; });
    std::size_t at = 0;
    for (const CompoundMember* member : members) {
      add(offset + at, offset + member->offset);
      find(member->type, offset + member->offset);
      at = member->offset + member->type.size();
    }
    add(offset + at, offset + type.size());
  }
}

void Gaps::add(std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  if (!gaps_.empty() && gaps_.back().end == begin)
    gaps_.back().end = end;
  else
    gaps_.push_back({begin, end});
}

bool Gaps::are_zero(std::span<const std::byte> elements) const {
  if (none()) return true;
  for (; elements.size() >= element_; elements = elements.subspan(element_))
    for (const Gap& gap : gaps_)
      if (std::ranges::any_of(elements.subspan(gap.begin, gap.end - gap.begin),
                              [](std::byte b) { return b != std::byte{0}; }))
        return false;
  return true;
}

void Gaps::clear(std::span<std::byte> elements) const {
  if (none()) return;
  for (; elements.size() >= element_; elements = elements.subspan(element_))
    for (const Gap& gap : gaps_)
      std::ranges::fill(elements.subspan(gap.begin, gap.end - gap.begin), std::byte{0});
}

PlainBytes::PlainBytes(const Datatype& type, std::span<const std::byte> elements)
    : bytes_(elements) {
  if (type.type_class() != TypeClass::compound && type.type_class() != TypeClass::array) return;
  const Gaps gaps(type);
  if (gaps.are_zero(elements)) return;
  cleared_.assign(elements.begin(), elements.end());
  gaps.clear(cleared_);
  bytes_ = cleared_;
}

}  // namespace onecast::types
