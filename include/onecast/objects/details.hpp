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

/// What a header says of an object and its storage, for tools that show it. Nothing here is needed
/// to read data. All throw Error as Object says. @independent
namespace onecast {

struct ObjectDetails {
  std::uint64_t address = 0;  ///< of the header, which identifies the object
  unsigned header_version = 0;
  std::uint32_t reference_count = 1;
  std::optional<std::string> comment{};
  std::optional<std::int64_t> modification_time{};  ///< seconds after 1970, UTC
  /// Of datasets: where their type is committed, if it is.
  std::optional<std::uint64_t> committed_type{};
  std::optional<Datatype> type{};  ///< of committed datatypes
};

struct FilterDetails {
  std::uint16_t id = 0;
  std::string name{};  ///< the common one, else the stored one
  bool optional = false;
  std::vector<std::uint32_t> client_data{};
};

struct StorageDetails {
  unsigned layout_version = 0;
  std::string layout{};       ///< "compact", "contiguous", "chunked", "virtual" or "external"
  std::string chunk_index{};  ///< of chunked storage: "v1 B-tree", "fixed array" ...
  std::optional<std::uint64_t> address{};  ///< of contiguous data or the chunk index
  std::uint64_t size = 0;                  ///< bytes in the file; of chunks: not counted
  std::vector<FilterDetails> filters{};
  std::vector<ExternalSlot> external{};
  /// "default" (zeros), "defined" or "undefined".
  std::string fill{};
  std::vector<std::byte> fill_value{};  ///< one element, as it is stored
  std::string allocation_time{};        ///< "early", "late", "incremental"; empty: not stored
  std::string fill_time{};              ///< "on allocation", "never", "if set"; empty: not stored
};

/// A row of a record's table in the HDF5 specification.
struct HeaderField {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< in bytes
  std::string name{};
  std::string value{};  ///< numbers in decimal, bytes in hexadecimal; text as it is in the file
};

/// One record of an object header.
struct HeaderRecord {
  std::string title{};  ///< of its table in the specification
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< in bytes
  std::vector<HeaderField> fields{};
  std::string problem{};  ///< why there are no fields; else empty
};

ObjectDetails details_of(const Object& object);
/// The object's header as it is in the file, without what changed since the last flush: its blocks,
/// and of each message its header and then its data. A message that cannot be decoded has a
/// problem. Throws Error (state) of an object that is not in the file yet.
std::vector<HeaderRecord> header_of(const Object& object);
StorageDetails storage_of(const Dataset& dataset);
/// Where the type of an attribute is committed, if it is. Throws Error (not_found).
std::optional<std::uint64_t> committed_type_of(const Object& object, std::string_view attribute);
/// The number of a link's class: 0 hard, 1 soft, 64 external, above that user-defined. Throws Error
/// (not_found).
unsigned link_class_of(const Group& group, std::string_view name);

}  // namespace onecast
