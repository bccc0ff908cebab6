#include "handles/opening.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <onecast/objects/structure_sizes.hpp>

#include "handles/written_files.hpp"
#include "library/errors.hpp"
#include "library/parallel.hpp"

namespace onecast_hdf5 {
namespace {

std::mutex mutex;

/// All openings of the process, of any library. Those of other libraries may be in use by other
/// threads: only what never changes is looked at, and nothing keeps them.
std::vector<Opening*>& openings() {
  static auto* const kAll = new std::vector<Opening*>();
  return *kAll;
}

/// The number of changes that programs have made to files.
std::atomic<std::uint64_t> changes{0};

/// Writes what programs have changed in files that they never close. The libraries close these
/// later, when Onecast has already ended.
void flush_all() {
  std::vector<std::shared_ptr<Opening>> open;
  {
    const std::scoped_lock lock(mutex);
    for (Opening* opening : openings())
      if (auto kept = opening->weak_from_this().lock()) open.push_back(std::move(kept));
  }
  // Ranks would wait for those that have ended.
  std::erase_if(open, [](const auto& opening) { return opening->is_parallel(); });
  for (const auto& opening : open) try {
      opening->flush();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "onecast: %s: %s\n", opening->name().c_str(), error.what());
    }
}

/// The native library counts from 1.
unsigned long next_number = 1UL << 32U;

}  // namespace

std::atomic<std::size_t> Opening::writers{0};

Opening::Place::Place(const onecast::File& file)
    : path(file.path().starts_with('/') ? file.path()
                                        : std::filesystem::absolute(file.path()).string()),
      version(FileVersion::of(path.c_str())) {}

Opening::Opening(Library& library, onecast::File file, Place place, std::string name, h5::Id access,
                 Manner how)
    : noted_(file.access() == onecast::Access::read_write
                 ? WrittenFiles::add(place.path.c_str(), &library)
                 : nullptr),
      library_(library),
      file_(std::move(file)),
      place_(std::move(place)),
      name_(std::move(name)),
      access_(access),
      how_(std::move(how)),
      is_written_(file_.access() == onecast::Access::read_write),
      process_(getpid()) {
  if (is_written_) {
    ++writers;
    // Onecast warns of files that are not closed; it has registered that already.
    static const int kRegistered = std::atexit(flush_all);
    static_cast<void>(kRegistered);
  }
  library.call.H5Pget_fclose_degree(access_, &close_degree_);
  if (close_degree_ == h5::CloseDegree::standard)
    close_degree_ = library.call.H5Pget_driver(access_) != library.plain_driver()
                        ? h5::CloseDegree::semi
                        : h5::CloseDegree::weak;
}

std::shared_ptr<Opening> Opening::make(Library& library, onecast::File file, std::string name,
                                       h5::Id access, Manner how) {
  Place place(file);
  return registered(new Opening(library, std::move(file), std::move(place), std::move(name), access,
                                std::move(how)));
}

std::shared_ptr<Opening> Opening::registered(Opening* opening) {
  std::shared_ptr<Opening> made(opening);
  const std::scoped_lock lock(mutex);
  const auto known = std::ranges::find_if(
      openings(), [&](const Opening* other) { return other->is_same_file(*made); });
  made->number_ = known == openings().end() ? next_number++ : (*known)->number_;
  openings().push_back(made.get());
  return made;
}

