#include <algorithm>
#include <filesystem>

#include "base/make_error.hpp"
#include "base/worker_pool.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/open_arguments.hpp"
#include "objects/files/open_files.hpp"
#include "objects/files/transfer_options.hpp"
#include "pages/boot_page.hpp"
#include "stripes/find_stripe_layout.hpp"
#include "stripes/striped_factory.hpp"
#include "transport/mpi_io.hpp"

/// Opens and shuts a file.
namespace onecast::files {
namespace {

/// Blocks that are read on demand double in size as long as they are adjacent.
constexpr std::uint64_t kBlocksInBudget = 32;

TransportFactory system_factory(const FileOptions& options,
                                [[maybe_unused]] const CommunicatorBackend& on) {
  if (options.mpi_io) {
#ifdef ONECAST_HAVE_MPI
    return mpi_io_factory(on);
#else
    throw Error(ErrorCode::invalid_argument, "option mpi_io: this build of Onecast has no MPI");
#endif
  }
  return posix_factory();
}

std::string current_folder() {
  std::error_code failed;
  return std::filesystem::current_path(failed).string();
}

/// Returns the absolute path, from `folder`. Of a name that only MPI understands ("ufs:name") it
/// converts the part behind the prefix.
std::string absolute_path(const std::string& path, const std::string& folder, bool mpi_io) {
  namespace fs = std::filesystem;
  const std::size_t colon = mpi_io ? path.find(':') : std::string::npos;
  const bool has_prefix =
      colon != std::string::npos && colon > 1 &&
      std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(colon),
                  [](char c) { return c >= 'a' && c <= 'z'; });
  if (has_prefix)
    return path.substr(0, colon + 1) + absolute_path(path.substr(colon + 1), folder, false);
  if (path.empty() || folder.empty()) return path;
  return (fs::path(folder) / path).string();
}

/// Creates a new file at `path` with the requested stripes; files beside it get none.
TransportFactory default_factory(const FileOptions& options, const StripeOptions& stripes,
                                 const std::string& path, const CommunicatorBackend& on) {
  TransportFactory plain = system_factory(options, on);
  if (stripes == StripeOptions()) return plain;
  return [plain, striped = striped_factory(plain, stripes), path](const std::string& which,
                                                                  OpenMode mode) {
    return which == path ? striped(which, mode) : plain(which, mode);
  };
}

std::uint64_t loaded_bytes(const MetadataStore& store) {
  std::uint64_t bytes = 0;
  for (const ExtentMap::Extent& e : store.loaded().extents()) bytes += e.size;
  return bytes;
}

/// Estimates the number of objects, to size tables: a header takes about 256 bytes.
std::size_t likely_objects(std::uint64_t metadata_bytes) {
  constexpr std::uint64_t kHeaderSize = 256;
  constexpr std::uint64_t kMostReserved = 1U << 20U;
  return static_cast<std::size_t>(std::min(metadata_bytes / kHeaderSize, kMostReserved));
}

}  // namespace

FileState::FileState(const RoomsAbove& rooms)
    : OpenFile(rooms), own_files_(std::make_shared<ExternalFiles>()) {}

void FileState::start(const std::string& file_path, const Communicator& in,
                      const FileOptions& file_options, TransportFactory factory, OpenMode mode) {
  name_.path = file_path;
  communicator_ = in;
  asked_ = options_ = file_options;
  comm().progress().wait_for_all();
  if (comm().size() == 1) {
    log_.keep_nothing();
    changes_.compact_writes.keep_nothing();
  }
  collectives_before_ = comm().collectives();
  calls_.emplace(comm(), path());
  // All ranks learn of invalid options of this rank before the file is touched.
  std::exception_ptr failure;
  comm::try_to(failure, [&] {
    transfers_.options = transfer_options(options_);
    prepare_to_follow(mode);
  });
  require_same_arguments(comm(), *calls_, path(), mode, asked_, failure);
  calls_->compare({[this] { return log_.digest(); },
                   [this](CommunicatorBackend& on) { rooms_.throw_difference(*this, on); }});
  calls_->save_by([this] {
    changes_.ends_writing = true;
    rooms_.flush(*this, CallKind::close);
  });
  if (comm().size() > 1) {
    preparation_ = std::make_shared<CollectiveCalls::Preparation>([this] {
      if (is_open() && heap_) heap_->finish();  // as flush does
    });
    comm().calls().add(preparation_);
  }
  // The requested size is used if the file system is never asked: a rank that reads alone does not
  // ask.
  if (transfers_.options.stripes.stripe_size != 0)
    transfers_.layout.stripe_size = transfers_.options.stripes.stripe_size;
  // Several ranks share the cores already.
  if (options_.decode_threads == 0)
    options_.decode_threads = comm().size() > 1 ? 1 : usable_cores();
  transfers_.chunk_cache.set_limit(options_.chunk_cache_bytes);
  name_.working_folder = current_folder();
  // A caller's factory may take a name that is no path of the system.
  name_.full_path = factory ? path() : absolute_path(path(), name_.working_folder, options_.mpi_io);
  if (!factory)
    factory = default_factory(options_, transfers_.options.stripes, name_.full_path, comm());
  if (options_.follow_external == FollowExternal::folder && !name_.is_external)
    name_.trusted_folder = canonical(folder_of(*this));
  transport_ = std::make_unique<KnownEndTransport>(
      opener_.open_at_first_use(std::move(factory), mode), path());
}

