#include "objects/elements/lost_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast::elements {
namespace {

/// The contents of Changes::deferred if the losses do not fail every flush.
struct LostWrites : std::exception {
  std::vector<LostWrite> writes;
};

}  // namespace

std::vector<LostWrite> lost_writes(const FileState& file) {
  if (!file.changes().deferred) return {};
  try {
    std::rethrow_exception(file.changes().deferred);
  } catch (const LostWrites& lost) {
    return lost.writes;
  } catch (...) {
    return {};
  }
}

namespace {

void set_lost_writes(FileState& file, std::vector<LostWrite> writes) {
  LostWrites lost;
  lost.writes = std::move(writes);
  file.changes().deferred =
      lost.writes.empty() ? nullptr : std::make_exception_ptr(std::move(lost));
}

bool fails_for_good(const FileState& file) {
  return file.changes().deferred && lost_writes(file).empty();
}

bool is_needed(const LostWrite& lost) {
  return lost.is_needed && (lost.dataset == nullptr || !lost.dataset->removed);
}

/// Throws the error with the name of the dataset in front.
[[noreturn]] void throw_error(const LostWrite& lost) {
  try {
    std::rethrow_exception(lost.error);
  } catch (const Error& error) {
    if (lost.dataset == nullptr) throw;
    throw Error(
        error.code(),
        fmt::format("{}: {}: {}", lost.dataset->where(),
                    lost.created != nullptr ? "is left out, because its data cannot be written"
                                            : "not all of its data was written",
                    error.what()),
        error.system_errno());
  }
}

template <class F>
void change_from(FileState& file, std::size_t first, F&& change) {
  std::vector<LostWrite> writes = lost_writes(file);
  if (writes.size() <= first) return;
  for (std::size_t i = first; i < writes.size(); ++i) change(writes[i]);
  set_lost_writes(file, std::move(writes));
}

void write_again(FileState& file) {
  std::vector<LostWrite> writes = lost_writes(file);
  const auto is_written = [&](LostWrite& lost) {
    if (lost.bytes.empty()) return false;
    try {
      write_raw(file, lost.address, lost.bytes);
      return true;
    } catch (const Error&) {
      lost.error = std::current_exception();
      return false;
    }
  };
  std::erase_if(writes, is_written);
  set_lost_writes(file, std::move(writes));
}

}  // namespace

void lose(FileState& file, LostWrite lost) {
  if (fails_for_good(file)) return;
  std::vector<LostWrite> writes = lost_writes(file);
  writes.push_back(std::move(lost));
  set_lost_writes(file, std::move(writes));
}

void cut_lost(FileState& file, Address address) {
  change_from(file, 0, [&](LostWrite& lost) {
    if (lost.address < address && address < lost.address + lost.bytes.size())
      lost.bytes.resize(static_cast<std::size_t>(address.value - lost.address.value));
  });
}

void lose_for_good(FileState& file, const std::exception_ptr& error) {
  if (!fails_for_good(file)) file.changes().deferred = error;
}

std::size_t count_lost(const FileState& file) { return lost_writes(file).size(); }

void set_created(FileState& file, std::size_t first, Node& created, std::uint64_t groups) {
  change_from(file, first, [&](LostWrite& lost) {
    if (lost.is_needed) return;
    lost.created = &created;
    lost.groups = groups;
  });
}

void set_needed(FileState& file, std::size_t first) {
  change_from(file, first, [](LostWrite& lost) { lost.is_needed = true; });
}

Loss loss_of_this_rank(FileState& file) {
  if (!file.changes().deferred) return Loss::none;
  if (fails_for_good(file)) return Loss::prevents_flush;
  write_again(file);
  const std::vector<LostWrite> writes = lost_writes(file);
  if (std::ranges::any_of(writes, is_needed)) return Loss::prevents_flush;
  return writes.empty() ? Loss::none : Loss::told_after_flush;
}

void require_no_needed_loss(FileState& file) {
  if (loss_of_this_rank(file) != Loss::prevents_flush) return;
  if (fails_for_good(file)) std::rethrow_exception(file.changes().deferred);
  const std::vector<LostWrite> writes = lost_writes(file);
  throw_error(*std::ranges::find_if(writes, is_needed));
}

void tell_lost(FileState& file) {
  agree(file.comm(), [&] {
    const std::vector<LostWrite> writes = lost_writes(file);
    set_lost_writes(file, {});
    if (!writes.empty()) throw_error(writes.front());
  });
}

}  // namespace onecast::elements
