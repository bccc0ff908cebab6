#include "objects/read_together.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "comm/agreement.hpp"
#include "objects/copy_values.hpp"
#include "objects/file_state.hpp"
#include "objects/small_pieces.hpp"
#include "objects/unfilled.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

constexpr const char* kAskedFor = "it was asked for";
constexpr const char* kInMemory = "what is wanted is in memory";

/// What one rank of several asks for.
class SharedRead {
 public:
  SharedRead(Node& dataset, std::span<std::byte> out, const MemoryLayout* memory,
             const Selection& part, const std::optional<Datatype>& memory_type, Sharing sharing)
      : node_(dataset),
        out_(out),
        request_(Transfer::Direction::reading, dataset, out.size(), memory, part, memory_type),
        has_values_(dataset.dataset().type.points_elsewhere()) {
    brings_all_ = sharing != Sharing::serve && is_small_part();
    digest_ = Digest(part.digest())
                  .add(request_.packed_size())
                  .add(dataset.identity())
                  .add(static_cast<std::uint64_t>(dataset.dataset().layout))
                  .value();
  }

  /// The same for the same elements of the same dataset.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] std::uint64_t bytes() const { return request_.packed_size(); }
  /// Would a rank alone read anything from the file?
  [[nodiscard]] bool reads_the_file() const {
    return request_.packed_size() != 0 && (has_values_ || !is_in_memory(node_));
  }
  /// Can it say where the bytes lie? Values of variable length lie elsewhere: this rank reads them
  /// when it looks at them.
  [[nodiscard]] bool has_extents() const {
    return reads_the_file() && is_stored_contiguously(node_);
  }
  [[nodiscard]] bool has_small_pieces() const {
    return has_extents() && onecast::has_small_pieces(node_, request_.selection());
  }
  /// Takes the memory that hear() needs: all ranks should know first that each has it.
  void prepare() {
    if (brings_all_)
      room_ = Buffer(stored_bytes());
    else if (!request_.is_direct() || has_values_)
      room_ = Buffer(request_.packed_size() + value_room());
  }

  void read_alone() { request_.read(out_); }
  /// Each byte that any rank wants is read once. Ranks without extents take part with nothing;
  /// `failure`: of what they did instead. @collective
  void read_extents(std::exception_ptr failure, Method method) {
    const bool takes_part = has_extents();
    const auto packed = !takes_part            ? std::span<std::byte>()
                        : request_.is_direct() ? out_
                                               : room_.span().first(request_.packed_size());
    ExtentList extents;
    try {
      if (takes_part) extents = contiguous_extents(node_, request_.selection());
    } catch (...) {
      failure = std::current_exception();
    }
    FileState& file = *node_.file;
    collective_file(file).read(extents, packed, failure, method);
    file.last_transfer.took(*file.collective);
    if (takes_part && !request_.is_direct()) request_.unpack(packed, out_);
  }
  /// The first rank reads, all hear.
  void hear(CommunicatorBackend& comm) {
    if (brings_all_) return hear_all(comm);
    if (request_.is_direct() && !has_values_) {
      broadcast_into(comm, 0, out_, [this] {
        request_.read(out_);
        return std::uint64_t{0};
      });
      return;
    }
    Packer values;
    const std::uint64_t size =
        broadcast_into(comm, 0, room_.span(), [&] { return read_into_room(values); });
    if (has_values_) take_values(comm, values, size);
    request_.unpack(room_.span().first(request_.packed_size()), out_);
  }

 private:
  void hear_all(CommunicatorBackend& comm) {
    broadcast_into(comm, 0, room_.span(), [this] {
      read_selected(node_, BoundSelection(node_.dataset().space), room_.span());
      return std::uint64_t{0};
    });
    node_.file->store->adopt_data(node_.dataset().address, std::move(room_));
    request_.read(out_);
  }

  [[nodiscard]] std::size_t stored_bytes() const {
    const DatasetInfo& info = node_.dataset();
    return static_cast<std::size_t>(info.space.element_count() * info.type.size());
  }
  /// Who reads a part of a small dataset together tends to read the others, too: all of it comes to
  /// all ranks, once, in a file that does not change.
  [[nodiscard]] bool is_small_part() const {
    constexpr std::uint64_t kSmall = std::uint64_t{1} << 20U;
    const FileState& file = *node_.file;
    const DatasetInfo& info = node_.dataset();
    const std::uint64_t wanted = request_.packed_size();
    return file.access == Access::read_only && info.layout == Layout::contiguous &&
           !info.external && !has_values_ && wanted != 0 && !is_in_memory(node_) &&
           info.space.element_count() <= kSmall / info.type.size() &&
           wanted <= stored_bytes() / 2 &&
           file.store->small_data_bytes() + stored_bytes() <= file.options.metadata_budget;
  }

