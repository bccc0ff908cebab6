#include "hdf5/rounds.hpp"

#include <algorithm>
#include <bit>

namespace onecast::events::hdf5 {
namespace {

enum Of : std::size_t { state, stops, shape };
enum State : std::uint64_t { fine, failed, could_not_write };

constexpr std::uint64_t kLeastChunk = 64;  // each takes up to 16 bytes and a step of all calls
constexpr std::uint64_t kMostChunk = std::uint64_t{1} << 30U;  // filters and HDF5 take below 4 GiB

}  // namespace

Told::Told(Team& team, const RankFailure& mine, bool stops, std::span<const std::uint64_t> shape) {
  const State state = mine.could_not_write ? State::could_not_write
                      : mine.what          ? State::failed
                                           : State::fine;
  std::vector<std::uint64_t> numbers{state, stops ? 1U : 0U};
  numbers.insert(numbers.end(), shape.begin(), shape.end());
  all_ = team.gather(numbers);
}

std::span<const std::uint64_t> Told::shape(std::size_t rank) const {
  return std::span(all_[rank]).subspan(Of::shape);
}

std::optional<std::size_t> Told::could_not_write() const {
  for (std::size_t rank = 0; rank < all_.size(); ++rank)
    if (all_[rank][Of::state] == State::could_not_write) return rank;
  return {};
}

bool Told::has_failed() const {
  return std::ranges::any_of(all_, [](const auto& told) { return told[Of::state] != State::fine; });
}

Round Told::round() const {
  return {std::ranges::any_of(all_, [](const auto& told) { return told.size() > Of::shape; }),
          std::ranges::any_of(all_, [](const auto& told) { return told[Of::stops] != 0; })};
}

bool is_flushed_behind(std::uint64_t batches, std::uint64_t every) {
  if (every == 0) return false;
  return batches % every == 0 || (batches < every && std::has_single_bit(batches));
}

OptionInfo batch_option(const std::string& chosen) {
  return {.name = "batch",
          .kind = OptionInfo::Kind::number,
          .otherwise = "0",
          .description = "events that are written together; 0: " + chosen};
}

OptionInfo chunk_option(const std::string& most) {
  return {.name = "chunk",
          .kind = OptionInfo::Kind::size,
          .otherwise = "0",
          .description = "bytes of a chunk, 64 to 1G; 0: chosen from the data, up to " + most};
}

OptionInfo flush_option() {
  return {.name = "flush",
          .kind = OptionInfo::Kind::number,
          .otherwise = "16",
          .description =
              "batches after which the file is made valid, and after 1, 2, 4 ... before "
              "that; 0: at the end"};
}

std::uint64_t chunk_bytes_of(const Options& options) {
  const std::uint64_t bytes = options.number("chunk");
  if (bytes != 0 && (bytes < kLeastChunk || bytes > kMostChunk))
    options.reject("chunk", "64 to 1G, or 0, was expected");
  return bytes;
}

}  // namespace onecast::events::hdf5
