/* The common part of the programs of `onecast bench interleave` and `onecast bench stripes`:
 * `bases` MiB in pieces of `zones` bytes. Rank r of n writes the pieces r, r + n, r + 2n, ... anew
 * in each of `rounds` steps. `shift` bytes before the first piece stay empty. C and C++. */
#ifndef ONECAST_BENCH_INTERLEAVED_H
#define ONECAST_BENCH_INTERLEAVED_H

#include "../metadata/bench_program.h"

#define BENCH_PIECES_DATASET "pieces"

typedef struct Interleaved {
  uint64_t shift;
  uint64_t size;       /* of one piece, in bytes */
  uint64_t count;      /* pieces of all ranks */
  uint64_t mine;       /* pieces of this rank */
  unsigned char* data; /* the pieces of this rank, contiguous */
} Interleaved;

/* Returns byte `at` of a piece, for at > 0; byte 0 is the number of the step. No two pieces of 5 or
 * more bytes are equal. */
static inline unsigned char interleaved_byte(uint64_t piece, uint64_t at) {
  return (unsigned char)((piece >> (at % 4 * 8)) + at * 7);
}

static inline Interleaved interleaved_begin(const Bench* bench) {
  Interleaved pieces;
  const uint64_t rank = (uint64_t)bench->rank;
  const uint64_t ranks = (uint64_t)bench->ranks;
  pieces.shift = (uint64_t)bench->options.shift;
  pieces.size = (uint64_t)bench->options.zones;
  pieces.count = ((uint64_t)bench->options.bases << 20) / pieces.size;
  pieces.mine = pieces.count > rank ? (pieces.count - rank - 1) / ranks + 1 : 0;
  pieces.data = bench_room(pieces.mine * pieces.size);
  for (uint64_t i = 0; i < pieces.mine; ++i) {
    for (uint64_t at = 0; at < pieces.size; ++at) {
      pieces.data[i * pieces.size + at] = interleaved_byte(rank + i * ranks, at);
    }
  }
  return pieces;
}

/* Returns the end of the last piece of all ranks. */
static inline uint64_t interleaved_end(const Interleaved* pieces) {
  return pieces->shift + pieces->count * pieces->size;
}

/* Returns the offset of this rank's piece number i. */
static inline uint64_t interleaved_at(const Bench* bench, const Interleaved* pieces, uint64_t i) {
  return pieces->shift + ((uint64_t)bench->rank + i * (uint64_t)bench->ranks) * pieces->size;
}

/* Calls `write` for all pieces of this rank. The first call is a step of its own in the report. */
static inline void interleaved_write(Bench* bench, const Interleaved* pieces,
                                     void (*write)(void*, const Interleaved*), void* context) {
  const int last = bench->options.rounds - 1;
  for (int round = 0; round <= last; ++round) {
    if (round < 2) bench_step_begin(bench, "small_writes", round == 0 ? "first" : "further");
    for (uint64_t i = 0; i < pieces->mine; ++i) {
      pieces->data[i * pieces->size] = (unsigned char)round;
    }
    write(context, pieces);
    if (round == 0 || round == last) bench_step_end(bench);
  }
}

/* On rank 0, after the close: reads all pieces with `read`, and compares them. */
static inline void interleaved_check(const Bench* bench, Interleaved* pieces,
                                     void (*read)(const Bench*, const Interleaved*,
                                                  unsigned char*)) {
  free(pieces->data);
  MPI_Barrier(MPI_COMM_WORLD);
  if (bench->rank != 0) return;
  unsigned char* all = bench_room(pieces->count * pieces->size);
  read(bench, pieces, all);
  for (uint64_t i = 0; i < pieces->count; ++i) {
    const unsigned char* piece = all + i * pieces->size;
    int wrong = piece[0] != (unsigned char)(bench->options.rounds - 1);
    for (uint64_t at = 1; at < pieces->size; ++at) wrong |= piece[at] != interleaved_byte(i, at);
    if (wrong) bench_fail("pieces", "what was read is not what was written");
  }
  free(all);
}

#endif
