#include "handles/hand_over.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "handles/dummies.hpp"
#include "handles/locate.hpp"
#include "handles/opening.hpp"
#include "handles/written_files.hpp"
#include "library/errors.hpp"
#include "trace/trace.hpp"

namespace onecast_hdf5 {
namespace {

/// What a handle needs to be opened natively, once Onecast has closed the file.
struct Place {
  Handle* handle;
  h5::Token token{};
  std::string attribute{};
  void* native = nullptr;
};

/// The handles of an opening, and the native file in which they are opened.
class Reopened {
 public:
  explicit Reopened(std::shared_ptr<Opening> opening) : opening_(std::move(opening)) {
    for (Handle* each = opening_->first_handle; each != nullptr; each = each->next) {
      if (each->opening.use_count() == 0) continue;  // the handle of the opening itself
      Place place{each};
      if (each->type != h5::IdType::file) place.token = token_of(each->object);
      if (each->attribute) place.attribute = each->attribute->name();
      places_.push_back(std::move(place));
    }
    // An object may be the last one that keeps its file open.
    std::ranges::partition(places_, [](const Place& place) { return is_file(place); });
  }
  Reopened(const Reopened&) = delete;
  Reopened& operator=(const Reopened&) = delete;
  ~Reopened() {
    const ErrorStackKeeper keep(library());
    for (const Place& place : places_)
      if (place.native != nullptr) close_native(library(), place.handle->type, place.native);
    if (file_ >= 0) library().call.H5Idec_ref(file_);
  }

  [[nodiscard]] bool writes() const { return opening_->is_written(); }

  void open() {
    const Making now;
    const h5::Functions& call = library().call;
    const h5::Id access = call.H5Pcopy(opening_->access_list());
    call.H5Pset_vol(access, library().native(), nullptr);
    file_ = call.H5Fopen(opening_->usable_name().c_str(), writes() ? h5::kReadWrite : 0U, access);
    {
      const ErrorStackKeeper keep(library());
      call.H5Pclose(access);
    }
    if (file_ < 0) fail();
    for (Place& place : places_) {
      place.native = is_file(place) ? reopened() : opened(place);
      if (place.native == nullptr) fail();
    }
  }

  /// From here on the native objects belong to the handles.
  void give(const std::shared_ptr<const void>& written) {
    for (Place& place : places_) {
      place.handle->become_native(std::exchange(place.native, nullptr));
      if (writes()) place.handle->written = written;
    }
  }

 private:
  static bool is_file(const Place& place) { return place.handle->type == h5::IdType::file; }
  [[nodiscard]] Library& library() const { return opening_->library(); }
  [[noreturn]] void fail() const {
    throw Failure("H5E_FILE_g", "H5E_CANTOPENFILE_g",
                  opening_->name() +
                      ": Onecast has closed the file for the HDF5 library, which cannot open it");
  }

  /// A native file for a handle. The id of the native file would be counted as one of the program.
  [[nodiscard]] void* reopened() const {
    void* made = nullptr;
    h5::FileSpecific reopen{.op = h5::FileSpecific::reopen, .file = &made};
    const h5::Functions& call = library().call;
    call.H5VLfile_specific(call.H5VLobject(file_), library().native(), &reopen,
                           library().default_transfer(), nullptr);
    if (made == nullptr) return nullptr;
    // As H5Freopen does.
    h5::Optional after_open{.op = h5::kAfterOpen, .args = nullptr};
    const Registering now(made);
    call.H5VLfile_optional(made, library().native(), &after_open, library().default_transfer(),
                           nullptr);
    return made;
  }

  /// The native file in which objects are opened: that of a handle, if there is one.
  [[nodiscard]] void* file() const {
    return !places_.empty() && is_file(places_.front()) ? places_.front().native
                                                        : library().call.H5VLobject(file_);
  }

