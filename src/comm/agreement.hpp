#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// Returns if no rank has a `failure`; else throws the lowest failing rank's, on all ranks.
void settle(CommunicatorBackend& comm, const std::exception_ptr& failure);

/// Throws the `failure` of `rank`, which all know has one, on all ranks. One broadcast.
[[noreturn]] void raise_from(CommunicatorBackend& comm, int rank,
                             const std::exception_ptr& failure);

/// The communication of broadcast_from_root; `payload` and `failure` matter on the root.
Buffer share_from_root(CommunicatorBackend& comm, int root, Buffer payload,
                       const std::exception_ptr& failure);

/// The communication of broadcast_into; `result` and `failure` matter on the root.
std::uint64_t share_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                         std::uint64_t result, const std::exception_ptr& failure);

/// Runs `local_work` on every rank and returns its result; if it throws on any rank, all ranks
/// throw the same Error: that of the lowest failing rank, after "rank K: ". `local_work` must not
/// communicate. One all_reduce_min where all is well, one broadcast more where not. @collective
template <std::invocable F>
std::invoke_result_t<F> agree(CommunicatorBackend& comm, F&& local_work) {
  using Result = std::invoke_result_t<F>;
  std::exception_ptr failure;
  if constexpr (std::is_void_v<Result>) {
    try {
      std::invoke(std::forward<F>(local_work));
    } catch (...) {
      failure = std::current_exception();
    }
    comm::settle(comm, failure);
  } else {
    static_assert(std::is_object_v<Result>, "local_work returns a value or nothing");
    std::optional<Result> result;
    try {
      result.emplace(std::invoke(std::forward<F>(local_work)));
    } catch (...) {
      failure = std::current_exception();
    }
    comm::settle(comm, failure);
    return std::move(*result);
  }
}

/// Runs `work` on `root` alone; everyone gets the Buffer it returns, or throws the Error it threw.
///
/// The status, the size and a payload of up to kInlinePayload bytes are one small broadcast. A
/// larger payload follows in segments, after the ranks agreed that all of them have memory for it:
/// whoever cannot receive must say so before the others start, or they would wait for it (or go on
/// without it). That is one 8-byte reduction next to a broadcast of more than 4 KiB. @collective
template <std::invocable F>
  requires std::same_as<std::invoke_result_t<F>, Buffer>
Buffer broadcast_from_root(CommunicatorBackend& comm, int root, F&& work) {
  Buffer payload;
  std::exception_ptr failure;
  if (comm.rank() == root) {
    try {
      payload = std::invoke(std::forward<F>(work));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  return comm::share_from_root(comm, root, std::move(payload), failure);
}

/// The same where all know how much comes: `work` runs on `root`, fills `target`, which has one
/// size everywhere, and returns a number that all get. One broadcast, of which the status is a
/// part, and one for each further segment. @collective
template <std::invocable F>
  requires std::same_as<std::invoke_result_t<F>, std::uint64_t>
std::uint64_t broadcast_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                             F&& work) {
  std::uint64_t result = 0;
  std::exception_ptr failure;
  if (comm.rank() == root) {
    try {
      result = std::invoke(std::forward<F>(work));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  return comm::share_into(comm, root, target, result, failure);
}

/// The same of a value that is as large everywhere, and small. One broadcast. @collective
template <std::invocable F>
  requires std::is_trivially_copyable_v<std::invoke_result_t<F>>
std::invoke_result_t<F> broadcast_value(CommunicatorBackend& comm, int root, F&& work) {
  std::invoke_result_t<F> value{};
  broadcast_into(comm, root, std::as_writable_bytes(std::span(&value, 1)), [&] {
    value = std::invoke(std::forward<F>(work));
    return std::uint64_t{0};
  });
  return value;
}

/// The first message of broadcast_from_root, and what of it the payload may use.
inline constexpr std::size_t kHeaderMessage = 4096;
inline constexpr std::size_t kInlinePayload = kHeaderMessage - 16;

/// The number of each rank, by rank. @collective
std::vector<std::uint64_t> everyones(CommunicatorBackend& comm, std::uint64_t mine);

/// Whether `digest` is the same on all ranks; all get the same answer. Each of `maxima` becomes the
/// largest of all ranks. At most kMaxMaxima of them; one all_reduce_max. @collective
bool compare_digest(CommunicatorBackend& comm, std::uint64_t digest,
                    std::span<std::uint64_t> maxima = {});
inline constexpr std::size_t kMaxMaxima = 14;

/// What compare_digest() sends: numbers of which the largest of all ranks tell the answer.
class ComparedDigest {
 public:
  ComparedDigest(std::uint64_t digest, std::span<const std::uint64_t> maxima);
  [[nodiscard]] std::span<std::uint64_t> words() { return {words_.data(), count_}; }
  /// Of the largest: is the digest the same everywhere?
  bool take(std::span<std::uint64_t> maxima) const;

 private:
  std::array<std::uint64_t, 2 + kMaxMaxima> words_{};
  std::size_t count_;
};

}  // namespace onecast::comm
