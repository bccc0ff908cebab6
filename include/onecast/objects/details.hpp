#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/dataset.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/order.hpp"

/// The contents of an object header, about an object and its storage, for tools that display it.
/// Reading data does not need it. All functions throw Error as Object does. @independent
namespace onecast {

struct ObjectDetails {
  std::uint64_t address = 0;  ///< address of the header, which identifies the object
  unsigned header_version = 0;
  std::uint32_t reference_count = 1;
  std::optional<std::string> comment{};
  std::optional<std::int64_t> modification_time{};  ///< seconds since 1970-01-01 UTC
  /// The address of the committed datatype of a dataset; absent if its type is not committed. If
  /// the datatype was created since the last flush, details_of gives it an address: the call is
  /// then
  /// @replicated, as Object::reference is.
  std::optional<std::uint64_t> committed_type{};
  std::optional<Datatype> type{};  ///< the type of a committed datatype
  DenseLimits links{};             ///< of a group
  DenseLimits attributes{};
};

/// How the links of a group are stored.
enum class LinkStorage : std::uint8_t {
  symbol_table,  ///< in the structures of HDF5 before 1.8
  compact,       ///< in the object header
  dense,         ///< in a heap with an index
};

struct FilterDetails {
  std::uint16_t id = 0;
  std::string name{};  ///< the common name, else the stored name
  bool optional = false;
  std::vector<std::uint32_t> client_data{};
};

struct StorageDetails {
  unsigned layout_version = 0;
  std::string layout{};       ///< "compact", "contiguous", "chunked" or "virtual"
  std::string chunk_index{};  ///< of chunked storage: "v1 B-tree", "fixed array" and so on
  std::optional<std::uint64_t> address{};  ///< the address of contiguous data or of the chunk index
  std::uint64_t size = 0;                  ///< bytes in the file; 0 for chunked storage
  std::vector<FilterDetails> filters{};
  std::vector<ExternalSlot> external{};
  /// "default" (zeros), "defined" or "undefined".
  std::string fill{};
  std::vector<std::byte> fill_value{};  ///< one element in its stored form
  std::string allocation_time{};        ///< "early", "late", "incremental"; empty: not stored
  std::string fill_time{};              ///< "on allocation", "never", "if set"; empty: not stored
};

/// A row of a record's table in the HDF5 specification.
struct HeaderField {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< in bytes
  std::string name{};
  std::string value{};  ///< numbers in decimal, bytes in hexadecimal, text unchanged
};

/// One record of an object header.
struct HeaderRecord {
  std::string title{};  ///< title of its table in the specification
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< in bytes
  std::vector<HeaderField> fields{};
  std::string problem{};  ///< why the record could not be decoded; else empty
};

ObjectDetails details_of(const Object& object);
/// Returns the records of the object's header as it is in the file, without changes since the last
/// flush: its blocks and, for each message, the message header and then its data. If a message
/// cannot be decoded, `problem` says why. Throws Error (state) for an object that is not in the
/// file yet.
std::vector<HeaderRecord> header_of(const Object& object);
StorageDetails storage_of(const Dataset& dataset);
/// Returns how the file stores the links of a group; if they have changed since the last flush, how
/// the next flush stores them.
LinkStorage link_storage_of(const Group& group);
/// The address of the committed datatype of an attribute; absent if the type is not committed. If
/// the datatype was created since the last flush, see ObjectDetails::committed_type.
/// Throws Error (not_found).
std::optional<std::uint64_t> committed_type_of(const Object& object, std::string_view attribute);

}  // namespace onecast
