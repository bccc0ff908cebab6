#include <fmt/format.h>

#include "base/make_error.hpp"
#include "objects/codec/object_times.hpp"
#include "objects/copy/copy_data.hpp"
#include "objects/copy/copy_plan.hpp"
#include "objects/create/new_object.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/files/new_path.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/reference_count.hpp"
#include "objects/values/copy_values.hpp"
#include "onecast/objects/group.hpp"

namespace onecast {

using namespace copy;

namespace {

void require_unused(Node& group, std::string_view name) {
  if (files::find_link(group, name) != nullptr)
    throw Error(ErrorCode::already_exists,
                fmt::format("{}: \"{}\": name already exists", group.where(), name));
}

/// Carries out a plan.
class Copying {
 public:
  Copying(CopyPlan& plan, const CopyOptions& options) : plan_(plan), options_(options) {}

  /// Copies the root of the plan into a new object.
  Node& run(Node& group, std::string_view name) {
    make(root(), group, name);
    finish();
    return *root().target;
  }
  /// Copies the root's contents into an existing group.
  void run(Node& group) {
    root().target = &group;
    links_of_root_ = reference_count(group);
    try {
      fill_group(root());
      finish();
    } catch (...) {
      for (const CopiedLink& link : root().members) take_back(group, link.message.name, 0);
      throw;
    }
  }

 private:
  [[nodiscard]] CopiedObject& root() const { return plan_.objects().front(); }

  void finish() {
    try {
      make_referenced();
      fill();
    } catch (...) {
      for (; made_ > 0; --made_) take_back(target_root(), plan_.referenced()[made_ - 1].name, 0);
      throw;
    }
  }

  [[nodiscard]] Node& target_root() const { return file_of(*root().target).root(); }

  void make_referenced() {
    for (const auto& [object, name] : plan_.referenced()) {
      require_unused(target_root(), name);
      ++made_;
      make(*object, target_root(), name);
    }
  }

  void fill() {
    for (CopiedObject& object : plan_.objects())
      if (&object != &root()) fill_group(object);
    for (CopiedObject& object : plan_.objects()) add_messages(object);
    for (const CopiedObject& type : plan_.merged())
      set_reference_count(*type.target, reference_count(*type.target) + type.links);
    // All headers have their final sizes, so references may lead to them.
    for (CopiedObject& object : plan_.objects()) translate_metadata(object);
    copy_data();
  }

  void make(CopiedObject& object, Node& group, std::string_view name) {
    switch (object.source->kind) {
      case ObjectKind::group:
        object.target = &new_group(group, name, object.source->options());
        break;
      case ObjectKind::dataset:
        object.target = &object.make(group, name);
        break;
      case ObjectKind::datatype:
        make_datatype(object, group, name);
        break;
    }
    if (&object == &root()) fill_group(object);
  }

  static void make_datatype(CopiedObject& object, Node& group, std::string_view name) {
    const GroupOptions options = object.source->options();
    object.target = &link_new(group, name, ObjectKind::datatype);
    object.target->set_options(options);
    object.target->header.messages.push_back(
        {MessageType::datatype, message_flag::kConstant, 0, {}, object.type});
    Digest digest;
    digest.add(object.type);
    if (options.attribute_order) digest.add(std::uint64_t{1});
    if (options.times) digest.add(std::uint64_t{2});
    file_of(group).log().add("create datatype", group, object.target->name,
                             {CallArguments::kType, digest});
  }

  /// Fills a group. Objects come after their group in the plan.
  void fill_group(CopiedObject& object) {
    Node& group = *object.target;
    FileState& file = file_of(group);
    for (const CopiedLink& link : object.members) {
      if (link.object != nullptr && link.object->target == nullptr) {
        make(*link.object, group, link.message.name);
        continue;
      }
      LinkMessage message = link.message;
      Node* target = link.object != nullptr ? link.object->target : nullptr;
      message.type = target != nullptr ? LinkType::hard : message.type;
      message.soft_value = file.arena().keep(message.soft_value);
      message.user_data = file.arena().keep(message.user_data);
      const LinkEntry& entry = add_link(group, link.message.name, message, target);
      file.log().grow(0, message.soft_value.size() + message.user_data.size());
      file.log().add(
          "copy link", group, entry.name(),
          {CallArguments::kValue, Digest().add(message.soft_value).add(message.user_data)});
    }
  }

  void add_messages(const CopiedObject& object) {
    Node& node = *object.target;
    FileState& file = file_of(node);
    node.edit();
    for (const CopiedAttribute& a : object.attributes) {
      Node* type = a.committed_type != nullptr ? a.committed_type->target : nullptr;
      const StoredAttribute stored(a.message, {}, file.store().file(), 0);
      AttributeTable& attributes = node.attributes();
      const AttributeEntry* before = attributes.find(stored.name());
      AttributeEntry& entry =
          before != nullptr ? attributes.replace(*before, stored) : attributes.add_new(stored);
      entry.committed_type = type;
      if (type != nullptr) entry.datatype.store(&datatype_of(*type), std::memory_order_release);
      file.log().grow(kMemoryOfNewAttribute, a.message.size());
      file.log().add("set attribute", node, entry.name(),
                     {CallArguments::kValue, Digest().add(a.message)});
    }
    const auto times = times_of(object.source->header, file_of(*object.source).store().file());
    if (times && node.is_new()) set_times(node.header.prefix, *times);
    if (!object.comment.empty())
      node.header.messages.push_back({MessageType::comment, 0, 0, {}, object.comment});
    if (object.committed_type != nullptr) node.set_committed_type(object.committed_type->target);
    const std::uint32_t links = object.links + (&object == &root() ? links_of_root_ : 0);
    if (links > 1 && object.links > 0) set_reference_count(node, links);
  }

