/* Threads use several HDF5 libraries of one process at once, each with the plug-in or without it.

       threads_program FOLDER ROUNDS LIBRARY...

   Each library has two threads. They write files of their own, and read what is in these, in a file
   that all threads read, and behind an external link. One thread of each library also writes and
   reads a file that all libraries want: only one gets it, and no one sees it half written. A
   library that is not safe for threads has a lock, as h5py and PyTables have. Prints "well" if
   every value is right. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int64_t Id;

enum { kDatasets = 12, kNumbers = 300, kThreads = 2, kMostLibraries = 4 };

/* The functions that are called: what they return, their names, and what they take. */
/* clang-format off */
#define FUNCTIONS(X) \
  X(int, H5open, (void)) \
  X(int, H5is_library_threadsafe, (bool*)) \
  X(int, H5free_memory, (void*)) \
  X(int, H5Eset_auto2, (Id, void*, void*)) \
  X(int, H5Eprint2, (Id, FILE*)) \
  X(Id, H5Fcreate, (const char*, unsigned, Id, Id)) \
  X(Id, H5Fopen, (const char*, unsigned, Id)) \
  X(int, H5Fflush, (Id, int)) \
  X(int, H5Fclose, (Id)) \
  X(Id, H5Gcreate2, (Id, const char*, Id, Id, Id)) \
  X(int, H5Gclose, (Id)) \
  X(Id, H5Screate, (int)) \
  X(Id, H5Screate_simple, (int, const uint64_t*, const uint64_t*)) \
  X(int, H5Sclose, (Id)) \
  X(Id, H5Pcreate, (Id)) \
  X(int, H5Pset_chunk, (Id, int, const uint64_t*)) \
  X(int, H5Pset_deflate, (Id, unsigned)) \
  X(int, H5Pclose, (Id)) \
  X(Id, H5Dcreate2, (Id, const char*, Id, Id, Id, Id, Id)) \
  X(Id, H5Dopen2, (Id, const char*, Id)) \
  X(int, H5Dwrite, (Id, Id, Id, Id, Id, const void*)) \
  X(int, H5Dread, (Id, Id, Id, Id, Id, void*)) \
  X(int, H5Dclose, (Id)) \
  X(Id, H5Tcopy, (Id)) \
  X(int, H5Tset_size, (Id, size_t)) \
  X(int, H5Tclose, (Id)) \
  X(Id, H5Acreate2, (Id, const char*, Id, Id, Id, Id)) \
  X(Id, H5Aopen, (Id, const char*, Id)) \
  X(int, H5Awrite, (Id, Id, const void*)) \
  X(int, H5Aread, (Id, Id, void*)) \
  X(int, H5Aclose, (Id)) \
  X(int, H5Lcreate_external, (const char*, const char*, Id, const char*, Id, Id)) \
  X(int, H5Literate2, (Id, int, int, uint64_t*, int (*)(Id, const char*, const void*, \
    void*), void*))
/* clang-format on */

typedef struct {
  int number;
  bool is_threadsafe;
  pthread_mutex_t lock;
  Id number_type, character_type, dataset_creation;
  Id shared; /* the file that all threads read, open for all threads of the library */
#define DECLARE(result, name, arguments) result(*name) arguments;
  FUNCTIONS(DECLARE)
} Library;

static const char* folder;
static int rounds;
static Library libraries[kMostLibraries];

static void fail(const Library* in, const char* what) {
  fprintf(stderr, "library %d: %s\n", in->number, what);
  in->H5Eprint2(0, stderr);
  _exit(1); /* the other threads go on until then */
}

static void lock(Library* in) {
  if (!in->is_threadsafe) pthread_mutex_lock(&in->lock);
}
static void unlock(Library* in) {
  if (!in->is_threadsafe) pthread_mutex_unlock(&in->lock);
}

/* Calls a function of a library, alone in it. */
#define TRY(in, name, ...)                         \
  ({                                               \
    lock(in);                                      \
    const Id answer = (Id)(in)->name(__VA_ARGS__); \
    unlock(in);                                    \
    answer;                                        \
  })
