#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "compression/codec_functions.hpp"
#include "hdf5/checked_reads.hpp"
#include "hdf5/stored_events.hpp"
#include "model/entry_order.hpp"
#include "model/make_error.hpp"

/// Reads the layouts that the first framework of this kind wrote: one run and lumi in a file, in
/// the group Lumi, event numbers of 32 bits, no serializer.
namespace onecast::events::hdf5 {
namespace {

class Version1 : public StoredEvents {
 public:
  explicit Version1(const File& file, const char* identities)
      : file_(file), group_(file.root().open_group("Lumi")) {
    run_ = static_cast<std::uint32_t>(number_attribute(group_, "run"));
    lumi_ = static_cast<std::uint32_t>(number_attribute(group_, "lumisec"));
    const Dataset events = need_dataset(group_, identities);
    if (events.shape().size() != 1 || events.datatype().type_class() != TypeClass::integer)
      fail_format(events, "is no list of event numbers");
    require_stored(events);
    // The numbers were cut to 32 bits, so those above 2^31 look negative.
    for (const std::int64_t number : events.read<std::int64_t>())
      events_.push_back(static_cast<std::uint32_t>(number));
    size_ = events_.size();
    products_.serializer = "unknown";
  }

  std::optional<std::uint64_t> find(const Identity& identity) override {
    const auto of = [this](std::uint64_t entry) { return identity_of(entry); };
    if (order_.empty()) order_ = entries_by_identity(static_cast<std::size_t>(size_), of);
    return find_entry(order_, identity, of);
  }

 protected:
  [[nodiscard]] Identity identity_of(std::uint64_t entry) const {
    return {run_, lumi_, events_[static_cast<std::size_t>(entry)]};
  }
  /// Sets the identities of the events of the run, which has none yet.
  void begin(std::uint64_t first, std::uint64_t count, EventRun& run) const {
    run.clear();
    run.where = file_.path();
    run.first = first;
    run.has_sizes = false;
    run.of_batch = run.of_event = run.of_product = Codec::none;
    run.memory.resize(std::max<std::size_t>(products_.size(), 1));
    for (std::uint64_t i = 0; i < count; ++i) run.identities.push_back(identity_of(first + i));
  }

  File file_;
  Group group_;

 private:
  std::uint32_t run_ = 0, lumi_ = 0;
  std::vector<std::uint32_t> events_;
  std::vector<std::uint64_t> order_;  ///< of entries by identity, made at the first search
};

/// A dataset of bytes for each product, and one with the end of each event in it.
class ProductsVersion1 final : public Version1 {
 public:
  explicit ProductsVersion1(const File& file) : Version1(file, "Event_IDs") {
    most_at_once_ = kForProducts;
    for (const Link& link : group_.links()) {
      const std::string name(link.name);
      if (group_.kind_of(link) != ObjectKind::dataset) continue;
      const Dataset dataset = group_.open_dataset(link);
      if (!dataset.has_attribute("classname")) continue;
      products_.products.push_back({name, text_attribute(dataset, "classname")});
      data_.emplace_back(dataset);
      NumberTable ends(need_dataset(group_, name + "_sz"), 1);
      if (ends.rows() != size_)
        fail_format(ends.dataset(), "has {} rows for {} events", ends.rows(), size_);
      ends_.push_back(ends.read(0, ends.rows()));
    }
  }

  void load(std::uint64_t first, std::uint64_t bytes, const std::vector<bool>& selected,
            EventRun& run) override {
    const std::size_t products = products_.size();
    std::uint64_t all = 0;
    for (const ByteTable& data : data_) all += data.size();
    const std::uint64_t count =
        std::min(std::max<std::uint64_t>(bytes / (all / std::max<std::uint64_t>(size_, 1) + 64), 1),
                 size_ - first);
    begin(first, count, run);
    run.products.resize(static_cast<std::size_t>(count) * products);
    for (std::size_t p = 0; p < products; ++p) {
      if (!selected[p]) continue;
      const std::uint64_t start = first == 0 ? 0 : ends_[p][static_cast<std::size_t>(first) - 1];
      std::uint64_t before = start;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t end = ends_[p][static_cast<std::size_t>(first) + i];
        if (end < before)
          fail_format(data_[p].dataset(), "event {} ends at {}, before {}", first + i, end, before);
        run.products[i * products + p] = {p, before - start, end - start};
        before = end;
      }
      data_[p].read(start, before, run.memory[p], fmt::format("event {}", first));
    }
  }

