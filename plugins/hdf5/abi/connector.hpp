#pragma once

#include "abi/basics.hpp"

/// The class of a VOL connector, version 3: the callbacks, and the arguments that they get. The
/// library is written in C: no exception may get into it.
namespace onecast_hdf5::h5 {

constexpr unsigned kConnectorVersion = 3;

enum class LocationType : int { self, name, index, token };

struct Location {
  IdType object_type;
  LocationType type;
  struct ByToken {
    Token* token;
  };
  struct ByName {
    const char* name;
    Id access;
  };
  struct ByIndex {
    const char* name;
    IndexType index;
    IterationOrder order;
    Size n;
    Id access;
  };
  union {
    ByToken by_token;
    ByName by_name;
    ByIndex by_index;
  };
};

struct Optional {
  int op;
  void* args;
};
/// The optional call on a file with which the library ends opening it.
inline constexpr int kAfterOpen = 28;

struct AttributeGet {
  enum Op : int { creation_list, info, name, space, storage_size, type } op;
  struct GetInfo {
    Location where;
    const char* name;
    AttributeInfo* info;
  };
  struct GetName {
    Location where;
    std::size_t size;
    char* text;
    std::size_t* length;
  };
  union {
    Id id;  ///< creation_list, space, type
    GetInfo get_info;
    GetName get_name;
    Size* data_size;
  };
};

struct AttributeSpecific {
  enum Op : int { remove, remove_by_index, exists, iterate, rename } op;
  struct Find {
    const char* name;
    bool* exists;
  };
  struct Nth {
    IndexType index;
    IterationOrder order;
    Size n;
  };
  struct Each {
    IndexType index;
    IterationOrder order;
    Size* position;
    IterateAttributes each;
    void* data;
  };
  struct Names {
    const char* from;
    const char* to;
  };
  union {
    Find find;
    Nth nth;  ///< remove_by_index
    Each each;
    Names names;
  };
};

struct DatasetGet {
  enum Op : int { access_list, creation_list, space, space_status, storage_size, type } op;
  union {
    Id id;
    SpaceStatus* status;
    Size* bytes;
  };
};

struct DatasetSpecific {
  enum Op : int { set_extent, flush, refresh } op;
  union {
    const Size* extent;
    Id id;
  };
};

struct DatatypeGet {
  enum Op : int { encoded_size, encoded, creation_list } op;
  struct Buffer {
    void* bytes;
    std::size_t size;
  };
  union {
    std::size_t* size;
    Buffer buffer;
    Id id;
  };
};

struct DatatypeSpecific {
  enum Op : int { flush, refresh } op;
  Id id;
};

struct ContainerInfo {
  unsigned version;
  std::uint64_t features;
  std::size_t token_size;
  std::size_t blob_id_size;
};

struct FileGet {
  enum Op : int {
    container_info,
    access_list,
    creation_list,
    file_number,
    intent,
    name,
    object_count,
    object_ids
  } op;
  struct GetName {
    IdType type;
    std::size_t size;
    char* text;
    std::size_t* length;
  };
  struct Count {
    unsigned kinds;
    std::size_t* count;
  };
  struct List {
    unsigned kinds;
    std::size_t most;
    Id* ids;
    std::size_t* count;
  };
  union {
    ContainerInfo* info;
    Id id;
    unsigned long* number;
    unsigned* flags;
    GetName get_name;
    Count count;
    List list;
  };
};

struct FileSpecific {
  enum Op : int { flush, reopen, is_accessible, remove, is_equal } op;
  struct What {
    IdType type;
    int scope;
  };
  struct Path {
    const char* name;
    Id access;
    bool* accessible;
  };
  struct Equal {
    void* other;
    bool* same;
  };
  union {
    What what;
    void** file;
    Path path;  ///< is_accessible, remove (without `accessible`)
    Equal equal;
  };
};

struct GroupGet {
  enum Op : int { creation_list, info } op;
  struct GetInfo {
    Location where;
    GroupInfo* info;
  };
  union {
    Id id;
    GetInfo get_info;
  };
};

struct GroupSpecific {
  enum Op : int { mount, unmount, flush, refresh } op;
  struct Child {
    const char* name;
    void* file;
    Id list;
  };
  union {
    Child child;
    Id id;
  };
};

struct LinkCreate {
  enum Op : int { hard, soft, user_defined } op;
  struct To {
    void* object;
    Location where;
  };
  struct Own {
    int type;
    const void* value;
    std::size_t size;
  };
  union {
    To to;
    const char* target;
    Own own;
  };
};

struct LinkGet {
  enum Op : int { info, name, value } op;
  struct GetName {
    std::size_t size;
    char* text;
    std::size_t* length;
  };
  struct GetValue {
    std::size_t size;
    void* bytes;
  };
  union {
    LinkInfo* link;
    GetName get_name;
    GetValue get_value;
  };
};

struct LinkSpecific {
  enum Op : int { remove, exists, iterate } op;
  struct Each {
    bool recursive;
    IndexType index;
    IterationOrder order;
    Size* position;
    IterateLinks each;
    void* data;
  };
  union {
    bool* exists_;
    Each each;
  };
};

struct ObjectGet {
  enum Op : int { file, name, type, info } op;
  struct GetName {
    std::size_t size;
    char* text;
    std::size_t* length;
  };
  struct GetInfo {
    unsigned fields;
    ObjectInfo* info;
  };
  union {
    void** opened_file;
    GetName get_name;
    ObjectType* kind;
    GetInfo get_info;
  };
};

struct ObjectSpecific {
  enum Op : int { change_count, exists, lookup, visit, flush, refresh } op;
  struct Each {
    IndexType index;
    IterationOrder order;
    unsigned fields;
    IterateObjects each;
    void* data;
  };
  union {
    int change;
    bool* exists_;
    Token* token;
    Each each;
    Id id;
  };
};

struct BlobSpecific {
  enum Op : int { remove, is_null, set_null } op;
  bool* null;
};

struct InfoCalls {
  std::size_t size;
  void* (*copy)(const void* info) noexcept;
  Status (*compare)(int* result, const void* a, const void* b) noexcept;
  Status (*free)(void* info) noexcept;
  Status (*to_text)(const void* info, char** text) noexcept;
  Status (*from_text)(const char* text, void** info) noexcept;
};

struct WrapCalls {
  void* (*get_object)(const void* object) noexcept;
  Status (*get_context)(const void* object, void** context) noexcept;
  void* (*wrap)(void* object, IdType type, void* context) noexcept;
  void* (*unwrap)(void* object) noexcept;
  Status (*free_context)(void* context) noexcept;
};

struct AttributeCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id type, Id space,
                  Id creation, Id access, Id transfer, void** request) noexcept;
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request) noexcept;
  Status (*read)(void* attribute, Id type, void* out, Id transfer, void** request) noexcept;
  Status (*write)(void* attribute, Id type, const void* in, Id transfer, void** request) noexcept;
  Status (*get)(void* object, AttributeGet* args, Id transfer, void** request) noexcept;
  Status (*specific)(void* object, const Location* where, AttributeSpecific* args, Id transfer,
                     void** request) noexcept;
  Status (*optional)(void* object, Optional* args, Id transfer, void** request) noexcept;
  Status (*close)(void* attribute, Id transfer, void** request) noexcept;
};

