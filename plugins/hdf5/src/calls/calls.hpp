#pragma once

#include "abi/connector.hpp"

/// The callbacks of the connector, by kind of object. Each source has the calls of one kind: what
/// it names in a `serve` function Onecast does, everything else the native library.
namespace onecast_hdf5 {

class Library;

extern const h5::AttributeCalls kAttributeCalls;
extern const h5::DatasetCalls kDatasetCalls;
extern const h5::DatatypeCalls kDatatypeCalls;
extern const h5::GroupCalls kGroupCalls;
extern const h5::LinkCalls kLinkCalls;
extern const h5::ObjectCalls kObjectCalls;
extern const h5::BlobCalls kBlobCalls;
extern const h5::TokenCalls kTokenCalls;
extern const h5::WrapCalls kWrapCalls;

// The library creates and opens files, and asks about them, without an object that says which
// library it is.
void* file_create(Library& library, const char* name, unsigned flags, h5::Id creation,
                  h5::Id access, h5::Id transfer, void** request);
void* file_open(Library& library, const char* name, unsigned flags, h5::Id access, h5::Id transfer,
                void** request);
h5::Status file_specific(Library& library, void* object, h5::FileSpecific* args, h5::Id transfer,
                         void** request);
h5::Status file_get(void* object, h5::FileGet* args, h5::Id transfer, void** request);
h5::Status file_optional(void* object, h5::Optional* args, h5::Id transfer, void** request);
h5::Status file_close(void* file, h5::Id transfer, void** request);
h5::Status optional_call(void* object, h5::Optional* args, h5::Id transfer, void** request);

}  // namespace onecast_hdf5