  std::string describe() const override { return "HDF5, layout product, version 1"; }

 private:
  std::vector<ByteTable> data_;
  std::vector<std::vector<std::uint64_t>> ends_;
};

/// Events as blobs. The compressed size of an event is not always stored; it then follows from the
/// ZSTD frames.
class BlobsVersion1 final : public Version1 {
 public:
  explicit BlobsVersion1(const File& file)
      : Version1(file, "EventIDs"),
        data_(need_dataset(group_, "Products")),
        is_batch_(group_.has_attribute("CompressionChoice")) {
    static constexpr std::array kOthers{"run", "lumisec", "Compression", "CompressionLevel",
                                        "CompressionChoice"};
    // Products lie in the blobs in the order in which their attributes were created.
    for (const Attribute& attribute : group_.attributes(Order::creation)) {
      const std::string name(attribute.name());
      if (std::ranges::find(kOthers, name) == kOthers.end())
        products_.products.push_back({name, text_attribute(group_, name.c_str())});
    }
    codec_ = codec_named(lower(text_attribute(group_, "Compression")), file.path());
    choice_ = is_batch_ ? lower(text_attribute(group_, "CompressionChoice")) : "events";
    if (choice_ == "none" || codec_ == Codec::none) codec_ = Codec::none, choice_ = "none";
    read_offsets();
    if (choice_ == "batch" || choice_ == "both")
      find_batches();
    else
      find_events();
  }

  void load(std::uint64_t first, std::uint64_t bytes, const std::vector<bool>&,
            EventRun& run) override {
    const std::size_t width = products_.size();
    std::uint64_t count = 1;
    if (!batches_.empty()) {
      const auto behind = std::ranges::upper_bound(batches_, first, {}, &StoredBatch::first);
      const StoredBatch& batch = *std::prev(behind);
      first = batch.first;
      count = (behind == batches_.end() ? size_ : behind->first) - first;
      begin(first, count, run);
      std::vector<std::byte> packed;
      data_.read(batch.start, batch.end, packed, fmt::format("event {}", first));
      run.memory[0].resize(static_cast<std::size_t>(batch.content));
      decompress(codec_, packed, run.memory[0], run.where_is(first));
    } else {
      while (first + count < size_ && parts_[first + count].end - parts_[first].start <= bytes)
        ++count;
      begin(first, count, run);
      data_.read(parts_[first].start, parts_[first + count - 1].end, run.memory[0],
                 fmt::format("event {}", first));
    }
    run.of_event = choice_ == "events" || choice_ == "both" ? codec_ : Codec::none;
    const std::uint64_t base = parts_[first].start;
    for (std::uint64_t i = first; i < first + count; ++i)
      run.events.push_back({0, parts_[i].start - base, parts_[i].end - base});
    run.ends.assign(ends_.begin() + static_cast<std::ptrdiff_t>(first * width),
                    ends_.begin() + static_cast<std::ptrdiff_t>((first + count) * width));
  }

  std::string describe() const override {
    return fmt::format("HDF5, layout {}, version 1, {} {}", is_batch_ ? "batch" : "event",
                       events::name_of(codec_), choice_);
  }

 private:
  struct StoredBatch {
    std::uint64_t first, start, end, content;
  };

  static std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return text;
  }

  /// Reads the ends of products in each event, and the sizes of events if these are stored.
  void read_offsets() {
    const Dataset offsets = need_dataset(group_, "Offsets");
    const std::size_t products = products_.size();
    const std::size_t width = products + (is_batch_ ? 2 : 1);
    if (offsets.datatype().type_class() != TypeClass::integer ||
        offsets.element_count() != size_ * width)
      fail_format(offsets, "does not have {} numbers for each of {} events", width, size_);
    require_stored(offsets);
    const auto numbers = offsets.read<std::int64_t>();
    for (std::size_t at = 0; at < numbers.size(); at += width) {
      const auto row = std::span(numbers).subspan(at, width);
      if (row[0] != 0 || std::ranges::any_of(row, [](std::int64_t n) { return n < 0; }) ||
          !std::ranges::is_sorted(row.first(products + 1)))
        fail_format(offsets, "event {}: the offsets do not ascend from 0", at / width);
      for (std::size_t p = 1; p <= products; ++p)
        ends_.push_back(static_cast<std::uint64_t>(row[p]));
      stored_.push_back(static_cast<std::uint64_t>(row[width - 1]));
    }
  }

