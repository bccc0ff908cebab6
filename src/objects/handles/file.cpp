#include "onecast/objects/file.hpp"

#include <algorithm>
#include <utility>

#include "base/caught.hpp"
#include "base/make_error.hpp"
#include "objects/files/file_access.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/new_file.hpp"
#include "objects/files/open_files.hpp"
#include "objects/files/pending_call.hpp"
#include "objects/flush/engine.hpp"
#include "objects/flush/flush.hpp"
#include "objects/handles/metadata_report.hpp"
#include "objects/memory/digest.hpp"
#include "pages/boot_page.hpp"
#include "pages/recovery.hpp"
#include "transport/factory.hpp"
#include "transport/user_transport.hpp"

namespace onecast {

using namespace handles;

File File::create(const std::string& path, const FileOptions& options) {
  return create(path, Communicator(), options);
}

File File::create(const std::string& path, const Communicator& communicator,
                  const FileOptions& options) {
  return File::of(FileState::create(path, communicator, options, engine()), path,
                  Access::read_write);
}

File File::open(const std::string& path, Access access, const FileOptions& options) {
  return open(path, access, Communicator(), options);
}

File File::open(const std::string& path, Access access, const Communicator& communicator,
                const FileOptions& options) {
  return of(FileState::open_once(path, access, communicator, options, engine()), path, access);
}

namespace {

/// An object in place of a path. The options contain its problem, if it has one, so that all ranks
/// get the error.
struct OpenedObject {
  std::string name;
  TransportFactory factory;
  FileOptions options;

