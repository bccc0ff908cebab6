/* tools/instructions.py counts what lies between these two calls: see README.md. */
#ifndef ONECAST_BENCH_MARKS_H
#define ONECAST_BENCH_MARKS_H

#ifdef __cplusplus
extern "C" {
#endif

void onecast_mark_begin(void);
void onecast_mark_end(void);

#ifdef __cplusplus
}
#endif

#endif