  /// Values of variable length ride along: about so many bytes.
  [[nodiscard]] std::size_t value_room() const {
    constexpr std::uint64_t kLeast = 72 << 10U;  // a collection of ours, or many of the library
    constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
    constexpr std::uint64_t kOfElement = 64;
    if (!has_values_) return 0;
    const std::uint64_t count = request_.selection().element_count();
    return static_cast<std::size_t>(
        count > kMost / kOfElement ? kMost : std::max(kLeast, count * kOfElement));
  }

  /// Returns how many bytes the values have, which is more than there is room for if they did not
  /// fit.
  std::uint64_t read_into_room(Packer& values) {
    const auto packed = room_.span().first(request_.packed_size());
    request_.read_packed(packed);
    if (!has_values_) return 0;
    pack_values(packed, values);
    const auto rest = room_.span().subspan(packed.size());
    if (!values.out.empty() && values.out.size() <= rest.size())
      std::memcpy(rest.data(), values.out.data(), values.out.size());
    return values.out.size();
  }

  /// The collections of the heap that hold them. What is damaged, those tell who look there.
  void pack_values(ByteView elements, Packer& values) const {
    ValueCopy::look_up(*node_.file, node_.dataset().type, elements).pack(values);
  }

  void take_values(CommunicatorBackend& comm, Packer& values, std::uint64_t size) {
    const auto rest = room_.span().subspan(request_.packed_size());
    HeardHeaps& heard = node_.file->heard_heaps;
    if (size <= rest.size())
      return heard.take(Unpacker(rest.first(static_cast<std::size_t>(size))));
    agree(comm, [&] { values.out.resize(static_cast<std::size_t>(size)); });
    comm.broadcast(values.out, 0);
    heard.take(Unpacker(values.out));
  }

  Node& node_;
  std::span<std::byte> out_;
  Transfer request_;
  bool has_values_;
  bool brings_all_ = false;
  std::uint64_t digest_;
  Buffer room_;
};

std::vector<std::uint64_t> everyones(CommunicatorBackend& comm, std::uint64_t mine) {
  std::vector<std::uint64_t> all;
  for (const auto& theirs : comm.all_gather(std::as_bytes(std::span(&mine, 1))))
    std::memcpy(&all.emplace_back(), theirs.data(), sizeof mine);
  return all;
}

struct Comparison {
  std::uint64_t mine;
  bool equal;  ///< on all ranks
};

/// What all ranks hear of any.
struct News {
  bool unfilled = false;    ///< data is not filled yet
  bool together = false;    ///< many small pieces of contiguous data, or the method says so
  bool no_extents = false;  ///< wants something else from the file
};

/// Of what `work` returns; if it throws on any rank, all do. `news` becomes what is so on any.
/// One reduction.
template <class F>
Comparison compare_meant(CommunicatorBackend& comm, News& news, F&& work) {
  Comparison found{};
  std::exception_ptr failure;
  try {
    found.mine = work();
  } catch (...) {
    failure = std::current_exception();
  }
  std::uint64_t any[] = {failure ? 1U : 0U, news.unfilled ? 1U : 0U, news.together ? 1U : 0U,
                         news.no_extents ? 1U : 0U};
  found.equal = compare_digest(comm, found.mine, any);
  news = {any[1] != 0, any[2] != 0, any[3] != 0};
  if (any[0] != 0)
    agree(comm, [&] {
      if (failure) std::rethrow_exception(failure);
    });
  return found;
}

/// Throws Error (diverged), which names the ranks that mean something else than rank 0.
[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call) {
  constexpr std::size_t kNamed = 8;
  const std::vector<std::uint64_t> all = everyones(file.comm(), mine);
  std::vector<std::size_t> others;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != all[0]) others.push_back(rank);
  const std::size_t count = others.size();
  others.resize(std::min(count, kNamed));
  throw Error(ErrorCode::diverged,
              fmt::format("{}: {}: all ranks must mean the same, but of {} ranks {} not as rank 0: "
                          "{}{}",
                          file.path, call, all.size(), count, fmt::join(others, ", "),
                          count > kNamed ? ", ..." : ""));
}