  OpenedObject(std::shared_ptr<RandomAccessFile> bytes, const FileOptions& given) : options(given) {
    try {
      if (!bytes) throw Error(ErrorCode::invalid_argument, "bytes is null");
      if (options.mpi_io)
        throw Error(ErrorCode::invalid_argument,
                    "option mpi_io: not for a file in an object of the program");
      const auto file = std::make_shared<UserFile>(std::move(bytes));
      options.journal = options.journal && file->journal != nullptr;
      name = file->name;
      factory = user_factory(file);
    } catch (...) {
      if (options.problem.empty()) options.problem = Caught::now().text;
      factory = posix_factory();  // never called: the options are checked before
    }
  }
};

}  // namespace

File File::create(std::shared_ptr<RandomAccessFile> bytes, const FileOptions& options) {
  return create(std::move(bytes), Communicator(), options);
}

File File::create(std::shared_ptr<RandomAccessFile> bytes, const Communicator& communicator,
                  const FileOptions& options) {
  OpenedObject object(std::move(bytes), options);
  return FileAccess::file(FileState::create(object.name, communicator, object.options, engine(),
                                            std::move(object.factory)));
}

File File::open(std::shared_ptr<RandomAccessFile> bytes, Access access,
                const FileOptions& options) {
  return open(std::move(bytes), access, Communicator(), options);
}

File File::open(std::shared_ptr<RandomAccessFile> bytes, Access access,
                const Communicator& communicator, const FileOptions& options) {
  OpenedObject object(std::move(bytes), options);
  return FileAccess::file(FileState::open(object.name, access, communicator, object.options,
                                          engine(), std::move(object.factory)));
}

File File::of(std::shared_ptr<FileState> state, const std::string& path, Access access) {
  return File(FileOpening::of(std::move(state), path, access)->handle());
}

FileState& FileAccess::state(File& file) { return *file.state_; }

File FileAccess::file(std::shared_ptr<FileState> state) {
  const std::string path = state->path();
  const Access access = state->access();
  return File::of(std::move(state), path, access);
}

namespace {

/// Clears the mark of a writer for readers (SWMR) that was killed. Returns false if there is none.
bool unmark(Transport& file, const std::string& path) {
  std::uint64_t base = 0;
  FileContext context;
  {
    FileOptions look;
    look.locking = FileLocking::off;
    look.load_policy = LoadPolicy::lazy;
    const auto opened = FileState::open(path, Access::read_only, {}, look, engine());
    base = opened->store().base();
    context = opened->store().file();
    const bool is_marked = grows_behind_its_end(opened->store().superblock());
    opened->close();
    if (!is_marked) return false;
  }
  write_consistency_flags(file, base, 0, context);
  file.sync();
  return true;
}

}  // namespace

Recovered File::recover(const std::string& path, FileLocking locking) {
  const TransportFactory factory = posix_factory();
  const auto file = open_locked(factory, path, OpenMode::read_write, locking);
  Recovery recovery(*file, factory, journal_path(path));
  const JournalState found = recovery.state();
  if (found == JournalState::half) recovery.undo(*file);
  // Throws if the file cannot be opened; then the journal is kept.
  const bool was_marked = unmark(*file, path);
  if (found != JournalState::none) recovery.remove_journal();
  switch (found) {
    case JournalState::none:
    case JournalState::useless:
      return was_marked ? Recovered::unmarked : Recovered::nothing;
    case JournalState::before:
    case JournalState::complete:
      return Recovered::complete;
    case JournalState::half:
      break;
  }
  return Recovered::undone;
}

Group File::root() const {
  state_->require_open();
  return Group(state_.opening()->handle(state_->root()));
}

const std::string& File::path() const { return state_.opening()->path; }
Access File::access() const { return state_.opening()->access; }
Profile File::profile() const { return state_.now()->options().profile; }
std::uint64_t File::userblock_size() const { return state_.now()->store().base(); }
bool File::is_open() const { return !is_empty() && state_.opening()->is_open(); }
Communicator File::communicator() const { return state_.now()->communicator(); }
void File::flush() { state_->flush(); }
void File::rollback() { flush::roll_back(*state_); }
void File::start_swmr() {
  require_writable(state_);
  flush::start_swmr(*state_);
}
bool File::is_swmr() const { return state_.now()->is_swmr(); }
void File::refresh() { state_->refresh(nullptr); }
Pending File::flush_async() {
  return begin_call(*state_.now(), [file = *this]() mutable { file.flush(); });
}
bool File::adopt() {
  require_writable(state_);
  const bool has_none = !state_->committed().has_page_list;
  flush::adopt(*state_);
  return has_none;
}
void File::close() {
  if (!is_empty()) state_.opening()->close();
}
void File::leave_all_behind() noexcept {
  for (const auto& open : OpenFiles::of_this_process().all()) open->leave_behind();
}
void File::abandon(const std::string& reason) { state_->abandon(reason); }

Independent File::independent() {
  require_writable(state_);
  state_->require_editable();
  state_->require_structure_may_change();
  return Independent(state_.now());
}

Independent::Independent(std::shared_ptr<FileState> file) : file_(std::move(file)) {
  file_->local_edits().enter();
}

void Independent::end() noexcept {
  const auto file = std::exchange(file_, nullptr);
  if (!file) return;
  detail::wait_until_idle(*file);
  file->local_edits().leave();
}

void File::prefetch_all(const std::string& path, bool recursive) {
  state_->require_open();
  FileState& file = *state_;
  const auto resolve = [&] {
    const Node* node = find_object(file.root(), path);
    if (node == nullptr) throw not_found_error("{}: no object at \"{}\"", file.path(), path);
    return node->address;
  };
  const std::uint64_t small =
      file.access() == Access::read_only ? file.options().small_data_limit : 0;
  file.calls().meet(
      {.kind = CallKind::prefetch_all,
       .object = std::max<std::uint64_t>(Digest(recursive ? 1 : 0).add(path).value(), 1),
       .name = [&path] { return '"' + path + '"'; }});
  file.store().prefetch(file.comm(), resolve, {file.options().metadata_budget, small, recursive});
}

IoStats File::io_stats() const { return state_.even_closed().io_stats(); }
std::string File::explain() const {
  files::Transfers& transfers = state_.even_closed().transfers();
  const std::string way = transfers.device_way.words();
  return transfers.last.sentence() + (way.empty() ? "" : "; memory of a device: " + way);
}
MetadataReport File::metadata_report() const {
  return handles::metadata_report(state_.even_closed());
}
const std::vector<std::string>& File::unused_hints() const {
  return state_.now()->transfers().options.unused_hints;
}

}  // namespace onecast
