#include <fmt/format.h>

#include <array>
#include <cctype>

#include "base/make_error.hpp"
#include "comm/mpi/mpi_library.hpp"
#include "comm/mpi/mpi_symbols.hpp"

namespace onecast::comm {

void* MpiSymbols::required(const char* name) const {
  if (void* found = find(name)) return found;
  throw unsupported_error("MPI: {} has no {}", library_, name);
}

std::string asked_version(int (*ask)(char*, int*)) {
  // MPI_MAX_LIBRARY_VERSION_STRING is 8192 or less in all MPIs that are known.
  std::array<char, 16384> text{};
  int length = 0;
  ask(text.data(), &length);
  const std::string_view version(text.data());
  return std::string(version.substr(0, version.find('\n')));
}

std::string short_version(std::string_view version) {
  if (const auto comma = version.find(','); comma != std::string_view::npos)
    version = version.substr(0, comma);
  std::string words;
  for (const char c : version)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words.empty() ? "an MPI without a version" : words;
}

void Mpi::fail(int status, const char* call) const {
  throw Error(ErrorCode::io, fmt::format("{}: {}", call, error_text(status)));
}

void require_running(const Mpi& mpi, const char* call) {
  if (mpi.is_running()) return;
  throw state_error("{}: MPI is {}: {}", call, mpi.initialized() ? "finalized" : "not initialized",
                    mpi.name());
}

const Mpi& running_mpi_of(const void* address, const char* call) {
  const Mpi& mpi = mpi_of(address);
  require_running(mpi, call);
  return mpi;
}

namespace {

std::uintptr_t word_of(const Mpi& mpi, const MpiHandle& handle, const char* call) {
  constexpr std::uintptr_t kLowerHalf = 0xffffffff;
  if (handle.size() == MpiHandle::kWord)
    return mpi.handle_size() < sizeof kLowerHalf ? handle.word() & kLowerHalf : handle.word();
  if (handle.size() == mpi.handle_size()) return handle.word();
  throw argument_error(
      "{}: the handle has {} bytes, and those of {} have {}: the program was "
      "compiled for another MPI than it runs with",
      call, handle.size(), mpi.name(), mpi.handle_size());
}

}  // namespace

MpiComm comm_of(const Mpi& mpi, const MpiHandle& handle, const char* call) {
  if (handle.size() != MpiHandle::kFortran) return MpiComm{word_of(mpi, handle, call)};
  require_running(mpi, call);
  return mpi.comm_f2c(static_cast<int>(handle.word()));
}

MpiInfo info_of(const Mpi& mpi, const MpiHandle& handle, const char* call) {
  if (handle.size() != MpiHandle::kFortran) return MpiInfo{word_of(mpi, handle, call)};
  require_running(mpi, call);
  return mpi.info_f2c(static_cast<int>(handle.word()));
}

}  // namespace onecast::comm

namespace onecast {

using namespace comm;

MpiHandle mpi_handle_at(const void* comm, const void* library) {
  return {comm, mpi_of(library).handle_size(), library};
}

bool mpi_is_null(const MpiHandle& comm) {
  const Mpi& mpi = mpi_of(comm.library());
  return comm_of(mpi, comm, "mpi_is_null") == mpi.constants().comm_null;
}

std::string mpi_library(const void* library) { return mpi_of(library).name(); }

int mpi_rank_in_world(const void* library) {
  const Mpi& mpi = running_mpi_of(library, "mpi_rank_in_world");
  return mpi.comm_rank(mpi.constants().comm_world);
}

void mpi_initialize(const void* library) {
  const Mpi& mpi = mpi_of(library);
  if (!mpi.initialized()) mpi.init();
}

void mpi_abort(const void* library) noexcept {
  try {
    const Mpi& mpi = mpi_of(library);
    if (mpi.is_running()) mpi.abort();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): there is no MPI
  }
}

}  // namespace onecast
