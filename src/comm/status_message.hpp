#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {

/// The size of the first message of broadcast_from_root, and the part of it that the payload may
/// use.
inline constexpr std::size_t kHeaderMessage = 4096;
inline constexpr std::size_t kInlinePayload = kHeaderMessage - 16;

/// A status with its text, or a size with a small payload. Lies on the stack, so that a rank
/// without memory can still send it. It is sent as it is in memory, since all ranks run the same
/// program.
struct StatusMessage {
  std::uint64_t size = 0;     ///< of the text, or of the whole payload
  std::uint32_t failure = 0;  ///< 0, or 1 + ErrorCode
  std::int32_t system_errno = 0;
  std::array<char, kInlinePayload> body{};

  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(this, 1)); }
  std::span<std::byte> body_bytes() { return std::as_writable_bytes(std::span(body)); }

  /// Takes the text of a failure of this rank.
  void describe(const std::exception_ptr& failure_of_rank, const CommunicatorBackend& comm);
  /// Throws the failure, if there is one.
  void raise_failure() const;

 private:
  void append(std::string_view text);
  void fill(ErrorCode code, int error_number, std::string_view text);
};
static_assert(sizeof(StatusMessage) == kHeaderMessage &&
              std::is_trivially_copyable_v<StatusMessage>);

}  // namespace onecast::comm
