// Functions that visit everything below a group.

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_links.hpp"
#include "onecast/capi/group.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

struct HashOfObject {
  std::size_t operator()(const Object& object) const { return object.hash(); }
};
struct SameObject {
  bool operator()(const Object& a, const Object& b) const { return a.same_object(b); }
};

/// Visits groups along hard links. It is not recursive, because chains of groups may be long.
class Walk {
 public:
  /// A link, its group and its path.
  struct Step {
    const Group& group;
    const Link& link;
    const std::string& path;
  };

  Walk(const Group& top, Order order) : order_(order) {
    is_new(top);
    enter(top, "");
  }

  /// Calls visit(step) for each link until it does not return 0. `visit` may call look_into().
  template <class Visit>
  int run(Visit&& visit) {
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == level.links.size()) {
        levels_.pop_back();
        continue;
      }
      const Link& link = level.links[level.next++];
      const std::string path = level.prefix + std::string(link.name);
      if (const int result = visit(Step{level.group, link, path}); result != 0) return result;
      if (below_) enter(*std::exchange(below_, std::nullopt), path + '/');
    }
    return 0;
  }

  /// True if the object was not visited before.
  bool is_new(const Object& object) { return seen_.insert(object).second; }
  /// Visits `group` next.
  void look_into(Group group) { below_ = std::move(group); }

 private:
  struct Level {
    Group group;
    std::vector<Link> links;
    std::string prefix;
    std::size_t next = 0;
  };

  void enter(Group group, std::string prefix) {
    std::vector<Link> links = group.links(order_);
    levels_.push_back({std::move(group), std::move(links), std::move(prefix)});
  }

  Order order_;
  std::vector<Level> levels_;
  std::optional<Group> below_;
  std::unordered_set<Object, HashOfObject, SameObject> seen_;
};

int visit_objects(const onecast_object* group, Order order, onecast_object_visitor visitor,
                  void* user) {
  const Group& top = as_group(group);
  Walk walk(top, order);
  if (const int result = visitor(user, ".", group); result != 0) return result;
  return walk.run([&](const Walk::Step& step) {
    if (step.link.kind != LinkKind::hard) return 0;
    onecast_object* opened = nullptr;
    open_any(step.group, step.link, step.group.kind_of(step.link), &opened);
    const std::unique_ptr<onecast_object> object(opened);
    if (!walk.is_new(as_object(opened))) return 0;
    if (const auto* below = std::get_if<Group>(&object->any)) walk.look_into(*below);
    return visitor(user, step.path.c_str(), opened);
  });
}

int visit_links(const onecast_object* group, Order order, onecast_link_visitor visitor,
                void* user) {
  Walk walk(as_group(group), order);
  return walk.run([&](const Walk::Step& step) {
    Link named = step.link;
    named.name = step.path;
    onecast_link* link = returned_links({&named, 1});
    const int result = visitor(user, link);
    onecast_free(link);
    if (result != 0 || step.link.kind != LinkKind::hard ||
        step.group.kind_of(step.link) != ObjectKind::group)
      return result;
    const Group below = step.group.open_group(step.link);
    if (walk.is_new(below)) walk.look_into(below);
    return 0;
  });
}

/// Runs `visit` and stores the last result of the visitor in `*result`, unless it is NULL.
template <class Visit>
onecast_status guard_visit(int* result, Visit&& visit) {
  if (result != nullptr) *result = 0;
  return guard([&] {
    const int last = visit();
    if (result != nullptr) *result = last;
  });
}

}  // namespace

onecast_status onecast_group_visit(const onecast_object* group, onecast_order order,
                                   onecast_object_visitor visitor, void* user, int* result) {
  return guard_visit(result, [&] {
    return visit_objects(group, order_of(order), &required(visitor, "visitor"), user);
  });
}

onecast_status onecast_group_visit_links(const onecast_object* group, onecast_order order,
                                         onecast_link_visitor visitor, void* user, int* result) {
  return guard_visit(result, [&] {
    return visit_links(group, order_of(order), &required(visitor, "visitor"), user);
  });
}
