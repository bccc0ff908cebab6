#include "hdf5/event_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/entry_order.hpp"

namespace onecast::events::hdf5 {
namespace {

void write_texts(Group& group, const char* name, const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  std::vector<std::byte> bytes(texts.size() * size);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::ranges::copy(std::as_bytes(std::span(texts[i])),
                      bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  group.create_dataset(
      name, {.type = Datatype::string(size, StringPadding::null_padded, CharacterSet::utf8),
             .space = Dataspace(Shape{texts.size()}),
             .data = bytes});
}

}  // namespace

BatchShape shape_of(const ColumnBatch& batch) {
  BatchShape shape;
  shape.events = batch.identities.size();
  shape.first = batch.identities.front();
  shape.last = batch.identities.back();
  shape.is_ascending = std::ranges::is_sorted(batch.identities);
  for (const Column& column : batch.columns) {
    shape.sizes.push_back(column.size);
    std::vector<std::uint64_t>& sizes = shape.chunk_sizes.emplace_back();
    for (const auto& chunk : column.chunks) sizes.push_back(chunk.size());
  }
  return shape;
}

EventFile::EventFile(const std::string& path, const Communicator& communicator,
                     const EventLayout& layout, const Sizes& sizes, const ProductList& products)
    : layout_(layout),
      products_(products.size()),
      file_(File::create(path, communicator)),
      group_(file_.root().create_group(kGroup)) {
  describe(sizes, products);
  create_datasets(sizes, products);
  if (communicator.rank() == 0) spare_ = SpareSpace(path);
}

void EventFile::describe(const Sizes& sizes, const ProductList& products) {
  group_.set_attribute("layout", name_of(layout_.kind));
  group_.set_attribute("version", kVersion);
  group_.set_attribute("serializer", products.serializer);
  group_.set_attribute("compression", events::name_of(layout_.compression.codec));
  group_.set_attribute("compression_level", std::int32_t{layout_.compression.level});
  group_.set_attribute("compression_unit", name_of(layout_.unit));
  group_.set_attribute("batch_events", sizes.batch_events);
  std::vector<std::string> names;
  std::vector<std::string> classes;
  for (const Product& product : products.products) {
    names.push_back(product.name);
    classes.push_back(product.class_name);
  }
  write_texts(group_, kNames, names);
  write_texts(group_, kClasses, classes);
}

void EventFile::create_datasets(const Sizes& sizes, const ProductList& products) {
  const Datatype number = Datatype::of<std::uint64_t>();
  identities_.emplace(group_, kIdentities, identity_type(), std::nullopt, sizes.identity_rows);
  if (const std::uint64_t width = layout_.offsets(products_); width != 0)
    offsets_.emplace(group_, kOffsets, number, width, sizes.offset_rows);
  batches_.emplace(group_, kBatches, number, layout_.batch_numbers(products_), sizes.batch_rows);
  const bool has_filters = layout_.codec_of(Unit::chunk) != Codec::none;
  const auto filters = has_filters ? filters_of(layout_.compression) : std::vector<Filter>();
  const auto add = [&](const std::string& name) {
    data_.emplace_back(group_, name, layout_.element(data_.size()), std::nullopt,
                       sizes.chunk_bytes[data_.size()], filters, true);
  };
  if (layout_.kind == LayoutKind::product)
    for (const Product& product : products.products)
      add(fmt::format("{}/{}", kData, dataset_name(product.name)));
  else
    add(kBlobs);
}

BatchPlace EventFile::append(const BatchShape& shape, std::uint64_t batches) {
  BatchPlace place{identities_->rows(), batches_->rows(), {}};
  is_ascending_ =
      is_ascending_ && shape.is_ascending && (place.first_event == 0 || last_ <= shape.first);
  last_ = shape.last;
  identities_->grow(shape.events);
  if (offsets_) offsets_->grow(shape.events);
  batches_->grow(batches);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    place.bases.push_back(shape.sizes[i] == 0 ? data_[i].rows() : data_[i].next_row());
    data_[i].grow(shape.sizes[i], shape.chunk_sizes[i]);
  }
  return place;
}

std::vector<GrowingDataset*> EventFile::datasets() {
  std::vector<GrowingDataset*> all{&*identities_, &*batches_};
  if (offsets_) all.push_back(&*offsets_);
  for (GrowingDataset& data : data_) all.push_back(&data);
  return all;
}

EventFile::State EventFile::state() {
  State now{is_ascending_, last_, {}};
  for (const GrowingDataset* dataset : datasets()) now.rows.push_back(dataset->rows());
  return now;
}

void EventFile::interrupt() {
  spare_ = {};
  is_interrupted_ = true;
}

void EventFile::take_back(const State& before) {
  interrupt();
  is_ascending_ = before.is_ascending;
  last_ = before.last;
  const auto all = datasets();
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->take_back(before.rows[i]);
}

void EventFile::write(const BatchPlace& place, const ColumnBatch& batch) {
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    data_[i].write(place.bases[i], batch.columns[i].parts);
    data_[i].write_chunks(place.bases[i], batch.columns[i].chunks);
  }
  write_offsets(place, batch.offsets);
  write_identities(place, batch.identities);
  write_row(place, batch.blob_bytes());
}