void FileState::prepare_to_follow(OpenMode mode) {
  if (mode != OpenMode::read_only) options_.follow = false;
  if (!options_.follow) return;
  if (comm().size() > 1)
    throw unsupported_error(
        "{}: not supported: option follow with several ranks, which would see "
        "the file at different times (one process can open it by itself)",
        path());
  // Copies of raw data would be outdated.
  options_.small_data_limit = 0;
}

std::shared_ptr<FileState> FileState::create(const std::string& path,
                                             const Communicator& communicator,
                                             const FileOptions& options, const RoomsAbove& rooms,
                                             TransportFactory factory) {
  auto state = std::make_shared<FileState>(rooms);
  const bool on_system = !factory;
  state->start(path, communicator, options, std::move(factory), OpenMode::replace);
  state->access_ = Access::read_write;
  struct Made {
    StripeLayout layout;
    FileIdentity identity;
    std::uint64_t number = 0;
    std::uint64_t folder = 0;
  };
  const Made made = broadcast_value(state->comm(), 0, [&] {
    if (on_system && !options.exclusive) static_cast<void>(state->number_if_open());
    const FileIdentity identity = state->transport_->identity();
    return Made{find_stripe_layout(state->name_.full_path, state->transfers_.options.stripes),
                identity, OpenFiles::of_this_process().next_number(), state->name_.folder_digest()};
  });
  state->transfers_.layout = made.layout;
  state->name_.identity = made.identity;
  state->name_.number = made.number;
  state->name_.folder_of_first_rank = made.folder;
  OpenFiles::of_this_process().add(state);
  state->begin_empty_file();
  state->watch_for_close();
  state->exceptions_at_open_ = std::uncaught_exceptions();
  return state;
}

/// Sets up a file without any bytes: the first flush writes everything.
void FileState::begin_empty_file() {
  if (options_.page_size == 0) options_.page_size = kPageSize;
  const std::uint8_t version = options_.profile == Profile::latest ? 3 : 2;
  store_ = MetadataStore::empty(*transport_, path(), node_k_of_new(version), asked_.userblock_size);
  store_->read_at_most(asked_.metadata_budget / kBlocksInBudget);
  start_decoding(changes_.file_end);
  allocator_.emplace(options_.page_size, kBootSize);
  set_allocation_rules();
  if (asked_.metadata_reserve != 0) allocator_->reserve_metadata();
  committed_.boot = Boot::of_new(store_->file(), options_.page_size, version);
  committed_.boot.base = asked_.userblock_size;
  committed_.has_page_list = true;
  root_ = &new_node(nullptr, "", ObjectKind::group);
  begin_root();
  note_flushed();
}

std::shared_ptr<FileState> FileState::open(const std::string& path, Access access,
                                           const Communicator& communicator,
                                           const FileOptions& options, const RoomsAbove& rooms,
                                           TransportFactory factory) {
  std::uint64_t unknown = 0;
  return open_new(path, access, communicator, options, rooms, {.factory = std::move(factory)},
                  unknown);
}

std::shared_ptr<FileState> FileState::open_new(const std::string& path, Access access,
                                               const Communicator& communicator,
                                               const FileOptions& options, const RoomsAbove& rooms,
                                               HowToOpen how, std::uint64_t& known) {
  auto state = std::make_shared<FileState>(rooms);
  const bool writable = access == Access::read_write;
  if (how.named_by != nullptr) state->become_external_of(*how.named_by);
  state->start(path, communicator, options, std::move(how.factory),
               writable ? OpenMode::read_write : OpenMode::read_only);
  state->access_ = access;
  if (!state->load_metadata(how.shares, known)) return nullptr;
  state->name_.number = known;
  if (state->store_->is_of_empty_file()) {
    state->begin_empty_file();
    state->watch_for_close();
    OpenFiles::of_this_process().add(state);
    state->exceptions_at_open_ = std::uncaught_exceptions();
    return state;
  }
  state->transfers_.options.stripes.front = 0;  // the option is for new files
  if (writable) state->prepare_to_write();
  const std::uint64_t loaded = loaded_bytes(*state->store_);
  state->nodes_.reserve(likely_objects(loaded));
  // If every rank has all bytes, all ranks meet equal errors; else each may have to read.
  if (state->store_->is_complete())
    state->find_root();
  else
    agree(state->comm(), [&] { state->find_root(); });
  if (writable) state->watch_for_close();
  state->memory_.note_opened(loaded);
  OpenFiles::of_this_process().add(state);
  state->exceptions_at_open_ = std::uncaught_exceptions();
  return state;
}

