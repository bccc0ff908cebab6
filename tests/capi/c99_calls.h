#ifndef TESTS_CAPI_C99_CALLS_H
#define TESTS_CAPI_C99_CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Writes and reads a file in plain C99. Returns an error text, or NULL.
const char* c99_round_trip(const char* path);

#ifdef __cplusplus
}
#endif

#endif
