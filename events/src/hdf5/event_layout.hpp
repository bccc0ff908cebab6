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
/// their writer and their reader must know.
namespace onecast::events::hdf5 {

enum class LayoutKind : std::uint8_t { product, event, batch };
/// What is compressed as one piece.
enum class Unit : std::uint8_t { none, product, event, batch, both, chunk };

std::string_view name_of(LayoutKind kind);
std::string_view name_of(Unit unit);
/// Throw Error (format) that begins with `where` for an unknown name.
LayoutKind layout_named(std::string_view name, const std::string& where);
Unit unit_named(std::string_view name, const std::string& where);
/// What may be compressed in a layout, the default first behind none.
const std::vector<Unit>& units_of(LayoutKind kind);

struct EventLayout {
  LayoutKind kind = LayoutKind::event;
  Unit unit = Unit::none;
  Compression compression = {};
  /// Layout product: what the dataset of each product consists of. Empty: all of bytes.
  std::vector<Datatype> elements = {};

  [[nodiscard]] Datatype element(std::size_t product) const {
    return elements.empty() ? Datatype::of<std::uint8_t>() : elements[product];
  }
  /// Datasets with bytes: one for each product, or one.
  [[nodiscard]] std::size_t columns(std::size_t products) const {
    return kind == LayoutKind::product ? products : 1;
  }
  /// Numbers in a row of the dataset Offsets.
  [[nodiscard]] std::size_t offsets(std::size_t products) const {
    return kind == LayoutKind::product ? products : products + 2;
  }
  /// Numbers in a row of the dataset Batches.
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
/// The attribute that the writer sets at the end: how events are found by identity.
constexpr const char* kIndexAttribute = "index";
/// Its value where entries are in the order of identities.
constexpr const char* kAscending = "ascending";
/// Set where the index was made for a file whose writer did not come to its end, and by a writer
/// that had no room for all.
constexpr const char* kInterrupted = "interrupted";

/// The name of a product's dataset: "/" and "%" are written as %2F and %25, a name of only dots
/// with %2E.
std::string dataset_name(const std::string& product);

/// Did the writer of these events not come to its end?
bool is_interrupted(const Group& group);

/// The compound type of an identity, as struct Identity has it in memory.
Datatype identity_type();

}  // namespace onecast::events::hdf5
