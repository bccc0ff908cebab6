#include "comm/status_message.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include "comm/call_header.hpp"

namespace onecast::comm {
namespace {

/// True if the text already names the rank.
bool names_rank(std::string_view text) {
  constexpr std::string_view kRank = "rank ";
  if (!text.starts_with(kRank)) return false;
  const std::size_t end = text.find_first_not_of("0123456789", kRank.size());
  return end > kRank.size() && text.substr(end).starts_with(": ");
}

}  // namespace

void StatusMessage::append(std::string_view text) {
  const std::size_t room = body.size() - static_cast<std::size_t>(size);
  text = text.substr(0, whole_characters(text, room));
  text.copy(body.data() + size, text.size());
  size += text.size();
}

void StatusMessage::fill(ErrorCode code, int error_number, std::string_view text) {
  failure = 1U + static_cast<std::uint32_t>(code);
  system_errno = error_number;
  append(text);
}

void StatusMessage::describe(const std::exception_ptr& failure_of_rank,
                             const CommunicatorBackend& comm) {
  const auto append_rank = [&] {
    if (comm.size() == 1) return;
    std::array<char, 24> prefix{};
    const auto end = fmt::format_to_n(prefix.data(), prefix.size(), "rank {}: ", comm.rank()).out;
    append({prefix.data(), static_cast<std::size_t>(end - prefix.data())});
  };
  try {
    std::rethrow_exception(failure_of_rank);
  } catch (const Error& e) {
    if (!names_rank(e.what())) append_rank();
    fill(e.code(), e.system_errno(), e.what());
  } catch (const std::bad_alloc&) {
    append_rank();
    fill(ErrorCode::io, ENOMEM, "out of memory");
  } catch (const std::system_error& e) {
    append_rank();
    fill(ErrorCode::io, e.code().value(), e.what());
  } catch (const std::exception& e) {
    append_rank();
    fill(ErrorCode::state, 0, e.what());
  } catch (...) {
    append_rank();
    fill(ErrorCode::state, 0, "an exception of unknown type");
  }
}

void StatusMessage::raise_failure() const {
  if (failure == 0) return;
  throw Error(static_cast<ErrorCode>(failure - 1U),
              std::string(body.data(), static_cast<std::size_t>(size)), system_errno);
}

}  // namespace onecast::comm
