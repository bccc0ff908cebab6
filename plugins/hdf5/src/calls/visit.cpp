#include "calls/visit.hpp"

#include <algorithm>
#include <ctime>
#include <set>
#include <vector>

#include "calls/answer.hpp"
#include "trace/watch.hpp"

namespace onecast_hdf5 {
namespace {

/// The address of the object to which a hard link leads. An object that is not in the file yet gets
/// one.
std::uint64_t address_of(const Handle& group, const onecast::Link& link) {
  return link.address ? *link.address : group.group->open_object(link).reference().address.value();
}

/// The groups from the start of a visit to where it is. Files may nest groups so deeply that
/// functions that call themselves would exhaust the stack.
class Walk {
 public:
  Walk(const Handle& start, h5::IndexType index, h5::IterationOrder order)
      : index_(index), order_(order) {
    visited_.insert(*start.object.reference().address);
    if (start.group) enter(copy_of(start), {});
  }

  /// Goes to the next link; false at the end.
  bool next() {
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.at < level.links.size()) {
        link_ = level.links[level.at++];
        path_ = level.path + std::string(link_.name);
        return true;
      }
      levels_.pop_back();
    }
    return false;
  }
  [[nodiscard]] const onecast::Link& link() const { return link_; }
  /// The group of the link.
  [[nodiscard]] const Handle& group() const { return *levels_.back().group; }
  /// Returns the path from the start of the visit.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The object to which a hard link leads, if the walk has not met it yet; else null.
  std::unique_ptr<Handle> new_object() {
    if (link_.kind != onecast::LinkKind::hard ||
        !visited_.insert(address_of(group(), link_)).second)
      return nullptr;
    return open_link(*levels_.back().group, link_);
  }
  /// Goes on with the links of a group.
  void enter(std::unique_ptr<Handle> group, const std::string& path) {
    const auto order = order_of_walk(*group->group);
    levels_.push_back({std::move(group), path.empty() ? std::string() : path + "/", {}, 0});
    levels_.back().links = levels_.back().group->group->links(order);
  }

 private:
  struct Level {
    std::unique_ptr<Handle> group;
    std::string path;
    std::vector<onecast::Link> links;
    std::size_t at;
  };

  /// Below the start, groups that do not track the order of creation are walked by name.
  [[nodiscard]] onecast::Order order_of_walk(const onecast::Group& group) const {
    if (levels_.empty()) return order_of_links(group, index_, order_);
    return order_of(group.tracks_link_order() ? index_ : h5::IndexType::name, order_);
  }

  h5::IndexType index_;
  h5::IterationOrder order_;
  std::vector<Level> levels_;
  std::set<std::uint64_t> visited_;
  onecast::Link link_;
  std::string path_;
};

}  // namespace

h5::LinkInfo link_info(const Handle& group, const onecast::Link& link) {
  h5::LinkInfo info{};
  info.type = link.link_class;
  info.has_creation_order = link.creation_order.has_value();
  info.creation_order = static_cast<std::int64_t>(link.creation_order.value_or(0));
  info.character_set = link.character_set == onecast::CharacterSet::utf8 ? 1 : 0;
  switch (link.kind) {
    case onecast::LinkKind::hard:
      info.token = token_of(address_of(group, link));
      break;
    case onecast::LinkKind::soft:
      info.value_size = link.target.size() + 1;
      break;
    case onecast::LinkKind::external:
      info.value_size = link.target_file.size() + link.target.size() + 3;
      break;
    case onecast::LinkKind::user_defined:
      break;  // only a program that knows the class knows the size
  }
  return info;
}

std::optional<onecast::ObjectTimes> times_of(const onecast::Object& object) {
  auto times = object.times();
  if (times || !object.tracks_times()) return times;
  const std::int64_t now = std::time(nullptr);
  return onecast::ObjectTimes{now, now, now, now};
}

h5::ObjectInfo object_info(const Handle& object, unsigned fields) {
  h5::ObjectInfo info{};
  info.type = h5::ObjectType::unknown;
  if ((fields & h5::kInfoBasic) != 0) {
    const auto details = onecast::details_of(object.object);
    info.file_number = object.opening->number();
    info.token = token_of(object.object);
    info.type = object_type(object.object.kind());
    info.link_count = details.reference_count;
  }
  if ((fields & h5::kInfoTime) != 0)
    if (const auto times = times_of(object.object)) {
      info.access_time = times->access;
      info.modification_time = times->modification;
      info.change_time = times->change;
      info.birth_time = times->birth;
    }
  if ((fields & h5::kInfoAttributes) != 0) info.attributes = object.object.attribute_count();
  return info;
}

h5::Status iterate_links(Handle& on, const h5::Location& where, h5::LinkSpecific& args) {
  Located start(on, where);
  if (!start->group) throw UseShadow{"an object of another kind"};
  const auto& each = args.each;
  const auto links = start->group->links(order_of_links(*start->group, each.index, each.order));
  h5::Size at = each.position == nullptr ? 0 : *each.position;
  if (at > 0 && at >= links.size()) throw UseShadow{"a position behind the last link"};
  const NewId id(start.take());
  h5::Status status = 0;
  while (at < links.size() && status == 0) {
    const h5::LinkInfo info = link_info(*start, links[at]);
    status =
        call_program(each.each, id.get(), std::string(links[at].name).c_str(), &info, each.data);
    ++at;
    if (each.position != nullptr) *each.position = at;
  }
  return status;
}

h5::Status visit_links(Handle& on, const h5::Location& where, h5::LinkSpecific& args) {
  Located start(on, where);
  if (!start->group) throw UseShadow{"an object of another kind"};
  const auto& each = args.each;
  Walk walk(*start, each.index, each.order);
  const NewId id(start.take());
  h5::Status status = 0;
  while (status == 0 && walk.next()) {
    const h5::LinkInfo info = link_info(walk.group(), walk.link());
    status = call_program(each.each, id.get(), walk.path().c_str(), &info, each.data);
    if (status != 0) break;
    if (auto object = walk.new_object(); object && object->group)
      walk.enter(std::move(object), walk.path());
  }
  return status;
}

h5::Status visit_objects(Handle& on, const h5::Location& where, h5::ObjectSpecific& args) {
  Located start(on, where);
  const auto& each = args.each;
  Walk walk(*start, each.index, each.order);
  const h5::ObjectInfo of_start = object_info(*start, each.fields);
  const NewId id(start.take());
  h5::Status status = call_program(each.each, id.get(), ".", &of_start, each.data);
  while (status == 0 && walk.next()) {
    auto object = walk.new_object();
    if (!object) continue;
    const h5::ObjectInfo info = object_info(*object, each.fields);
    status = call_program(each.each, id.get(), walk.path().c_str(), &info, each.data);
    if (status == 0 && object->group) walk.enter(std::move(object), walk.path());
  }
  return status;
}

}  // namespace onecast_hdf5
