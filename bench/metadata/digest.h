/* The digest of a file's contents, as every program computes it: README.md, "The digest". */
#ifndef ONECAST_BENCH_DIGEST_H
#define ONECAST_BENCH_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Contents {
  uint64_t digest; /* sum of the items' hashes */
  uint64_t groups, datasets, attributes, datatypes, links;
  uint64_t value_bytes; /* bytes of values hashed */
  uint64_t skipped;     /* values that were left out: references */
  uint64_t unreadable;  /* values the library could not read */
} Contents;

#define DIGEST_NULL_DATASPACE 255
#define DIGEST_PRIME UINT64_C(0x100000001b3)

/* Off while a read is timed: hashing would hide the library's time. */
static int digest_enabled = 1;

static inline uint64_t digest_bytes(uint64_t hash, const void* bytes, size_t count) {
  if (!digest_enabled) return hash;
  const unsigned char* byte = (const unsigned char*)bytes;
#define DIGEST_BYTE(i) hash = (hash ^ byte[i]) * DIGEST_PRIME
  for (; count >= 4; count -= 4, byte += 4) {
    DIGEST_BYTE(0);
    DIGEST_BYTE(1);
    DIGEST_BYTE(2);
    DIGEST_BYTE(3);
  }
  for (; count != 0; --count, ++byte) DIGEST_BYTE(0);
#undef DIGEST_BYTE
  return hash;
}

static inline uint64_t digest_number(uint64_t hash, uint64_t value, unsigned width) {
  if (!digest_enabled) return hash;
  for (; width != 0; --width, value >>= 8) hash = (hash ^ (value & 0xff)) * DIGEST_PRIME;
  return hash;
}

/* Starts items: the path without leading slash, its NUL. An object and its attributes share it. */
static inline uint64_t digest_path(const char* path) {
  if (!digest_enabled) return 0;
  return digest_bytes(UINT64_C(0xcbf29ce484222325), path, strlen(path) + 1);
}

/* An item goes on with its kind. */
static inline uint64_t digest_kind(uint64_t path, char kind) {
  return digest_bytes(path, &kind, 1);
}

static inline uint64_t digest_item(const char* path, char kind) {
  return digest_kind(digest_path(path), kind);
}

/* Continues an attribute's item with the attribute's name and its NUL. */
static inline uint64_t digest_name(uint64_t hash, const char* name, size_t length) {
  return digest_bytes(digest_bytes(hash, name, length), "", 1);
}

/* `size` is 0 for a type that holds variable-length parts or references. */
static inline uint64_t digest_type(uint64_t hash, unsigned type_class, uint64_t size) {
  return digest_number(digest_number(hash, type_class, 1), size, 4);
}

static inline uint64_t digest_shape(uint64_t hash, unsigned rank, const uint64_t* dimensions) {
  if (!digest_enabled) return hash;
  hash = digest_number(hash, rank, 1);
  if (rank == DIGEST_NULL_DATASPACE) return hash;
  for (unsigned i = 0; i < rank; ++i) hash = digest_number(hash, dimensions[i], 8);
  return hash;
}

static inline void digest_add(Contents* contents, uint64_t hash) { contents->digest += hash; }

#endif
