#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "hdf5/checked_reads.hpp"
#include "hdf5/column_form.hpp"
#include "hdf5/stored_events.hpp"
#include "model/entry_order.hpp"
#include "model/make_error.hpp"
#include "model/tight.hpp"

/// Makes products of columns: numbers, lists of numbers and texts.
namespace onecast::events::hdf5 {
namespace {

/// The rows of a dataset of little-endian numbers.
class Rows {
 public:
  Rows(Dataset dataset, const ColumnForm& form) : dataset_(std::move(dataset)) {
    const Shape shape = dataset_.shape();
    if (shape.empty()) fail_format(dataset_, "has no rows");
    if (!std::ranges::equal(std::span(shape).subspan(1), form.inner_shape))
      fail_format(dataset_, "has another shape than the form says");
    row_bytes_ = form.bytes;
    bool is_too_large = false;
    for (const std::uint64_t length : form.inner_shape)
      is_too_large = __builtin_mul_overflow(row_bytes_, length, &row_bytes_) || is_too_large;
    std::uint64_t all = 0;
    if (is_too_large || __builtin_mul_overflow(row_bytes_, shape[0], &all))
      fail_format(dataset_, "has too many elements");
    const TypeClass type = dataset_.datatype().type_class();
    const TypeClass wanted = form.letter == 'b'   ? TypeClass::enumeration
                             : form.letter == 'f' ? TypeClass::floating
                                                  : TypeClass::integer;
    if (type != wanted || dataset_.datatype().size() != form.bytes)
      fail_format(dataset_, "does not consist of numbers of {} bytes, as the form says",
                  form.bytes);
    if (type != TypeClass::enumeration)
      type_ = type == TypeClass::floating ? Datatype::floating(form.bytes)
                                          : Datatype::integer(form.bytes, form.letter == 'i');
  }

  [[nodiscard]] std::uint64_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::uint64_t rows() const { return dataset_.shape()[0]; }
  [[nodiscard]] const Dataset& dataset() const { return dataset_; }

  /// @param room the most bytes to read; read() reduces it
  void read(std::uint64_t first, std::uint64_t last, std::vector<std::byte>& out,
            std::uint64_t event, std::uint64_t& room) const {
    if (first > last || last > rows() || (row_bytes_ != 0 && last - first > room / row_bytes_))
      fail_format(dataset_, "event {}: elements {} to {} of {}", event, first, last, rows());
    room -= (last - first) * row_bytes_;
    resize_tightly(out, static_cast<std::size_t>((last - first) * row_bytes_));
    if (!out.empty())
      dataset_.read(std::as_writable_bytes(std::span(out)),
                    {.part = dataset_.rows(first, last), .memory_type = type_});
  }

 private:
  Dataset dataset_;
  std::uint64_t row_bytes_ = 0;
  std::optional<Datatype> type_;
};

/// Offsets or an index, which locate the elements of events.
using Offset = std::int64_t;
using Places = std::vector<Offset>;

class Columns final : public StoredEvents {
 public:
  Columns(const File& file, const Group& group) : file_(file), group_(group) {
    const GroupForm form = form_of(group);
    size_ = form.length;
    is_interrupted_ = form.is_unfinished;
    left_out_ = form.left_out;
    most_at_once_ = kForColumns;
    products_.serializer = "raw";
    for (const std::string& name : form.identity)
      identity_.push_back(need_dataset(group, data_of(form, name)));
    for (const Dataset& dataset : identity_) require_identity(dataset);
    for (const ColumnForm& column : form.columns)
      if (!column.is_added || std::ranges::count(form.identity, column.product.name) == 0)
        add(column);
    // Chunks that were never written take no space in the file, so a dataset can claim any size.
    most_ = std::min(std::uint64_t{8} << 30U,
                     file.metadata_report().file_size * 1024 + (std::uint64_t{64} << 20U));
  }

  void load(std::uint64_t first, std::uint64_t bytes, const std::vector<bool>& selected,
            EventRun& run) override {
    // The memory that an event takes besides its bytes.
    const std::uint64_t beside = 64 + columns_.size() * (sizeof(EventRun::Part) + sizeof(Offset));
    const std::uint64_t event = bytes_ / std::max<std::uint64_t>(size_, 1) + beside;
    const std::uint64_t count = std::min(std::max<std::uint64_t>(bytes / event, 1), size_ - first);
    run.clear();
    run.where = file_.path();
    run.first = first;
    run.has_sizes = false;
    run.of_batch = run.of_event = run.of_product = Codec::none;
    run.identities = identities(first, first + count);
    run.memory.resize(std::max<std::size_t>(products_.size(), 1));
    run.products.resize(static_cast<std::size_t>(count) * products_.size());
    std::map<std::string, Places> shared;  // lists may share offsets
    std::uint64_t room = most_;
    for (std::size_t p = 0; p < products_.size(); ++p)
      if (selected[p]) load_column(p, count, shared, run, room);
  }

