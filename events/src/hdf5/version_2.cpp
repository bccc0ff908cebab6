#include <fmt/format.h>

#include <algorithm>

#include "hdf5/batch_table.hpp"
#include "hdf5/checked_reads.hpp"
#include "hdf5/event_layout.hpp"
#include "hdf5/identity_index.hpp"
#include "hdf5/stored_events.hpp"
#include "model/make_error.hpp"

namespace onecast::events::hdf5 {
namespace {

class Version2 final : public StoredEvents {
 public:
  explicit Version2(const File& file)
      : file_(file),
        group_(file.root().open_group(kGroup)),
        identities_(need_dataset(group_, kIdentities)) {
    const std::string& where = file.path();
    if (const std::int64_t version = number_attribute(group_, "version"); version != kVersion)
      throw unsupported_error("{}: version {} of the layout; {} is known", where, version,
                              kVersion);
    layout_.kind = layout_named(text_attribute(group_, "layout"), where);
    layout_.compression.codec = codec_named(text_attribute(group_, "compression"), where);
    layout_.compression.level = static_cast<int>(number_attribute(group_, "compression_level"));
    layout_.unit = unit_named(text_attribute(group_, "compression_unit"), where);
    if (std::ranges::find(units_of(layout_.kind), layout_.unit) == units_of(layout_.kind).end())
      fail_format(group_, "layout {} has no compression_unit {}", name_of(layout_.kind),
                  name_of(layout_.unit));
    read_products();
    if (identities_.shape().size() != 1) fail_format(identities_, "has more than one dimension");
    require_stored(identities_);
    size_ = identities_.shape()[0];
    index_ = IdentityIndex(group_, identities_);
    open_datasets();
  }

  void load(std::uint64_t first, std::uint64_t bytes, const std::vector<bool>& selected,
            EventRun& run) override {
    run.clear();
    run.where = file_.path();
    run.first = first;
    run.of_batch = layout_.codec_of(Unit::batch);
    run.of_event = layout_.codec_of(Unit::event);
    run.of_product = layout_.codec_of(Unit::product);
    run.has_sizes = true;
    // Empty parts refer to it, too. It has room for the largest run from the start.
    memory(run, 0).reserve(bytes == 0 ? 0 : most_at_once_ + most_at_once_ / 8);
    decodes_later_ = false;  // unless count_for_chunks() sets it
    const bool all = std::ranges::all_of(selected, [](bool is) { return is; });
    if (run.of_batch != Codec::none)
      load_batch(first, run);
    else if (layout_.kind == LayoutKind::product)
      load_columns(first, count_for_chunks(bytes, selected, first), selected, run);
    else if (all || run.of_event != Codec::none)
      load_blobs(first, count_for_chunks(bytes, {}, first), run);
    else
      load_parts(first, count_for(bytes, selected, first), selected, run);
    run.identities.resize(static_cast<std::size_t>(count_));
    identities_.read(
        std::as_writable_bytes(std::span(run.identities)),
        {.part = identities_.rows(run.first, run.first + count_), .memory_type = identity_type()});
  }

  std::optional<std::uint64_t> find(const Identity& identity) override {
    return index_.find(identity);
  }

  std::string describe() const override {
    std::string text = fmt::format("HDF5, layout {}, version {}", name_of(layout_.kind), kVersion);
    if (layout_.compression.is_on())
      text += fmt::format(", {} {} of each {}", events::name_of(layout_.compression.codec),
                          layout_.compression.level, name_of(layout_.unit));
    return text;
  }
  bool is_interrupted() const override { return hdf5::is_interrupted(group_); }

 private:
  void read_products() {
    products_.serializer = text_attribute(group_, "serializer");
    const auto names = texts_of(need_dataset(group_, kNames));
    const auto classes = texts_of(need_dataset(group_, kClasses));
    if (names.size() != classes.size())
      fail_format(group_, "{} {}, {} {}", names.size(), kNames, classes.size(), kClasses);
    for (std::size_t i = 0; i < names.size(); ++i)
      products_.products.push_back({names[i], classes[i]});
  }

