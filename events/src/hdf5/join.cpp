#include "hdf5/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "hdf5/checked_reads.hpp"
#include "hdf5/encode_events.hpp"
#include "hdf5/event_file.hpp"
#include "hdf5/stored_events.hpp"
#include "model/make_error.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {
namespace {

/// Throws if the file has no products.
void require_products(const std::string& path) {
  if (open_columns(path))
    throw unsupported_error(
        "{}: has columns: `onecast events` joins and indexes files that all have columns", path);
  open_events(path);
}

/// A file to be joined.
struct Part {
  explicit Part(const std::string& path)
      : file(File::open(path)),
        group(file.root().open_group(kGroup)),
        identities(need_dataset(group, kIdentities)) {
    if (number_attribute(group, "version") != kVersion)
      throw unsupported_error("{}: is not of version {}", path, kVersion);
    layout.kind = layout_named(text_attribute(group, "layout"), path);
    layout.compression.codec = codec_named(text_attribute(group, "compression"), path);
    layout.compression.level = static_cast<int>(number_attribute(group, "compression_level"));
    layout.unit = unit_named(text_attribute(group, "compression_unit"), path);
    products.serializer = text_attribute(group, "serializer");
    const auto names = texts_of(need_dataset(group, kNames));
    const auto classes = texts_of(need_dataset(group, kClasses));
    for (std::size_t i = 0; i < std::min(names.size(), classes.size()); ++i)
      products.products.push_back({names[i], classes[i]});
    if (layout.kind == LayoutKind::product)
      for (const Product& product : products.products)
        data.emplace_back(
            need_dataset(group, fmt::format("{}/{}", kData, dataset_name(product.name))));
    else
      data.emplace_back(need_dataset(group, kBlobs));
    if (layout.kind == LayoutKind::product)
      for (const ByteTable& table : data) layout.elements.push_back(table.dataset().datatype());
    batches = NumberTable(need_dataset(group, kBatches), layout.batch_numbers(products.size()));
    if (const auto width = layout.offsets(products.size()); width != 0)
      offsets = NumberTable(need_dataset(group, kOffsets), width);
  }

  [[nodiscard]] Sizes sizes() const {
    Sizes all;
    all.batch_events = static_cast<std::uint64_t>(number_attribute(group, "batch_events"));
    for (const ByteTable& table : data)
      all.chunk_bytes.push_back(table.dataset().chunk_shape().front() *
                                table.dataset().datatype().size());
    all.identity_rows = identities.chunk_shape().front();
    all.batch_rows = batches.dataset().chunk_shape().front();
    if (!offsets.dataset().is_empty()) all.offset_rows = offsets.dataset().chunk_shape().front();
    return all;
  }

  File file;
  Group group;
  Dataset identities;
  EventLayout layout;
  ProductList products;
  NumberTable batches, offsets;
  std::vector<ByteTable> data;
};

void require_alike(const Part& a, const Part& b) {
  const auto differ = [&](const char* what) {
    throw argument_error("{} and {} differ in {}: convert one of them", a.file.path(),
                         b.file.path(), what);
  };
  if (a.layout.kind != b.layout.kind) differ("layout");
  if (a.layout.compression.codec != b.layout.compression.codec || a.layout.unit != b.layout.unit)
    differ("compression");
  if (a.products != b.products) differ("products");
  if (a.layout.elements != b.layout.elements) differ("the types of products");
}

/// Copies the bytes of one dataset to the place that append() has made.
void copy_bytes(const ByteTable& from, GrowingDataset& to, std::uint64_t base, bool filtered) {
  if (filtered) {
    std::vector<std::vector<std::byte>> chunks;
    const std::uint64_t element = from.dataset().datatype().size();
    for (const StoredChunk& chunk : stored_chunks(from.dataset())) {
      chunks.push_back(read_stored_chunk(from.dataset(), chunk.start).bytes);
      to.write_chunks(base + chunk.start.front() * element, chunks);
      chunks.clear();
    }
    return;
  }
  const std::uint64_t element = from.dataset().datatype().size();
  const std::uint64_t part =
      std::max((std::uint64_t{8} << 20U) / element, std::uint64_t{1}) * element;
  std::vector<std::byte> bytes;
  for (std::uint64_t at = 0; at < from.size(); at += bytes.size()) {
    from.read(at, std::min(from.size(), at + part), bytes, fmt::format("byte {}", at));
    to.write(base + at, bytes);
  }
}

/// The number of rows of a part's table that are copied at a time.
constexpr std::uint64_t kRows = 65536;

class Joined {
 public:
  Joined(const std::string& path, const Part& like)
      : layout_(like.layout),
        products_(like.products.size()),
        sizes_(like.sizes()),
        file_(path, Communicator(), like.layout, sizes_, like.products) {}

  /// True if chunks are copied unchanged. If not, the events are compressed anew.
  [[nodiscard]] bool can_copy(const Part& part) const {
    return !is_filtered() || part.sizes().chunk_bytes == sizes_.chunk_bytes;
  }

