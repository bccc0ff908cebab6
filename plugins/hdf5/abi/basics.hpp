#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>

/// The part of HDF5's public binary interface that the plug-in uses, in declarations of its own:
/// the plug-in is compiled without hdf5.h and serves every HDF5 from 1.14.0 to 2.2. A test compares
/// sizes, offsets and values with the headers of several versions (tests/dropin/abi).
namespace onecast_hdf5::h5 {

using Id = std::int64_t;
using Status = int;
using Size = std::uint64_t;     ///< hsize_t
using Address = std::uint64_t;  ///< haddr_t
using AnyFunction = void (*)();

constexpr Id kNoId = -1;
constexpr Address kNoAddress = ~Address{0};
constexpr Size kUnlimited = ~Size{0};
/// The default property list, in calls of the library; callbacks get real lists.
constexpr Id kDefaultList = 0;
/// These stand for a dataspace: all elements; as many elements as the other side has, one after the
/// other; the dataspace in the transfer list.
constexpr Id kAllElements = 0;
constexpr Id kBlockOfElements = 1;
constexpr Id kSelectionOfList = 2;

constexpr std::size_t kRankMax = 32;

enum class IdType : int {
  none = -1,
  file = 1,
  group,
  datatype,
  dataspace,
  dataset,
  map,
  attribute
};
enum class IndexType : int { name, creation_order };
enum class IterationOrder : int { increasing, decreasing, native };
enum class ObjectType : int { unknown = -1, group, dataset, datatype };
enum class SpaceClass : int { scalar, simple, null };
enum class SelectionType : int { error = -1, none, points, hyperslabs, all };
enum class TypeClass : int {
  integer,
  floating,
  time,
  string,
  bitfield,
  opaque,
  compound,
  reference,
  enumeration,
  sequence,
  array,
  complex
};
enum class LayoutClass : int { compact, contiguous, chunked, virtual_dataset };
enum class CloseDegree : int { standard, weak, semi, strong };
enum class GroupStorage : int { symbol_table, compact, dense };
enum class SpaceStatus : int { error = -1, not_allocated, part_allocated, allocated };

// Flags of H5Fopen and H5Fcreate.
constexpr unsigned kReadWrite = 0x1;
constexpr unsigned kTruncate = 0x2;
constexpr unsigned kExclusive = 0x4;
constexpr unsigned kSwmrWrite = 0x20;
constexpr unsigned kSwmrRead = 0x40;
// Kinds of objects, in H5Fget_obj_ids.
constexpr unsigned kObjectFile = 0x1;
constexpr unsigned kObjectDataset = 0x2;
constexpr unsigned kObjectGroup = 0x4;
constexpr unsigned kObjectDatatype = 0x8;
constexpr unsigned kObjectAttribute = 0x10;
constexpr unsigned kObjectLocal = 0x20;
// Fields of H5Oget_info.
constexpr unsigned kInfoBasic = 0x1;
constexpr unsigned kInfoTime = 0x2;
constexpr unsigned kInfoAttributes = 0x4;
// Fields of H5Oget_native_info.
constexpr unsigned kNativeHeader = 0x8;
constexpr unsigned kNativeSizes = 0x10;
// An order of creation is tracked, or also indexed.
constexpr unsigned kOrderTracked = 0x1;
constexpr unsigned kOrderIndexed = 0x2;
// Classes of links.
constexpr int kHardLink = 0;
constexpr int kSoftLink = 1;
constexpr int kExternalLink = 64;

struct Token {
  std::uint8_t bytes[16];
};

struct AttributeInfo {
  bool has_creation_order;
  std::uint32_t creation_order;
  int character_set;
  Size data_size;
};

struct GroupInfo {
  GroupStorage storage;
  Size links;
  std::int64_t max_creation_order;
  bool mounted;
};

struct LinkInfo {
  int type;
  bool has_creation_order;
  std::int64_t creation_order;
  int character_set;
  union {
    Token token;
    std::size_t value_size;
  };
};

struct ObjectInfo {
  unsigned long file_number;
  Token token;
  ObjectType type;
  unsigned link_count;
  std::time_t access_time;
  std::time_t modification_time;
  std::time_t change_time;
  std::time_t birth_time;
  Size attributes;
};

/// The result of H5Gget_objinfo.
struct ObjectState {
  unsigned long file_number[2];
  unsigned long object_number[2];
  unsigned link_count;
  int type;
  std::time_t modification_time;
  std::size_t link_length;
  struct {
    Size size;
    Size free;
    unsigned messages;
    unsigned blocks;
  } header;
};

/// The result of H5Oget_native_info.
struct NativeInfo {
  struct {
    unsigned version;
    unsigned messages;
    unsigned blocks;
    unsigned flags;
    struct {
      Size total;
      Size structure;
      Size messages;
      Size free;
    } space;
    struct {
      std::uint64_t present;
      std::uint64_t shared;
    } kinds;
  } header;
  struct Beside {
    Size index;
    Size heap;
  };
  Beside contents;
  Beside attributes;
};

using IterateIds = Status (*)(Id id, void* data);
using IterateAttributes = Status (*)(Id object, const char* name, const AttributeInfo* info,
                                     void* data);
using IterateLinks = Status (*)(Id group, const char* name, const LinkInfo* info, void* data);
using IterateObjects = Status (*)(Id object, const char* name, const ObjectInfo* info, void* data);
using IterateChunks = int (*)(const Size* start, unsigned filter_mask, Address address, Size size,
                              void* data);
using NextElements = Status (*)(const void** source, std::size_t* bytes, void* data);

}  // namespace onecast_hdf5::h5
