#include "comm/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "comm/call_header.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {
namespace {

/// A status with its text, or a size with a small payload. Lies on the stack, so that a rank
/// without memory can still send it. It is sent as it is in memory, since all ranks run the same
/// program.
struct Message {
  std::uint64_t size = 0;     ///< of the text, or of the whole payload
  std::uint32_t failure = 0;  ///< 0, or 1 + ErrorCode
  std::int32_t system_errno = 0;
  std::array<char, kInlinePayload> body{};

  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(this, 1)); }
};
static_assert(sizeof(Message) == kHeaderMessage && std::is_trivially_copyable_v<Message>);

void append(Message& message, std::string_view text) {
  const std::size_t room = message.body.size() - static_cast<std::size_t>(message.size);
  text = text.substr(0, whole_characters(text, room));
  text.copy(message.body.data() + message.size, text.size());
  message.size += text.size();
}

void fill(Message& message, ErrorCode code, int system_errno, std::string_view text) {
  message.failure = 1U + static_cast<std::uint32_t>(code);
  message.system_errno = system_errno;
  append(message, text);
}

/// True if the text already names the rank.
bool names_rank(std::string_view text) {
  constexpr std::string_view kRank = "rank ";
  if (!text.starts_with(kRank)) return false;
  const std::size_t end = text.find_first_not_of("0123456789", kRank.size());
  return end > kRank.size() && text.substr(end).starts_with(": ");
}

void describe(Message& message, const std::exception_ptr& failure,
              const CommunicatorBackend& comm) {
  const auto append_rank = [&] {
    if (comm.size() == 1) return;
    std::array<char, 24> prefix{};
    const auto end = fmt::format_to_n(prefix.data(), prefix.size(), "rank {}: ", comm.rank()).out;
    append(message, {prefix.data(), static_cast<std::size_t>(end - prefix.data())});
  };
  try {
    std::rethrow_exception(failure);
  } catch (const Error& e) {
    if (!names_rank(e.what())) append_rank();
    fill(message, e.code(), e.system_errno(), e.what());
  } catch (const std::bad_alloc&) {
    append_rank();
    fill(message, ErrorCode::io, ENOMEM, "out of memory");
  } catch (const std::system_error& e) {
    append_rank();
    fill(message, ErrorCode::io, e.code().value(), e.what());
  } catch (const std::exception& e) {
    append_rank();
    fill(message, ErrorCode::state, 0, e.what());
  } catch (...) {
    append_rank();
    fill(message, ErrorCode::state, 0, "an exception of unknown type");
  }
}

[[noreturn]] void raise(const Message& message) {
  throw Error(static_cast<ErrorCode>(message.failure - 1U),
              std::string(message.body.data(), static_cast<std::size_t>(message.size)),
              message.system_errno);
}

}  // namespace

void raise_any(CommunicatorBackend& comm, const std::exception_ptr& failure) {
  constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t lowest = failure ? static_cast<std::uint64_t>(comm.rank()) : kNobody;
  comm.all_reduce_min({&lowest, 1});
  if (lowest == kNobody) return;

  raise_from(comm, static_cast<int>(lowest), failure);
}

void raise_from(CommunicatorBackend& comm, int rank, const std::exception_ptr& failure) {
  Message message;
  if (comm.rank() == rank) describe(message, failure, comm);
  comm.broadcast(message.bytes(), rank);
  raise(message);
}

Buffer share_from_root(CommunicatorBackend& comm, int root, Buffer payload,
                       const std::exception_ptr& failure) {
  const bool sends = comm.rank() == root;
  Message message;
  if (sends && failure) {
    describe(message, failure, comm);
  } else if (sends) {
    message.size = payload.size();
    if (!payload.empty() && payload.size() <= kInlinePayload)
      std::memcpy(message.body.data(), payload.data(), payload.size());
  }
  comm.broadcast(message.bytes(), root);
  if (message.failure != 0) raise(message);
  if (comm.size() == 1) return payload;

  const auto size = static_cast<std::size_t>(message.size);
  if (size <= kInlinePayload) {
    // Needs no agreement: a process without 4 KiB could not even throw an Error.
    if (!sends) {
      payload = Buffer(size);
      std::copy_n(std::as_bytes(std::span(message.body)).begin(), size, payload.begin());
    }
    return payload;
  }
  payload = agree(comm, [&] { return sends ? std::move(payload) : Buffer(size); });
  comm.broadcast(payload.span(), root);
  return payload;
}

std::uint64_t share_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                         std::uint64_t result, const std::exception_ptr& failure) {
  std::array<std::uint64_t, 2> status{result, failure ? 1U : 0U};
  const auto head = std::as_writable_bytes(std::span(status));
  const auto first =
      target.first(std::min(target.size(), CommunicatorBackend::kSegment - head.size()));
  comm.broadcast_both(head, first, root);
  if (status[1] != 0) raise_from(comm, root, failure);
  comm.broadcast(target.subspan(first.size()), root);
  return status[0];
}

std::vector<std::uint64_t> everyones(CommunicatorBackend& comm, std::uint64_t mine) {
  std::vector<std::uint64_t> all;
  for (const auto& theirs : comm.all_gather(std::as_bytes(std::span(&mine, 1))))
    std::memcpy(&all.emplace_back(), theirs.data(), sizeof mine);
  return all;
}

ComparedDigest::ComparedDigest(std::uint64_t digest, std::span<const std::uint64_t> maxima)
    : count_(2 + maxima.size()) {
  if (maxima.size() > kMaxMaxima) throw std::logic_error("compare_digest: too many maxima");
  // The largest complement is the complement of the smallest digest.
  words_[0] = digest;
  words_[1] = ~digest;
  std::copy(maxima.begin(), maxima.end(), words_.begin() + 2);
}

bool ComparedDigest::take(std::span<std::uint64_t> maxima) const {
  std::copy_n(words_.begin() + 2, maxima.size(), maxima.begin());
  return words_[0] == ~words_[1];
}

bool compare_digest(CommunicatorBackend& comm, std::uint64_t digest,
                    std::span<std::uint64_t> maxima) {
  ComparedDigest values(digest, maxima);
  comm.all_reduce_max(values.words());
  return values.take(maxima);
}

}  // namespace onecast::comm
