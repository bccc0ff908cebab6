#include "types/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "onecast/base/error.hpp"
#include "onecast/types/convert.hpp"
#include "types/conversion_steps.hpp"
#include "types/scalar.hpp"

namespace onecast::types {
namespace {

bool is_number(const Datatype& t) {
  return t.type_class() == TypeClass::integer || t.type_class() == TypeClass::floating ||
         t.type_class() == TypeClass::bitfield;
}

/// Builds the steps. Null: there is no such conversion.
class Planner {
 public:
  bool complete = true;
  bool in_place = true;

  Step plan(const Datatype& from, const Datatype& to) {
    if (from == to) return std::make_unique<CopyStep>(from.size());
    const bool named = from.type_class() == TypeClass::enumeration;
    const bool to_named = to.type_class() == TypeClass::enumeration;
    if (named && to_named && from.values() != to.values()) return nullptr;
    if (named || to_named) return plan(named ? from.base() : from, to_named ? to.base() : to);
    if (is_number(from) && is_number(to)) return numbers(from, to);
    if (from.type_class() != to.type_class()) return nullptr;
    switch (from.type_class()) {
      case TypeClass::string:
        in_place = false;
        return std::make_unique<StringStep>(from, to);
      case TypeClass::compound:
        return compound(from, to);
      case TypeClass::array:
        if (from.dimensions() != to.dimensions()) return nullptr;
        return array(from, to, from.size() / from.base().size());
      case TypeClass::complex:
        return array(from, to, 2);
      default:
        return nullptr;
    }
  }

 private:
  static Step numbers(const Datatype& from, const Datatype& to) {
    if (to.type_class() == TypeClass::bitfield && from.type_class() != TypeClass::bitfield)
      return nullptr;
    const auto a = native_number(from);
    const auto b = native_number(to);
    if (a && b && a->kind == b->kind)
      return std::make_unique<CopyStep>(from.size(), a->swapped != b->swapped);
    if (a && b)
      if (const NumberKernel kernel = number_kernel(a->kind, b->kind))
        return std::make_unique<NativeStep>(kernel, from.size(), a->swapped, to.size(), b->swapped);
    if (!is_scalar(from) || !is_scalar(to)) return nullptr;
    return std::make_unique<ScalarStep>(from, to);
  }

  Step array(const Datatype& from, const Datatype& to, std::size_t length) {
    Step base = plan(from.base(), to.base());
    if (!base) return nullptr;
    return std::make_unique<ArrayStep>(std::move(base), from.base().size(), to.base().size(),
                                       length);
  }

  Step compound(const Datatype& from, const Datatype& to) {
    std::unordered_map<std::string_view, const CompoundMember*> stored;
    for (const CompoundMember& m : from.members()) stored.emplace(m.name, &m);
    std::vector<CompoundStep::Member> members;
    for (const CompoundMember& wanted : to.members()) {
      const auto found = stored.find(wanted.name);
      if (found == stored.end()) {
        complete = false;
        continue;
      }
      const CompoundMember& source = *found->second;
      Step step = plan(source.type, wanted.type);
      if (!step) return nullptr;
      if (source.offset != wanted.offset || source.type.size() != wanted.type.size())
        in_place = false;
      members.push_back({source.offset, wanted.offset, std::move(step)});
    }
    if (from.size() != to.size() || !complete) in_place = false;
    return std::make_unique<CompoundStep>(std::move(members));
  }
};

}  // namespace

Conversion::Conversion(const Datatype& from, const Datatype& to, const Where& where)
    : from_size_(from.size()), to_size_(to.size()) {
  if (from == to) return;
  Planner planner;
  step_ = planner.plan(from, to);
  if (!step_)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: datatype: there is no conversion from {} to {}", where.text(),
                            from.describe(), to.describe()));
  complete_ = planner.complete;
  in_place_ = planner.in_place;
}

void Conversion::run(ByteView in, std::span<std::byte> out) const {
  const std::size_t count = out.size() / to_size_;
  if (in.size() / from_size_ < count)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("conversion: {} elements expected, {} given", count, in.size() / from_size_));
  if (step_)
    step_->run(in.data(), from_size_, out.data(), to_size_, count);
  else
    copy_elements(in.data(), from_size_, out.data(), to_size_, to_size_, count, false);
}

}  // namespace onecast::types

namespace onecast {

using namespace types;

void convert(const Datatype& from, std::span<const std::byte> in, const Datatype& to,
             std::span<std::byte> out) {
  Conversion(from, to, "conversion").run(in, out);
}

}  // namespace onecast
