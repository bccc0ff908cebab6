#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "library/guarded.hpp"
#include "trace/watch.hpp"
#include "values/lists.hpp"
#include "values/spaces.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

using Args = h5::AttributeGet;

std::unique_ptr<Handle> attribute_of(const Handle& owner, onecast::Attribute attribute) {
  auto made = std::make_unique<Handle>(owner.opening, h5::IdType::attribute);
  made->object = owner.object;
  made->path = owner.path;
  made->attribute = std::move(attribute);
  return made;
}

template <class Index>
onecast::Attribute nth(const Handle& owner, const Index& by) {
  auto found =
      owner.object.nth_attribute(by.n, order_of_attributes(owner.object, by.index, by.order));
  if (!found) throw UseShadow{"a position behind the last attribute"};
  return *std::move(found);
}

onecast::Attribute named(const Handle& owner, const char* name) {
  auto found = owner.object.find_attribute(name);
  if (!found)
    throw Failure("H5E_ATTR_g", "H5E_NOTFOUND_g",
                  "can't locate attribute: '" + std::string(name) + "'");
  return *std::move(found);
}

/// Brings an attribute up to date that the program may have changed by another handle.
void look_again(Handle& on) {
  if (!on.attribute || !on.opening->may_change()) return;
  on.has_own_type = false;
  on.attribute_info.reset();
  if (auto now = on.object.find_attribute(on.attribute->name())) on.attribute = std::move(now);
}

/// Creates an attribute, with a value of zeros: the program writes it later.
std::unique_ptr<Handle> create_in(Handle& owner, const char* name, h5::Id type, h5::Id space) {
  if (owner.object.has_attribute(name))
    throw Failure("H5E_ATTR_g", "H5E_ALREADYEXISTS_g", "attribute already exists");
  const onecast::Datatype stored = stored_form(owner, type);
  const onecast::Dataspace extents = dataspace_of(owner.library, space);
  const std::vector<std::byte> zeros(extents.element_count() * stored.size());
  if (const Handle* const committed = committed_type(owner.library, type);
      committed != nullptr && committed->opening->is_same_file(*owner.opening))
    owner.object.set_attribute(name, committed->object, extents, zeros);
  else
    owner.object.set_attribute(name, stored, extents, zeros);
  return attribute_of(owner, owner.object.attribute(name));
}

void* create(void* object, const h5::Location* where, const char* name, h5::Id type, h5::Id space,
             h5::Id creation, h5::Id access, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return create_object(
      on, "attribute create", h5::IdType::attribute,
      [&] {
        Located owner(on, *where);
        return create_in(*owner.take(), name, type, space);
      },
      [&](void* native) {
        return on.library.call.H5VLattr_create(native, where, on.library.native(), name, type,
                                               space, creation, access, transfer, request);
      });
}

void* open_attribute(void* object, const h5::Location* where, const char* name, h5::Id access,
                     h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return open(
      on, "attribute open", h5::IdType::attribute,
      [&] {
        if (where->type == h5::LocationType::index) {
          const auto owner = open_path(on, where->by_index.name, where->by_index.access);
          return attribute_of(*owner, nth(*owner, where->by_index));
        }
        const Located owner(on, *where);
        return attribute_of(*owner, named(*owner, name));
      },
      [&](void* native) {
        return on.library.call.H5VLattr_open(native, where, on.library.native(), name, access,
                                             transfer, request);
      });
}

h5::Status read(void* object, h5::Id type, void* out, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return answer(
      on, "attribute read",
      [&] {
        look_again(on);
        return read_attribute(on, type, transfer, out);
      },
      [&](void* native) {
        return on.library.call.H5VLattr_read(native, on.library.native(), type, out, transfer,
                                             request);
      });
}

h5::Status write(void* object, h5::Id type, const void* in, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return change(
      on, "attribute write",
      [&] {
        look_again(on);
        return write_attribute(on, type, transfer, in);
      },
      [&](void* native) {
        return on.library.call.H5VLattr_write(native, on.library.native(), type, in, transfer,
                                              request);
      });
}

h5::AttributeInfo info_of(const onecast::Attribute& attribute) {
  h5::AttributeInfo info{};
  const auto order = attribute.creation_order();
  info.has_creation_order = order.has_value();
  info.creation_order = order.value_or(0);
  info.character_set = attribute.character_set() == onecast::CharacterSet::utf8 ? 1 : 0;
  info.data_size = attribute.dataspace().element_count() * attribute.datatype().size();
  return info;
}

const h5::AttributeInfo& own_info(Handle& on) {
  if (!on.attribute_info) on.attribute_info = info_of(*on.attribute);
  return *on.attribute_info;
}

/// The attribute that a location names: of the handle itself, by its position or by its name.
class AttributeAt {
 public:
  AttributeAt(const Handle& on, const h5::Location& where, const char* name) {
    if (where.type == h5::LocationType::self && on.attribute)
      at_ = &*on.attribute;
    else if (where.type == h5::LocationType::index)
      own_ = nth(*open_path(on, where.by_index.name, where.by_index.access), where.by_index);
    else
      own_ = named(*Located(on, where), name);
  }
  const onecast::Attribute& operator*() const { return at_ == nullptr ? *own_ : *at_; }

