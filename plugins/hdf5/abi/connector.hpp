#pragma once

#include "abi/basics.hpp"

/// The class of a VOL connector, version 3: the callbacks, and the arguments that they get.
namespace onecast_hdf5::h5 {

constexpr unsigned kConnectorVersion = 3;

enum class LocationType : int { self, name, index, token };

struct Location {
  IdType object_type;
  LocationType type;
  union {
    struct {
      Token* token;
    } by_token;
    struct {
      const char* name;
      Id access;
    } by_name;
    struct {
      const char* name;
      IndexType index;
      IterationOrder order;
      Size n;
      Id access;
    } by_index;
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
  union {
    Id id;  ///< creation_list, space, type
    struct {
      Location where;
      const char* name;
      AttributeInfo* info;
    } get_info;
    struct {
      Location where;
      std::size_t size;
      char* text;
      std::size_t* length;
    } get_name;
    Size* data_size;
  };
};

struct AttributeSpecific {
  enum Op : int { remove, remove_by_index, exists, iterate, rename } op;
  union {
    struct {
      const char* name;
      bool* exists;
    } find;
    struct {
      IndexType index;
      IterationOrder order;
      Size n;
    } nth;  ///< remove_by_index
    struct {
      IndexType index;
      IterationOrder order;
      Size* position;
      IterateAttributes each;
      void* data;
    } each;
    struct {
      const char* from;
      const char* to;
    } names;
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
  union {
    std::size_t* size;
    struct {
      void* bytes;
      std::size_t size;
    } buffer;
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
  union {
    ContainerInfo* info;
    Id id;
    unsigned long* number;
    unsigned* flags;
    struct {
      IdType type;
      std::size_t size;
      char* text;
      std::size_t* length;
    } get_name;
    struct {
      unsigned kinds;
      std::size_t* count;
    } count;
    struct {
      unsigned kinds;
      std::size_t most;
      Id* ids;
      std::size_t* count;
    } list;
  };
};

struct FileSpecific {
  enum Op : int { flush, reopen, is_accessible, remove, is_equal } op;
  union {
    struct {
      IdType type;
      int scope;
    } what;
    void** file;
    struct {
      const char* name;
      Id access;
      bool* accessible;
    } path;  ///< is_accessible, remove (without `accessible`)
    struct {
      void* other;
      bool* same;
    } equal;
  };
};

struct GroupGet {
  enum Op : int { creation_list, info } op;
  union {
    Id id;
    struct {
      Location where;
      GroupInfo* info;
    } get_info;
  };
};

struct GroupSpecific {
  enum Op : int { mount, unmount, flush, refresh } op;
  union {
    struct {
      const char* name;
      void* file;
      Id list;
    } child;
    Id id;
  };
};

struct LinkCreate {
  enum Op : int { hard, soft, user_defined } op;
  union {
    struct {
      void* object;
      Location where;
    } to;
    const char* target;
    struct {
      int type;
      const void* value;
      std::size_t size;
    } own;
  };
};

struct LinkGet {
  enum Op : int { info, name, value } op;
  union {
    LinkInfo* link;
    struct {
      std::size_t size;
      char* text;
      std::size_t* length;
    } get_name;
    struct {
      std::size_t size;
      void* bytes;
    } get_value;
  };
};

struct LinkSpecific {
  enum Op : int { remove, exists, iterate } op;
  union {
    bool* exists_;
    struct {
      bool recursive;
      IndexType index;
      IterationOrder order;
      Size* position;
      IterateLinks each;
      void* data;
    } each;
  };
};

struct ObjectGet {
  enum Op : int { file, name, type, info } op;
  union {
    void** opened_file;
    struct {
      std::size_t size;
      char* text;
      std::size_t* length;
    } get_name;
    ObjectType* kind;
    struct {
      unsigned fields;
      ObjectInfo* info;
    } get_info;
  };
};

struct ObjectSpecific {
  enum Op : int { change_count, exists, lookup, visit, flush, refresh } op;
  union {
    int change;
    bool* exists_;
    Token* token;
    struct {
      IndexType index;
      IterationOrder order;
      unsigned fields;
      IterateObjects each;
      void* data;
    } each;
    Id id;
  };
};

struct BlobSpecific {
  enum Op : int { remove, is_null, set_null } op;
  bool* null;
};

struct InfoCalls {
  std::size_t size;
  void* (*copy)(const void* info);
  Status (*compare)(int* result, const void* a, const void* b);
  Status (*free)(void* info);
  Status (*to_text)(const void* info, char** text);
  Status (*from_text)(const char* text, void** info);
};

struct WrapCalls {
  void* (*get_object)(const void* object);
  Status (*get_context)(const void* object, void** context);
  void* (*wrap)(void* object, IdType type, void* context);
  void* (*unwrap)(void* object);
  Status (*free_context)(void* context);
};

struct AttributeCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id type, Id space,
                  Id creation, Id access, Id transfer, void** request);
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request);
  Status (*read)(void* attribute, Id type, void* out, Id transfer, void** request);
  Status (*write)(void* attribute, Id type, const void* in, Id transfer, void** request);
  Status (*get)(void* object, AttributeGet* args, Id transfer, void** request);
  Status (*specific)(void* object, const Location* where, AttributeSpecific* args, Id transfer,
                     void** request);
  Status (*optional)(void* object, Optional* args, Id transfer, void** request);
  Status (*close)(void* attribute, Id transfer, void** request);
};

struct DatasetCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id link, Id type, Id space,
                  Id creation, Id access, Id transfer, void** request);
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request);
  Status (*read)(std::size_t count, void* datasets[], Id types[], Id memory[], Id parts[],
                 Id transfer, void* out[], void** request);
  Status (*write)(std::size_t count, void* datasets[], Id types[], Id memory[], Id parts[],
                  Id transfer, const void* in[], void** request);
  Status (*get)(void* dataset, DatasetGet* args, Id transfer, void** request);
  Status (*specific)(void* dataset, DatasetSpecific* args, Id transfer, void** request);
  Status (*optional)(void* dataset, Optional* args, Id transfer, void** request);
  Status (*close)(void* dataset, Id transfer, void** request);
};

