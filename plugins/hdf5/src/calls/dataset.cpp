#include <onecast/objects/stored_chunks.hpp>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/chunks.hpp"
#include "library/guarded.hpp"
#include "library/parallel.hpp"
#include "values/creation.hpp"
#include "values/lists.hpp"

namespace onecast_hdf5 {
namespace {

/// The folders in which the program has the files looked for that a dataset names.
onecast::FilePrefixes prefixes_of(Library& library, h5::Id list) {
  if (list == library.default_dataset_access()) return {};
  return {text_of(library.call.H5Pget_efile_prefix, list),
          text_of(library.call.H5Pget_virtual_prefix, list)};
}

/// True if a list asks for a view of a virtual dataset that Onecast does not have.
bool has_special_view(Library& library, h5::Id list) {
  if (list == library.default_dataset_access()) return false;
  int view = 1;
  h5::Size gap = 0;
  return (library.call.H5Pget_virtual_view(list, &view) >= 0 && view != 1) ||
         (library.call.H5Pget_virtual_printf_gap(list, &gap) >= 0 && gap != 0);
}

std::unique_ptr<Handle> created(const Handle& on, const char* name, h5::Id link, NewDataset wanted,
                                h5::Id access) {
  onecast::DatasetDescription& described = wanted.description;
  described.values = &wanted.values;
  if (!described.options.sources.empty() && has_special_view(on.library, access))
    throw NeedsNative{"a special view of a virtual dataset"};
  if (!described.options.external.empty() || !described.options.sources.empty())
    described.options.prefixes = prefixes_of(on.library, access);
  auto made = created_at(
      on, name, link, [&](onecast::Group root) { return root.create_anonymous_dataset(described); },
      [&](onecast::Group& group, const std::string& path) {
        return group.create_dataset(path, described);
      });
  made->keep_access(access);
  return made;
}

void* create(void* object, const h5::Location* where, const char* name, h5::Id link, h5::Id type,
             h5::Id space, h5::Id creation, h5::Id access, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return create_object(
      on, "dataset create", h5::IdType::dataset,
      [&] { return created(on, name, link, dataset_of(on, type, space, creation), access); },
      [&](void* native) {
        return on.library.call.H5VLdataset_create(native, where, on.library.native(), name, link,
                                                  type, space, creation, access, transfer, request);
      });
}

/// Has a dataset look for other files as the program asks.
void use_access(Handle& found, h5::Id access) {
  const auto layout = found.dataset->layout();
  const bool is_virtual = layout == onecast::Layout::virtual_dataset;
  if (!is_virtual && layout != onecast::Layout::contiguous) return;
  if (is_virtual && has_special_view(found.library, access))
    throw UseShadow{"a special view of a virtual dataset"};
  if (auto prefixes = prefixes_of(found.library, access); prefixes != onecast::FilePrefixes())
    found.dataset->set_prefixes(std::move(prefixes));
}

void* open_dataset(void* object, const h5::Location* where, const char* name, h5::Id access,
                   h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return open(
      on, "dataset open", h5::IdType::dataset,
      [&] {
        auto found = open_kind(h5::IdType::dataset, on, *where, name, access);
        use_access(*found, access);
        found->keep_access(access);
        return found;
      },
      [&](void* native) {
        return on.library.call.H5VLdataset_open(native, where, on.library.native(), name, access,
                                                transfer, request);
      });
}

/// True if all ranks make a transfer of a dataset together.
bool is_collective(const Handle& on, h5::Id transfer) {
  return on.is_served() ? on.opening->is_collective(transfer)
                        : onecast_hdf5::is_collective(on.library, transfer);
}

/// Reads on all ranks together, and traces it.
h5::Status read_collectively(const DatasetRead& wanted, const std::function<h5::Status()>& native) {
  constexpr const char* kCall = "dataset read, collective";
  try {
    NotServed reason = kDone;
    const h5::Status status = read_together(wanted, native, reason);
    if (reason == kDone)
      wanted.on.opening->trace.served(kCall);
    else
      wanted.on.opening->trace.shadow(kCall, reason);
    return status;
  } catch (...) {
    report_current_exception(wanted.on.library, kCall);
    return -1;
  }
}

h5::Status read_one(const DatasetRead& wanted, void** request) {
  Handle& on = wanted.on;
  const auto read_native = [&](void* native) {
    DatasetRead to = wanted;
    std::optional<TransferAlone> alone;
    if (on.is_served() && on.opening->is_parallel()) alone.emplace(on.library, wanted.transfer);
    return on.library.call.H5VLdataset_read(1, &native, on.library.native(), &to.type, &to.memory,
                                            &to.part, alone ? alone->id() : wanted.transfer,
                                            &to.out, request);
  };
  if (on.is_served() && is_collective(on, wanted.transfer))
    return read_collectively(wanted, [&] {
      void* const native = on.native();
      return native == nullptr ? -1 : read_native(native);
    });
  return answer(on, "dataset read", [&] { return read_dataset(wanted); }, read_native);
}

h5::Status read(std::size_t count, void* datasets[], h5::Id types[], h5::Id memory[],
                h5::Id parts[], h5::Id transfer, void* out[], void** request) {
  h5::Status all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Handle& on = handle(datasets[i]);
    const h5::Status status =
        read_one({on, types[i], memory[i], parts[i], transfer, out[i]}, request);
    if (status >= 0) continue;
    // Other ranks may have read this dataset, and would wait for this rank at the next.
    all = status;
    if (!is_collective(on, transfer)) break;
  }
  return all;
}

/// Writes on all ranks together, and traces it.
h5::Status write_collectively(Handle& on, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                              const void* in) {
  constexpr const char* kCall = "dataset write, collective";
  try {
    write_together(on, type, memory, part, transfer, in);
    on.opening->trace.served(kCall);
    on.opening->note_change();
    return 0;
  } catch (...) {
    report_current_exception(on.library, kCall);
    return -1;
  }
}

h5::Status write(std::size_t count, void* datasets[], h5::Id types[], h5::Id memory[],
                 h5::Id parts[], h5::Id transfer, const void* in[], void** request) {
  h5::Status all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Handle& on = handle(datasets[i]);
    const bool is_together =
        on.is_served() && on.opening->is_written() && is_collective(on, transfer);
    const h5::Status status =
        is_together
            ? write_collectively(on, types[i], memory[i], parts[i], transfer, in[i])
            : change(
                  on, "dataset write",
                  [&] { return write_dataset(on, types[i], memory[i], parts[i], transfer, in[i]); },
                  [&](void* native) {
                    return on.library.call.H5VLdataset_write(1, &native, on.library.native(),
                                                             &types[i], &memory[i], &parts[i],
                                                             transfer, &in[i], request);
                  });
    if (status >= 0) continue;
    // Other ranks may have written this dataset, and would wait for this rank at the next.
    all = status;
    if (!is_together) break;
  }
  return all;
}