 private:
  std::optional<onecast::Attribute> own_;
  const onecast::Attribute* at_ = nullptr;
};

NotServed serve(Handle& on, Args& args) {
  switch (args.op) {
    case Args::creation_list:
      args.id = attribute_creation_list(on);
      return kDone;
    case Args::info:
      *args.get_info.info =
          args.get_info.where.type == h5::LocationType::self && on.attribute
              ? own_info(on)
              : info_of(*AttributeAt(on, args.get_info.where, args.get_info.name));
      return kDone;
    case Args::name: {
      const AttributeAt found(on, args.get_name.where, nullptr);
      copy_text((*found).name(), args.get_name.text, args.get_name.size, args.get_name.length);
      return kDone;
    }
    case Args::space:
      args.id = space_id(on.library, on.attribute->dataspace());
      return kDone;
    case Args::storage_size:
      *args.data_size = own_info(on).data_size;
      return kDone;
    case Args::type:
      return get_type(on, args.id);
  }
  return "unknown to Onecast";
}

h5::Status get(void* object, Args* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"attribute get: creation list", "attribute get: info",
                                    "attribute get: name",          "attribute get: space",
                                    "attribute get: storage size",  "attribute get: type"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op],
      [&] {
        look_again(on);
        return serve(on, *args);
      },
      [&](void* native) {
        return on.library.call.H5VLattr_get(native, on.library.native(), args, transfer, request);
      });
}

/// Calls the program's function for each attribute, from a position on.
h5::Status iterate(Handle& on, const h5::Location& where, h5::AttributeSpecific& args) {
  Located owner(on, where);
  const auto& each = args.each;
  const auto all =
      owner->object.attributes(order_of_attributes(owner->object, each.index, each.order));
  h5::Size at = each.position == nullptr ? 0 : *each.position;
  if (at > 0 && at >= all.size()) throw UseShadow{"a position behind the last attribute"};
  const NewId id(owner.take());
  h5::Status status = 0;
  while (at < all.size() && status == 0) {
    const onecast::Attribute& attribute = all[at];
    const h5::AttributeInfo info = info_of(attribute);
    status =
        call_program(each.each, id.get(), std::string(attribute.name()).c_str(), &info, each.data);
    ++at;
    if (each.position != nullptr) *each.position = at;
  }
  return status;
}

/// Renames an attribute, and what handles of it hold.
void rename(const Handle& owner, const std::string& from, const std::string& to) {
  onecast::Object object = owner.object;
  std::vector<Handle*> same;
  for (Handle* each : owner.opening->handles_of_file())
    if (each->attribute && each->attribute->name() == from && each->object.same_object(object))
      same.push_back(each);
  object.rename_attribute(from, to);
  for (Handle* each : same) each->attribute = object.attribute(to);
}

NotServed serve(Handle& on, const h5::Location& where, h5::AttributeSpecific& args,
                h5::Status& status) {
  switch (args.op) {
    case h5::AttributeSpecific::exists:
      *args.find.exists = Located(on, where)->object.has_attribute(args.find.name);
      return kDone;
    case h5::AttributeSpecific::iterate:
      status = iterate(on, where, args);
      return kDone;
    case h5::AttributeSpecific::remove: {
      const Located owner(on, where);
      onecast::Object object = owner->object;
      object.remove_attribute(named(*owner, args.find.name).name());
      return kDone;
    }
    case h5::AttributeSpecific::remove_by_index: {
      const Located owner(on, where);
      onecast::Object object = owner->object;
      object.remove_attribute(nth(*owner, args.nth).name());
      return kDone;
    }
    case h5::AttributeSpecific::rename:
      rename(*Located(on, where), args.names.from, args.names.to);
      return kDone;
  }
  return "unknown to Onecast";
}

h5::Status specific(void* object, const h5::Location* where, h5::AttributeSpecific* args,
                    h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"attribute remove", "attribute remove by index",
                                    "attribute exists", "attribute iterate", "attribute rename"};
  Handle& on = handle(object);
  const bool looks =
      args->op == h5::AttributeSpecific::exists || args->op == h5::AttributeSpecific::iterate;
  return answer_with_status(
      on, kCalls[args->op], [&](h5::Status& status) { return serve(on, *where, *args, status); },
      [&](void* native) {
        return on.library.call.H5VLattr_specific(native, where, on.library.native(), args, transfer,
                                                 request);
      },
      looks ? Does::looks : Does::changes);
}

h5::Status optional(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return by_native(on, "attribute: a call of old programs", [&](void* native) {
    return on.library.call.H5VLattr_optional(native, on.library.native(), args, transfer, request);
  });
}

h5::Status close(void* object, h5::Id transfer, void** request) {
  return close_object(handle(object), [&](Library& library, void* native) {
    return library.call.H5VLattr_close(native, library.native(), transfer, request);
  });
}

}  // namespace

const h5::AttributeCalls kAttributeCalls{
    kGuarded<create>, kGuarded<open_attribute>, kGuarded<read>,     kGuarded<write>,
    kGuarded<get>,    kGuarded<specific>,       kGuarded<optional>, kGuarded<close>};

}  // namespace onecast_hdf5
