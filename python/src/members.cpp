// Visits the members of groups one by one.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "any_object.hpp"
#include "onecast/objects/file.hpp"
#include "text.hpp"

namespace {

using onecast::Group;
using onecast::Link;
using onecast::LinkKind;
using onecast::Object;

/// The links of a group, one after the other.
class Members {
 public:
  /// The object is absent if the link is not hard.
  using Member = std::pair<Text, std::optional<AnyObject>>;

  /// Visits the links in the order in which the group is listed, or by name.
  explicit Members(Group group, bool by_name = false) : group_(std::move(group)) {
    // If the order is not tracked, new links are at the end until they are stored.
    const bool tracked = group_.tracks_link_order();
    const bool is_stored = group_.file().access() == onecast::Access::read_only;
    if (tracked ? by_name : !is_stored) sorted_ = group_.links(onecast::Order::name);
  }

  /// Returns nothing at the end.
  std::optional<Member> next() {
    const std::optional<Link> link = link_at(at_);
    if (!link) return std::nullopt;
    if (!sorted_) at_ = link->position;
    address_ = link->address;
    Member member{Text{std::string(link->name)}, std::nullopt};
    if (link->kind == LinkKind::hard)
      member.second = open_any(group_, *link, group_.kind_of(*link));
    ++at_;
    return member;
  }

  /// Returns the address of the object that next() found last; absent if it has none yet.
  [[nodiscard]] std::optional<std::uint64_t> address() const { return address_; }

  /// Returns the next few links, since each call waits for the core; an empty list at the end.
  std::vector<Member> next_few() {
    constexpr std::size_t kFew = 64;
    std::vector<Member> few;
    try {
      while (few.size() < kFew) {
        std::optional<Member> member = next();
        if (!member) break;
        few.push_back(std::move(*member));
      }
    } catch (const onecast::Error&) {
      if (few.empty()) {
        ++at_;
        throw;
      }
    }
    return few;
  }

 private:
  [[nodiscard]] std::optional<Link> link_at(std::size_t at) const {
    if (!sorted_) return group_.next_link(at);
    return at < sorted_->size() ? std::optional((*sorted_)[at]) : std::nullopt;
  }

  Group group_;
  std::optional<std::vector<Link>> sorted_;
  std::size_t at_ = 0;  ///< a Link::position, or an index of the sorted links
  std::optional<std::uint64_t> address_;
};

/// The addresses of objects; most of them are multiples of 8 and near each other.
class Addresses {
 public:
  /// Returns true if the address is new.
  bool add(std::uint64_t address) {
    if (address % kUnit != 0) return others_.insert(address).second;
    auto bit = pages_[address / kPage][address % kPage / kUnit];
    const bool is_new = !bit;
    bit = true;
    return is_new;
  }

 private:
  static constexpr std::uint64_t kUnit = 8;
  static constexpr std::uint64_t kPage = 4096;

  std::unordered_map<std::uint64_t, std::bitset<kPage / kUnit>> pages_;
  std::unordered_set<std::uint64_t> others_;
};

/// Visits everything that hard links lead to below a group, each object once, as (path below the
/// group, object): groups before their members, members by name.
class Walk {
 public:
  using Found = std::pair<Text, AnyObject>;

  explicit Walk(const Group& group)
      : by_address_(group.file().access() == onecast::Access::read_only) {
    is_new(group, by_address_ ? group.reference().address : std::nullopt);
    enter(group, {});
  }

  /// Returns nothing at the end. The members of a group are looked up after the group was returned.
  std::optional<Found> next() {
    if (entered_) enter(*std::exchange(entered_, std::nullopt), std::exchange(path_, {}) + '/');
    while (!levels_.empty()) {
      Level& level = levels_.back();
      auto member = level.members.next();
      if (!member) {
        levels_.pop_back();
      } else if (member->second && is_new(*member->second, level.members.address())) {
        Found found{{level.prefix + member->first.bytes}, std::move(*member->second)};
        if (const auto* group = std::get_if<Group>(&found.second)) {
          entered_ = *group;
          path_ = found.first.bytes;
        }
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  struct Level {
    Members members;
    std::string prefix;
  };

  void enter(const Group& group, std::string prefix) {
    levels_.push_back({Members(group, true), std::move(prefix)});
  }

  /// In a file that is written, objects may have no address yet, but the core names an object by
  /// the path that reached it first, whatever path is used later.
  bool is_new(const AnyObject& found, std::optional<std::uint64_t> address) {
    if (by_address_ && address) return addresses_.add(*address);
    return paths_.insert(std::visit([](const Object& object) { return object.path(); }, found))
        .second;
  }

  bool by_address_;

  std::vector<Level> levels_;
  std::optional<Group> entered_;  ///< the group returned last
  std::string path_;              ///< its path
  Addresses addresses_;
  std::unordered_set<std::string> paths_;
};

}  // namespace

void bind_members(nb::module_& m) {
  nb::class_<Members>(
      m, "Members", "`next()` lists the next few (name, object or None); an empty list at the end.")
      .def(nb::init<Group>(), nb::arg("group"), core_read())
      .def("next", &Members::next_few, core_read());
  nb::class_<Walk>(m, "Walk",
                   "`next()` returns (path, object) for everything below a group, then None.")
      .def(nb::init<const Group&>(), nb::arg("group"), core_read())
      .def("next", &Walk::next, core_read());
}
