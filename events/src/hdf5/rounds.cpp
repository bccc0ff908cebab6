#include "hdf5/rounds.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>

namespace onecast::events::hdf5 {
namespace {

enum Of : std::size_t { state, stops, shape };
enum State : std::uint64_t { fine, failed, could_not_write };

constexpr std::uint64_t kLeastChunk =
    64;  // each chunk takes up to 16 bytes and a step of all calls
constexpr std::uint64_t kMostChunk = std::uint64_t{1} << 30U;  // filters and HDF5 need < 4 GiB

/// Returns the option `chunk`; 0: chosen from the data.
std::uint64_t chunk_bytes_of(const Options& options) {
  const std::uint64_t bytes = options.number("chunk");
  if (bytes != 0 && (bytes < kLeastChunk || bytes > kMostChunk))
    options.reject("chunk", "64 to 1G, or 0, was expected");
  return bytes;
}

}  // namespace

bool all_have_written(Team& team, const std::exception_ptr& failure) {
  const std::uint64_t mine = failure ? State::could_not_write : State::fine;
  return std::ranges::all_of(team.gather({&mine, 1}),
                             [](const auto& told) { return told.front() == State::fine; });
}

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

RoundOutputer::RoundOutputer(const Request& request)
    : path_(request.file),
      team_(request.team),
      batch_(request.options.number("batch")),
      chunk_(chunk_bytes_of(request.options)),
      flush_every_(request.options.number("flush")) {}

Round RoundOutputer::write_together(const Batch* batch, const std::exception_ptr& failure,
                                    bool stops) {
  EncodedBatch* mine = batch == nullptr ? nullptr : batch->encoded.get();
  if (failure && !failure_.what) failure_.what = failure;
  const Told told(*team_, failure_, stops,
                  mine == nullptr ? std::vector<std::uint64_t>() : shape_of(*mine));
  if (const auto rank = told.could_not_write()) take_back(*rank);
  if (told.has_failed()) agree(*team_, failure_.what);
  try {
    if (const std::exception_ptr problem = append(told, mine)) failure_ = {problem, true};
    if (failure_.could_not_write && team_->size() == 1)
      std::rethrow_exception(failure_.what);  // no other rank will hear it
  } catch (...) {
    take_back(0);  // on all ranks
    throw;
  }
  return told.round();
}

// Batches 1, 2, 4, 8 and so on count as well, so that a process that is killed early leaves
// something.
bool RoundOutputer::is_flushed_behind(std::uint64_t batches) const {
  if (flush_every_ == 0) return false;
  return batches % flush_every_ == 0 || (batches < flush_every_ && std::has_single_bit(batches));
}

void RoundOutputer::measure_file() {
  std::error_code ignored;
  if (team_->rank() == 0) bytes_written_ = std::filesystem::file_size(path_, ignored);
}

OptionInfo batch_option(const std::string& chosen) {
  return {.name = "batch",
          .kind = OptionInfo::Kind::number,
          .otherwise = "0",
          .description = "the number of events that are written together; 0: " + chosen};
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

}  // namespace onecast::events::hdf5
