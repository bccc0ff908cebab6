#include <fmt/format.h>

#include <algorithm>
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

/// Returns the events of about 8 MiB: each product of an event takes some memory besides its bytes.
std::uint64_t events_of_batch(std::uint64_t event_bytes) {
  constexpr std::uint64_t kBytes = std::uint64_t{8} << 20U;
  constexpr std::uint64_t kMostEvents = 16384;
  return std::clamp<std::uint64_t>(kBytes / (event_bytes + 64), 1, kMostEvents);
}

class ColumnarOutputer final : public RoundOutputer {
 public:
  explicit ColumnarOutputer(const Request& request) : RoundOutputer(request) {
    storage_.compression = compression_of(request.options);
    storage_.chunk_bytes = chunk_given() != 0 ? chunk_given() : kChunkBytes;
  }

  void begin(const ProductList& products, const Expectation& expected) override {
    require_unique(products, path());  // before the old file is lost
    plan_ = plan_columns(products);
    require_names(plan_, path());
    storage_.events = expected.events;
    threads_ = expected.threads;
    batch_events_ = batch_given() != 0 ? batch_given() : events_of_batch(expected.event_bytes());
    file_.emplace(path(), team(), plan_, storage_);
  }
  std::uint64_t batch_events() const override { return batch_events_; }

  EncodedEvent encode(const Event& event) override {
    require_elements(plan_, event, path());
    return encode_event(kByProduct, event);
  }
  void encode_batch(Batch& batch) override {
    batch.encoded = encode_columns(plan_, batch);
    for (EncodedEvent& event : batch.events) event = {event.identity, {}, {}};
  }

  void interrupt() override {
    if (file_) file_->interrupt();
  }
  void finish() override {
    if (!file_) return;
    file_->finish(threads_);
    measure_file();
  }
  std::vector<std::string> left_out() const override {
    if (!file_ || file_->has_identities()) return {};
    return {fmt::format(
        "identities: the products {} say something else, so there is no index of events",
        fmt::join(plan_.identity_names(), ", "))};
  }

 private:
  std::vector<std::uint64_t> shape_of(const EncodedBatch& batch) const override {
    return dynamic_cast<const ColumnsBatch&>(batch).shape.as_numbers();
  }

  std::exception_ptr append(const Told& told, EncodedBatch* mine) override {
    return file_->append(batches_of(told, dynamic_cast<const ColumnsBatch*>(mine)), threads_);
  }

  void take_back(std::size_t) override { file_->take_back(); }

  std::vector<RankBatch> batches_of(const Told& told, const ColumnsBatch* mine) {
    std::vector<RankBatch> batches;
    for (std::size_t rank = 0; rank < told.ranks(); ++rank) {
      if (told.shape(rank).empty()) continue;
      const bool is_mine = rank == static_cast<std::size_t>(team()->rank());
      batches.push_back({.rank = static_cast<int>(rank),
                         .shape = ColumnsShape::from_numbers(told.shape(rank)),
                         .mine = is_mine ? mine : nullptr,
                         .flushes = is_flushed_behind(++batches_)});
    }
    return batches;
  }

  ColumnStorage storage_;
  ColumnPlan plan_;
  std::size_t threads_ = 1;
  std::uint64_t batch_events_ = 1;
  std::uint64_t batches_ = 0;  ///< of all ranks
  std::optional<ColumnsFile> file_;
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
