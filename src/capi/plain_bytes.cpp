#include "capi/plain_bytes.hpp"

#include <algorithm>

namespace onecast::capi {
namespace {

struct Gap {
  std::size_t begin, end;
};

std::vector<Gap> gaps_of(const Datatype& type);

void add_gaps(std::vector<Gap>& gaps, const Datatype& type, std::size_t offset) {
  for (const Gap& gap : gaps_of(type)) gaps.push_back({offset + gap.begin, offset + gap.end});
}

/// In one element, from its first byte.
std::vector<Gap> gaps_of(const Datatype& type) {
  std::vector<Gap> gaps;
  if (type.type_class() == TypeClass::array) {
    const std::size_t size = type.base().size();
    if (gaps_of(type.base()).empty()) return gaps;
    for (std::size_t at = 0; at + size <= type.size(); at += size) add_gaps(gaps, type.base(), at);
  } else if (type.type_class() == TypeClass::compound) {
    std::vector<const CompoundMember*> members;
    for (const CompoundMember& member : type.members()) members.push_back(&member);
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return a->offset < b->offset; });
    std::size_t at = 0;
    for (const CompoundMember* member : members) {
      if (member->offset > at) gaps.push_back({at, member->offset});
      add_gaps(gaps, member->type, member->offset);
      at = member->offset + member->type.size();
    }
    if (at < type.size()) gaps.push_back({at, type.size()});
  }
  return gaps;
}

}  // namespace

PlainBytes::PlainBytes(const Datatype& type, std::span<const std::byte> elements)
    : bytes_(elements) {
  const std::vector<Gap> gaps = gaps_of(type);
  if (gaps.empty() || elements.empty()) return;
  cleaned_.assign(elements.begin(), elements.end());
  bytes_ = cleaned_;
  for (std::size_t at = 0; at + type.size() <= cleaned_.size(); at += type.size())
    for (const Gap& gap : gaps)
      std::fill(cleaned_.begin() + static_cast<std::ptrdiff_t>(at + gap.begin),
                cleaned_.begin() + static_cast<std::ptrdiff_t>(at + gap.end), std::byte{0});
}

}  // namespace onecast::capi
