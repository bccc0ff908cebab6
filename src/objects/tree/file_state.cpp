#include "objects/tree/file_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/worker_pool.hpp"
#include "collective/collective_file.hpp"
#include "collective/find_stripe_layout.hpp"
#include "collective/striped_factory.hpp"
#include "comm/agreement.hpp"
#include "objects/codec/datatype_codec.hpp"
#include "objects/codec/message_codec.hpp"
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
  require_same_arguments(comm(), *calls_, path(), mode, options_);
  calls_->compare({[this] { return log_.digest(); },
                   [this](CommunicatorBackend& on) { rooms_.throw_difference(*this, on); }});
  if (comm().size() > 1) {
    preparation_ = std::make_shared<CollectiveCalls::Preparation>([this] {
      if (is_open()) rooms_.finish_heap(*this);  // as flush does
    });
    comm().calls().add(preparation_);
  }
  transfers_.options = transfer_options(options_);
  // Nobody may ask for more.
  if (transfers_.options.stripes.stripe_size != 0)
    transfers_.layout.stripe_size = transfers_.options.stripes.stripe_size;
  // Ranks share the cores already.
  if (options_.decode_threads == 0)
    options_.decode_threads = comm().size() > 1 ? 1 : usable_cores();
  transfers_.chunk_cache.set_limit(options_.chunk_cache_bytes);
  name_.working_folder = current_folder();
  // What the caller brings a factory for may be no path of the system.
  name_.place = factory ? path() : place_of(path(), name_.working_folder, options_.mpi_io);
  if (!factory) factory = default_factory(options_, transfers_.options.stripes, name_.place);
  if (options_.follow_external == FollowExternal::folder && !is_external_)
    name_.trusted_folder = canonical(folder_of(*this));
  open_transport(std::move(factory), mode);
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
  };
  const Made made = broadcast_value(state->comm(), 0, [&] {
    if (on_system) static_cast<void>(state->number_if_open());
    const FileIdentity identity = state->transport_->identity();
    return Made{find_stripe_layout(state->name_.place, state->transfers_.options.stripes), identity,
                OpenFiles::of_this_process().next_number()};
  });
  state->transfers_.layout = made.layout;
  state->name_.identity = made.identity;
  state->name_.number = made.number;
  OpenFiles::of_this_process().add(state);
  if (state->options_.page_size == 0) state->options_.page_size = kPageSize;
  const std::uint8_t version = state->options_.profile == Profile::latest ? 3 : 2;
  state->store_ = MetadataStore::empty(*state->transport_, path, node_k_of_new(version));
  state->store_->read_at_most(options.metadata_budget / kBlocksInBudget);
  state->new_blocks_.emplace(*state->store_);
  state->structures_.emplace(*state->new_blocks_, state->changes_.file_end);
  state->shared_.emplace(*state->structures_, state->store_->extension().shared_messages);
  state->allocator_.emplace(state->options_.page_size, kBootSize);
  state->set_placement();
  state->committed_.boot = Boot::of_new(state->store_->file(), state->options_.page_size, version);
  state->committed_.has_page_list = true;
  state->root_ = &state->new_node(nullptr, "", ObjectKind::group);
  state->root_->edit();
  state->root_->header.messages.push_back(group_info_message(state->store_->file(), state->arena_));
  state->watch_for_close();
  state->exceptions_at_open_ = std::uncaught_exceptions();
  return state;
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
  LoadOptions load;
  load.policy = static_cast<LoadOptions::Policy>(options.load_policy);
  load.budget = options.metadata_budget;
  // Raw data of a file that is open for writing may change under a copy of it.
  load.small_data_limit = writable ? 0 : options.small_data_limit;
  load.writable = writable;
  load.overlaid = &state->overlaid_;
  if (writable || state->comm().size() > 1) load.stripes = &state->transfers_.options.stripes;
  load.number = OpenFiles::of_this_process().next_number();
  if (how.shares) load.number_if_open = [&] { return state->number_if_open(); };
  state->store_ = MetadataStore::load(state->comm(), *state->transport_, path, load, known);
  if (!state->store_) return nullptr;
  state->name_.number = known;
  state->overlaid_ = state->store_->is_overlaid();
  state->name_.identity = state->store_->identity();
  if (load.stripes != nullptr) state->transfers_.layout = state->store_->stripes();
  if (state->leftover_journal_ && state->journal_) state->journal_->take_over_leftover();
  state->changes_.file_end = state->store_->file_size_at_open() - state->store_->base();
  state->new_blocks_.emplace(*state->store_);
  state->structures_.emplace(*state->new_blocks_, state->changes_.file_end);
  state->shared_.emplace(*state->structures_, state->store_->extension().shared_messages);
  state->options_.profile =
      state->store_->superblock().version > 2 ? Profile::latest : Profile::compatible;
  if (writable) state->prepare_to_write();
  if (writable) state->store_->read_at_most(options.metadata_budget / kBlocksInBudget);
  // A guess that spares the tables their growth: headers take some 256 bytes.
  constexpr std::uint64_t kHeaderSize = 256;
  constexpr std::uint64_t kMostReserved = 1U << 20U;
  std::uint64_t loaded = 0;
  for (const ExtentMap::Extent& e : state->store_->loaded().extents()) loaded += e.size;
  const auto guess = static_cast<std::size_t>(std::min(loaded / kHeaderSize, kMostReserved));
  state->nodes_.reserve(guess);
  const auto find_root = [&] {
    state->root_ = &state->node_at(state->store_->superblock().root_header_address, nullptr, "");
    state->root_->require_kind(ObjectKind::group);
  };
  // Where every rank has all bytes, all meet the same errors; else each may have to read.
  if (state->store_->is_complete())
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
  allocator_->set_placement({store_->base(),
                             transfers_.layout.is_known() ? transfers_.layout.stripe_size : 0,
                             options_.alignment_interval, options_.alignment_threshold});
}

