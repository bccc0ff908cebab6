#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "hdf5/columns_file.hpp"
#include "hdf5/encode_events.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/rounds.hpp"
#include "model/unique_names.hpp"

namespace onecast::events::hdf5 {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{256} << 10U;
constexpr EventLayout kByProduct{.kind = LayoutKind::product};

/// About 8 MiB: each product of an event in a batch takes some memory beside its bytes.
std::uint64_t events_of_batch(std::uint64_t event_bytes) {
  constexpr std::uint64_t kBytes = std::uint64_t{8} << 20U;
  constexpr std::uint64_t kMostEvents = 16384;
  return std::clamp<std::uint64_t>(kBytes / (event_bytes + 64), 1, kMostEvents);
}

class ColumnarOutputer final : public Outputer {
 public:
  explicit ColumnarOutputer(const Request& request)
      : path_(request.file),
        team_(request.team),
        batch_(request.options.number("batch")),
        flush_every_(request.options.number("flush")) {
    storage_.compression = compression_of(request.options);
    storage_.chunk_bytes = chunk_bytes_of(request.options);
    if (storage_.chunk_bytes == 0) storage_.chunk_bytes = kChunkBytes;
  }

  void begin(const ProductList& products, const Expectation& expected) override {
    require_unique(products, path_);  // before the file that is there is lost
    plan_ = plan_columns(products);
    require_names(plan_, path_);
    storage_.events = expected.events;
    threads_ = expected.threads;
    batch_events_ = batch_ != 0 ? batch_ : events_of_batch(expected.event_bytes());
    file_.emplace(path_, team_, plan_, storage_);
  }
  std::uint64_t batch_events() const override { return batch_events_; }
  bool blocks() const override { return true; }
  bool is_collective() const override { return team_->size() > 1; }

  EncodedEvent encode(const Event& event) override {
    require_elements(plan_, event, path_);
    return encode_event(kByProduct, event);
  }
  void encode_batch(Batch& batch) override {
    batch.encoded = encode_columns(plan_, batch);
    for (EncodedEvent& event : batch.events) event = {event.identity, {}, {}};
  }

  void write(const Batch& batch) override { write_together(&batch, {}, false); }

  Round write_together(const Batch* batch, const std::exception_ptr& failure, bool stops) override {
    const auto* mine =
        batch == nullptr ? nullptr : dynamic_cast<const ColumnsBatch*>(batch->encoded.get());
    if (failure && !failure_.what) failure_.what = failure;
    const Told told(*team_, failure_, stops,
                    mine == nullptr ? std::vector<std::uint64_t>() : mine->shape.as_numbers());
    if (told.could_not_write()) file_->take_back();
    if (told.has_failed()) agree(*team_, failure_.what);
    try {
      std::exception_ptr problem;
      file_->append(batches_of(told, mine), threads_, problem);
      if (problem) failure_ = {problem, true};
      if (problem && team_->size() == 1) std::rethrow_exception(problem);  // nobody else hears it
    } catch (...) {
      file_->take_back();  // on all ranks
      throw;
    }
    return told.round();
  }

  void interrupt() override {
    if (file_) file_->interrupt();
  }
  void finish() override {
    if (!file_) return;
    file_->finish(threads_);
    std::error_code ignored;
    if (team_->rank() == 0) bytes_written_ = std::filesystem::file_size(path_, ignored);
  }
  std::vector<std::string> left_out() const override {
    if (!file_ || file_->has_identities()) return {};
    std::vector<std::string> names;
    for (const std::size_t column : plan_.identity)
      names.push_back(plan_.columns[column].product.name);
    return {fmt::format(
        "identities: the products {} say something else, so there is no index of events",
        fmt::join(names, ", "))};
  }
  std::uint64_t bytes_written() const override { return bytes_written_; }

 private:
  std::vector<RankBatch> batches_of(const Told& told, const ColumnsBatch* mine) {
    std::vector<RankBatch> batches;
    for (std::size_t rank = 0; rank < told.ranks(); ++rank) {
      if (told.shape(rank).empty()) continue;
      const bool is_mine = rank == static_cast<std::size_t>(team_->rank());
      batches.push_back({.rank = static_cast<int>(rank),
                         .shape = ColumnsShape::from_numbers(told.shape(rank)),
                         .mine = is_mine ? mine : nullptr,
                         .flushes = is_flushed_behind(++batches_, flush_every_)});
    }
    return batches;
  }

  std::string path_;
  std::shared_ptr<Team> team_;
  std::uint64_t batch_, flush_every_;
  ColumnStorage storage_;
  ColumnPlan plan_;
  std::size_t threads_ = 1;
  std::uint64_t batch_events_ = 1;
  std::uint64_t batches_ = 0;  ///< of all ranks
  std::optional<ColumnsFile> file_;
  RankFailure failure_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace

OutputerInfo columnar_outputer() {
  std::vector<OptionInfo> options = compression_options({"none", "lz4", "zstd"});
  options.push_back(batch_option("about 8 MiB"));
  options.push_back(chunk_option("256 KiB"));
  options.push_back(flush_option());
  return {
      .name = "HDF5Columnar",
      .description = "HDF5: columns, as onecast.events writes them",
      .file = FileUse::required,
      .options = options,
      .make = [](const Request& request) { return std::make_unique<ColumnarOutputer>(request); }};
}

}  // namespace onecast::events::hdf5