struct DatasetCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id link, Id type, Id space,
                  Id creation, Id access, Id transfer, void** request) noexcept;
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request) noexcept;
  Status (*read)(std::size_t count, void* datasets[], Id types[], Id memory[], Id parts[],
                 Id transfer, void* out[], void** request) noexcept;
  Status (*write)(std::size_t count, void* datasets[], Id types[], Id memory[], Id parts[],
                  Id transfer, const void* in[], void** request) noexcept;
  Status (*get)(void* dataset, DatasetGet* args, Id transfer, void** request) noexcept;
  Status (*specific)(void* dataset, DatasetSpecific* args, Id transfer, void** request) noexcept;
  Status (*optional)(void* dataset, Optional* args, Id transfer, void** request) noexcept;
  Status (*close)(void* dataset, Id transfer, void** request) noexcept;
};

struct DatatypeCalls {
  void* (*commit)(void* object, const Location* where, const char* name, Id type, Id link,
                  Id creation, Id access, Id transfer, void** request) noexcept;
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request) noexcept;
  Status (*get)(void* type, DatatypeGet* args, Id transfer, void** request) noexcept;
  Status (*specific)(void* type, DatatypeSpecific* args, Id transfer, void** request) noexcept;
  Status (*optional)(void* type, Optional* args, Id transfer, void** request) noexcept;
  Status (*close)(void* type, Id transfer, void** request) noexcept;
};

struct FileCalls {
  void* (*create)(const char* name, unsigned flags, Id creation, Id access, Id transfer,
                  void** request) noexcept;
  void* (*open)(const char* name, unsigned flags, Id access, Id transfer, void** request) noexcept;
  Status (*get)(void* object, FileGet* args, Id transfer, void** request) noexcept;
  Status (*specific)(void* object, FileSpecific* args, Id transfer, void** request) noexcept;
  Status (*optional)(void* object, Optional* args, Id transfer, void** request) noexcept;
  Status (*close)(void* file, Id transfer, void** request) noexcept;
};

