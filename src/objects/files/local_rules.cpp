#include "objects/files/local_rules.hpp"

#include <fmt/format.h>

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::files {
namespace {

[[noreturn]] void refuse(const std::string& where, const char* call, const char* why) {
  throw state_error("{}: {}: {}", where, call, why);
}

constexpr const char* kOwnOnly =
    "inside independent() a rank can change only what it created there since the last flush";
constexpr const char* kUnknown =
    "this rank created it inside independent(): the others do not know it before the next flush";

}  // namespace

bool changes_locally(const Node& object) {
  return file_of(object).local_edits().is_inside() && !object.is_local();
}

void require_addable(const Node& object, const char* call) {
  if (!file_of(object).local_edits().is_inside() && object.is_local())
    refuse(object.where(), call, kUnknown);
}

void require_changeable(const Node& object, const char* call) {
  require_addable(object, call);
  if (changes_locally(object)) refuse(object.where(), call, kOwnOnly);
}

void require_changeable(const Node& group, const LinkEntry& link, const char* call) {
  require_addable(group, call);
  if (changes_locally(group) && !link.is_local)
    refuse(fmt::format("{}: link \"{}\"", group.where(), link.name()), call, kOwnOnly);
}

void require_together(const FileState& file, const char* call) {
  if (file.local_edits().is_inside())
    refuse(file.path(), call, "inside independent(), but only all ranks together can do that");
}

LinkEntry* find_link(Node& group, std::string_view name) {
  LinkEntry* entry = group.find_link(name);
  return entry != nullptr && entry->is_local && !file_of(group).local_edits().is_inside() ? nullptr
                                                                                          : entry;
}

}  // namespace onecast::files
