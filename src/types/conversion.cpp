#include "types/conversion.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/make_error.hpp"
#include "onecast/types/convert.hpp"
#include "types/complex_numbers.hpp"
#include "types/conversion_steps.hpp"
#include "types/scalar.hpp"

namespace onecast::types {
namespace {

bool is_number(const Datatype& t) {
  return t.type_class() == TypeClass::integer || t.type_class() == TypeClass::floating ||
         t.type_class() == TypeClass::bitfield;
}

/// Builds the steps; null if there is no conversion.
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
    if (Step step = complex_numbers(from, to)) return step;
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

  /// Converts between the class and a pair of numbers, or between pairs with different usual names.
  Step complex_numbers(const Datatype& from, const Datatype& to) {
    const bool has_class =
        from.type_class() == TypeClass::complex || to.type_class() == TypeClass::complex;
    if (!has_class && !(is_named_like_complex(from) && is_named_like_complex(to))) return nullptr;
    const auto parts = complex_parts(from);
    const auto wanted = complex_parts(to);
    if (!parts || !wanted) return nullptr;
    std::vector<CompoundStep::Member> members;
    for (std::size_t i = 0; i < parts->size(); ++i) {
      members.push_back(
          member((*parts)[i].type, (*parts)[i].offset, (*wanted)[i].type, (*wanted)[i].offset));
      if (!members.back().step) return nullptr;
    }
    if (from.size() != to.size()) in_place = false;
    return std::make_unique<CompoundStep>(std::move(members));
  }

  /// The step is null if there is no conversion.
  CompoundStep::Member member(const Datatype& from, std::size_t from_offset, const Datatype& to,
                              std::size_t to_offset) {
    if (from_offset != to_offset || from.size() != to.size()) in_place = false;
    return {from_offset, to_offset, plan(from, to)};
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
      members.push_back(member(source.type, source.offset, wanted.type, wanted.offset));
      if (!members.back().step) return nullptr;
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
    throw argument_error("{}: datatype: there is no conversion from {} to {}", where.text(),
                         from.describe(), to.describe());
  complete_ = planner.complete;
  in_place_ = planner.in_place;
}

void Conversion::run(ByteView in, std::span<std::byte> out) const {
  const std::size_t count = out.size() / to_size_;
  if (in.size() / from_size_ < count)
    throw argument_error("conversion: {} elements expected, {} given", count,
                         in.size() / from_size_);
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
