#include "objects/tree/file_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/worker_pool.hpp"
#include "collective/collective_file.hpp"
#include "collective/striped_factory.hpp"
#include "comm/agreement.hpp"
#include "objects/codec/datatype_codec.hpp"
#include "objects/tree/external_places.hpp"
#include "objects/tree/open_arguments.hpp"
#include "objects/tree/open_files.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"

namespace onecast {
namespace {

/// Blocks that are read on demand double as long as they follow each other.
constexpr std::uint64_t kBlocksInBudget = 32;

TransportFactory system_factory(const FileOptions& options) {
  if (options.mpi_io) {
#ifdef ONECAST_HAVE_MPI
    return mpi_io_factory();
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

/// From the root, as of `folder`. In what only MPI understands ("ufs:name") the part behind it.
std::string place_of(const std::string& path, const std::string& folder, bool mpi_io) {
  namespace fs = std::filesystem;
  const std::size_t colon = mpi_io ? path.find(':') : std::string::npos;
  const bool has_prefix =
      colon != std::string::npos && colon > 1 &&
      std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(colon),
                  [](char c) { return c >= 'a' && c <= 'z'; });
  if (has_prefix)
    return path.substr(0, colon + 1) + place_of(path.substr(colon + 1), folder, false);
  if (path.empty() || folder.empty()) return path;
  return (fs::path(folder) / path).string();
}

/// A new file at `path` is striped as is wished, but nothing beside it.
TransportFactory default_factory(const FileOptions& options, const StripeOptions& stripes,
                                 const std::string& path) {
  TransportFactory plain = system_factory(options);
  if (stripes == StripeOptions()) return plain;
  return [plain, striped = striped_factory(plain, stripes), path](const std::string& which,
                                                                  OpenMode mode) {
    return which == path ? striped(which, mode) : plain(which, mode);
  };
}

}  // namespace

void FileState::start(const std::string& file_path, const Communicator& in,
                      const FileOptions& file_options, TransportFactory factory, OpenMode mode) {
  path = file_path;
  communicator = in;
  asked = options = file_options;
  comm().progress().wait_for_all();
  if (comm().size() == 1) log.keep_nothing();
  collectives_before = comm().collectives();
  calls.emplace(comm(), path);
  require_same_arguments(comm(), *calls, path, mode, options);
  calls->compare({[this] { return log.digest(); },
                  [this](CommunicatorBackend& on) { log.throw_difference(on, path); }});
  if (comm().size() > 1) {
    preparation_ = std::make_shared<CollectiveCalls::Preparation>([this] {
      if (is_open()) heap.finish();  // as flush does
    });
    comm().calls().add(preparation_);
  }
  transfers = transfer_options(options);
  // Nobody may ask for more.
  if (transfers.stripes.stripe_size != 0) layout.stripe_size = transfers.stripes.stripe_size;
  // Ranks share the cores already.
  if (options.decode_threads == 0) options.decode_threads = comm().size() > 1 ? 1 : usable_cores();
  chunk_cache.set_limit(options.chunk_cache_bytes);
  working_folder = current_folder();
  // What the caller brings a factory for may be no path of the system.
  place = factory ? path : place_of(path, working_folder, options.mpi_io);
  if (!factory) factory = default_factory(options, transfers.stripes, place);
  if (options.follow_external == FollowExternal::folder && !is_external_)
    trusted_folder = canonical(folder_of(*this));
  open_transport(std::move(factory), mode);
}

std::shared_ptr<FileState> FileState::create(const std::string& path,
                                             const Communicator& communicator,
                                             const FileOptions& options, TransportFactory factory) {
  auto state = std::make_shared<FileState>();
  const bool on_system = !factory;
  state->start(path, communicator, options, std::move(factory), OpenMode::replace);
  state->access = Access::read_write;
  struct Made {
    StripeLayout layout;
    FileIdentity identity;
    std::uint64_t number = 0;
  };
  const Made made = broadcast_value(state->comm(), 0, [&] {
    if (on_system) static_cast<void>(state->number_if_open());
    const FileIdentity identity = state->transport->identity();
    return Made{find_stripe_layout(state->place, state->transfers.stripes), identity,
                OpenFiles::of_this_process().next_number()};
  });
  state->layout = made.layout;
  state->identity = made.identity;
  state->number = made.number;
  OpenFiles::of_this_process().add(state);
  if (state->options.page_size == 0) state->options.page_size = kPageSize;
  const std::uint8_t version = state->options.profile == Profile::latest ? 3 : 2;
  state->store = MetadataStore::empty(*state->transport, path, node_k_of_new(version));
  state->store->read_at_most(options.metadata_budget / kBlocksInBudget);
  state->new_blocks.emplace(*state->store);
  state->structures.emplace(*state->new_blocks, state->file_end);
  state->shared.emplace(*state->structures, state->store->extension().shared_messages);
  state->allocator.emplace(state->options.page_size, kBootSize);
  state->set_placement();
  state->boot = Boot::of_new(state->store->file(), state->options.page_size, version);
  state->has_page_list_ = true;
  state->root = &state->new_node(nullptr, "", ObjectKind::group);
  state->root->edit();
  state->root->header.messages.push_back(group_info_message(*state));
  state->watch_for_close();
  state->exceptions_at_open_ = std::uncaught_exceptions();
  return state;
}

std::shared_ptr<FileState> FileState::open(const std::string& path, Access access,
                                           const Communicator& communicator,
                                           const FileOptions& options, TransportFactory factory) {
  std::uint64_t unknown = 0;
  return open_new(path, access, communicator, options, {.factory = std::move(factory)}, unknown);
}

std::shared_ptr<FileState> FileState::open_new(const std::string& path, Access access,
                                               const Communicator& communicator,
                                               const FileOptions& options, HowToOpen how,
                                               std::uint64_t& known) {
  auto state = std::make_shared<FileState>();
  const bool writable = access == Access::read_write;
  if (how.named_by != nullptr) state->become_external_of(*how.named_by);
  state->start(path, communicator, options, std::move(how.factory),
               writable ? OpenMode::read_write : OpenMode::read_only);
  state->access = access;
  LoadOptions load;
  load.policy = static_cast<LoadOptions::Policy>(options.load_policy);
  load.budget = options.metadata_budget;
  // Raw data of a file that is open for writing may change under a copy of it.
  load.small_data_limit = writable ? 0 : options.small_data_limit;
  load.writable = writable;
  load.overlaid = &state->overlaid_;
  if (writable || state->comm().size() > 1) load.stripes = &state->transfers.stripes;
  load.number = OpenFiles::of_this_process().next_number();
  if (how.shares) load.number_if_open = [&] { return state->number_if_open(); };
  state->store = MetadataStore::load(state->comm(), *state->transport, path, load, known);
  if (!state->store) return nullptr;
  state->number = known;
  state->overlaid_ = state->store->is_overlaid();
  state->identity = state->store->identity();
  if (load.stripes != nullptr) state->layout = state->store->stripes();
  if (state->leftover_journal_ && state->journal_) state->journal_->take_over_leftover();
  state->file_end = state->store->file_size_at_open() - state->store->base();
  state->new_blocks.emplace(*state->store);
  state->structures.emplace(*state->new_blocks, state->file_end);
  state->shared.emplace(*state->structures, state->store->extension().shared_messages);
  state->options.profile =
      state->store->superblock().version > 2 ? Profile::latest : Profile::compatible;
  if (writable) state->prepare_to_write();
  if (writable) state->store->read_at_most(options.metadata_budget / kBlocksInBudget);
  // A guess that spares the tables their growth: headers take some 256 bytes.
  constexpr std::uint64_t kHeaderSize = 256;
  constexpr std::uint64_t kMostReserved = 1U << 20U;
  std::uint64_t loaded = 0;
  for (const ExtentMap::Extent& e : state->store->loaded().extents()) loaded += e.size;
  const auto guess = static_cast<std::size_t>(std::min(loaded / kHeaderSize, kMostReserved));
  state->nodes_.reserve(guess);
  const auto find_root = [&] {
    state->root = &state->node_at(state->store->superblock().root_header_address, nullptr, "");
    state->root->require_kind(ObjectKind::group);
  };
  // Where every rank has all bytes, all meet the same errors; else each may have to read.
  if (state->store->is_complete())
    find_root();
  else
    agree(state->comm(), find_root);
  if (writable) state->watch_for_close();
  state->brought_ = loaded;
  OpenFiles::of_this_process().add(state);
  state->exceptions_at_open_ = std::uncaught_exceptions();
  return state;
}

void FileState::set_placement() {
  allocator->set_placement({store->base(), layout.is_known() ? layout.stripe_size : 0,
                            options.alignment_interval, options.alignment_threshold});
}

void FileState::prepare_to_write() {
  if (store->extension().cache_image)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: not supported: changing a file with a metadata cache image (the "
                            "HDF5 library dissolves it: h5py.File(name, \"r+\").close())",
                            path));
  const Superblock& superblock = store->superblock();
  const SuperblockExtension& extension = store->extension();
  boot = Boot::of(superblock, extension, store->base(), store->file());
  // What lies behind the end-of-address is nobody's, but not zeros: new pages begin behind it.
  const std::uint64_t end =
      std::max(superblock.end_of_file_address.value - superblock.base_address.value, file_end);
  const auto& list = extension.page_list;
  if (list) generation = list->message.generation;
  has_page_list_ = list && !list->stale && boot.extension.address.is_defined();
  if (has_page_list_) {
    allocator.emplace(list->message, list->runs, end);
    std::vector<FileRange> in_use = list->extents;
    in_use.push_back({boot.extension.address, boot.extension.size});
    in_use.push_back({superblock.root_header_address, 1});
    if (boot.list.address.is_defined())
      in_use.push_back({boot.list.address, std::max(boot.list.length, boot.list.room)});
    if (boot.extents.address.is_defined())
      in_use.push_back({boot.extents.address, boot.extents.length});
    allocator->take_over(list->free, std::move(in_use));
  } else {
    const FileContext& file = store->file();
    const std::uint64_t page_size = page_size_for(extension, file, options.page_size);
    const bool unpaged = comm().is_self() && may_stay_without_list(superblock, extension, file);
    allocator =
        unpaged ? PageAllocator::unpaged(page_size, end) : PageAllocator::behind(page_size, end);
    if (unpaged) boot.extension.address = superblock.extension_address;
  }
  options.page_size = allocator->page_size();
  set_placement();
  committed_end_ = allocator->end();
}

ByteView FileState::encoded(const Datatype& type) {
  if (!last_encoded_ || *last_encoded_ != type) {
    last_encoding_ = encode_datatype(type, store->file(), arena);
    last_encoded_ = type;
  }
  return last_encoding_;
}

const Datatype& FileState::datatype(const HeaderMessage& message) {
  return datatypes_.get(message,
                        [&] { return read_datatype(shared->resolve(message), store->file()); });
}

const Dataspace& FileState::dataspace(const HeaderMessage& message) {
  return dataspaces_.get(message,
                         [&] { return read_dataspace(shared->resolve(message), store->file()); });
}

std::shared_ptr<ExternalFiles> FileState::external_files() const {
  // The file that shares its own may be gone before the handles of objects here.
  auto files = shared_files_.lock();
  return files ? files : own_files_;
}

void FileState::require_open() const {
  if (!is_open()) throw Error(ErrorCode::state, fmt::format("{}: the file is closed", path));
}

void FileState::require_writable() const {
  require_open();
  if (access != Access::read_write)
    throw Error(ErrorCode::state, fmt::format("{}: the file is open for reading only{}", path,
                                              why_read_only.empty() ? "" : ": " + why_read_only));
}

void FileState::require_editable() const {
  require_writable();
  if (store->superblock().version == 3 && store->superblock().file_consistency_flags != 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: not supported: changing a file that another program has open for "
                            "writing, or had when it ended (h5clear -s makes it good)",
                            path));
}