  /// Returns the translation of elements that point elsewhere, so that they point to the copies.
  [[nodiscard]] ValueCopy values_of(const CopiedObject& object) const {
    FileState& source = file_of(*object.source);
    return {source, file_of(*object.target), [this, &source](Address address) -> Node* {
              const CopiedObject* found = plan_.find(source.nodes().known(address));
              return found == nullptr ? nullptr : found->target;
            }};
  }

  /// Translates values in messages, which lie in the file's arena.
  void translate_metadata(const CopiedObject& object) {
    std::optional<ValueCopy> values;
    const auto translate = [&](const Datatype& type, ByteView elements) {
      if (!type.points_elsewhere() || elements.empty()) return;
      if (!values) values.emplace(values_of(object));
      values->translate(type, {const_cast<std::byte*>(elements.data()), elements.size()}, true);
    };
    Node& node = *object.target;
    for (const CopiedAttribute& a : object.attributes)
      if (a.type->points_elsewhere())
        translate(*a.type, StoredAttribute(a.message, {}, file_of(node).store().file(), 0).data());
    if (!object.storage) return;
    const DatasetInfo& info = node.dataset();
    translate(info.type, info.fill_value);
    translate(info.type, info.compact);
  }

  void copy_data() {
    std::uint64_t all = 0;
    for (const CopiedObject& o : plan_.objects())
      if (o.storage) all += size_of(o);
    std::uint64_t done = 0;
    for (const CopiedObject& o : plan_.objects()) {
      if (!o.storage) continue;
      const std::uint64_t before = done;
      Digest translated;
      if (o.target->dataset().layout != Layout::compact)
        copy_elements(*o.source, *o.target, o.storage->keeps_chunks, translation(o, translated),
                      [&](std::uint64_t bytes) {
                        // Chunks may extend beyond the array, or not exist.
                        done = std::min(done + bytes, before + size_of(o));
                        if (options_.progress) options_.progress(done, all);
                      });
      done = before + size_of(o);
      file_of(*o.target).log().add("copy values of", *o.target, "",
                                   {CallArguments::kValue, translated});
    }
  }

  /// Returns an empty function if the elements are equal in both files.
  [[nodiscard]] std::function<void(std::span<std::byte>)> translation(const CopiedObject& o,
                                                                      Digest& digest) const {
    const Datatype& type = o.source->dataset().type;
    if (!type.points_elsewhere()) return {};
    return [&, values = std::make_shared<ValueCopy>(values_of(o))](std::span<std::byte> elements) {
      values->translate(type, elements, false);
      digest.add(elements);
    };
  }

  static std::uint64_t size_of(const CopiedObject& o) {
    const DatasetInfo& info = o.source->dataset();
    return info.space.element_count() * info.type.size();
  }

  CopyPlan& plan_;
  const CopyOptions& options_;
  std::size_t made_ = 0;             ///< the number of referenced objects that are made
  std::uint32_t links_of_root_ = 1;  ///< the links that lead to the root from outside
};

}  // namespace

void Group::copy(const Object& source, std::string_view path, const CopyOptions& options) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).copy(source, there->path, options);
  FileState& file = file_of(*node_);
  file.require_editable();
  require_together(file, "copy");
  require_addable(*source.node_, "copy");
  if (options.merge_committed_types && source.kind() == ObjectKind::datatype)
    if (Node* equal = EqualTypes(file).find(datatype_of(*source.node_)))
      return create_hard_link(path, Object(handle_from(node_, *equal)));
  NewPath at(*node_, path);
  CopyPlan plan(*source.node_, file, options);
  make_at(at, 0, [&](Node& group, std::string_view name) -> Node& {
    return Copying(plan, options).run(group, name);
  });
}

void Group::copy_members(const Group& source, const CopyOptions& options) {
  begin_adding(node_);
  FileState& file = file_of(*node_);
  file.require_editable();
  require_together(file, "copy");
  require_addable(*source.node_, "copy");
  if (source.same_object(*this))
    throw Error(ErrorCode::invalid_argument, node_->where() + ": cannot be copied into itself");
  CopyPlan plan(*source.node_, file, options);
  if (is_anonymous(*node_) && plan.objects().front().links > 0)
    throw argument_error(
        "{}: a member of {} leads to that group, but the first link of an "
        "anonymous group must lie outside of the group",
        node_->where(), source.node_->where());
  for (const CopiedLink& link : plan.objects().front().members)
    require_unused(*node_, link.message.name);
  Copying(plan, options).run(*node_);
}

}  // namespace onecast
