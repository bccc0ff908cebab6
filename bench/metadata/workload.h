/* The names and values of the B x Z file that the programs write (README.md, "The workload"). */
#ifndef ONECAST_BENCH_WORKLOAD_H
#define ONECAST_BENCH_WORKLOAD_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  kNameSize = 33, /* bytes of the attributes "name" and "label", and of a node's name */
  kTypeSize = 3,  /* bytes of the attribute "type" */
  kBaseValues = 2,
  kZoneSide = 3,
  kZoneValues = 9,
  kZoneTypeValues = 10
};

#define WORKLOAD_DATA_NAME " data"
#define WORKLOAD_ZONE_TYPE "ZoneType"
#define WORKLOAD_ZONE_TYPE_VALUE "Structured" /* kZoneTypeValues characters */

/* The attributes of one node, zero-filled to their full size. */
typedef struct NodeAttributes {
  char name[kNameSize];
  char label[kNameSize];
  char type[kTypeSize];
} NodeAttributes;

static inline void workload_text(char* field, size_t size, const char* text) {
  const size_t length = strlen(text);
  memcpy(field, text, length < size ? length : size - 1);
}

static inline NodeAttributes workload_attributes(const char* name, const char* label,
                                                 const char* type) {
  NodeAttributes attributes;
  memset(&attributes, 0, sizeof attributes);
  workload_text(attributes.name, sizeof attributes.name, name);
  workload_text(attributes.label, sizeof attributes.label, label);
  workload_text(attributes.type, sizeof attributes.type, type);
  return attributes;
}

/* Bases and zones count from 0 here; their names count from 1. */
static inline NodeAttributes workload_base(int base) {
  char name[kNameSize];
  snprintf(name, sizeof name, "Base%d", base + 1);
  return workload_attributes(name, "CGNSBase_t", "I4");
}

static inline NodeAttributes workload_zone(int zone) {
  char name[kNameSize];
  snprintf(name, sizeof name, "Zone%d", zone + 1);
  return workload_attributes(name, "Zone_t", "I8");
}

static inline NodeAttributes workload_zone_type(void) {
  return workload_attributes(WORKLOAD_ZONE_TYPE, "ZoneType_t", "C1");
}

static inline void workload_base_values(int32_t values[kBaseValues]) {
  values[0] = 3; /* cell dimension */
  values[1] = 3; /* physical dimension */
}

static inline void workload_zone_values(int base, int zone, int zones,
                                        int64_t values[kZoneValues]) {
  const int64_t first = ((int64_t)base * zones + zone) * kZoneValues;
  for (int i = 0; i < kZoneValues; ++i) values[i] = first + i;
}

#endif