  void add(const Part& part) {
    const std::uint64_t events = part.identities.element_count();
    if (events == 0) return;
    const std::uint64_t batches = part.batches.rows();
    const auto ids = identities_of(part);
    if (!can_copy(part)) return add_anew(part, ids);
    BatchShape shape;
    shape.events = events;
    shape.first = ids.front();
    shape.last = ids.back();
    shape.is_ascending = std::ranges::is_sorted(ids);
    for (const ByteTable& table : part.data) {
      shape.sizes.push_back(table.size());
      std::vector<std::uint64_t>& sizes = shape.chunk_sizes.emplace_back();
      if (is_filtered())
        for (const StoredChunk& chunk : stored_chunks(table.dataset())) sizes.push_back(chunk.size);
    }
    const BatchPlace place = file_.append(shape, batches);
    file_.write_identities(place, ids);
    for (std::uint64_t row = 0; row < part.offsets.rows(); row += kRows) {
      auto rows = part.offsets.read(row, std::min(kRows, part.offsets.rows() - row));
      add_bases(layout_, products_, place.bases, rows);
      file_.write_offsets({place.first_event + row, 0, {}}, rows);
    }
    auto rows = part.batches.read(0, batches);
    const std::size_t width = layout_.batch_numbers(products_);
    for (std::size_t at = 0; at < rows.size(); at += width) {
      rows[at] += place.first_event;
      for (std::size_t i = 1; i < width; ++i)
        rows[at + i] += place.bases[layout_.kind == LayoutKind::product ? i - 1 : 0];
    }
    file_.write_rows(place, rows);
    for (std::size_t i = 0; i < part.data.size(); ++i)
      copy_bytes(part.data[i], file_.data(i), place.bases[i], is_filtered());
  }
  /// Returns an identity that several events have, if there is one.
  std::optional<Identity> finish() {
    const auto found = file_.finish();
    return found ? found : repeated_;
  }

 private:
  /// Reads identities, and remembers one that occurs twice.
  std::vector<Identity> identities_of(const Part& part) {
    std::vector<Identity> ids(static_cast<std::size_t>(part.identities.element_count()));
    part.identities.read(std::as_writable_bytes(std::span(ids)), {.memory_type = identity_type()});
    if (!repeated_ && std::ranges::is_sorted(ids))
      repeated_ = last_ == ids.front() ? last_ : repeated_in(ids);
    last_ = ids.back();
    return ids;
  }

  void add_anew(const Part& part, std::span<const Identity> ids) {
    const auto rows = part.batches.read(0, part.batches.rows());
    const std::size_t width = layout_.batch_numbers(products_);
    for (std::size_t at = 0; at < rows.size(); at += width) {
      const std::uint64_t first = rows[at];
      const std::uint64_t end = at + width < rows.size() ? rows[at + width] : ids.size();
      if (first >= end || end > ids.size())
        fail_format(part.batches.dataset(), "row {}: events {} to {} of {}", at / width, first, end,
                    ids.size());
      ColumnBatch batch;
      batch.identities.assign(ids.begin() + static_cast<std::ptrdiff_t>(first),
                              ids.begin() + static_cast<std::ptrdiff_t>(end));
      recode(part, std::span(rows).subspan(at, width), batch);
      const BatchPlace place = file_.append(shape_of(batch));
      add_bases(layout_, products_, place.bases, batch.offsets);
      file_.write(place, batch);
    }
  }

  /// Adds the bytes of the events in new chunks. @param row the row of Batches
  void recode(const Part& part, std::span<const std::uint64_t> row, ColumnBatch& batch) const {
    batch.offsets = part.offsets.read(row[0], batch.identities.size());
    std::vector<std::uint64_t> to_start;  // of the offsets, modulo 2^64
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < part.data.size(); ++i) {
      const std::uint64_t start = row[1 + i];
      const std::uint64_t stop = layout_.kind == LayoutKind::product
                                     ? batch.offsets[batch.offsets.size() - products_ + i]
                                     : row[2];
      part.data[i].read(start, stop, bytes, fmt::format("event {}", row[0]));
      Column& column = batch.columns.emplace_back();
      column.size = bytes.size();
      column.chunks = encode_chunks(layout_.compression, bytes, sizes_.chunk_bytes[i]);
      to_start.push_back(-start);
    }
    add_bases(layout_, products_, to_start, batch.offsets);
  }

  [[nodiscard]] bool is_filtered() const { return layout_.codec_of(Unit::chunk) != Codec::none; }

  EventLayout layout_;
  std::size_t products_;
  Sizes sizes_;
  EventFile file_;
  std::optional<Identity> last_, repeated_;  ///< of parts with ascending identities
};

}  // namespace

JoinReport join(const std::string& out, const std::vector<std::string>& in) {
  JoinReport report;
  require_products(in.front());
  const Part first(in.front());
  // Only one part is open at a time, since a process may have few files open.
  for (const std::string& path : in) {
    require_products(path);
    const Part part(path);
    require_alike(first, part);
    if (is_interrupted(part.group)) report.interrupted.push_back(path);
  }
  Joined joined(out, first);
  for (const std::string& path : in) {
    const Part part(path);
    if (!joined.can_copy(part)) report.recoded.push_back(path);
    joined.add(part);
  }
  report.repeated = joined.finish();
  return report;
}

void make_index(const std::string& path) {
  require_products(path);
  File file = File::open(path, Access::read_write);
  Group group = file.root().open_group(kGroup);
  if (is_interrupted(group)) group.set_attribute(kInterrupted, std::uint8_t{1});
  if (group.contains(kIndex)) group.remove(kIndex);
  const Dataset identities = need_dataset(group, kIdentities);
  std::vector<Identity> ids(static_cast<std::size_t>(identities.element_count()));
  identities.read(std::as_writable_bytes(std::span(ids)), {.memory_type = identity_type()});
  write_index(group, std::ranges::is_sorted(ids));
  file.close();
}

}  // namespace onecast::events::hdf5