bool FileState::load_metadata(bool shares, std::uint64_t& known) {
  const bool writable = access_ == Access::read_write;
  LoadOptions load;
  load.policy = static_cast<LoadOptions::Policy>(options_.load_policy);
  load.budget = options_.metadata_budget;
  // Raw data of a file that is open for writing may change, and a copy of it would be outdated.
  load.small_data_limit = writable ? 0 : options_.small_data_limit;
  load.writable = writable;
  load.takes_empty = writable && !name_.is_external;
  load.overlaid = &opener_.is_overlaid();
  if (writable || comm().size() > 1) load.stripes = &transfers_.options.stripes;
  load.number = OpenFiles::of_this_process().next_number();
  load.folder = name_.folder_digest();
  if (shares) load.number_if_open = [this] { return number_if_open(); };
  for (unsigned attempt = 0;; ++attempt) {
    try {
      if (options_.follow) load.for_readers = is_written_for_readers();
      store_ = MetadataStore::load(comm(), *transport_, path(), load, known);
      break;
    } catch (const Error& error) {
      if (!may_read_again(error, attempt)) throw;
    }
    opener_.followed()->look_again();
  }
  if (!store_) return false;
  opener_.set_overlaid(store_->is_overlaid());
  name_.identity = store_->identity();
  name_.stamp = store_->stamp();
  name_.folder_of_first_rank = store_->folder();
  if (load.stripes != nullptr) transfers_.layout = store_->stripes();
  opener_.take_over_leftover_journal();
  if (store_->is_of_empty_file()) return true;
  transport_->know_end(store_->file_size_at_open());
  changes_.file_end = store_->file_size_at_open() - store_->base();
  start_decoding(changes_.file_end);
  options_.profile = store_->superblock().version > 2 ? Profile::latest : Profile::compatible;
  return true;
}

void FileState::find_root() {
  root_ = &nodes_.at(store_->superblock().root_header_address, nullptr, "");
  root_->require_kind(ObjectKind::group);
}

void FileState::prepare_to_write() {
  if (store_->extension().cache_image)
    throw unsupported_error(
        "{}: not supported: changing a file with a metadata cache image (the "
        "HDF5 library removes it: h5py.File(name, \"r+\").close())",
        path());
  const Superblock& superblock = store_->superblock();
  const SuperblockExtension& extension = store_->extension();
  committed_.boot = Boot::of(superblock, extension, store_->base(), store_->file());
  // The bytes behind the end of address belong to nothing but may not be zero; new pages begin
  // after them.
  const std::uint64_t end = std::max(
      superblock.end_of_file_address.value - superblock.base_address.value, changes_.file_end);
  const auto& list = extension.page_list;
  if (list) committed_.generation = list->message.generation;
  committed_.has_page_list = list && !list->stale && committed_.boot.extension.address.is_defined();
  if (committed_.has_page_list) {
    allocator_.emplace(list->message, list->runs, end);
    std::vector<FileRange> in_use = list->extents;
    in_use.push_back(committed_.boot.extension);
    in_use.push_back({superblock.root_header_address, 1});
    if (committed_.boot.list.address.is_defined())
      in_use.push_back({committed_.boot.list.address,
                        std::max(committed_.boot.list.length, committed_.boot.list.room)});
    if (committed_.boot.extents.address.is_defined())
      in_use.push_back({committed_.boot.extents.address, committed_.boot.extents.length});
    allocator_->take_over(list->free, std::move(in_use));
  } else {
    const FileContext& file = store_->file();
    const std::uint64_t page_size = page_size_for(extension, file, options_.page_size);
    const bool unpaged = comm().is_self() && may_stay_without_list(superblock, extension, file);
    allocator_ =
        unpaged ? PageAllocator::unpaged(page_size, end) : PageAllocator::behind(page_size, end);
    if (unpaged) committed_.boot.extension.address = superblock.extension_address;
  }
  options_.page_size = allocator_->page_size();
  set_allocation_rules();
  committed_.end = allocator_->end();
  note_flushed();
  store_->read_at_most(options_.metadata_budget / kBlocksInBudget);
}

void FileState::shut() {
  OpenFiles::of_this_process().remove(*this);
  stats_ = io_stats();
  if (unclosed_) unclosed_->end();
  opener_.end_journal();
  transfers_.collective.reset();
  transport_.reset();
  changes_.waiting.close();
  own_files_->close();
}

}  // namespace onecast::files
