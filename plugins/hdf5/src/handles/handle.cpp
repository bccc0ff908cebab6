#include "handles/handle.hpp"

#include <algorithm>
#include <cstring>
#include <onecast/objects/details.hpp>

#include "handles/locate.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/creation.hpp"
#include "values/stored_types.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {

thread_local bool AskingForHandles::on = false;
thread_local Handle* AskingForHandles::asked = nullptr;

namespace {

thread_local const void* registering = nullptr;

}  // namespace

Registering::Registering(const void* object) : before_(std::exchange(registering, object)) {}
Registering::~Registering() { registering = before_; }
bool is_being_registered(const void* object) { return object == registering; }

h5::Id register_id(Handle* handle) {
  const Registering now(handle);
  const h5::Id id = handle->library.call.H5VLwrap_register(handle, handle->type);
  if (id < 0) delete handle;
  return id;
}

Handle::Handle(Library& on, h5::IdType of_type, void* native)
    : library(on), type(of_type), native_(native) {}

Handle::Handle(std::shared_ptr<Opening> of, h5::IdType of_type)
    : library(of->library()), type(of_type), opening(std::move(of)) {
  next = std::exchange(opening->first_handle, this);
  if (next != nullptr) next->previous = this;
  if (opening.use_count() == 0) return;  // the handle of the opening itself
  ++opening->handles;
  if (type == h5::IdType::file) ++opening->file_handles;
}

Handle::~Handle() {
  leave_opening();
  close_ids();
}

void Handle::leave_opening() {
  if (!opening) return;
  (previous != nullptr ? previous->next : opening->first_handle) = next;
  if (next != nullptr) next->previous = previous;
  next = previous = nullptr;
  if (opening.use_count() == 0) return;
  --opening->handles;
  if (type == h5::IdType::file) --opening->file_handles;
}

void Handle::close_ids() {
  if (stored_type_ < 0 && shown_ < 0 && shadow_ < 0 && access_ < 0) return;
  const ErrorStackKeeper keep(library);
  const Silence silence(library);
  for (h5::Id* const id : {&stored_type_, &shown_, &shadow_, &access_})
    if (*id >= 0) library.call.H5Idec_ref(std::exchange(*id, h5::kNoId));
}

void Handle::become_native(void* native) {
  leave_opening();
  close_ids();
  object = {};
  group.reset();
  dataset.reset();
  attribute.reset();
  opening.reset();
  has_own_type = false;
  native_ = native;
}

void Handle::keep_access(h5::Id list) {
  if (list > 0 && list != library.default_dataset_access()) access_ = library.call.H5Pcopy(list);
}

h5::Id Handle::access_list() const {
  const h5::Id list = access_ >= 0 ? access_ : library.default_dataset_access();
  return library.call.H5Pcopy(list);
}

void* Handle::native() noexcept {
  try {
    return open_native();
  } catch (...) {
    report_current_exception(library, "open for the native library");
    return nullptr;
  }
}

void Handle::drop_shadow() {
  native_ = nullptr;
  if (shadow_ >= 0) library.call.H5Idec_ref(std::exchange(shadow_, h5::kNoId));
}

void* Handle::open_native() {
  if (is_of_nothing())
    throw Failure("H5E_FILE_g", "H5E_BADVALUE_g",
                  "the object is closed: its file could not be written");
  if (!opening) return native_;
  const h5::Functions& call = library.call;
  const h5::Id file = opening->shadow_file();
  if (file < 0) return nullptr;
  if (native_ != nullptr) return native_;
  const Making now;
  if (type == h5::IdType::file) return native_ = call.H5VLobject(file);
  h5::Token token{};
  const std::uint64_t address = object.reference().address.value();
  std::memcpy(token.bytes, &address, sizeof address);
  shadow_ = call.H5Oopen_by_token(file, token);
  // The library would take the object for what its id says.
  const auto kind = id_type(object.kind());
  if (shadow_ >= 0 && call.H5Iget_type(shadow_) != kind) {
    call.H5Idec_ref(std::exchange(shadow_, h5::kNoId));
    throw Failure("H5E_OHDR_g", "H5E_BADTYPE_g", "the object header is damaged");
  }
  if (shadow_ >= 0 && attribute) {
    const h5::Id owner = shadow_;
    shadow_ = call.H5Aopen(owner, std::string(attribute->name()).c_str(), h5::kDefaultList);
    const ErrorStackKeeper keep(library);
    call.H5Idec_ref(owner);
  }
  return native_ = shadow_ < 0 ? nullptr : call.H5VLobject(shadow_);
}

void* Handle::shown() {
  // When the library ends, it closes nothing that is made then.
  if (Making::is_going_on() || is_of_nothing() || (!library.has_dummies() && library.is_ending()))
    return Dummies::while_making();
  if (!opening) return library.call.H5VLget_object(native_, library.native());
  const ErrorStackKeeper keep(library);
  switch (type) {
    case h5::IdType::file:
      return opening->shown_file();
    case h5::IdType::group:
      return library.dummies().group;
    case h5::IdType::dataset:
      return library.dummies().dataset;
    case h5::IdType::attribute:
      return library.dummies().attribute;
    default:
      break;
  }
  if (shown_ < 0) {
    const h5::Id own = type_id(library, onecast::details_of(object).type.value());
    shown_ = library.dummies().new_type(own);
  }
  const Making now;
  return library.call.H5VLobject(shown_);
}

const Handle::Storing& Handle::storing() {
  if (storing_) return *storing_;
  const auto storage = onecast::storage_of(*dataset);
  return storing_.emplace(
      storage.fill_time == "never",
      std::ranges::any_of(storage.filters, [](const auto& filter) { return !encodes(filter.id); }));
}

h5::Id Handle::stored_type() {
  if (stored_type_ >= 0) return stored_type_;
  const onecast::Datatype& own = attribute ? attribute->datatype() : dataset->datatype();
  const h5::Id known = stored_type_id(*opening, own);
  if (known < 0 || library.call.H5Iinc_ref(known) < 0) return h5::kNoId;
  return stored_type_ = known;
}

}  // namespace onecast_hdf5
