#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "hdf5/element_types.hpp"
#include "hdf5/encode_events.hpp"
#include "hdf5/event_file.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/rounds.hpp"
#include "model/unique_names.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {
namespace {

/// Encodes a BatchShape as numbers.
std::vector<std::uint64_t> as_numbers(const BatchShape& shape) {
  std::vector<std::uint64_t> all{shape.events};
  for (const Identity& id : {shape.first, shape.last})
    all.insert(all.end(), {id.run, id.lumi, id.event});
  all.push_back(shape.is_ascending ? 1 : 0);
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    all.insert(all.end(), {shape.sizes[i], shape.chunk_sizes[i].size()});
    all.insert(all.end(), shape.chunk_sizes[i].begin(), shape.chunk_sizes[i].end());
  }
  return all;
}

/// Decodes a BatchShape; without numbers there is no batch.
BatchShape shape_from(std::span<const std::uint64_t> all) {
  if (all.empty()) return {};
  const auto identity = [&](std::size_t at) {
    return Identity{static_cast<std::uint32_t>(all[at]), static_cast<std::uint32_t>(all[at + 1]),
                    all[at + 2]};
  };
  BatchShape shape{all[0], identity(1), identity(4), all[7] != 0, {}, {}};
  for (std::size_t at = 8; at < all.size();) {
    shape.sizes.push_back(all[at]);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    const auto count = static_cast<std::ptrdiff_t>(all[at + 1]);
    shape.chunk_sizes.emplace_back(first, first + count);
    at += 2 + static_cast<std::size_t>(count);
  }
  return shape;
}

class Hdf5Outputer final : public RoundOutputer {
 public:
  Hdf5Outputer(LayoutKind kind, const Request& request) : RoundOutputer(request) {
    layout_.kind = kind;
    layout_.compression = compression_of(request.options);
    by_type_ = kind == LayoutKind::product && request.options.text("numeric") == "compound";
    const std::string& unit = request.options.text("unit");
    if (!layout_.compression.is_on()) {
      if (request.options.is_given("unit") && unit != "none")
        request.options.reject("unit", "is for a compression");
      return;
    }
    layout_.unit = unit_named(unit, "unit");
    const bool has_no_filter = layout_.compression.codec == Codec::lzma;
    if (has_no_filter && layout_.unit == Unit::chunk && !request.options.is_given("unit"))
      layout_.unit = Unit::product;
    if (layout_.unit == Unit::none) request.options.reject("unit", "none, with a compression");
    if (by_type_ && layout_.unit != Unit::chunk)
      request.options.reject("numeric", "compound, with a compression, needs unit=chunk");
    if (has_no_filter && layout_.unit == Unit::chunk)
      request.options.reject("unit", "HDF5 has no filter for lzma: chunk is for lz4 and zstd");
  }

  void begin(const ProductList& products, const Expectation& expected) override {
    products_ = products.size();
    require_unique(products, path());  // before the old file is lost
    sizes_ = Sizes::choose(layout_, expected, batch_given(), chunk_given());
    if (by_type_) choose_elements(products);
    file_.emplace(path(), team()->communicator(), layout_, sizes_, products);
    by_stripes_ = team()->size() > 1 && file_->has_stripes();
  }
  std::uint64_t batch_events() const override { return sizes_.batch_events; }

  EncodedEvent encode(const Event& event) override {
    if (by_type_) check_elements(event);
    return encode_event(layout_, event);
  }
  void encode_batch(Batch& batch) override {
    batch.encoded =
        hdf5::encode_batch(layout_, products_, batch, sizes_.chunk_bytes,
                           by_stripes_ || by_type_ ? Parts::become_one : Parts::may_stay);
    if (layout_.codec_of(Unit::batch) == Codec::none &&
        layout_.codec_of(Unit::chunk) == Codec::none)
      return;
    for (EncodedEvent& event : batch.events) event = {event.identity, {}, {}};
  }

  void interrupt() override {
    if (file_) file_->interrupt();
  }
  void finish() override {
    if (!file_) return;
    file_->finish();
    measure_file();
  }

 private:
  std::vector<std::uint64_t> shape_of(const EncodedBatch& batch) const override {
    return as_numbers(hdf5::shape_of(dynamic_cast<const ColumnBatch&>(batch)));
  }

  /// Stores products of numbers as datasets of numbers; chunks hold whole elements.
  void choose_elements(const ProductList& products) {
    for (std::size_t p = 0; p < products_; ++p) {
      const Product& product = products.products[p];
      const auto type = element_type(product, products.serializer);
      layout_.elements.push_back(type.value_or(Datatype::of<std::uint8_t>()));
      const std::uint64_t bytes = layout_.elements.back().size();
      std::uint64_t& chunk = sizes_.chunk_bytes[p];
      chunk = (chunk + bytes - 1) / bytes * bytes;
      names_.push_back(product.name);
    }
  }

