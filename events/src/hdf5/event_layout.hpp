#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/outputer.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/types/datatype.hpp"

/// The layouts of events in HDF5, version 2 (docs/reference/events.md): their names, and what both
/// the writer and the reader must know.
namespace onecast::events::hdf5 {

enum class LayoutKind : std::uint8_t { product, event, batch };
/// The unit of compression.
enum class Unit : std::uint8_t { none, product, event, batch, both, chunk };

std::string_view name_of(LayoutKind kind);
std::string_view name_of(Unit unit);
/// Throw Error (format) that begins with `where` for an unknown name.
LayoutKind layout_named(std::string_view name, const std::string& where);
Unit unit_named(std::string_view name, const std::string& where);
/// Returns the units that a layout may compress: none, then the default, then the others.
const std::vector<Unit>& units_of(LayoutKind kind);

struct EventLayout {
  LayoutKind kind = LayoutKind::event;
  Unit unit = Unit::none;
  Compression compression = {};
  /// The element type of each product's dataset, in layout product. Empty: all datasets consist of
  /// bytes.
  std::vector<Datatype> elements = {};

  [[nodiscard]] Datatype element(std::size_t product) const {
    return elements.empty() ? Datatype::of<std::uint8_t>() : elements[product];
  }
  /// Returns the number of datasets with bytes: one for each product, or one.
  [[nodiscard]] std::size_t columns(std::size_t products) const {
    return kind == LayoutKind::product ? products : 1;
  }
  /// Returns the numbers in a row of the dataset Offsets.
  [[nodiscard]] std::size_t offsets(std::size_t products) const {
    return kind == LayoutKind::product ? products : products + 2;
  }
  /// Returns the numbers in a row of the dataset Batches.
  [[nodiscard]] std::size_t batch_numbers(std::size_t products) const {
    return kind == LayoutKind::product ? products + 1 : 3;
  }
  [[nodiscard]] Codec codec_of(Unit of) const {
    return of == unit || (unit == Unit::both && (of == Unit::event || of == Unit::batch))
               ? compression.codec
               : Codec::none;
  }
};

constexpr const char* kGroup = "Events";
constexpr std::uint32_t kVersion = 2;
constexpr const char* kIdentities = "EventIDs";
constexpr const char* kOffsets = "Offsets";
constexpr const char* kBatches = "Batches";
constexpr const char* kBlobs = "Blobs";
constexpr const char* kData = "Data";
constexpr const char* kIndex = "Index";
constexpr const char* kNames = "ProductNames";
constexpr const char* kClasses = "ProductClasses";
/// The attribute that the writer sets at the end; it says how events are found by identity.
constexpr const char* kIndexAttribute = "index";
/// The value of the attribute if entries are in the order of identities.
constexpr const char* kAscending = "ascending";
/// Set if the index was made for a file with an interrupted writer, and by a writer that had no
/// space for all events.
constexpr const char* kInterrupted = "interrupted";

/// Returns the name of a product's dataset: "/" and "%" become %2F and %25, and dots become %2E in
/// a name of only dots.
std::string dataset_name(const std::string& product);

/// True if the writer of these events was interrupted.
bool is_interrupted(const Group& group);

/// Returns the compound type of an identity, with the layout of struct Identity.
Datatype identity_type();

}  // namespace onecast::events::hdf5