  std::optional<std::uint64_t> find(const Identity& identity) override {
    if (identity_.empty()) {  // the events are numbered
      const bool is_there = identity.run == 1 && identity.lumi == 1 && identity.event - 1 < size_;
      return is_there ? std::optional(identity.event - 1) : std::nullopt;
    }
    if (size_ > most_ / sizeof(Identity))
      fail_format(group_, "{} events are more than the file can hold", size_);
    if (all_.empty()) all_ = identities(0, size_);
    const auto of = [this](std::uint64_t entry) { return all_[static_cast<std::size_t>(entry)]; };
    if (order_.empty()) order_ = entries_by_identity(all_.size(), of);
    return find_entry(order_, identity, of);
  }

  std::string describe() const override { return "HDF5, layout columnar"; }
  bool is_interrupted() const override { return is_interrupted_; }
  std::vector<std::string> left_out() const override { return left_out_; }

 private:
  struct Column {
    ColumnForm form;
    Rows data;
    std::optional<Dataset> places;
  };

  static std::string data_of(const GroupForm& form, const std::string& name) {
    const auto column = std::ranges::find_if(
        form.columns, [&](const ColumnForm& c) { return c.product.name == name; });
    return column->data;
  }

  void require_identity(const Dataset& dataset) const {
    const TypeClass type = dataset.datatype().type_class();
    if ((type != TypeClass::integer && type != TypeClass::floating) || dataset.shape().size() != 1)
      fail_format(dataset, "has no number for each event");
    if (dataset.shape()[0] < size_)
      fail_format(dataset, "has {} rows for {} events", dataset.shape()[0], size_);
  }

  void add(const ColumnForm& form) {
    Column column{form, Rows(need_dataset(group_, form.data), form), {}};
    if (!form.places.empty()) {
      column.places = need_dataset(group_, form.places);
      const Shape& shape = column.places->shape();
      const std::uint64_t rows = size_ + (form.kind == ColumnForm::Kind::list ? 1 : 0);
      if (column.places->datatype().type_class() != TypeClass::integer || shape.size() != 1 ||
          shape[0] < rows)
        fail_format(*column.places, "has no {} integers", rows);
    } else if (column.data.rows() < size_) {
      fail_format(column.data.dataset(), "has {} rows for {} events", column.data.rows(), size_);
    }
    bytes_ += column.data.rows() * column.data.row_bytes();
    products_.products.push_back(form.product);
    columns_.push_back(std::move(column));
  }

  void load_column(std::size_t p, std::uint64_t count, std::map<std::string, Places>& shared,
                   EventRun& run, std::uint64_t& room) const {
    const Column& column = columns_[p];
    std::uint64_t first = run.first;
    std::uint64_t last = first + count;
    const bool is_list = column.form.kind == ColumnForm::Kind::list;
    const Places* places = column.places ? &places_of(column, run.first, count, shared) : nullptr;
    if (places != nullptr)
      std::tie(first, last) =
          is_list ? ends_of_lists(column, *places, run.first) : ends_of(*places);
    column.data.read(first, last, run.memory[p], run.first, room);
    const std::uint64_t row = column.data.row_bytes();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::uint64_t from =
          places == nullptr ? run.first + i : static_cast<std::uint64_t>((*places)[at]);
      const std::uint64_t to = is_list ? static_cast<std::uint64_t>((*places)[at + 1]) : from + 1;
      const bool is_missing = from > last;  // the index has a negative number
      run.products[at * products_.size() + p] =
          is_missing ? EventRun::Part{p, 0, 0}
                     : EventRun::Part{p, (from - first) * row, (to - first) * row};
    }
  }

  /// Returns offsets, or an index, of some events; offsets that columns share are read once.
  const Places& places_of(const Column& column, std::uint64_t first, std::uint64_t count,
                          std::map<std::string, Places>& shared) const {
    const auto [found, is_new] = shared.try_emplace(column.form.places);
    const std::uint64_t more = column.form.kind == ColumnForm::Kind::list ? 1 : 0;
    if (is_new)
      found->second =
          column.places->read<std::int64_t>(column.places->rows(first, first + count + more));
    return found->second;
  }

