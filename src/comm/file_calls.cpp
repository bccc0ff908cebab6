#include "comm/file_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "comm/agreement.hpp"
#include "comm/backend.hpp"
#include "comm/collective_calls.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {
namespace {

/// The number of a file that is being opened. If the open succeeds, all ranks take the next number.
constexpr std::uint32_t kToBeOpened = 0;

/// A call of another rank as text; cut if it is long.
struct Told {
  std::array<char, 1024> path{};
  std::array<char, 1024> call{};

  Told() = default;
  Told(const std::string& of_file, const std::string& in_words) {
    keep(of_file, path);
    keep(in_words, call);
  }
  static void keep(std::string_view text, std::array<char, 1024>& in) {
    text.copy(in.data(), whole_characters(text, in.size() - 1));
  }
};

}  // namespace

FileCalls::FileCalls(CommunicatorBackend& comm, std::string path)
    : comm_(comm), path_(std::move(path)), file_(kToBeOpened) {}

void FileCalls::meet(const CollectiveCall& call, BodyRule rule, std::span<std::byte> body,
                     const std::exception_ptr& failure) {
  comm_.require_running();
  if (comm_.size() == 1) {
    if (failure) comm::raise_from(comm_, 0, failure);
    return;
  }
  CallHeader header;
  const auto room = std::as_writable_bytes(std::span(header.body));
  if (body.size() > room.size()) throw std::logic_error("FileCalls: too much for a header");
  header.first = {call.object, comm_.rank(), file_, call.kind, rule, call.how, {}};
  header.kinds = CallHeader::bit(call.kind);
  if (failure) header.failed = comm_.rank();
  if (before_.digest && call.kind != CallKind::rollback) header.before = before_.digest();
  std::copy(body.begin(), body.end(), room.begin());
  comm_.calls().meet(header, path_, call);
  const bool same_kind = !header.differs() || (header.first.kind == header.other.kind &&
                                               header.first.file == header.other.file);
  // After other structural calls, an object of the same name is another object.
  if (same_kind && header.same_before == 0) before_.throw_difference(comm_);
  if (header.differs()) throw_difference(header, call);
  if (header.failed != CallHeader::kNobody) comm::raise_from(comm_, header.failed, failure);
  std::copy_n(room.begin(), body.size(), body.begin());
  if (file_ == kToBeOpened) file_ = comm_.calls().next_file();
}

bool FileCalls::meet(const CollectiveCall& call, std::uint64_t digest,
                     std::span<std::uint64_t> maxima, const std::exception_ptr& failure) {
  ComparedDigest values(digest, maxima);
  meet(call, BodyRule::maxima, std::as_writable_bytes(values.words()), failure);
  return values.take(maxima);
}

/// All ranks are in a call, but of different kinds; the lowest two ranks that differ describe them.
void FileCalls::throw_difference(const CallHeader& all, const CollectiveCall& call) {
  const auto told_by = [&](int rank) {
    Told told;
    if (comm_.rank() == rank) told = Told(path_, call.in_words());
    comm_.broadcast(std::as_writable_bytes(std::span(&told, 1)), rank);
    return told;
  };
  const Told first = told_by(all.first.rank);
  const Told other = told_by(all.other.rank);
  const std::string_view path = first.path.data();
  const std::string_view a = first.call.data();
  const std::string_view b = other.call.data();
  const int low = all.first.rank;
  const int high = all.other.rank;
  std::string text;
  if (all.first.file != all.other.file)
    text = fmt::format(
        "ranks made collective calls of different files: rank {} called {} of {}, "
        "rank {} {} of {}",
        low, a, path, high, b, other.path.data());
  else
    text = fmt::format("{}: ranks made different collective calls: rank {} called {}, rank {} {}{}",
                       path, low, a, high, b,
                       a == b ? ", but with other options or after other calls" : "");
  if (all.any(CallKind::close) && all.first.file == all.other.file && save())
    text += "; the changes before are saved";
  // A file that a rank closed is closed.
  if (all.any(CallKind::close))
    for (const std::uint32_t file : {all.first.file, all.other.file})
      if (file != kToBeOpened) comm_.calls().end(file, "a rank has closed the file: " + text);
  comm_.calls().prepare_all();
  throw Error(ErrorCode::diverged, text);
}

bool FileCalls::save() {
  if (!save_) return false;
  try {
    save_();
    return true;
  } catch (const Error&) {
    return false;  // the same on all ranks; they throw their difference instead
  }
}

void FileCalls::leave(std::string_view reason) { comm_.calls().leave(file_, reason); }

bool FileCalls::is_left() const { return comm_.calls().why_left(file_) != nullptr; }

}  // namespace onecast::comm