struct GroupCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id link, Id creation,
                  Id access, Id transfer, void** request) noexcept;
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request) noexcept;
  Status (*get)(void* object, GroupGet* args, Id transfer, void** request) noexcept;
  Status (*specific)(void* object, GroupSpecific* args, Id transfer, void** request) noexcept;
  Status (*optional)(void* object, Optional* args, Id transfer, void** request) noexcept;
  Status (*close)(void* group, Id transfer, void** request) noexcept;
};

struct LinkCalls {
  Status (*create)(LinkCreate* args, void* object, const Location* where, Id creation, Id access,
                   Id transfer, void** request) noexcept;
  Status (*copy)(void* from, const Location* where_from, void* to, const Location* where_to,
                 Id creation, Id access, Id transfer, void** request) noexcept;
  Status (*move)(void* from, const Location* where_from, void* to, const Location* where_to,
                 Id creation, Id access, Id transfer, void** request) noexcept;
  Status (*get)(void* object, const Location* where, LinkGet* args, Id transfer,
                void** request) noexcept;
  Status (*specific)(void* object, const Location* where, LinkSpecific* args, Id transfer,
                     void** request) noexcept;
  Status (*optional)(void* object, const Location* where, Optional* args, Id transfer,
                     void** request) noexcept;
};

struct ObjectCalls {
  void* (*open)(void* object, const Location* where, IdType* type, Id transfer,
                void** request) noexcept;
  Status (*copy)(void* from, const Location* where_from, const char* name_from, void* to,
                 const Location* where_to, const char* name_to, Id copying, Id link, Id transfer,
                 void** request) noexcept;
  Status (*get)(void* object, const Location* where, ObjectGet* args, Id transfer,
                void** request) noexcept;
  Status (*specific)(void* object, const Location* where, ObjectSpecific* args, Id transfer,
                     void** request) noexcept;
  Status (*optional)(void* object, const Location* where, Optional* args, Id transfer,
                     void** request) noexcept;
};

struct ConnectorClass;
enum class ClassLevel : int { current, terminal };

struct IntrospectCalls {
  Status (*get_class)(void* object, ClassLevel level, const ConnectorClass** found) noexcept;
  Status (*get_capabilities)(const void* info, std::uint64_t* flags) noexcept;
  Status (*query)(void* object, int subclass, int op, std::uint64_t* flags) noexcept;
};

struct RequestCalls {
  void* unused[6];
};

struct BlobCalls {
  Status (*put)(void* object, const void* bytes, std::size_t size, void* blob,
                void* context) noexcept;
  Status (*get)(void* object, const void* blob, void* bytes, std::size_t size,
                void* context) noexcept;
  Status (*specific)(void* object, void* blob, BlobSpecific* args) noexcept;
  Status (*optional)(void* object, void* blob, Optional* args) noexcept;
};

struct TokenCalls {
  Status (*compare)(void* object, const Token* a, const Token* b, int* result) noexcept;
  Status (*to_text)(void* object, IdType type, const Token* token, char** text) noexcept;
  Status (*from_text)(void* object, IdType type, const char* text, Token* token) noexcept;
};

struct ConnectorClass {
  unsigned version;
  int value;
  const char* name;
  unsigned connector_version;
  std::uint64_t capabilities;
  Status (*initialize)(Id list) noexcept;
  Status (*terminate)() noexcept;
  InfoCalls info;
  WrapCalls wrap;
  AttributeCalls attribute;
  DatasetCalls dataset;
  DatatypeCalls datatype;
  FileCalls file;
  GroupCalls group;
  LinkCalls link;
  ObjectCalls object;
  IntrospectCalls introspect;
  RequestCalls request;
  BlobCalls blob;
  TokenCalls token;
  Status (*optional)(void* object, Optional* args, Id transfer, void** request) noexcept;
};

// Capabilities: all but asynchronous and concurrent calls, maps, user-defined links and mounting.
constexpr std::uint64_t kAllCapabilities = 0x1fffffffff;
constexpr std::uint64_t kConcurrent = 0x1, kAsynchronous = 0x2, kMapBasic = 0x2000,
                        kMapMore = 0x4000, kUserDefinedLinks = 0x100000000, kMount = 0x400000000;

}  // namespace onecast_hdf5::h5
