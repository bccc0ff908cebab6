#include "handles/opening.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "library/errors.hpp"

namespace onecast_hdf5 {
namespace {

std::mutex mutex;

/// All openings of the process, of any library. Those of other libraries may be in use by other
/// threads: only what never changes is looked at, and nothing keeps them.
std::vector<Opening*>& openings() {
  static auto* const kAll = new std::vector<Opening*>();
  return *kAll;
}

/// The native library counts from 1.
unsigned long next_number = 1UL << 32U;

}  // namespace

Opening::Opening(Library& library, onecast::File file, std::string name, h5::Id access)
    : library_(library),
      file_(std::move(file)),
      path_(std::filesystem::absolute(file_.path()).string()),
      name_(std::move(name)),
      access_(access),
      is_parallel_(library.call.H5Pget_driver(access) != library.plain_driver()) {
  library.call.H5Pget_fclose_degree(access_, &close_degree_);
  if (close_degree_ == h5::CloseDegree::standard)
    close_degree_ = is_parallel_ ? h5::CloseDegree::semi : h5::CloseDegree::weak;
}

std::shared_ptr<Opening> Opening::make(Library& library, onecast::File file, std::string name,
                                       h5::Id access) {
  const std::shared_ptr<Opening> made(
      new Opening(library, std::move(file), std::move(name), access));
  const std::scoped_lock lock(mutex);
  const auto known = std::ranges::find_if(
      openings(), [&](const Opening* other) { return other->is_same_file(*made); });
  made->number_ = known == openings().end() ? next_number++ : (*known)->number_;
  openings().push_back(made.get());
  return made;
}

void Opening::open_shadows_of(Library& library, const char* name) {
  std::vector<std::shared_ptr<Opening>> same;
  {
    const std::scoped_lock lock(mutex);
    for (Opening* opening : openings()) {
      std::error_code ignored;
      if (&opening->library_ == &library &&
          std::filesystem::equivalent(opening->path_, name, ignored))
        if (auto kept = opening->weak_from_this().lock()) same.push_back(std::move(kept));
    }
  }
  for (const auto& opening : same) opening->shadow_file();
}

// A copy of a list with MPI duplicates its communicator, for which all ranks would have to be here.
h5::Id Opening::shared_access() const {
  library_.call.H5Iinc_ref(access_);
  return access_;
}

std::shared_ptr<Opening> Opening::again() { return make(library_, file_, name_, shared_access()); }

std::shared_ptr<Opening> Opening::of(const onecast::Object& object) {
  const onecast::File file = object.file();
  if (file.same_file(file_)) return shared_from_this();
  {
    const std::scoped_lock lock(mutex);
    for (Opening* other : openings())
      if (&other->library_ == &library_ && other->file_.same_file(file))
        if (auto known = other->weak_from_this().lock()) return known;
  }
  return make(library_, file, file.path(), shared_access());
}

Handle& Opening::file_handle() {
  const std::scoped_lock lock(mutex_);
  if (!handle_) {
    // It must not keep its own file open.
    handle_ = std::make_unique<Handle>(std::shared_ptr<Opening>(std::shared_ptr<Opening>(), this),
                                       h5::IdType::file);
    handle_->path.assign(1, '/');
    handle_->group = file_.root();
    handle_->object = *handle_->group;
  }
  return *handle_;
}

void* Opening::shown_file() {
  if (shows_shadow_ && shadow_file() >= 0) return library_.call.H5VLobject(shadow_);
  if (shown_ == nullptr) shown_ = library_.dummies().take_file();
  return shown_;
}

h5::Id Opening::shadow_access() const {
  const h5::Functions& call = library_.call;
  h5::Id access = h5::kNoId;
  if (is_parallel_) {
    // This rank alone opens the shadow.
    access = call.H5Pcreate(library_.variable("H5P_CLS_FILE_ACCESS_ID_g"));
    call.H5Pset_fapl_sec2(access);
    call.H5Pset_file_locking(access, /*locks=*/false, /*ignores_disabled=*/true);
  } else {
    access = call.H5Pcopy(access_);
  }
  call.H5Pset_vol(access, library_.native(), nullptr);
  call.H5Pset_fclose_degree(access, h5::CloseDegree::weak);
  return access;
}

h5::Id Opening::shadow_file() {
  if (shadow_ >= 0) return shadow_;
  const h5::Functions& call = library_.call;
  const h5::Id access = shadow_access();
  {
    const Making now;
    shadow_ = call.H5Fopen(path_.c_str(), 0, access);
  }
  if (shadow_ >= 0) {
    call.H5Pclose(access);
  } else {
    const ErrorStackKeeper keep(library_);
    call.H5Pclose(access);
  }
  return shadow_;
}

void Opening::read_heap(const void* place, void* out, std::size_t size) {
  if (size == 0) return;
  const std::scoped_lock lock(mutex_);
  if (!values_) values_ = std::make_unique<onecast::VariableValues>(file_.root());
  static const auto kBytes =
      onecast::Datatype::sequence(onecast::Datatype::integer(1, /*is_signed=*/false));
  std::array<std::byte, 16> element{};
  const auto count = static_cast<std::uint32_t>(size);
  std::memcpy(element.data(), &count, sizeof count);
  std::memcpy(element.data() + sizeof count, place, element.size() - sizeof count);
  const auto value = values_->sequence(kBytes, element);
  if (value.bytes.size() < size)
    throw Failure("H5E_VOL_g", "H5E_READERROR_g", "the value in the heap is too short");
  std::memcpy(out, value.bytes.data(), size);
}

Opening::~Opening() {
  {
    const std::scoped_lock lock(mutex);
    std::erase(openings(), this);
  }
  handle_.reset();
  const ErrorStackKeeper keep(library_);
  const Silence silence(library_);
  trace.print(name_, file_.io_stats());
  if (shown_ != nullptr) library_.give_back_file(shown_);
  if (shadow_ >= 0) library_.call.H5Idec_ref(shadow_);
  if (access_ >= 0) library_.call.H5Pclose(access_);
}

}  // namespace onecast_hdf5