  void open_datasets() {
    const std::size_t products = products_.size();
    if (const std::uint64_t width = layout_.offsets(products); width != 0) {
      offsets_ = NumberTable(need_dataset(group_, kOffsets), width);
      if (offsets_.rows() != size_)
        fail_format(offsets_.dataset(), "has {} rows for {} events", offsets_.rows(), size_);
    }
    batches_ = BatchTable(need_dataset(group_, kBatches), layout_.batch_numbers(products), size_);
    if (layout_.kind == LayoutKind::product) {
      most_at_once_ = kForProducts;
      for (const Product& product : products_.products)
        data_.emplace_back(
            need_dataset(group_, fmt::format("{}/{}", kData, dataset_name(product.name))));
    } else {
      data_.emplace_back(need_dataset(group_, kBlobs));
    }
    if (layout_.codec_of(Unit::chunk) != Codec::none)
      for (ByteTable& table : data_) table.decode_later();
  }

  /// Returns the average bytes of an event in the selected products, or in all if none is selected.
  [[nodiscard]] std::uint64_t event_bytes(const std::vector<bool>& selected) const {
    std::uint64_t all = 0;
    for (std::size_t p = 0; p < data_.size(); ++p)
      if (data_.size() == 1 || selected.empty() || selected[p]) all += data_[p].size();
    // The data of an event besides its products is read for all products.
    return all / size_ + 64 + 8 * products_.size();
  }

  /// Returns how many events have about so many bytes.
  [[nodiscard]] std::uint64_t count_for(std::uint64_t bytes, const std::vector<bool>& selected,
                                        std::uint64_t first) const {
    constexpr std::uint64_t kMost = 8192;
    const std::uint64_t count = bytes / event_bytes(selected);
    return std::min(std::clamp<std::uint64_t>(count, 1, kMost), size_ - first);
  }

  /// Does the same for compressed chunks, which are read as they are stored and decoded by the
  /// computing threads: those of one event, or of a batch to its end, since no chunk belongs to two
  /// batches. Batches that are too large for that are read in parts, through the file's chunk
  /// cache.
  [[nodiscard]] std::uint64_t count_for_chunks(std::uint64_t bytes,
                                               const std::vector<bool>& selected,
                                               std::uint64_t first) {
    if (layout_.codec_of(Unit::chunk) != Codec::none) {
      constexpr std::uint64_t kMostAtOnce = std::uint64_t{32} << 20U;
      const std::uint64_t count = bytes == 0 ? 1 : batches_.end_of(batches_.of(first)) - first;
      decodes_later_ = count <= std::max<std::uint64_t>(kMostAtOnce / event_bytes(selected), 1);
      if (decodes_later_) return count;
    }
    return count_for(bytes, selected, first);
  }

  [[nodiscard]] static std::string row_name(std::uint64_t entry) {
    return fmt::format("event {}", entry);
  }

  static std::vector<std::byte>& memory(EventRun& run, std::size_t number) {
    if (run.memory.size() <= number) run.memory.resize(number + 1);
    return run.memory[number];
  }

  /// Checks that the events of a batch follow each other from its beginning to its end.
  void check_rows(std::uint64_t first, std::span<const std::uint64_t> rows) const {
    const std::size_t width = products_.size() + 2;
    const std::uint64_t count = rows.size() / width;
    std::uint64_t before = rows.empty() ? 0 : rows[0];
    std::size_t batch = batches_.of(first);
    for (std::uint64_t entry = first; entry < first + count; ++entry) {
      const auto row = rows.subspan(static_cast<std::size_t>(entry - first) * width, width);
      if (entry == batches_.end_of(batch)) ++batch;
      const std::uint64_t start = batches_[batch][1];
      const std::uint64_t counted = layout_.kind == LayoutKind::batch ? start : 0;
      if (entry == batches_.begin_of(batch)) before = start - counted;
      const bool is_last =
          entry + 1 == batches_.end_of(batch) && layout_.codec_of(Unit::batch) == Codec::none;
      if (row[0] != before || row[1] < row[0] ||
          (is_last && row[1] != batches_[batch][2] - counted))
        fail_format(offsets_.dataset(),
                    "row {}: bytes {} to {}: does not begin at {} or end with batch {}", entry,
                    row[0], row[1], before, batch);
      before = row[1];
    }
  }