  void check_elements(const Event& event) const {
    for (std::size_t p = 0; p < products_; ++p)
      require_whole_elements(event, names_[p], event.products[p].size(), layout_.elements[p].size(),
                             path());
  }

  /// Allocates space for the batches of all ranks on each rank; each rank writes its own batch.
  std::exception_ptr append(const Told& told, EncodedBatch* batch) override {
    auto* mine = dynamic_cast<ColumnBatch*>(batch);
    std::exception_ptr failure;
    std::optional<BatchPlace> own;
    bool waits = false;  // true if this rank's batch has a place and is not written yet
    before_.clear();
    const auto write_waiting = [&] {
      if (!std::exchange(waits, false)) return;
      if (auto problem = write_round(mine, std::exchange(own, std::nullopt))) failure = problem;
    };
    for (std::size_t rank = 0; rank < told.ranks(); ++rank) {
      before_.push_back(file_->state());
      const BatchShape shape = shape_from(told.shape(rank));
      if (shape.events == 0) continue;
      waits = true;
      const BatchPlace place = file_->append(shape);
      if (rank == static_cast<std::size_t>(team()->rank())) own = place;
      if (!is_flushed_behind(place.number + 1)) continue;
      // The flush follows this batch on any number of ranks, since it affects the bytes of the
      // file.
      write_waiting();
      if (!all_have_written(*team(), failure)) break;
      file_->flush();
    }
    write_waiting();
    return failure;
  }

  void take_back(std::size_t rank) override { file_->take_back(before_[rank]); }

  /// Writes this rank's batch of a round, if it has one. @return what keeps this rank from it
  std::exception_ptr write_round(ColumnBatch* mine, const std::optional<BatchPlace>& place) {
    if (place) add_bases(layout_, products_, place->bases, mine->offsets);
    try {
      if (by_stripes_)
        write_with_others(mine, place);
      else if (place)
        file_->write(*place, *mine);
    } catch (...) {
      return std::current_exception();
    }
    return {};
  }

  /// Writes with one collective call: if batches of several ranks share a stripe of the file
  /// system, one rank writes it for all.
  void write_with_others(ColumnBatch* mine, const std::optional<BatchPlace>& place) {
    std::exception_ptr failure;
    BatchBytes bytes;
    if (place) {
      bytes = {&*place, mine->identities, mine->offsets, mine->blob_bytes(), {}};
      try {
        for (std::size_t i = 0; i < mine->columns.size(); ++i) {
          const Column& column = mine->columns[i];
          bytes.columns.push_back(column.parts.empty() ? Bytes() : column.parts.front());
          file_->data(i).add_chunks(place->bases[i], column.chunks, bytes.chunks);
        }
      } catch (...) {
        failure = std::current_exception();
      }
    }
    file_->write_together(bytes, failure);
  }

  EventLayout layout_;
  bool by_stripes_ = false;  ///< ranks write together what lies in one stripe
  bool by_type_ = false;
  std::vector<std::string> names_;  ///< of products whose sizes are checked
  Sizes sizes_;
  std::size_t products_ = 0;
  std::optional<EventFile> file_;
  std::vector<EventFile::State> before_;  ///< before the batch of each rank in the last round
};

OutputerInfo outputer_of(LayoutKind kind, const std::string& name, const std::string& description) {
  using Kind = OptionInfo::Kind;
  std::vector<OptionInfo> options = compression_options({"none", "lz4", "zstd", "lzma"});
  OptionInfo unit{.name = "unit",
                  .kind = Kind::choice,
                  .otherwise = std::string(name_of(units_of(kind)[1])),
                  .description = kind == LayoutKind::product
                                     ? "what is compressed as one piece; lzma: product"
                                     : "what is compressed as one piece",
                  .choices = {}};
  for (const Unit u : units_of(kind)) unit.choices.emplace_back(name_of(u));
  options.push_back(unit);
  if (kind == LayoutKind::product)
    options.push_back({.name = "numeric",
                       .kind = Kind::choice,
                       .otherwise = "bytes",
                       .description = "products of numbers as bytes, or as numbers and compounds",
                       .choices = {"bytes", "compound"}});
  options.push_back(
      batch_option("about 4 MiB; where batches are compressed 1 MiB; of products up to 32 MiB, "
                   "where their chunks are compressed three of each"));
  options.push_back(chunk_option("1 MiB"));
  options.push_back(flush_option());
  return {.name = name,
          .description = description,
          .file = FileUse::required,
          .options = options,
          .make = [kind](const Request& request) {
            return std::make_unique<Hdf5Outputer>(kind, request);
          }};
}

}  // namespace

std::vector<OutputerInfo> hdf5_outputers() {
  return {outputer_of(LayoutKind::product, "HDF5Product", "HDF5: a dataset for each product"),
          outputer_of(LayoutKind::event, "HDF5Event", "HDF5: events as blobs in one dataset"),
          outputer_of(LayoutKind::batch, "HDF5Batch",
                      "HDF5: events as blobs, several of them compressed together")};
}

}  // namespace onecast::events::hdf5