void Opening::open_shadows_of(Library& library, const char* name) {
  const auto key = FileKey::of(name);
  std::vector<std::shared_ptr<Opening>> same;
  {
    const std::scoped_lock lock(mutex);
    for (Opening* opening : openings()) {
      if (&opening->library_ == &library && opening->is_at(key))
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

bool Opening::is_at(const std::optional<FileKey>& key) const {
  return key && place_.version && key == place_.version->key;
}

bool Opening::is_open(const char* name) {
  const auto key = FileKey::of(name);
  const std::scoped_lock lock(mutex);
  return std::ranges::any_of(openings(),
                             [&](const Opening* opening) { return opening->is_at(key); });
}

std::shared_ptr<Opening> Opening::writer_of(const Library& library, const char* name) {
  if (writers == 0) return nullptr;
  const auto key = FileKey::of(name);
  const std::scoped_lock lock(mutex);
  for (Opening* opening : openings())
    if (opening->is_written_ && &opening->library_ == &library && opening->is_at(key))
      if (auto kept = opening->weak_from_this().lock()) return kept;
  return nullptr;
}

void Opening::own_file(h5::Id creation) {
  if (creation >= 0) creation_ = library_.call.H5Pcopy(creation);
  closes_ = {static_cast<const void*>(this),
             [file = file_, process = process_, name = name_](const void*) mutable {
               if (getpid() != process) return;
               try {
                 file.close();
               } catch (const std::exception& error) {
                 std::fprintf(stderr, "onecast: %s: %s\n", name.c_str(), error.what());
               }
             }};
}

void Opening::note_change() { ++changes; }

void Opening::flush_alone() {
  if (!is_parallel()) flush();
}

bool Opening::is_collective(h5::Id transfer) const {
  return how_.by == Processes::ranks_together ||
         (how_.by == Processes::ranks && onecast_hdf5::is_collective(library_, transfer));
}

void Opening::flush() {
  if (is_written_ && getpid() == process_ && file_.is_open()) file_.flush();
}

void Opening::give_up() noexcept {
  if (closes_.use_count() > 1) return;
  try {
    file_.close();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the flush has said why
  }
}

std::shared_ptr<Opening> Opening::writer() const {
  const std::scoped_lock lock(mutex);
  for (Opening* other : openings())
    if (other->is_written_ && &other->library_ == &library_ && other->file_.same_file(file_))
      if (auto kept = other->weak_from_this().lock()) return kept;
  return nullptr;
}

std::vector<std::shared_ptr<Opening>> Opening::openings_of_file() const {
  const std::scoped_lock lock(mutex);
  std::vector<std::shared_ptr<Opening>> same;
  for (Opening* other : openings())
    if (&other->library_ == &library_ && other->file_.same_file(file_))
      if (auto kept = other->weak_from_this().lock()) same.push_back(std::move(kept));
  return same;
}

bool Opening::is_open_in_other_library() const {
  const std::scoped_lock lock(mutex);
  return std::ranges::any_of(openings(), [&](const Opening* other) {
    return &other->library_ != &library_ && other->file_.same_file(file_);
  });
}

bool Opening::is_of_parent_process() const { return getpid() != process_; }

void Opening::flush_file() {
  if (const auto by = is_written_ ? shared_from_this() : writer()) by->flush();
}

std::vector<Handle*> Opening::handles_of_file() const {
  const std::scoped_lock lock(mutex);
  std::vector<Handle*> all;
  for (const Opening* other : openings())
    if (&other->library_ == &library_ && other->file_.same_file(file_))
      for (Handle* each = other->first_handle; each != nullptr; each = each->next)
        all.push_back(each);
  return all;
}

std::shared_ptr<Opening> Opening::like(const Library& library, const char* name,
                                       const onecast::FileOptions& options) {
  const auto version = FileVersion::of(name);
  const std::scoped_lock lock(mutex);
  for (Opening* opening : openings())
    if (version && opening->place_.version == version && &opening->library_ == &library &&
        !opening->is_written_ && !opening->is_parallel() && opening->process_ == getpid() &&
        opening->how_.options == options)
      if (auto kept = opening->weak_from_this().lock()) return kept;
  return nullptr;
}

std::shared_ptr<Opening> Opening::again(std::string name, h5::Id access) {
  auto made = registered(new Opening(library_, file_, place_, std::move(name), access, how_));
  if (creation_ >= 0) made->creation_ = library_.call.H5Pcopy(creation_);
  made->closes_ = closes_;
  return made;
}

std::shared_ptr<Opening> Opening::of(const onecast::Object& object) {
  const onecast::File file = object.file();
  if (file.same_file(file_)) return shared_from_this();
  {
    const std::scoped_lock lock(mutex);
    for (Opening* other : openings())
      if (&other->library_ == &library_ && other->file_.same_file(file))
        if (auto known = other->weak_from_this().lock()) return known;
  }
  return make(library_, file, file.path(), shared_access(), how_);
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
  if (is_parallel()) {
    // This rank alone opens the shadow.
    access = call.H5Pcreate(library_.variable("H5P_CLS_FILE_ACCESS_ID_g"));
    call.H5Pset_fapl_sec2(access);
    call.H5Pset_file_locking(access, /*locks=*/false, /*ignores_disabled=*/true);
  } else {
    access = call.H5Pcopy(access_);
    // Onecast has locked a file that it writes.
    if (writers > 0) call.H5Pset_file_locking(access, /*locks=*/false, /*ignores_disabled=*/true);
  }
  call.H5Pset_vol(access, library_.native(), nullptr);
  call.H5Pset_fclose_degree(access, h5::CloseDegree::weak);
  return access;
}

void Opening::drop_shadow() {
  if (shadow_ < 0) return;
  library_.call.H5Idec_ref(std::exchange(shadow_, h5::kNoId));
}

// The native library shares what it knows of a file among all that is open of it.
void Opening::drop_shadows() {
  for (Handle* each : handles_of_file()) each->drop_shadow();
  std::vector<Opening*> same;
  {
    const std::scoped_lock lock(mutex);
    std::ranges::copy_if(openings(), std::back_inserter(same), [&](const Opening* other) {
      return &other->library_ == &library_ && other->file_.same_file(file_);
    });
  }
  for (Opening* other : same) other->drop_shadow();
}

void Opening::renew_shadow() {
  const auto by = is_written_ ? shared_from_this() : writer();
  if (by == nullptr || (shadow_ >= 0 && changes_in_shadow_ == changes)) return;
  const ErrorStackKeeper keep(library_);
  drop_shadows();
  by->flush();
  changes_in_shadow_ = changes;
}

h5::Id Opening::shadow_file() {
  if (is_parallel() && may_change())
    throw Failure("H5E_VOL_g", "H5E_UNSUPPORTED_g",
                  "only the HDF5 library does this, and it cannot look into a file that several "
                  "ranks write: set ONECAST_HDF5_WRITING=native");
  if (writers > 0) renew_shadow();
  if (shadow_ >= 0) return shadow_;
  const h5::Functions& call = library_.call;
  const h5::Id access = shadow_access();
  {
    const Making now;
    shadow_ = call.H5Fopen(place_.path.c_str(), 0, access);
  }
  {
    const ErrorStackKeeper keep(library_);
    call.H5Pclose(access);
  }
  try {
    onecast::require_path(file_);
  } catch (...) {
    drop_shadow();
    throw;
  }
  return shadow_;
}

void Opening::read_heap(const void* place, void* out, std::size_t size) {
  if (size == 0) return;
  const std::scoped_lock lock(mutex_);
  if (!values_ || changes_in_values_ != changes) {
    values_ = std::make_unique<onecast::VariableValues>(file_.root());
    changes_in_values_ = changes;
  }
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

void Opening::put_in_heap(const void* value, std::size_t size, void* place) {
  if (new_values == nullptr)
    throw Failure("H5E_VOL_g", "H5E_WRITEERROR_g", "values are put outside of a write");
  constexpr std::size_t kCount = 4;
  std::array<std::byte, 16> element{};
  const auto* const bytes = static_cast<const std::byte*>(value);
  if (size == 0) {
    static const auto kText = onecast::Datatype::variable_string();
    new_values->string(kText, "", element);
  } else {
    static const auto kBytes =
        onecast::Datatype::sequence(onecast::Datatype::integer(1, /*is_signed=*/false));
    new_values->sequence(kBytes, std::span(bytes, size), element);
  }
  std::memcpy(place, element.data() + kCount, element.size() - kCount);
}

h5::Id Opening::file_type(h5::Id type) {
  Handle& file = file_handle();
  const Registering now(&file);
  return library_.call.H5VLget_file_type(&file, library_.connector(), type);
}

Opening::~Opening() {
  if (is_written_) --writers;
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
  if (creation_ >= 0) library_.call.H5Pclose(creation_);
}

}  // namespace onecast_hdf5
