#include <algorithm>
#include <optional>
#include <utility>

#include "model/make_error.hpp"
#include "model/unique_names.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"

namespace onecast::events::pds {
namespace {

class PdsOutputer final : public Outputer {
 public:
  explicit PdsOutputer(const Request& request)
      : path_(request.file), compression_(compression_of(request.options)) {}

  void begin(const ProductList& products, const Expectation& expected) override {
    constexpr std::uint64_t kBatchBytes = std::uint64_t{4} << 20U;
    batch_events_ = std::clamp<std::uint64_t>(kBatchBytes / (expected.event_bytes() + 64), 1, 4096);
    require_names(products);
    file_.emplace(ByteFile::create(path_));
    Index::forget(path_);
    const auto header = encode_header(products, compression_.codec);
    const Bytes bytes = header;
    append({&bytes, 1});
  }
  std::uint64_t batch_events() const override { return batch_events_; }
  bool blocks() const override { return true; }

  EncodedEvent encode(const Event& event) override {
    if (compression_.is_on() || !event.can_stay())
      return {event.identity, encode_record(event.identity, event.products, compression_), {}};
    RecordParts record = record_in_parts(event.identity, event.products);
    return {event.identity, std::move(record.words), {}, std::move(record.parts), event.keeper};
  }
  void write(const Batch& batch) override {
    std::vector<Bytes> records;
    records.reserve(batch.events.size());
    for (const EncodedEvent& event : batch.events) {
      if (event.parts.empty()) records.emplace_back(event.bytes);
      records.insert(records.end(), event.parts.begin(), event.parts.end());
    }
    append(records);
  }
  void finish() override {
    if (file_) file_->close();
  }
  std::uint64_t bytes_written() const override { return bytes_written_; }

 private:
  /// Throws before the old file is lost.
  void require_names(const ProductList& products) const {
    require_unique(products, path_);
    for (const Product& product : products.products)
      if (product.class_name.empty())
        throw argument_error("{}: product {}: PDS has no class without a name", path_,
                             product.name);
  }

  void append(std::span<const Bytes> pieces) {
    file_->append(pieces);
    for (const Bytes& piece : pieces) bytes_written_ += piece.size();
  }

  std::string path_;
  Compression compression_;
  std::uint64_t batch_events_ = 1;
  std::optional<ByteFile> file_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace

OutputerInfo pds_outputer() {
  return {.name = "PDS",
          .description = "a PDS file",
          .file = FileUse::required,
          .options = compression_options({"none", "lz4", "zstd"}),
          .make = [](const Request& request) { return std::make_unique<PdsOutputer>(request); }};
}

}  // namespace onecast::events::pds
