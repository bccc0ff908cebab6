#pragma once

/// The functions of MPI that Onecast calls, with their parameters; all return a status.
#define ONECAST_MPI_FUNCTIONS(X)                                                   \
  X(Abort, Comm, int)                                                              \
  X(Allgather, const void*, int, Type, void*, int, Type, Comm)                     \
  X(Allgatherv, const void*, int, Type, void*, const int*, const int*, Type, Comm) \
  X(Allreduce, const void*, void*, int, Type, Op, Comm)                            \
  X(Alltoall, const void*, int, Type, void*, int, Type, Comm)                      \
  X(Bcast, void*, int, Type, int, Comm)                                            \
  X(Comm_compare, Comm, Comm, int*)                                                \
  X(Comm_create_keyval, CopyAttribute*, DeleteAttribute*, int*, void*)             \
  X(Comm_dup, Comm, Comm*)                                                         \
  X(Comm_free, Comm*)                                                              \
  X(Comm_free_keyval, int*)                                                        \
  X(Comm_rank, Comm, int*)                                                         \
  X(Comm_set_attr, Comm, int, void*)                                               \
  X(Comm_set_errhandler, Comm, Errhandler)                                         \
  X(Comm_size, Comm, int*)                                                         \
  X(Comm_split, Comm, int, int, Comm*)                                             \
  X(Comm_split_type, Comm, int, int, Info, Comm*)                                  \
  X(Comm_test_inter, Comm, int*)                                                   \
  X(Error_class, int, int*)                                                        \
  X(Error_string, int, char*, int*)                                                \
  X(File_close, File*)                                                             \
  X(File_get_size, File, std::int64_t*)                                            \
  X(File_open, Comm, const char*, int, Info, File*)                                \
  X(File_read_at, File, std::int64_t, void*, int, Type, Status*)                   \
  X(File_sync, File)                                                               \
  X(File_write_at, File, std::int64_t, const void*, int, Type, Status*)            \
  X(Finalized, int*)                                                               \
  X(Get_address, const void*, std::intptr_t*)                                      \
  X(Get_count, const Status*, Type, int*)                                          \
  X(Iallgather, const void*, int, Type, void*, int, Type, Comm, Request*)          \
  X(Iallreduce, const void*, void*, int, Type, Op, Comm, Request*)                 \
  X(Ibarrier, Comm, Request*)                                                      \
  X(Info_get, Info, const char*, int, char*, int*)                                 \
  X(Info_get_nkeys, Info, int*)                                                    \
  X(Info_get_nthkey, Info, int, char*)                                             \
  X(Info_get_valuelen, Info, const char*, int*, int*)                              \
  X(Init, int*, char***)                                                           \
  X(Initialized, int*)                                                             \
  X(Iprobe, int, int, Comm, int*, Status*)                                         \
  X(Irecv, void*, int, Type, int, int, Comm, Request*)                             \
  X(Isend, const void*, int, Type, int, int, Comm, Request*)                       \
  X(Op_create, Mpi::Combine*, int, Op*)                                            \
  X(Op_free, Op*)                                                                  \
  X(Query_thread, int*)                                                            \
  X(Recv, void*, int, Type, int, int, Comm, Status*)                               \
  X(Test, Request*, int*, Status*)                                                 \
  X(Type_commit, Type*)                                                            \
  X(Type_contiguous, int, Type, Type*)                                             \
  X(Type_create_hindexed, int, const int*, const std::intptr_t*, Type, Type*)      \
  X(Type_free, Type*)                                                              \
  X(Waitall, int, Request*, Status*)                                               \
  X(Win_allocate_shared, std::intptr_t, int, Info, Comm, void*, Window*)           \
  X(Win_free, Window*)                                                             \
  X(Win_lock_all, int, Window)                                                     \
  X(Win_shared_query, Window, int, std::intptr_t*, int*, void*)                    \
  X(Win_sync, Window)                                                              \
  X(Win_unlock_all, Window)