void EventFile::write_identities(const BatchPlace& place, std::span<const Identity> identities) {
  identities_->write(place.first_event, std::as_bytes(identities));
}

void EventFile::write_offsets(const BatchPlace& place, std::span<const std::uint64_t> offsets) {
  if (offsets_) offsets_->write(place.first_event, std::as_bytes(offsets));
}

std::vector<std::uint64_t> EventFile::row_of(const BatchPlace& place,
                                             std::uint64_t blob_bytes) const {
  std::vector<std::uint64_t> row{place.first_event};
  row.insert(row.end(), place.bases.begin(), place.bases.end());
  if (layout_.kind != LayoutKind::product) row.push_back(place.bases[0] + blob_bytes);
  return row;
}

void EventFile::write_row(const BatchPlace& place, std::uint64_t blob_bytes) {
  write_rows(place, row_of(place, blob_bytes));
}

void EventFile::write_together(const BatchBytes& mine, const std::exception_ptr& failure) {
  const bool has = mine.place != nullptr;
  const BatchPlace nowhere{0, 0, std::vector<std::uint64_t>(data_.size())};
  const BatchPlace& place = has ? *mine.place : nowhere;
  std::vector<std::uint64_t> row;
  if (has) row = row_of(place, mine.blob_bytes);
  std::vector<WriteRequest> all;
  all.reserve(data_.size() + 2);
  for (std::size_t i = 0; i < data_.size(); ++i)
    all.push_back(
        data_[i].request(place.bases[i], i < mine.columns.size() ? mine.columns[i] : Bytes()));
  if (offsets_) all.push_back(offsets_->request(place.first_event, std::as_bytes(mine.offsets)));
  all.push_back(identities_->request(place.first_event, std::as_bytes(mine.identities)));
  all.push_back(batches_->request(place.number, std::as_bytes(std::span(row))));
  if (layout_.codec_of(Unit::chunk) != Codec::none)
    write_allocated_chunks(file_, mine.chunks, failure);
  file_.write_multi(all, failure);
}

void EventFile::write_rows(const BatchPlace& place, std::span<const std::uint64_t> rows) {
  batches_->write(place.number, std::as_bytes(rows));
}

std::optional<Identity> EventFile::finish() {
  spare_ = {};
  file_.flush();
  const auto repeated = write_index(group_, is_ascending_);
  if (is_interrupted_) group_.set_attribute(kInterrupted, std::uint8_t{1});
  file_.close();
  return repeated;
}

std::optional<Identity> write_index(Group& group, bool is_ascending) {
  if (is_ascending) {
    group.set_attribute(kIndexAttribute, kAscending);
    return {};
  }
  const Dataset stored = group.open_dataset(kIdentities);
  std::vector<Identity> all(static_cast<std::size_t>(stored.element_count()));
  stored.read_all(std::as_writable_bytes(std::span(all)));
  const auto identity_of = [&](std::uint64_t entry) { return all[entry]; };
  const auto order = entries_by_identity(all.size(), identity_of);
  group.create_dataset(kIndex, Shape{order.size()}, order);
  group.set_attribute(kIndexAttribute, kIndex);
  const auto found = std::ranges::adjacent_find(order, {}, identity_of);
  return found == order.end() ? std::nullopt : std::optional(all[*found]);
}

}  // namespace onecast::events::hdf5