FileState::FileState() = default;

FileState::~FileState() {
  if (!is_open() || exceptions_at_open_ < 0 || std::uncaught_exceptions() <= exceptions_at_open_)
    return;
  try {
    abandon("an exception ended what it did with the file");
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is an exception already
  }
}

void FileState::close() { close(access == Access::read_write); }

void FileState::close(bool flushes) {
  if (!is_open()) return;
  std::exception_ptr failure;
  closing_ = true;
  const bool writes = access == Access::read_write;
  try {
    if (flushes) comm().require_running();
    if (flushes && !calls->is_left()) flush();
  } catch (...) {
    failure = std::current_exception();
  }
  if (const auto untold_one = untold.take(true); !failure) failure = untold_one;
  // Closed in any case: a file that cannot be flushed must not stay open for ever.
  try {
    shut();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (!writes && communicator.is_the_only_one()) comm().calls().part("it has closed the file");
  if (failure) std::rethrow_exception(failure);
}

void FileState::abandon(std::string_view reason) {
  if (!is_open()) return;
  calls->leave(reason);
  untold.take(true);
  shut();
}

void FileState::shut() {
  OpenFiles::of_this_process().remove(*this);
  stats.collectives = comm().collectives() - collectives_before;
  if (unclosed_) unclosed_->end();
  journal_.reset();  // as long as the file is locked
  collective.reset();
  transport.reset();
  waiting.close();
  own_files_->close();
}

/// One rank speaks for all.
void FileState::watch_for_close() {
  if (comm().rank() != 0) return;
  unclosed_.emplace(path, [this] { return is_open() && has_changes(); });
}

/// A new file is none before its first flush.
bool FileState::has_changes() const {
  const auto [compact, chunks, values] = unsettled_writes();
  return dirty || committed_end_ == 0 || log.size() != 0 || compact || chunks || values ||
         !local_edits.empty();
}

IoStats FileState::io_stats() const {
  IoStats now = stats;
  if (is_open()) now.collectives = comm().collectives() - collectives_before;
  return now;
}

MetadataReport FileState::report() const {
  MetadataReport r;
  const Superblock& superblock = store->superblock();
  const bool is_ours = allocator && has_page_list_;
  r.file_size = is_ours ? allocator->end()
                        : superblock.end_of_file_address.value - superblock.base_address.value;
  r.reads_to_open = store->load_reads();
  r.complete = store->is_complete();
  r.objects_in_memory = nodes_.size();
  r.memory_bytes = memory_bytes();
  r.most_memory_bytes = std::max(most_memory_, r.memory_bytes);
  r.small_data_bytes = store->small_data_bytes();
  if (const auto& list = store->page_list(); list || is_ours) {
    r.page_list_stale = !is_ours && list->stale;
    r.page_size = is_ours ? allocator->page_size() : list->page_size();
    const auto& runs = is_ours ? allocator->metadata_runs() : list->runs;
    for (const MetadataPageRun& run : runs) r.pages += run.page_count;
    r.page_runs = runs.size();
    r.extents = is_ours ? boot.extent_count() : list->extents.size();
  }
  std::uint64_t last_stripe = Address::kUndefined;
  const auto count = [&](Address address, std::uint64_t size) {
    r.metadata_bytes += size;
    ++r.pieces;
    const std::uint64_t first = address.value / layout.stripe_size;
    const std::uint64_t last = (address.value + size - 1) / layout.stripe_size;
    r.stripes_touched += last - first + (first == last_stripe ? 0 : 1);
    last_stripe = last;
  };
  const ExtentMap& known =
      store->loaded().extents().empty() ? store->read_on_demand() : store->loaded();
  for (const ExtentMap::Extent& e : known.extents()) count(e.address, e.size);
  r.metadata_bytes -= std::min(r.metadata_bytes, r.small_data_bytes);
  return r;
}

}  // namespace onecast