struct DatatypeCalls {
  void* (*commit)(void* object, const Location* where, const char* name, Id type, Id link,
                  Id creation, Id access, Id transfer, void** request);
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request);
  Status (*get)(void* type, DatatypeGet* args, Id transfer, void** request);
  Status (*specific)(void* type, DatatypeSpecific* args, Id transfer, void** request);
  Status (*optional)(void* type, Optional* args, Id transfer, void** request);
  Status (*close)(void* type, Id transfer, void** request);
};

struct FileCalls {
  void* (*create)(const char* name, unsigned flags, Id creation, Id access, Id transfer,
                  void** request);
  void* (*open)(const char* name, unsigned flags, Id access, Id transfer, void** request);
  Status (*get)(void* object, FileGet* args, Id transfer, void** request);
  Status (*specific)(void* object, FileSpecific* args, Id transfer, void** request);
  Status (*optional)(void* object, Optional* args, Id transfer, void** request);
  Status (*close)(void* file, Id transfer, void** request);
};

struct GroupCalls {
  void* (*create)(void* object, const Location* where, const char* name, Id link, Id creation,
                  Id access, Id transfer, void** request);
  void* (*open)(void* object, const Location* where, const char* name, Id access, Id transfer,
                void** request);
  Status (*get)(void* object, GroupGet* args, Id transfer, void** request);
  Status (*specific)(void* object, GroupSpecific* args, Id transfer, void** request);
  Status (*optional)(void* object, Optional* args, Id transfer, void** request);
  Status (*close)(void* group, Id transfer, void** request);
};

struct LinkCalls {
  Status (*create)(LinkCreate* args, void* object, const Location* where, Id creation, Id access,
                   Id transfer, void** request);
  Status (*copy)(void* from, const Location* where_from, void* to, const Location* where_to,
                 Id creation, Id access, Id transfer, void** request);
  Status (*move)(void* from, const Location* where_from, void* to, const Location* where_to,
                 Id creation, Id access, Id transfer, void** request);
  Status (*get)(void* object, const Location* where, LinkGet* args, Id transfer, void** request);
  Status (*specific)(void* object, const Location* where, LinkSpecific* args, Id transfer,
                     void** request);
  Status (*optional)(void* object, const Location* where, Optional* args, Id transfer,
                     void** request);
};

struct ObjectCalls {
  void* (*open)(void* object, const Location* where, IdType* type, Id transfer, void** request);
  Status (*copy)(void* from, const Location* where_from, const char* name_from, void* to,
                 const Location* where_to, const char* name_to, Id copying, Id link, Id transfer,
                 void** request);
  Status (*get)(void* object, const Location* where, ObjectGet* args, Id transfer, void** request);
  Status (*specific)(void* object, const Location* where, ObjectSpecific* args, Id transfer,
                     void** request);
  Status (*optional)(void* object, const Location* where, Optional* args, Id transfer,
                     void** request);
};

struct ConnectorClass;
enum class ClassLevel : int { current, terminal };

struct IntrospectCalls {
  Status (*get_class)(void* object, ClassLevel level, const ConnectorClass** found);
  Status (*get_capabilities)(const void* info, std::uint64_t* flags);
  Status (*query)(void* object, int subclass, int op, std::uint64_t* flags);
};

struct RequestCalls {
  void* unused[6];
};

struct BlobCalls {
  Status (*put)(void* object, const void* bytes, std::size_t size, void* blob, void* context);
  Status (*get)(void* object, const void* blob, void* bytes, std::size_t size, void* context);
  Status (*specific)(void* object, void* blob, BlobSpecific* args);
  Status (*optional)(void* object, void* blob, Optional* args);
};

struct TokenCalls {
  Status (*compare)(void* object, const Token* a, const Token* b, int* result);
  Status (*to_text)(void* object, IdType type, const Token* token, char** text);
  Status (*from_text)(void* object, IdType type, const char* text, Token* token);
};

struct ConnectorClass {
  unsigned version;
  int value;
  const char* name;
  unsigned connector_version;
  std::uint64_t capabilities;
  Status (*initialize)(Id list);
  Status (*terminate)();
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
  Status (*optional)(void* object, Optional* args, Id transfer, void** request);
};

// Capabilities: all but asynchronous and concurrent calls, maps, user-defined links and mounting.
constexpr std::uint64_t kAllCapabilities = 0x1fffffffff;
constexpr std::uint64_t kConcurrent = 0x1, kAsynchronous = 0x2, kMapBasic = 0x2000,
                        kMapMore = 0x4000, kUserDefinedLinks = 0x100000000, kMount = 0x400000000;

}  // namespace onecast_hdf5::h5