  [[nodiscard]] void* opened(Place& place) const {
    const h5::Functions& call = library().call;
    const h5::Id transfer = library().default_transfer();
    const h5::Location at{.object_type = h5::IdType::file,
                          .type = h5::LocationType::token,
                          .by_token = {&place.token}};
    h5::IdType type = h5::IdType::group;
    void* const object =
        call.H5VLobject_open(file(), &at, library().native(), &type, transfer, nullptr);
    if (object == nullptr) return nullptr;
    const h5::Location self{
        .object_type = type, .type = h5::LocationType::self, .by_token = {nullptr}};
    void* found = object;
    if (place.handle->attribute) {
      found = call.H5VLattr_open(object, &self, library().native(), place.attribute.c_str(),
                                 library().variable("H5P_LST_ATTRIBUTE_ACCESS_ID_g"), transfer,
                                 nullptr);
    } else if (type == h5::IdType::dataset && place.handle->has_access_list()) {
      const h5::Id access = place.handle->access_list();
      found =
          call.H5VLdataset_open(object, &self, library().native(), ".", access, transfer, nullptr);
      const ErrorStackKeeper keep(library());
      call.H5Pclose(access);
    }
    if (found != object) {
      const ErrorStackKeeper keep(library());
      close_native(library(), type, object);
    }
    return found;
  }

  std::shared_ptr<Opening> opening_;
  std::vector<Place> places_;
  h5::Id file_ = h5::kNoId;
};

/// Why a file cannot be handed over; null: it can.
const char* obstacle(const Opening& opening) {
  if (opening.is_parallel()) return "on several ranks";
  if (opening.is_of_parent_process()) return "in a forked process";
  if (opening.is_open_in_other_library())
    return "as long as another HDF5 library of this process has the file open";
  for (const Handle* each : opening.handles_of_file())
    if (each->has_no_path && opening.may_change())
      return "as long as an object without a name is open";
  return nullptr;
}

}  // namespace

void close_native(Library& library, h5::IdType type, void* native) {
  const h5::Functions& functions = library.call;
  const auto close = [&](auto function) {
    function(native, library.native(), library.default_transfer(), nullptr);
  };
  switch (type) {
    case h5::IdType::file:
      return close(functions.H5VLfile_close);
    case h5::IdType::group:
      return close(functions.H5VLgroup_close);
    case h5::IdType::dataset:
      return close(functions.H5VLdataset_close);
    case h5::IdType::datatype:
      return close(functions.H5VLdatatype_close);
    default:
      return close(functions.H5VLattr_close);
  }
}

void hand_over(Handle& on, const char* reason) {
  // The handle lets go of the opening.
  const std::shared_ptr<Opening> opening = on.opening;
  if (const char* const why = obstacle(*opening))
    throw Failure("H5E_VOL_g", "H5E_UNSUPPORTED_g",
                  std::string(reason) +
                      ": only the HDF5 library does this, and Onecast cannot hand "
                      "the file over to it " +
                      why + ": set ONECAST_HDF5_WRITING=native");
  opening->flush_file();
  std::vector<std::shared_ptr<Opening>> all = opening->openings_of_file();
  // The native library shares a file among its openings: the first one says whether it is written.
  std::ranges::partition(all, [](const auto& each) { return each->is_written(); });
  std::vector<std::unique_ptr<Reopened>> reopened;
  reopened.reserve(all.size());
  for (const auto& each : all) reopened.push_back(std::make_unique<Reopened>(each));
  opening->drop_shadows();
  for (const auto& each : all) each->close_file();
  trace_native_file(opening->name().c_str(), reason);
  for (const auto& each : reopened) each->open();
  const auto written = WrittenFiles::add(opening->usable_name().c_str(), nullptr);
  for (const auto& each : reopened) each->give(written);
}

bool is_handed_over(Handle& on, const char* call, const char* reason) noexcept {
  try {
    hand_over(on, reason);
    return true;
  } catch (...) {
    report_current_exception(on.library, call);
    return false;
  }
}

}  // namespace onecast_hdf5