  /// Returns rows of Offsets, counted from the beginning of Blobs: `count` rows, or the rest of the
  /// batch if they are stored relative to its beginning.
  [[nodiscard]] std::vector<std::uint64_t> blob_rows(std::uint64_t first, std::uint64_t count) {
    count_ = count;
    const std::size_t batch = batches_.of(first);
    if (layout_.kind == LayoutKind::batch) count_ = std::min(count, batches_.end_of(batch) - first);
    // The row before is read, too, since the events begin at its end.
    const std::size_t skipped = first == batches_.begin_of(batch) ? 0 : 1;
    auto rows = offsets_.read(first - skipped, count_ + skipped);
    check_rows(first - skipped, rows);
    rows.erase(rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(skipped * (products_.size() + 2)));
    if (layout_.kind == LayoutKind::event) return rows;
    const std::uint64_t start = batches_[batch][1];
    const std::uint64_t end = batches_[batch][2];
    for (std::size_t at = 0; at < rows.size(); at += products_.size() + 2) {
      if (start > end || rows[at] > end - start || rows[at + 1] > end - start)
        fail_format(offsets_.dataset(), "row {}: bytes {} to {} leave batch {}",
                    first + at / (products_.size() + 2), rows[at], rows[at + 1], batch);
      rows[at] += start;
      rows[at + 1] += start;
    }
    return rows;
  }

  /// Loads whole events, which follow each other in the file.
  void load_blobs(std::uint64_t first, std::uint64_t count, EventRun& run) {
    const auto rows = blob_rows(first, count);
    const std::size_t width = products_.size() + 2;
    const std::uint64_t start = rows[0];
    const std::uint64_t base = place_of(0, start, 0);
    std::uint64_t before = start;
    for (std::uint64_t i = 0; i < count_; ++i) {
      const auto row = std::span(rows).subspan(static_cast<std::size_t>(i) * width, width);
      if (row[0] < before)  // the batch lies before another one
        fail_format(offsets_.dataset(), "row {}: begins at {}, before {}", first + i, row[0],
                    before);
      before = row[1];
      run.events.push_back(part(base + row[0] - start, base + row[1] - start));
      run.ends.insert(run.ends.end(), row.begin() + 2, row.end());
    }
    bring(0, start, before, 0, row_name(first), run);
  }

  /// Returns a range of the run. An empty range needs no memory.
  [[nodiscard]] static EventRun::Part part(std::uint64_t start, std::uint64_t end) {
    return start == end ? EventRun::Part{} : EventRun::Part{0, start, end};
  }
  /// Returns the place in the run of the bytes from `start` on of a dataset, if `filled` bytes are
  /// known.
  [[nodiscard]] std::uint64_t place_of(std::size_t p, std::uint64_t start,
                                       std::uint64_t filled) const {
    return decodes_later_ ? filled + data_[p].position_in_chunk(start) : filled;
  }
  /// Loads the bytes to that place, and returns how many bytes are known then.
  std::uint64_t bring(std::size_t p, std::uint64_t start, std::uint64_t end, std::uint64_t filled,
                      const std::string& row, EventRun& run) const {
    return decodes_later_ ? data_[p].read_chunks(run, filled, start, end, row)
                          : data_[p].read_to(memory(run, 0), filled, start, end, row);
  }

  /// Loads some products of events that are not compressed as a whole.
  void load_parts(std::uint64_t first, std::uint64_t count, const std::vector<bool>& selected,
                  EventRun& run) {
    const auto rows = blob_rows(first, count);
    const std::size_t products = products_.size();
    run.products.resize(static_cast<std::size_t>(count_) * products);
    std::vector<std::byte>& all = memory(run, 0);
    std::uint64_t filled = 0;
    for (std::uint64_t i = 0; i < count_; ++i) {
      const auto row =
          std::span(rows).subspan(static_cast<std::size_t>(i) * (products + 2), products + 2);
      for (std::size_t p = 0; p < products; ++p) {
        if (!selected[p]) continue;
        const std::uint64_t from = p == 0 ? 0 : row[p + 1];
        if (from > row[p + 2] || row[p + 2] > row[1] - row[0])
          fail_format(offsets_.dataset(), "row {}: product {}: bytes {} to {}", first + i, p, from,
                      row[p + 2]);
        const std::uint64_t at = filled;
        filled = data_[0].read_to(all, at, row[0] + from, row[0] + row[p + 2], row_name(first + i));
        run.products[static_cast<std::size_t>(i) * products + p] = {0, at, filled};
      }
    }
  }

