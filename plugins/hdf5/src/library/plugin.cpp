#include <dlfcn.h>

#include <utility>

#include "calls/calls.hpp"
#include "library/connector_text.hpp"
#include "library/guarded.hpp"
#include "library/library.hpp"

/// The two functions for which a libhdf5 looks in a plug-in, and the classes that it gets. The
/// library passes no object to some callbacks; so each library of the process has a class of its
/// own, whose callbacks know it.
namespace onecast_hdf5 {
namespace {

Library* served[Library::kMost] = {};

template <std::size_t Slot>
struct Of {
  static h5::Status initialize(h5::Id) { return served[Slot]->begin(); }
  static h5::Status terminate() { return served[Slot]->end(); }
  static void* create(const char* name, unsigned flags, h5::Id creation, h5::Id access,
                      h5::Id transfer, void** request) {
    return file_create(*served[Slot], name, flags, creation, access, transfer, request);
  }
  static void* open(const char* name, unsigned flags, h5::Id access, h5::Id transfer,
                    void** request) {
    return file_open(*served[Slot], name, flags, access, transfer, request);
  }
  static h5::Status specific(void* object, h5::FileSpecific* args, h5::Id transfer,
                             void** request) {
    return file_specific(*served[Slot], object, args, transfer, request);
  }
  static h5::Status get_class(void* object, h5::ClassLevel level,
                              const h5::ConnectorClass** found) {
    // The plug-in passes for native: programs call functions that only native files have.
    *found = level == h5::ClassLevel::current ? &kClass : served[Slot]->native_class(object);
    return 0;
  }
  static h5::Status get_capabilities(const void*, std::uint64_t* flags) {
    *flags = kClass.capabilities;
    return 0;
  }
  static h5::Status query(void* object, int subclass, int op, std::uint64_t* flags) {
    return served[Slot]->call.H5VLintrospect_opt_query(object, served[Slot]->native(), subclass, op,
                                                       flags);
  }
  static const h5::ConnectorClass kClass;
};

constexpr int kConnectorValue = 600;

template <std::size_t Slot>
const h5::ConnectorClass Of<Slot>::kClass{
    .version = h5::kConnectorVersion,
    .value = kConnectorValue,
    .name = "onecast",
    .connector_version = 0,
    .capabilities = h5::kAllCapabilities &
                    ~(h5::kConcurrent | h5::kAsynchronous | h5::kMapBasic | h5::kMapMore),
    .initialize = kGuarded<initialize>,
    .terminate = kGuarded<terminate>,
    .info = kInfoCalls,
    .wrap = kWrapCalls,
    .attribute = kAttributeCalls,
    .dataset = kDatasetCalls,
    .datatype = kDatatypeCalls,
    .file = {kGuarded<create>, kGuarded<open>, kGuarded<file_get>, kGuarded<specific>,
             kGuarded<file_optional>, kGuarded<file_close>},
    .group = kGroupCalls,
    .link = kLinkCalls,
    .object = kObjectCalls,
    .introspect = {kGuarded<get_class>, kGuarded<get_capabilities>, kGuarded<query>},
    .request = {},
    .blob = kBlobCalls,
    .token = kTokenCalls,
    .optional = kGuarded<optional_call>};

template <std::size_t... Slots>
const h5::ConnectorClass* class_of(std::size_t slot, std::index_sequence<Slots...>) {
  const h5::ConnectorClass* const all[] = {&Of<Slots>::kClass...};
  return all[slot];
}

}  // namespace
}  // namespace onecast_hdf5

// NOLINTBEGIN(readability-identifier-naming): HDF5 looks for these names.
extern "C" {

__attribute__((visibility("default"))) int H5PLget_plugin_type() {
  constexpr int kConnector = 1;
  return kConnector;
}

/// Returns the class for the library that calls.
__attribute__((visibility("default"))) const void* H5PLget_plugin_info() {
  using namespace onecast_hdf5;
  Dl_info caller{};
  if (dladdr(__builtin_extract_return_addr(__builtin_return_address(0)), &caller) == 0)
    return nullptr;
  Library* const library = Library::of_path(caller.dli_fname);
  if (library == nullptr) return nullptr;
  served[library->slot()] = library;
  return class_of(library->slot(), std::make_index_sequence<Library::kMost>());
}
}
// NOLINTEND(readability-identifier-naming)
