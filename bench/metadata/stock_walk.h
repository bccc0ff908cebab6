/* Reads everything in a file through HDF5, and digests it as README.md defines. */
#ifndef ONECAST_BENCH_STOCK_WALK_H
#define ONECAST_BENCH_STOCK_WALK_H

#include "../programs/stock_program.h"
#include "digest.h"

/* HDF5 1.10.5 to 1.10.8 ignore the flag for collective metadata reads on the file access list, but
 * honour it on the list of the single call, so every call gets one. */
typedef struct WalkLists {
  hid_t link_access, attribute_access, transfer;
} WalkLists;

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_token_t ObjectId;
static ObjectId link_target(const H5L_info_t* info) { return info->u.token; }
static ObjectId root_id(hid_t file, hid_t link_access) {
  H5O_info_t info;
  check(H5Oget_info_by_name3(file, "/", &info, H5O_INFO_BASIC, link_access), "root group");
  return info.token;
}
#define reclaim H5Treclaim
#else
typedef haddr_t ObjectId;
static ObjectId link_target(const H5L_info_t* info) { return info->u.address; }
static ObjectId root_id(hid_t file, hid_t link_access) {
  H5O_info_t info;
  check(H5Oget_info_by_name(file, "/", &info, link_access), "root group");
  return info.addr;
}
#define reclaim H5Dvlen_reclaim
#endif

/* The current place of the walk: an object, its path, the groups above it. */
typedef struct Place {
  const struct Place* above;
  ObjectId id;
  const char* path; /* without leading slash */
  uint64_t digest;  /* of the path */
  const WalkLists* lists;
  Contents* contents;
} Place;

static int is_open_above(const Place* place, ObjectId id) {
  for (; place != NULL; place = place->above) {
    if (memcmp(&place->id, &id, sizeof id) == 0) return 1;
  }
  return 0;
}

typedef enum Holds { kHoldsPlainBytes, kHoldsVariableLength, kHoldsReferences } Holds;

/* Returns the worst kind of part that a datatype contains. */
static Holds type_holds(hid_t type) {
  Holds worst = kHoldsPlainBytes;
  switch (H5Tget_class(type)) {
    case H5T_REFERENCE:
      return kHoldsReferences;
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? kHoldsVariableLength : kHoldsPlainBytes;
    case H5T_VLEN:
      worst = kHoldsVariableLength;
      /* fall through */
    case H5T_ARRAY: {
      const hid_t base = checked(H5Tget_super(type), "datatype");
      const Holds inner = type_holds(base);
      H5Tclose(base);
      return inner > worst ? inner : worst;
    }
    case H5T_COMPOUND:
      for (int i = 0; i < H5Tget_nmembers(type); ++i) {
        const hid_t member = checked(H5Tget_member_type(type, (unsigned)i), "datatype");
        const Holds inner = type_holds(member);
        H5Tclose(member);
        if (inner > worst) worst = inner;
      }
      return worst;
    default:
      return kHoldsPlainBytes;
  }
}

static uint64_t hash_plain(Contents* contents, uint64_t hash, const void* bytes, size_t size) {
  contents->value_bytes += size;
  return digest_bytes(hash, bytes, size);
}

/* Hashes elements of a type that holds variable-length parts, member by member. */
static uint64_t hash_elements(Contents* contents, uint64_t hash, hid_t type, const char* at,
                              size_t count) {
  if (type_holds(type) == kHoldsPlainBytes) {
    return hash_plain(contents, hash, at, count * H5Tget_size(type));
  }
  const size_t size = H5Tget_size(type);
  const H5T_class_t type_class = H5Tget_class(type);
  const int members = type_class == H5T_COMPOUND ? H5Tget_nmembers(type) : 0;
  const hid_t base =
      type_class == H5T_VLEN || type_class == H5T_ARRAY ? H5Tget_super(type) : H5I_INVALID_HID;
  for (size_t i = 0; i < count; ++i, at += size) {
    if (type_class == H5T_STRING) {
      const char* text = NULL;
      memcpy(&text, at, sizeof text);
      const size_t length = text == NULL ? 0 : strlen(text);
      hash = hash_plain(contents, digest_number(hash, length, 8), text, length);
    } else if (type_class == H5T_VLEN) {
      hvl_t sequence;
      memcpy(&sequence, at, sizeof sequence);
      hash = digest_number(hash, sequence.len, 8);
      hash = hash_elements(contents, hash, base, (const char*)sequence.p, sequence.len);
    } else if (type_class == H5T_ARRAY) {
      hash = hash_elements(contents, hash, base, at, size / H5Tget_size(base));
    }
    for (int m = 0; m < members; ++m) {
      const hid_t member = checked(H5Tget_member_type(type, (unsigned)m), "datatype");
      const size_t offset = H5Tget_member_offset(type, (unsigned)m);
      hash = hash_elements(contents, hash, member, at + offset, 1);
      H5Tclose(member);
    }
  }
  if (base >= 0) H5Tclose(base);
  return hash;
}