  /// Returns the first element of the lists, and the end of the last list.
  static std::pair<std::uint64_t, std::uint64_t> ends_of_lists(const Column& column,
                                                               const Places& offsets,
                                                               std::uint64_t event) {
    if (offsets.front() < 0)
      fail_format(*column.places, "event {}: begins at {}", event, offsets.front());
    for (std::size_t i = 1; i < offsets.size(); ++i)
      if (offsets[i] < offsets[i - 1])
        fail_format(*column.places, "event {}: ends at {}, and begins at {}", event + i - 1,
                    offsets[i], offsets[i - 1]);
    return {static_cast<std::uint64_t>(offsets.front()),
            static_cast<std::uint64_t>(offsets.back())};
  }

  /// Returns the first and the end of the existing elements.
  static std::pair<std::uint64_t, std::uint64_t> ends_of(const Places& index) {
    std::uint64_t first = UINT64_MAX;
    std::uint64_t last = 0;
    for (const std::int64_t at : index) {
      if (at < 0) continue;
      first = std::min(first, static_cast<std::uint64_t>(at));
      last = std::max(last, static_cast<std::uint64_t>(at) + 1);
    }
    return {std::min(first, last), last};
  }

  [[nodiscard]] std::vector<Identity> identities(std::uint64_t first, std::uint64_t last) const {
    std::vector<Identity> found(static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = {1, 1, first + i + 1};
    if (identity_.empty()) return found;
    const auto runs = numbers(identity_[0], first, last, UINT32_MAX);
    const auto lumis = numbers(identity_[1], first, last, UINT32_MAX);
    const auto events = numbers(identity_[2], first, last, UINT64_MAX);
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = {static_cast<std::uint32_t>(runs[i]), static_cast<std::uint32_t>(lumis[i]),
                  events[i]};
    return found;
  }

  /// Reads numbers of an identity: integers, which may be stored as floats.
  static std::vector<std::uint64_t> numbers(const Dataset& dataset, std::uint64_t first,
                                            std::uint64_t last, std::uint64_t most) {
    if (first == last) return {};
    const auto rows = dataset.rows(first, last);
    const auto fail = [&](std::size_t i, const auto& number) {
      fail_format(dataset, "event {}: {}: a number from 0 to {} was expected", first + i, number,
                  most);
    };
    std::vector<std::uint64_t> found;
    if (dataset.datatype().type_class() == TypeClass::floating) {
      const std::size_t bytes = dataset.datatype().size();
      const double exact = std::ldexp(1, bytes == 8 ? 53 : bytes == 4 ? 24 : 11);
      for (const double number : dataset.read<double>(rows)) {
        if (!(number >= 0 && number < exact && number == std::floor(number) &&
              number <= static_cast<double>(most)))
          fail(found.size(), number);
        found.push_back(static_cast<std::uint64_t>(number));
      }
      return found;
    }
    if (dataset.datatype().is_signed()) {
      for (const std::int64_t number : dataset.read<std::int64_t>(rows)) {
        if (number < 0) fail(found.size(), number);
        found.push_back(static_cast<std::uint64_t>(number));
      }
    } else {
      found = dataset.read<std::uint64_t>(rows);
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] > most) fail(i, found[i]);
    return found;
  }

  /// Each column takes a call, so this limits the calls, and chunks are decoded once.
  static constexpr std::uint64_t kForColumns = std::uint64_t{16} << 20U;

  File file_;
  Group group_;
  std::vector<Column> columns_;
  std::vector<Dataset> identity_;
  std::vector<std::string> left_out_;
  bool is_interrupted_ = false;
  std::uint64_t most_ = 0;            ///< bytes of a run
  std::uint64_t bytes_ = 0;           ///< of all columns
  std::vector<Identity> all_;         ///< read at the first search,
  std::vector<std::uint64_t> order_;  ///< with their order
};

}  // namespace

std::unique_ptr<StoredEvents> open_columns(const std::string& path, const std::string& group) {
  // Runs of events read parts of chunks of many columns in turn.
  constexpr std::uint64_t kCache = std::uint64_t{256} << 20U;
  const File file =
      File::open(path, Access::read_only, {.decode_threads = 1, .chunk_cache_bytes = kCache});
  std::vector<std::string> names;
  for (const Link& link : file.root().links())
    if (file.root().kind_of(link) == ObjectKind::group &&
        has_columns(file.root().open_group(link.name)))
      names.emplace_back(link.name);
  if (!group.empty() && std::ranges::find(names, group) == names.end())
    throw not_found_error("{}: no group {} has columns; there are {}", path, group,
                          fmt::join(names, ", "));
  if (names.empty()) return {};
  if (group.empty() && names.size() != 1)
    throw argument_error(
        "{}: the groups {} have columns: the option group names one, and so does FILE:GROUP in "
        "commands",
        path, fmt::join(names, ", "));
  return std::make_unique<Columns>(file,
                                   file.root().open_group(group.empty() ? names.front() : group));
}

}  // namespace onecast::events::hdf5