/* Calls a function that must not fail. */
#define CALL(in, name, ...)                         \
  ({                                                \
    const Id result = TRY(in, name, ##__VA_ARGS__); \
    if (result < 0) fail(in, #name " failed");      \
    result;                                         \
  })

static Id variable(void* library, const char* name) {
  const Id* found = dlsym(library, name);
  return found == NULL ? -1 : *found;
}

static void load(Library* in, int number, const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  in->number = number;
#define TAKE(result, name, arguments)         \
  *(void**)&in->name = dlsym(library, #name); \
  if (in->name == NULL) fail(in, #name " is not there");
  FUNCTIONS(TAKE)
  pthread_mutex_init(&in->lock, NULL);
  CALL(in, H5open);
  CALL(in, H5is_library_threadsafe, &in->is_threadsafe);
  in->number_type = variable(library, "H5T_NATIVE_INT_g");
  in->character_type = variable(library, "H5T_C_S1_g");
  in->dataset_creation = variable(library, "H5P_CLS_DATASET_CREATE_ID_g");
}

static Id text_type(Library* in) {
  const Id type = CALL(in, H5Tcopy, in->character_type);
  CALL(in, H5Tset_size, type, SIZE_MAX);
  return type;
}

static void path_of(char* path, const char* name, int library, int thread) {
  snprintf(path, 4096, "%s/%s%d_%d.h5", folder, name, library, thread);
}

static void write_dataset(Library* in, Id group, int i) {
  const uint64_t size = kNumbers, chunk = 64;
  int numbers[kNumbers];
  char name[32], text[32];
  const char* pointer = text;
  for (int k = 0; k < kNumbers; ++k) numbers[k] = i * 1000 + k;
  snprintf(name, sizeof name, "x%d", i);
  snprintf(text, sizeof text, "text %d", i);
  const Id space = CALL(in, H5Screate_simple, 1, &size, NULL);
  const Id creation = CALL(in, H5Pcreate, in->dataset_creation);
  CALL(in, H5Pset_chunk, creation, 1, &chunk);
  CALL(in, H5Pset_deflate, creation, 1);
  const Id data = CALL(in, H5Dcreate2, group, name, in->number_type, space, 0, creation, 0);
  CALL(in, H5Dwrite, data, in->number_type, 0, 0, 0, numbers);
  const Id type = text_type(in), one = CALL(in, H5Screate, 0);
  const Id attribute = CALL(in, H5Acreate2, data, "text", type, one, 0, 0);
  CALL(in, H5Awrite, attribute, type, &pointer);
  CALL(in, H5Aclose, attribute);
  CALL(in, H5Sclose, one);
  CALL(in, H5Tclose, type);
  CALL(in, H5Dclose, data);
  CALL(in, H5Pclose, creation);
  CALL(in, H5Sclose, space);
}

static void read_dataset(Library* in, Id from, const char* path, int i) {
  int numbers[kNumbers] = {0};
  char expected[32], *text = NULL;
  snprintf(expected, sizeof expected, "text %d", i);
  const Id data = CALL(in, H5Dopen2, from, path, 0);
  CALL(in, H5Dread, data, in->number_type, 0, 0, 0, numbers);
  for (int k = 0; k < kNumbers; ++k)
    if (numbers[k] != i * 1000 + k) fail(in, "another number");
  const Id type = text_type(in), attribute = CALL(in, H5Aopen, data, "text", 0);
  CALL(in, H5Aread, attribute, type, &text);
  if (text == NULL || strcmp(text, expected) != 0) fail(in, "another text");
  CALL(in, H5free_memory, text);
  CALL(in, H5Aclose, attribute);
  CALL(in, H5Tclose, type);
  CALL(in, H5Dclose, data);
}

static int count_one(Id group, const char* name, const void* info, void* data) {
  (void)group, (void)name, (void)info;
  ++*(int*)data;
  return 0;
}

static void write_file(Library* in, const char* path) {
  const Id file = CALL(in, H5Fcreate, path, 2, 0, 0);
  const Id group = CALL(in, H5Gcreate2, file, "g", 0, 0, 0);
  for (int i = 0; i < kDatasets; ++i) write_dataset(in, group, i);
  CALL(in, H5Lcreate_external, "shared0_0.h5", "/g", file, "outside", 0, 0);
  CALL(in, H5Fflush, file, 0);
  read_dataset(in, file, "g/x1", 1);
  CALL(in, H5Gclose, group);
  CALL(in, H5Fclose, file);
}

static void read_file(Library* in, Id file, const char* group) {
  for (int i = 0; i < kDatasets; ++i) {
    char path[96];
    snprintf(path, sizeof path, "%s/x%d", group, i);
    read_dataset(in, file, path, i);
  }
}

/* Nobody can open the file while another library has it open for writing. Returns how often this
   thread could. */
static int contend(Library* in, const char* path, int round) {
  char name[64];
  snprintf(name, sizeof name, "library %d, round %d", in->number, round);
  const Id written = TRY(in, H5Fopen, path, 1, 0);
  if (written >= 0) {
    const Id group = CALL(in, H5Gcreate2, written, name, 0, 0, 0);
    for (int i = 0; i < kDatasets; ++i) write_dataset(in, group, i);
    CALL(in, H5Gclose, group);
    CALL(in, H5Fclose, written);
  }
  const Id read = TRY(in, H5Fopen, path, 0, 0);
  if (read < 0) return written >= 0;
  read_file(in, read, written >= 0 ? name : "g");
  CALL(in, H5Fclose, read);
  return 1 + (written >= 0);
}

struct Work {
  Library* in;
  int thread;
};

static void* work(void* data) {
  const struct Work* work = data;
  Library* in = work->in;
  char own[4096], shared[4096], contested[4096];
  int times = 0;
  CALL(in, H5Eset_auto2, 0, NULL,
       NULL); /* a library that is safe for threads has a stack for each */
  path_of(contested, "contested", 0, 0);
  path_of(own, "own", in->number, work->thread);
  path_of(shared, "shared", 0, 0);
  for (int round = 0; round < rounds; ++round) {
    write_file(in, own);
    if (work->thread == 0) times += contend(in, contested, round);
    const Id written = CALL(in, H5Fopen, own, 0, 0), again = CALL(in, H5Fopen, shared, 0, 0);
    read_file(in, written, "g");
    read_file(in, written, "outside");
    read_file(in, again, "g");
    read_file(in, in->shared, "g");
    int links = 0;
    CALL(in, H5Literate2, written, 0, 0, NULL, count_one, &links);
    if (links != 2) fail(in, "another number of links");
    CALL(in, H5Fclose, again);
    CALL(in, H5Fclose, written);
  }
  if (work->thread == 0 && times == 0 && rounds > 10) fail(in, "never got the contested file");
  return NULL;
}

int main(int argc, char** argv) {
  folder = argv[1];
  rounds = atoi(argv[2]);
  const int count = argc - 3;
  char path[4096];
  path_of(path, "shared", 0, 0);
  for (int i = 0; i < count; ++i) load(&libraries[i], i, argv[3 + i]);
  write_file(&libraries[0], path);
  path_of(path, "contested", 0, 0);
  write_file(&libraries[0], path);
  path_of(path, "shared", 0, 0);
  pthread_t threads[kMostLibraries * kThreads];
  struct Work works[kMostLibraries * kThreads];
  for (int i = 0; i < count; ++i) libraries[i].shared = CALL(&libraries[i], H5Fopen, path, 0, 0);
  for (int i = 0; i < count * kThreads; ++i) {
    works[i] = (struct Work){&libraries[i % count], i / count};
    pthread_create(&threads[i], NULL, work, &works[i]);
  }
  for (int i = 0; i < count * kThreads; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; ++i) CALL(&libraries[i], H5Fclose, libraries[i].shared);
  puts("well");
  return 0;
}