  void load_columns(std::uint64_t first, std::uint64_t count, const std::vector<bool>& selected,
                    EventRun& run) {
    count_ = count;
    const std::size_t products = products_.size();
    if (products == 0) return;
    // The first event begins at the start of its batch, or at the end given by the row before.
    const bool is_first = first == batches_.begin_of(batches_.of(first));
    const std::size_t skipped = is_first ? 0 : 1;
    const auto rows = offsets_.read(first - skipped, count + skipped);
    run.products.resize(static_cast<std::size_t>(count) * products);
    const std::string row = row_name(first);
    std::uint64_t filled = 0;
    for (std::size_t p = 0; p < products; ++p)
      if (selected[p]) filled = load_column(p, rows, skipped, row, filled, run);
  }

  /// Loads one product after the `filled` bytes of the run; returns how many are known then.
  /// Adjacent batches are read together. @param row begins errors
  std::uint64_t load_column(std::size_t p, const std::vector<std::uint64_t>& rows,
                            std::size_t skipped, const std::string& row, std::uint64_t filled,
                            EventRun& run) {
    const std::size_t products = products_.size();
    std::size_t batch = batches_.of(run.first) + skipped;  // the next batch that begins
    std::uint64_t before = skipped == 0 ? batches_[batch][p + 1] : rows[p];
    std::uint64_t start = before;  // of the range that is read together
    std::uint64_t base = place_of(p, start, filled);
    const auto read = [&] { return bring(p, start, before, filled, row, run); };
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t entry = run.first + i;
      if (batch < batches_.size() && batches_.begin_of(batch) == entry) {
        const std::uint64_t begin = batches_[batch++][p + 1];
        if (begin < before)
          fail_format(group_, "{}: row {}: product {} begins at {}, before {}", kBatches, batch - 1,
                      p, begin, before);
        if (begin != before) {
          filled = read();
          start = before = begin;
          base = place_of(p, start, filled);
        }
      }
      const std::uint64_t end = rows[(i + skipped) * products + p];
      if (end < before)
        fail_format(offsets_.dataset(), "row {}: product {} ends at {}, before {}", entry, p, end,
                    before);
      run.products[i * products + p] = part(base + before - start, base + end - start);
      before = end;
    }
    return read();
  }

  void load_batch(std::uint64_t entry, EventRun& run) {
    const std::size_t batch = batches_.of(entry);
    const auto& row = batches_[batch];
    run.first = row[0];
    count_ = batches_.end_of(batch) - run.first;
    data_[0].read(row[1], row[2], memory(run, 0), fmt::format("batch {}", batch));
    const auto rows = offsets_.read(run.first, count_);
    check_rows(run.first, rows);
    const std::size_t width = products_.size() + 2;
    for (std::size_t at = 0; at < rows.size(); at += width) {
      run.events.push_back({0, rows[at], rows[at + 1]});
      run.ends.insert(run.ends.end(), rows.begin() + static_cast<std::ptrdiff_t>(at + 2),
                      rows.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
  }

  File file_;
  Group group_;
  Dataset identities_;
  EventLayout layout_;
  NumberTable offsets_;
  BatchTable batches_;
  std::vector<ByteTable> data_;
  std::uint64_t count_ = 0;     ///< events of the run being loaded
  bool decodes_later_ = false;  ///< true if its chunks are read as they are stored
  IdentityIndex index_;
};

}  // namespace

std::unique_ptr<StoredEvents> open_version_2(const File& file) {
  return std::make_unique<Version2>(file);
}

}  // namespace onecast::events::hdf5
