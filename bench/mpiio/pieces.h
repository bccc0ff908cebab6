/* The common part of the programs of `onecast bench mpiio`: every rank reads `bases` pieces of
 * `zones` bytes, one after the other. C and C++. */
#ifndef ONECAST_BENCH_PIECES_H
#define ONECAST_BENCH_PIECES_H

#include "../metadata/bench_program.h"

#define BENCH_PIECES_DATASET "pieces"

typedef struct Pieces {
  uint64_t count;
  uint64_t size;       /* of one piece, in bytes */
  unsigned char* data; /* all pieces, as they were read */
} Pieces;

static inline Pieces bench_pieces(const Bench* bench) {
  Pieces pieces;
  pieces.count = (uint64_t)bench->options.bases;
  pieces.size = (uint64_t)bench->options.zones;
  pieces.data = (unsigned char*)calloc(pieces.count, pieces.size);
  if (pieces.data == NULL) bench_fail("pieces", "out of memory");
  return pieces;
}

static inline unsigned char* bench_piece(const Pieces* pieces, uint64_t number) {
  return pieces->data + number * pieces->size;
}

/* Checks on every rank that each byte is the one that mpiio.py wrote. */
static inline void bench_check_pieces(Pieces* pieces) {
  for (uint64_t i = 0; i < pieces->count * pieces->size; ++i) {
    if (pieces->data[i] != (unsigned char)(i * 7 + i / pieces->size * 131)) {
      bench_fail("pieces", "what was read is not what was written");
    }
  }
  free(pieces->data);
}

#endif
