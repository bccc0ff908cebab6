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
#include "comm/status_message.hpp"
#include "comm/try_to.hpp"

namespace onecast::comm {

/// Returns if no rank has a `failure`; otherwise all ranks throw that of the lowest failing rank.
/// Each of `maxima`, at most kMostAgreed, becomes the largest of all ranks.
void raise_any(CommunicatorBackend& comm, const std::exception_ptr& failure,
               std::span<std::uint64_t> maxima = {});
inline constexpr std::size_t kMostAgreed = 3;

/// Throws the `failure` of `rank` on all ranks, which must know that it has one. One broadcast.
[[noreturn]] void raise_from(CommunicatorBackend& comm, int rank,
                             const std::exception_ptr& failure);

/// The communication of broadcast_from_root; `payload` and `failure` matter on the root.
Buffer share_from_root(CommunicatorBackend& comm, int root, Buffer payload,
                       const std::exception_ptr& failure);

/// The communication of broadcast_into; `result` and `failure` matter on the root.
std::uint64_t share_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                         std::uint64_t result, const std::exception_ptr& failure);

/// Runs `local_work` on every rank and returns its result. If it throws on any rank, all ranks
/// throw the same Error: that of the lowest failing rank, after "rank K: ". `local_work` must not
/// communicate. Takes one all_reduce_min, and one broadcast if a rank failed. @collective
template <std::invocable F>
std::invoke_result_t<F> agree(CommunicatorBackend& comm, F&& local_work) {
  using Result = std::invoke_result_t<F>;
  std::exception_ptr failure;
  if constexpr (std::is_void_v<Result>) {
    comm::try_to(failure, std::forward<F>(local_work));
    comm::raise_any(comm, failure);
  } else {
    static_assert(std::is_object_v<Result>, "local_work returns a value or nothing");
    std::optional<Result> result;
    comm::try_to(failure, [&] { result.emplace(std::invoke(std::forward<F>(local_work))); });
    comm::raise_any(comm, failure);
    return std::move(*result);
  }
}

/// Like agree(), for work that also finds numbers: each of `maxima`, at most kMostAgreed, becomes
/// the largest of all ranks. @collective
template <std::invocable F>
void agree(CommunicatorBackend& comm, F&& local_work, std::span<std::uint64_t> maxima) {
  std::exception_ptr failure;
  comm::try_to(failure, std::forward<F>(local_work));
  comm::raise_any(comm, failure, maxima);
}

/// Runs `work` on `root` alone; all ranks get the Buffer that it returns, or throw its Error.
///
/// The status, the size and a payload of up to kInlinePayload bytes are one small broadcast. A
/// larger payload follows in segments, after the ranks agreed that all of them have memory for it:
/// a rank that cannot receive must say so before the others start, or they would wait for it (or go
/// on without it). That is one 8-byte reduction besides a broadcast of more than 4 KiB. @collective
template <std::invocable F>
  requires std::same_as<std::invoke_result_t<F>, Buffer>
Buffer broadcast_from_root(CommunicatorBackend& comm, int root, F&& work) {
  Buffer payload;
  std::exception_ptr failure;
  if (comm.rank() == root)
    comm::try_to(failure, [&] { payload = std::invoke(std::forward<F>(work)); });
  return comm::share_from_root(comm, root, std::move(payload), failure);
}

/// Like broadcast_from_root, for a payload whose size all ranks know: `work` runs on `root`, fills
/// `target`, which has one size on all ranks, and returns a number that all ranks get. Takes one
/// broadcast, which includes the status, and one for each further segment; or, if there is a
/// NodeChannel, one reduction for each part that fits into it. @collective
template <std::invocable F>
  requires std::same_as<std::invoke_result_t<F>, std::uint64_t>
std::uint64_t broadcast_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                             F&& work) {
  std::uint64_t result = 0;
  std::exception_ptr failure;
  if (comm.rank() == root)
    comm::try_to(failure, [&] { result = std::invoke(std::forward<F>(work)); });
  return comm::share_into(comm, root, target, result, failure);
}

/// Like broadcast_from_root, for a small value of one size. One broadcast. @collective
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

/// Gathers a number from each rank, by rank. @collective
std::vector<std::uint64_t> everyones(CommunicatorBackend& comm, std::uint64_t mine);

/// Returns on all ranks whether `digest` is equal on all of them. Each of `maxima` becomes the
/// largest of all ranks. At most kMaxMaxima of them; one all_reduce_max. @collective
bool compare_digest(CommunicatorBackend& comm, std::uint64_t digest,
                    std::span<std::uint64_t> maxima = {});
inline constexpr std::size_t kMaxMaxima = 20;

/// The message of compare_digest(): numbers whose maxima over all ranks give the answer.
class ComparedDigest {
 public:
  ComparedDigest(std::uint64_t digest, std::span<const std::uint64_t> maxima);
  [[nodiscard]] std::span<std::uint64_t> words() { return {words_.data(), count_}; }
  /// Called with the maxima. Returns true if the digest is equal on all ranks.
  bool take(std::span<std::uint64_t> maxima) const;

 private:
  std::array<std::uint64_t, 2 + kMaxMaxima> words_{};
  std::size_t count_;
};

}  // namespace onecast::comm
