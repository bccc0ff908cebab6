#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hdf5/event_run.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::events::hdf5 {

/// The events of an open file, in any of the layouts. Only one thread uses it at a time.
class StoredEvents {
 public:
  StoredEvents() = default;
  StoredEvents(const StoredEvents&) = delete;
  StoredEvents& operator=(const StoredEvents&) = delete;
  virtual ~StoredEvents() = default;

  [[nodiscard]] const ProductList& products() const { return products_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Loads events from `first` on: at least one, and as many as have about `bytes` bytes.
  /// @param selected the products that will be asked for
  virtual void load(std::uint64_t first, std::uint64_t bytes, const std::vector<bool>& selected,
                    EventRun& run) = 0;
  /// Returns how many bytes are worth loading at once: as many as stay in the processor's cache
  /// until lanes reach them. Layouts with a dataset for each product read more, since each dataset
  /// takes a call.
  [[nodiscard]] std::uint64_t most_at_once() const { return most_at_once_; }
  /// Finds an entry in the index of the file, or in one made here.
  [[nodiscard]] virtual std::optional<std::uint64_t> find(const Identity& identity) = 0;
  /// Describes in one line how the events are stored.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// True if the writer was interrupted. The events up to its last flush are there.
  [[nodiscard]] virtual bool is_interrupted() const { return false; }
  /// See Source::left_out.
  [[nodiscard]] virtual std::vector<std::string> left_out() const { return {}; }

 protected:
  ProductList products_;
  std::uint64_t size_ = 0;
  std::uint64_t most_at_once_ = kForBlobs;
  static constexpr std::uint64_t kForBlobs = std::uint64_t{512} << 10U;
  static constexpr std::uint64_t kForProducts = std::uint64_t{1} << 20U;
};

/// Opens a file of version 2, or of an earlier layout. Throws Error: not_found, io, format,
/// unsupported. @param group the group of columns; empty: search for it
std::unique_ptr<StoredEvents> open_events(const std::string& path, const std::string& group = "");

std::unique_ptr<StoredEvents> open_version_2(const File& file);
std::unique_ptr<StoredEvents> open_version_1(const File& file);
/// Returns null if the file has no columns. @param group as for open_events
std::unique_ptr<StoredEvents> open_columns(const std::string& path, const std::string& group = "");

}  // namespace onecast::events::hdf5