NotServed serve(Handle& on, h5::DatasetGet& args) {
  switch (args.op) {
    case h5::DatasetGet::access_list:
      args.id = dataset_access_list(on);
      return kDone;
    case h5::DatasetGet::creation_list:
      args.id = dataset_creation_list(on);
      return args.id < 0 ? "properties that only the native library tells" : kDone;
    case h5::DatasetGet::space:
      if (const NotServed reason = cannot_see_sources(on)) return reason;
      args.id = space_id(on.library, on.dataset->dataspace());
      return kDone;
    case h5::DatasetGet::space_status:
      *args.status = space_status(*on.dataset);
      return kDone;
    case h5::DatasetGet::storage_size:
      if (on.dataset->layout() == onecast::Layout::virtual_dataset)
        return "the size of a virtual dataset";
      *args.bytes = on.dataset->storage_size();
      return kDone;
    case h5::DatasetGet::type:
      return get_type(on, args.id);
    default:
      return "only the native library does this";
  }
}

h5::Status get(void* object, h5::DatasetGet* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"dataset get: access list",  "dataset get: creation list",
                                    "dataset get: space",        "dataset get: space status",
                                    "dataset get: storage size", "dataset get: type"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        return on.library.call.H5VLdataset_get(native, on.library.native(), args, transfer,
                                               request);
      });
}

NotServed serve(Handle& on, const h5::DatasetSpecific& args) {
  // No other program may change the file: there is nothing to refresh.
  if (args.op == h5::DatasetSpecific::flush) on.opening->flush();
  if (args.op != h5::DatasetSpecific::set_extent) return kDone;
  // Chunks at the new edge are filtered again.
  if (on.storing().filters_unknown) throw NeedsNative{kUnknownFilter};
  on.dataset->resize(onecast::Shape(args.extent, args.extent + on.dataset->shape().size()));
  return kDone;
}

h5::Status specific(void* object, h5::DatasetSpecific* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"dataset resize", "dataset flush", "dataset refresh"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        return on.library.call.H5VLdataset_specific(native, on.library.native(), args, transfer,
                                                    request);
      },
      args->op == h5::DatasetSpecific::set_extent ? Does::changes : Does::looks);
}

h5::Status optional(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return answer_with_status(
      on, name_of_chunk_call(args->op),
      [&](h5::Status& status) { return serve_chunk_call(on, *args, status); },
      [&](void* native) {
        return on.library.call.H5VLdataset_optional(native, on.library.native(), args, transfer,
                                                    request);
      },
      changes_chunks(args->op) ? Does::changes : Does::looks);
}

h5::Status close(void* object, h5::Id transfer, void** request) {
  return close_object(handle(object), [&](Library& library, void* native) {
    return library.call.H5VLdataset_close(native, library.native(), transfer, request);
  });
}

}  // namespace

const h5::DatasetCalls kDatasetCalls{kGuarded<create>,   kGuarded<open_dataset>, kGuarded<read>,
                                     kGuarded<write>,    kGuarded<get>,          kGuarded<specific>,
                                     kGuarded<optional>, kGuarded<close>};

}  // namespace onecast_hdf5