void FileState::prepare_to_write() {
  if (store_->extension().cache_image)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: not supported: changing a file with a metadata cache image (the "
                            "HDF5 library removes it: h5py.File(name, \"r+\").close())",
                            path()));
  const Superblock& superblock = store_->superblock();
  const SuperblockExtension& extension = store_->extension();
  committed_.boot = Boot::of(superblock, extension, store_->base(), store_->file());
  // What lies behind the end-of-address is nobody's, but not zeros: new pages begin behind it.
  const std::uint64_t end = std::max(
      superblock.end_of_file_address.value - superblock.base_address.value, changes_.file_end);
  const auto& list = extension.page_list;
  if (list) committed_.generation = list->message.generation;
  committed_.has_page_list = list && !list->stale && committed_.boot.extension.address.is_defined();
  if (committed_.has_page_list) {
    allocator_.emplace(list->message, list->runs, end);
    std::vector<FileRange> in_use = list->extents;
    in_use.push_back({committed_.boot.extension.address, committed_.boot.extension.size});
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
  set_placement();
  committed_.end = allocator_->end();
}

void FileState::begin_pages() {
  if (allocator_->is_paged()) return;
  allocator_ = PageAllocator::behind(allocator_->page_size(), allocator_->end());
  set_placement();
  committed_.boot =
      Boot::of(store_->superblock(), store_->extension(), store_->base(), store_->file());
}

ByteView FileState::encoded(const Datatype& type) {
  if (!last_encoded_ || *last_encoded_ != type) {
    last_encoding_ = encode_datatype(type, store_->file(), arena_);
    last_encoded_ = type;
  }
  return last_encoding_;
}

const Datatype& FileState::datatype(const HeaderMessage& message) {
  return datatypes_.get(message,
                        [&] { return read_datatype(shared_->resolve(message), store_->file()); });
}

const Dataspace& FileState::dataspace(const HeaderMessage& message) {
  return dataspaces_.get(message,
                         [&] { return read_dataspace(shared_->resolve(message), store_->file()); });
}

std::shared_ptr<ExternalFiles> FileState::external_files() const {
  // The file that shares its own may be gone before the handles of objects here.
  auto files = shared_files_.lock();
  return files ? files : own_files_;
}

void FileState::require_open() const {
  if (!is_open()) throw Error(ErrorCode::state, fmt::format("{}: the file is closed", path()));
}

void FileState::require_writable() const {
  require_open();
  if (access_ != Access::read_write)
    throw Error(ErrorCode::state,
                fmt::format("{}: the file is open for reading only{}", path(),
                            name_.why_read_only.empty() ? "" : ": " + name_.why_read_only));
}

void FileState::require_editable() const {
  require_writable();
  if (store_->superblock().version == 3 && store_->superblock().file_consistency_flags != 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: not supported: changing a file that another program has open for "
                            "writing, or had when it ended (h5clear -s clears the flag)",
                            path()));
}

FileState::FileState(const RoomsAbove& rooms) : rooms_(rooms), heap_(rooms.make_heap(*this)) {}