/// All ranks know what each wants, and that none failed yet: those that want the same hear it.
/// Ranks that `wait` want nothing now.
void serve(FileState& file, SharedRead& mine, bool wait) {
  CommunicatorBackend& comm = file.comm();
  ServingGroup& last = file.serving_group;
  std::map<std::uint64_t, int> numbers;
  std::vector<int> group_of_rank;
  const std::uint64_t digest = wait ? 0 : mine.digest();
  for (const std::uint64_t wanted : everyones(comm, digest))
    group_of_rank.push_back(
        numbers.emplace(wanted, static_cast<int>(numbers.size())).first->second);
  const bool reads = !wait && mine.reads_the_file();
  const auto read_alone = [&] {
    if (reads) mine.read_alone();
  };
  if (numbers.size() == group_of_rank.size()) {
    file.last_transfer.took("independent", "no two ranks want the same", mine.bytes());
    return agree(comm, read_alone);
  }
  file.last_transfer.took("serve", "ranks that want the same share one read and one broadcast",
                          mine.bytes());
  // Programs tend to ask in the same way again.
  if (group_of_rank != last.group_of_rank) {
    last.ranks = comm.split(numbers.at(digest));
    last.group_of_rank = std::move(group_of_rank);
  }
  agree(comm, [&] {
    if (!reads) return;
    const std::uint64_t before = last.ranks->collectives();
    mine.hear(*last.ranks);
    comm.count_collectives(last.ranks->collectives() - before);
  });
}

/// `news`: of all.
void read_pieces(FileState& file, SharedRead& mine, const News& news, bool serves) {
  std::exception_ptr failure;
  if (serves && news.no_extents) {
    serve(file, mine, mine.has_extents());
  } else if (mine.reads_the_file() && !mine.has_extents()) {
    try {
      mine.read_alone();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  // Whether some want the same is not asked: in two phases nothing is read twice.
  mine.read_extents(failure, serves ? Method::collective : method_of(file.transfers.reading));
}

}  // namespace

void require_all_have(FileState& file, const char* call,
                      const std::function<std::uint64_t()>& work) {
  News nothing_else;
  const Comparison found = compare_meant(file.comm(), nothing_else, work);
  if (!found.equal) throw_different(file, found.mine, call);
}

void read_together(Node& dataset, std::span<std::byte> out, const MemoryLayout* memory,
                   const Selection& part, const std::optional<Datatype>& memory_type,
                   Sharing sharing) {
  FileState& file = *dataset.file;
  CommunicatorBackend& comm = file.comm();
  dataset.require_known_to_all("read_all");
  const TransferMethod method = file.transfers.reading;
  const bool plain = method == TransferMethod::plain;
  const TransferScope scope(file, "read_all");
  std::optional<SharedRead> mine;
  const auto took = [&](const char* how, const char* why) {
    file.last_transfer.took(how, why, mine->bytes());
  };
  const auto hear = [&](const char* why) {
    if (!mine->reads_the_file()) return took("none", kInMemory);
    mine->hear(comm);
    took("broadcast", why);
  };
  const auto prepare = [&] {
    mine.emplace(dataset, out, memory, part, memory_type, sharing);
    mine->prepare();
  };
  if (comm.size() == 1 || sharing == Sharing::trust) {
    prepare();
    if (dataset.unfilled) fill_unwritten(file);
    const bool alone = comm.size() == 1 || plain;
    if (!alone && mine->reads_the_file()) return hear("sharing is trust: rank 0 reads, all hear");
    mine->read_alone();
    return took(alone ? "plain" : "none", comm.size() == 1 ? "there is one process"
                                          : plain          ? kAskedFor
                                                           : kInMemory);
  }
  News news;
  const Comparison found = compare_meant(comm, news, [&] {
    prepare();
    news.unfilled = dataset.unfilled != nullptr;
    news.together = method == TransferMethod::automatic     ? mine->has_small_pieces()
                    : method == TransferMethod::independent ? sharing != Sharing::serve
                                                            : !plain;
    news.no_extents = mine->reads_the_file() && !mine->has_extents();
    if (!mine->reads_the_file()) mine->read_alone();
    return mine->digest();
  });
  if (news.unfilled) fill_unwritten(file);
  if (found.equal && !plain) return hear("all ranks want the same: rank 0 reads, all hear");
  if (!found.equal && sharing == Sharing::verify) throw_different(file, found.mine, "read_all");
  if (news.together) return read_pieces(file, *mine, news, sharing == Sharing::serve);
  if (sharing == Sharing::serve && !plain) return serve(file, *mine, false);
  agree(comm, [&] {
    if (mine->reads_the_file()) mine->read_alone();
  });
  took(plain ? "plain" : "independent",
       plain ? kAskedFor
             : "the ranks want different things, but nobody many small pieces of contiguous data");
}

void fail_read_together(const Node& dataset, const std::exception_ptr& failure, Sharing sharing) {
  CommunicatorBackend& comm = dataset.file->comm();
  dataset.require_known_to_all("read_all");
  const TransferScope scope(*dataset.file, "read_all");
  News news;
  if (comm.size() != 1 && sharing != Sharing::trust)
    compare_meant(comm, news, [&]() -> std::uint64_t { std::rethrow_exception(failure); });
  std::rethrow_exception(failure);
}

}  // namespace onecast
