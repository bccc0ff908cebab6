#include <cstring>
#include <set>
#include <vector>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/visit.hpp"

namespace onecast_hdf5 {
namespace {

h5::Status create(h5::LinkCreate* args, void* object, const h5::Location* where, h5::Id creation,
                  h5::Id access, h5::Id transfer, void** request) {
  h5::LinkCreate passed = *args;
  Handle* on = object == nullptr ? nullptr : &handle(object);
  if (args->op == h5::LinkCreate::hard && args->to.object != nullptr) {
    passed.to.object = native_of(args->to.object);
    if (passed.to.object == nullptr) return -1;
    if (on == nullptr) on = &handle(args->to.object);
  }
  void* const native = native_of(object);
  if (object != nullptr && native == nullptr) return -1;
  return on->library.call.H5VLlink_create(&passed, native, where, on->library.native(), creation,
                                          access, transfer, request);
}

template <h5::LinkTransfer* h5::Functions::* Transfer>
h5::Status between(void* from, const h5::Location* where_from, void* to,
                   const h5::Location* where_to, h5::Id creation, h5::Id access, h5::Id transfer,
                   void** request) {
  Library& library = handle(from != nullptr ? from : to).library;
  void* const native_from = native_of(from);
  void* const native_to = native_of(to);
  if ((from != nullptr && native_from == nullptr) || (to != nullptr && native_to == nullptr))
    return -1;
  return (library.call.*Transfer)(native_from, where_from, native_to, where_to, library.native(),
                                  creation, access, transfer, request);
}

/// The value of a link: the path of a soft link; of an external link its version and flags, the
/// file and the path; of another link what its creator stored.
std::vector<char> value_of(const onecast::Link& link) {
  std::vector<char> value;
  const auto append = [&](std::string_view text) {
    value.insert(value.end(), text.begin(), text.end());
    value.push_back('\0');
  };
  if (link.kind == onecast::LinkKind::external) {
    value.push_back(0);
    append(link.target_file);
  }
  if (link.kind == onecast::LinkKind::user_defined) {
    const auto* const bytes = reinterpret_cast<const char*>(link.value.data());
    value.assign(bytes, bytes + link.value.size());
  } else {
    append(link.target);
  }
  return value;
}

const onecast::Link& existing(const LinkAt& found) {
  if (!found.link) throw UseShadow{"a link that does not exist"};
  return *found.link;
}

NotServed serve(Handle& on, const h5::Location& where, h5::LinkGet& args) {
  const LinkAt found = link_at(on, where);
  const onecast::Link& link = existing(found);
  switch (args.op) {
    case h5::LinkGet::info:
      *args.link = link_info(link);
      return kDone;
    case h5::LinkGet::name:
      copy_text(link.name, args.get_name.text, args.get_name.size, args.get_name.length);
      return kDone;
    case h5::LinkGet::value: {
      if (link.kind == onecast::LinkKind::hard) return "a hard link has no value";
      if (link.kind == onecast::LinkKind::user_defined) return "a user-defined link";
      const auto value = value_of(link);
      if (args.get_value.bytes == nullptr) return kDone;
      const std::size_t size = std::min(value.size(), args.get_value.size);
      std::memcpy(args.get_value.bytes, value.data(), size);
      if (link.kind == onecast::LinkKind::soft && size > 0 && size < value.size())
        static_cast<char*>(args.get_value.bytes)[size - 1] = '\0';
      return kDone;
    }
  }
  return "unknown to Onecast";
}

h5::Status get(void* object, const h5::Location* where, h5::LinkGet* args, h5::Id transfer,
               void** request) {
  constexpr const char* kCalls[] = {"link get: info", "link get: name", "link get: value"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *where, *args); },
      [&](void* native) {
        return on.library.call.H5VLlink_get(native, where, on.library.native(), args, transfer,
                                            request);
      });
}

h5::Status specific(void* object, const h5::Location* where, h5::LinkSpecific* args,
                    h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"link remove", "link exists", "link iterate"};
  Handle& on = handle(object);
  return answer_with_status(
      on, kCalls[args->op],
      [&](h5::Status& status) -> NotServed {
        if (args->op == h5::LinkSpecific::exists)
          *args->exists_ = link_at(on, *where).link.has_value();
        else if (args->op == h5::LinkSpecific::iterate)
          status = args->each.recursive ? visit_links(on, *where, *args)
                                        : iterate_links(on, *where, *args);
        else
          return "the file is open for reading";
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLlink_specific(native, where, on.library.native(), args, transfer,
                                                 request);
      });
}

h5::Status optional(void* object, const h5::Location* where, h5::Optional* args, h5::Id transfer,
                    void** request) {
  Handle& on = handle(object);
  return by_native(on, "link: other", [&](void* native) {
    return on.library.call.H5VLlink_optional(native, where, on.library.native(), args, transfer,
                                             request);
  });
}

}  // namespace

const h5::LinkCalls kLinkCalls{create,
                               between<&h5::Functions::H5VLlink_copy>,
                               between<&h5::Functions::H5VLlink_move>,
                               get,
                               specific,
                               optional};

}  // namespace onecast_hdf5