FileState::~FileState() {
  if (!is_open() || exceptions_at_open_ < 0 || std::uncaught_exceptions() <= exceptions_at_open_)
    return;
  try {
    abandon("an exception ended its use of the file");
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is an exception already
  }
}

void FileState::close() { close(access_ == Access::read_write); }

void FileState::close(bool flushes) {
  if (!is_open()) return;
  std::exception_ptr failure;
  closing_ = true;
  const bool writes = access_ == Access::read_write;
  changes_.ends_writing = true;
  try {
    if (flushes) comm().require_running();
    if (flushes && !calls_->is_left()) flush();
  } catch (...) {
    failure = std::current_exception();
  }
  if (const auto untold_one = untold_.take(true); !failure) failure = untold_one;
  // Closed in any case: a file that cannot be flushed must not stay open for ever.
  try {
    shut();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (!writes && communicator_.is_the_only_one()) comm().calls().part("it has closed the file");
  if (failure) std::rethrow_exception(failure);
}

void FileState::abandon(std::string_view reason) {
  if (!is_open()) return;
  calls_->leave(reason);
  untold_.take(true);
  shut();
}

void FileState::shut() {
  OpenFiles::of_this_process().remove(*this);
  stats_.collectives = comm().collectives() - collectives_before_;
  if (unclosed_) unclosed_->end();
  journal_.reset();  // as long as the file is locked
  transfers_.collective.reset();
  transport_.reset();
  changes_.waiting.close();
  own_files_->close();
}

/// One rank speaks for all.
void FileState::watch_for_close() {
  if (comm().rank() != 0) return;
  unclosed_.emplace(path(), [this] { return is_open() && has_changes(); });
}

/// A new file is none before its first flush.
bool FileState::has_changes() const {
  return changes_.dirty || committed_.end == 0 || log_.size() != 0 || !local_edits_.empty() ||
         rooms_.has_unsettled_writes(*this);
}

const OwnerMap& FileState::stripe_owners() {
  if (!owners_)
    owners_.emplace(transfers_.layout, comm().nodes(),
                    OwnerOptions{transfers_.options.aggregators});
  return *owners_;
}

int FileState::writer_at(Address address) {
  const bool knows_nodes =
      owners_ || (transfers_.collective && transfers_.collective->aggregators() != 0);
  if (!transfers_.layout.is_known() || comm().size() == 1 || !knows_nodes) return 0;
  const OwnerMap& owners = stripe_owners();
  return owners.rank_of(owners.owner((store_->base() + address.value) / owners.stripe_size()));
}

IoStats FileState::io_stats() const {
  IoStats now = stats_;
  if (is_open()) now.collectives = comm().collectives() - collectives_before_;
  return now;
}

MetadataReport FileState::report() const {
  MetadataReport r;
  const Superblock& superblock = store_->superblock();
  const bool is_ours = allocator_ && committed_.has_page_list;
  r.file_size = is_ours ? allocator_->end()
                        : superblock.end_of_file_address.value - superblock.base_address.value;
  r.reads_to_open = store_->load_reads();
  r.complete = store_->is_complete();
  r.objects_in_memory = nodes_.size();
  r.memory_bytes = memory_bytes();
  r.most_memory_bytes = std::max(most_memory_, r.memory_bytes);
  r.small_data_bytes = store_->small_data_bytes();
  if (const auto& list = store_->page_list(); list || is_ours) {
    r.page_list_stale = !is_ours && list->stale;
    r.page_size = is_ours ? allocator_->page_size() : list->page_size();
    const auto& runs = is_ours ? allocator_->metadata_runs() : list->runs;
    for (const MetadataPageRun& run : runs) r.pages += run.page_count;
    r.page_runs = runs.size();
    r.extents = is_ours ? committed_.boot.extent_count() : list->extents.size();
  }
  std::uint64_t last_stripe = Address::kUndefined;
  const auto count = [&](Address address, std::uint64_t size) {
    r.metadata_bytes += size;
    ++r.pieces;
    const std::uint64_t first = address.value / transfers_.layout.stripe_size;
    const std::uint64_t last = (address.value + size - 1) / transfers_.layout.stripe_size;
    r.stripes_touched += last - first + (first == last_stripe ? 0 : 1);
    last_stripe = last;
  };
  const ExtentMap& known =
      store_->loaded().extents().empty() ? store_->read_on_demand() : store_->loaded();
  for (const ExtentMap::Extent& e : known.extents()) count(e.address, e.size);
  r.metadata_bytes -= std::min(r.metadata_bytes, r.small_data_bytes);
  return r;
}

}  // namespace onecast