  [[noreturn]] void refuse_unknown_size() const {
    throw unsupported_error(
        "{}: {} of the layout of version 1: the size of compressed {} was not stored", file_.path(),
        events::name_of(codec_), is_batch_ ? "batches" : "events");
  }

  /// Returns the ZSTD frame at `start`, whose contents have at most `content` bytes. Reads `bytes`
  /// bytes first, and more if these are too few, as the rest of the file follows.
  std::vector<std::byte> frame_at(std::uint64_t start, std::uint64_t content,
                                  std::uint64_t bytes = UINT64_MAX) const {
    std::vector<std::byte> frame;
    const std::uint64_t most = std::min(zstd_most_bytes(content), data_.size() - start);
    for (;; bytes *= 4) {
      const std::uint64_t end = start + std::min(bytes, most);
      data_.read(start, end, frame, fmt::format("byte {}", start));
      frame.resize(static_cast<std::size_t>(zstd_frame_bytes(frame)));
      if (!frame.empty()) return frame;
      if (bytes >= most) fail_format(data_.dataset(), "byte {}: is no whole frame of ZSTD", start);
    }
  }

  void find_events() {
    const bool by_frames = codec_ != Codec::none && !is_batch_;
    if (by_frames && codec_ != Codec::zstd) refuse_unknown_size();
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < size_; ++i) {
      if (stored_[i] > data_.size() - at)
        if (!by_frames)
          fail_format(data_.dataset(), "event {}: {} bytes from {} on, of {}", i, stored_[i], at,
                      data_.size());
      const std::uint64_t bytes = by_frames ? frame_at(at, stored_[i]).size() : stored_[i];
      parts_.push_back({0, at, at + bytes});
      at += bytes;
    }
  }

  void find_batches() {
    if (codec_ != Codec::zstd) refuse_unknown_size();
    std::uint64_t at = 0;
    std::uint64_t rest = std::accumulate(stored_.begin(), stored_.end(), std::uint64_t{0});
    std::uint64_t frame_bytes = 4096;
    for (std::uint64_t i = 0; i < size_;) {
      const auto frame = frame_at(at, rest, 2 * frame_bytes);
      frame_bytes = frame.size();
      const std::uint64_t content = zstd_content_bytes(frame);
      check_ratio(codec_, frame.size(), content, fmt::format("{}: event {}", file_.path(), i));
      at += frame.size();
      if (content == 0 && stored_[i] != 0) {
        // The batch has no bytes; its events were counted with the batch before.
        decompress(codec_, frame, {}, fmt::format("{}: event {}", file_.path(), i));
        continue;
      }
      batches_.push_back({i, at - frame.size(), at, content});
      const std::uint64_t first = i;
      std::uint64_t filled = 0;
      while (i < size_ && filled + stored_[i] <= content) {
        parts_.push_back({0, filled, filled + stored_[i]});
        filled += stored_[i++];
      }
      if (i == first || filled != content)
        fail_format(data_.dataset(),
                    "event {}: a batch of {} bytes does not end with "
                    "an event",
                    first, content);
      rest -= content;
    }
  }

  ByteTable data_;
  bool is_batch_;
  Codec codec_ = Codec::none;
  std::string choice_;
  std::vector<std::uint64_t> ends_, stored_;
  std::vector<EventRun::Part> parts_;
  std::vector<StoredBatch> batches_;
};

}  // namespace

std::unique_ptr<StoredEvents> open_version_1(const File& file) {
  if (file.root().contains("Lumi/Products")) return std::make_unique<BlobsVersion1>(file);
  return std::make_unique<ProductsVersion1>(file);
}

}  // namespace onecast::events::hdf5
