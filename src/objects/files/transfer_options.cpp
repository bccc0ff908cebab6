#include "objects/files/transfer_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/make_error.hpp"
#include "objects/files/file_option_rules.hpp"
#include "onecast/objects/file_option_table.hpp"
#include "stripes/lustre_layout.hpp"

namespace onecast::files {
namespace {

constexpr std::uint64_t kLeastBuffer = std::uint64_t{64} << 10U;
constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 31U;

using Hint = std::pair<const std::string, std::string>;

[[noreturn]] void refuse(const Hint& hint, const std::string& expected) {
  throw argument_error("hint {}: {} was expected, not \"{}\"", hint.first, expected, hint.second);
}

std::uint64_t number_of(const Hint& hint, std::uint64_t least, std::uint64_t most) {
  const std::string& text = hint.second;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    refuse(hint, fmt::format("a number from {} to {}", least, most));
  return number;
}

TransferMethod switch_of(const Hint& hint, std::string_view on, std::string_view off,
                         std::string_view either) {
  if (hint.second == on) return TransferMethod::collective;
  if (hint.second == off) return TransferMethod::independent;
  if (!either.empty() && hint.second == either) return TransferMethod::automatic;
  refuse(hint, fmt::format("{}{}{} or {}", on, either.empty() ? "" : ", ", either, off));
}

/// Applies one of the usual hints of MPI-IO; returns false for any other name.
bool take(const Hint& hint, TransferOptions& all, const FileOptions& options) {
  const std::string& name = hint.first;
  const auto of_romio = [&] { return switch_of(hint, "enable", "disable", "automatic"); };
  const bool chooses = options.method == TransferMethod::automatic;
  if (name == "striping_unit") {
    const std::uint64_t size = number_of(hint, 1, StripeLayout::kLargestStripe);
    if (options.stripe_size == 0) all.stripes.stripe_size = size;
  } else if (name == "striping_factor") {
    const std::uint64_t count = hint.second == "-1" ? kAllTargets : number_of(hint, 1, kAllTargets);
    if (options.stripe_count == 0) all.stripes.stripe_count = static_cast<std::uint32_t>(count);
  } else if (name == "cb_nodes") {
    const std::uint64_t count = number_of(hint, 1, kMostRanks);
    if (options.aggregators == 0) all.aggregators = static_cast<std::uint32_t>(count);
  } else if (name == "cb_buffer_size") {
    const std::uint64_t size = number_of(hint, kLeastBuffer, UINT64_MAX);
    if (options.collective_buffer == 0) all.collective_buffer = size;
  } else if (name == "romio_cb_write") {
    const TransferMethod method = of_romio();
    if (chooses) all.writing = method;
  } else if (name == "romio_cb_read") {
    const TransferMethod method = of_romio();
    if (chooses) all.reading = method;
  } else if (name == "collective_buffering") {
    const TransferMethod method = switch_of(hint, "true", "false", "");
    if (chooses) all.reading = all.writing = method;
  } else if (name == "romio_ds_write" || name == "romio_ds_read") {
    of_romio();  // Onecast never reads holes to write them back, and always reads small gaps
  } else {
    return false;
  }
  return true;
}

}  // namespace

TransferOptions transfer_options(const FileOptions& options) {
  check_options(options);
  TransferOptions all{
      options.method,
      options.method,
      {options.stripe_size, options.stripe_count,
       options.metadata_reserve == 0 ? 0 : options.userblock_size + options.metadata_reserve},
      options.collective_buffer,
      options.aggregators,
      {}};
  for (const Hint& hint : options.hints)
    if (!take(hint, all, options)) all.unused_hints.push_back(hint.first);
  if (all.collective_buffer == 0) all.collective_buffer = std::uint64_t{16} << 20U;
  return all;
}

AskedTransfer asked_transfer(const TransferOptions& options, TransferDirection direction,
                             Sharing sharing, std::size_t ranks) {
  constexpr std::array kComparing{Comparing::automatic, Comparing::trust, Comparing::verify,
                                  Comparing::serve};
  const TransferMethod method =
      direction == TransferDirection::reading ? options.reading : options.writing;
  return {direction, method_named(names_of(method).at(static_cast<std::size_t>(method))),
          kComparing.at(static_cast<std::size_t>(sharing)), ranks};
}

}  // namespace onecast::files