static uint64_t hash_shape(uint64_t hash, hid_t space) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) {
    return digest_shape(hash, DIGEST_NULL_DATASPACE, NULL);
  }
  hsize_t extents[H5S_MAX_RANK];
  uint64_t dimensions[H5S_MAX_RANK];
  const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
  for (int i = 0; i < rank; ++i) dimensions[i] = extents[i];
  return digest_shape(hash, (unsigned)rank, dimensions);
}

/* Hashes the type, shape and value of a dataset or attribute. */
static uint64_t hash_values(const Place* place, uint64_t hash, hid_t object, int is_attribute) {
  Contents* contents = place->contents;
  const hid_t type = checked(is_attribute ? H5Aget_type(object) : H5Dget_type(object), "datatype");
  const hid_t space =
      checked(is_attribute ? H5Aget_space(object) : H5Dget_space(object), "dataspace");
  const Holds holds = type_holds(type);
  const size_t size = H5Tget_size(type);
  hash = digest_type(hash, (unsigned)H5Tget_class(type), holds == kHoldsPlainBytes ? size : 0);
  hash = hash_shape(hash, space);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (holds == kHoldsReferences) {
    ++contents->skipped;
  } else if (points > 0) {
    const size_t count = (size_t)points;
    char* buffer = (char*)calloc(count, size);
    if (buffer == NULL) bench_fail("read", "out of memory");
    const herr_t status =
        is_attribute ? H5Aread(object, type, buffer)
                     : H5Dread(object, type, H5S_ALL, H5S_ALL, place->lists->transfer, buffer);
    if (status < 0)
      ++contents->unreadable;
    else
      hash = hash_elements(contents, hash, type, buffer, count);
    if (holds == kHoldsVariableLength) reclaim(type, space, H5P_DEFAULT, buffer);
    free(buffer);
  }
  H5Sclose(space);
  H5Tclose(type);
  return hash;
}

static herr_t read_attribute(hid_t object, const char* name, const H5A_info_t* info, void* data) {
  (void)info;
  const Place* place = (const Place*)data;
  const hid_t attribute = checked(H5Aopen(object, name, place->lists->attribute_access), name);
  const uint64_t hash = digest_name(digest_kind(place->digest, 'A'), name, strlen(name));
  digest_add(place->contents, hash_values(place, hash, attribute, 1));
  ++place->contents->attributes;
  check(H5Aclose(attribute), name);
  return 0;
}

static herr_t visit_link(hid_t group, const char* name, const H5L_info_t* info, void* data);

static void visit_object(hid_t object, const Place* place) {
  Contents* contents = place->contents;
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_GROUP) {
    digest_add(contents, digest_kind(place->digest, 'G'));
    ++contents->groups;
  } else if (kind == H5I_DATASET) {
    const uint64_t hash = digest_kind(place->digest, 'D');
    digest_add(contents, hash_values(place, hash, object, 0));
    ++contents->datasets;
  } else {
    digest_add(contents, digest_kind(place->digest, 'T'));
    ++contents->datatypes;
  }
  check(H5Aiterate_by_name(object, ".", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, read_attribute,
                           (void*)place, place->lists->link_access),
        place->path);
  if (kind == H5I_GROUP) {
    check(H5Literate_by_name(object, ".", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_link,
                             (void*)place, place->lists->link_access),
          place->path);
  }
}

static herr_t visit_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  const Place* above = (const Place*)data;
  const size_t size = strlen(above->path) + strlen(name) + 2;
  char* path = (char*)malloc(size);
  if (path == NULL) bench_fail("walk", "out of memory");
  snprintf(path, size, "%s%s%s", above->path, *above->path == '\0' ? "" : "/", name);
  if (info->type != H5L_TYPE_HARD || is_open_above(above, link_target(info))) {
    digest_add(above->contents, digest_item(path, 'L'));
    ++above->contents->links;
  } else {
    const Place place = {above,        link_target(info), path, digest_path(path),
                         above->lists, above->contents};
    const hid_t object = checked(H5Oopen(group, name, above->lists->link_access), path);
    visit_object(object, &place);
    check(H5Oclose(object), path);
  }
  free(path);
  return 0;
}

static void walk_file(hid_t file, const WalkLists* lists, Contents* contents) {
  const Place root = {NULL,    root_id(file, lists->link_access), "", digest_path(""), lists,
                      contents};
  const hid_t group = checked(H5Oopen(file, "/", lists->link_access), "root group");
  visit_object(group, &root);
  check(H5Oclose(group), "root group");
}

#endif
