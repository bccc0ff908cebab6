/* The MPI part of libiocount.so. iocount.c includes it once, and it adds to that file's counters.
 * */
#ifndef ONECAST_BENCH_IOCOUNT_MPI_H
#define ONECAST_BENCH_IOCOUNT_MPI_H

#include <mpi.h>

#define MPI_HOOK(name, parameters, ...)               \
  EXPORT int MPI_##name parameters {                  \
    add(&counters.collectives, 1);                    \
    add(&counters.by_collective[kIocount_##name], 1); \
    return PMPI_##name(__VA_ARGS__);                  \
  }

static void add_bytes(atomic_ullong* counter, int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  add(counter, (unsigned long long)count * (unsigned long long)size);
}

EXPORT int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  add(&counters.collectives, 1);
  add(&counters.by_collective[kIocount_Bcast], 1);
  add_bytes(&counters.bytes_broadcast, n, type);
  return PMPI_Bcast(data, n, type, root, comm);
}

EXPORT int MPI_Ibcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm,
                      MPI_Request* request) {
  add(&counters.collectives, 1);
  add(&counters.by_collective[kIocount_Ibcast], 1);
  add_bytes(&counters.bytes_broadcast, n, type);
  return PMPI_Ibcast(data, n, type, root, comm, request);
}

#define MPI_SEND_HOOK(name, parameters, ...)  \
  EXPORT int MPI_##name parameters {          \
    add(&counters.sends, 1);                  \
    add_bytes(&counters.bytes_sent, n, type); \
    return PMPI_##name(__VA_ARGS__);          \
  }
#define SEND_PARAMETERS const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm
MPI_SEND_HOOK(Send, (SEND_PARAMETERS), data, n, type, to, tag, comm)
MPI_SEND_HOOK(Ssend, (SEND_PARAMETERS), data, n, type, to, tag, comm)
MPI_SEND_HOOK(Isend, (SEND_PARAMETERS, MPI_Request* request), data, n, type, to, tag, comm, request)
MPI_SEND_HOOK(Issend, (SEND_PARAMETERS, MPI_Request* request), data, n, type, to, tag, comm,
              request)
MPI_SEND_HOOK(Sendrecv,
              (const void* data, int n, MPI_Datatype type, int to, int tag, void* in, int m,
               MPI_Datatype from_type, int from, int from_tag, MPI_Comm comm, MPI_Status* status),
              data, n, type, to, tag, in, m, from_type, from, from_tag, comm, status)

MPI_HOOK(Barrier, (MPI_Comm comm), comm)
MPI_HOOK(Ibarrier, (MPI_Comm comm, MPI_Request* request), comm, request)
MPI_HOOK(Reduce,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
         in, out, n, type, op, root, comm)
MPI_HOOK(Ireduce,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
          MPI_Request* request),
         in, out, n, type, op, root, comm, request)
MPI_HOOK(Allreduce, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         in, out, n, type, op, comm)
MPI_HOOK(Iallreduce,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request* request),
         in, out, n, type, op, comm, request)
MPI_HOOK(Scan, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm), in,
         out, n, type, op, comm)
MPI_HOOK(Iscan,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request* request),
         in, out, n, type, op, comm, request)
MPI_HOOK(Exscan, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         in, out, n, type, op, comm)
MPI_HOOK(Iexscan,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request* request),
         in, out, n, type, op, comm, request)
MPI_HOOK(Reduce_scatter,
         (const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         in, out, n, type, op, comm)
MPI_HOOK(Reduce_scatter_block,
         (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm), in, out,
         n, type, op, comm)
MPI_HOOK(Gather,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, int root,
          MPI_Comm comm),
         in, n, type, out, m, to, root, comm)
MPI_HOOK(Igather,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, int root,
          MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, to, root, comm, request)
MPI_HOOK(Scatter,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, int root,
          MPI_Comm comm),
         in, n, type, out, m, to, root, comm)
MPI_HOOK(Iscatter,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, int root,
          MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, to, root, comm, request)
MPI_HOOK(Allgather,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to,
          MPI_Comm comm),
         in, n, type, out, m, to, comm)
MPI_HOOK(Iallgather,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to,
          MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, to, comm, request)
MPI_HOOK(Alltoall,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to,
          MPI_Comm comm),
         in, n, type, out, m, to, comm)
MPI_HOOK(Ialltoall,
         (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to,
          MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, to, comm, request)
MPI_HOOK(Gatherv,
         (const void* in, int n, MPI_Datatype type, void* out, const int m[], const int at[],
          MPI_Datatype to, int root, MPI_Comm comm),
         in, n, type, out, m, at, to, root, comm)
MPI_HOOK(Igatherv,
         (const void* in, int n, MPI_Datatype type, void* out, const int m[], const int at[],
          MPI_Datatype to, int root, MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, at, to, root, comm, request)
MPI_HOOK(Allgatherv,
         (const void* in, int n, MPI_Datatype type, void* out, const int m[], const int at[],
          MPI_Datatype to, MPI_Comm comm),
         in, n, type, out, m, at, to, comm)
MPI_HOOK(Iallgatherv,
         (const void* in, int n, MPI_Datatype type, void* out, const int m[], const int at[],
          MPI_Datatype to, MPI_Comm comm, MPI_Request* request),
         in, n, type, out, m, at, to, comm, request)
MPI_HOOK(Scatterv,
         (const void* in, const int n[], const int at[], MPI_Datatype type, void* out, int m,
          MPI_Datatype to, int root, MPI_Comm comm),
         in, n, at, type, out, m, to, root, comm)
MPI_HOOK(Iscatterv,
         (const void* in, const int n[], const int at[], MPI_Datatype type, void* out, int m,
          MPI_Datatype to, int root, MPI_Comm comm, MPI_Request* request),
         in, n, at, type, out, m, to, root, comm, request)
MPI_HOOK(Alltoallv,
         (const void* in, const int n[], const int from[], MPI_Datatype type, void* out,
          const int m[], const int at[], MPI_Datatype to, MPI_Comm comm),
         in, n, from, type, out, m, at, to, comm)
MPI_HOOK(Ialltoallv,
         (const void* in, const int n[], const int from[], MPI_Datatype type, void* out,
          const int m[], const int at[], MPI_Datatype to, MPI_Comm comm, MPI_Request* request),
         in, n, from, type, out, m, at, to, comm, request)
MPI_HOOK(Alltoallw,
         (const void* in, const int n[], const int from[], const MPI_Datatype type[], void* out,
          const int m[], const int at[], const MPI_Datatype to[], MPI_Comm comm),
         in, n, from, type, out, m, at, to, comm)
MPI_HOOK(Comm_dup, (MPI_Comm comm, MPI_Comm* made), comm, made)
MPI_HOOK(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), comm, info, made)
MPI_HOOK(Comm_idup, (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), comm, made, request)
MPI_HOOK(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), comm, color, key, made)
MPI_HOOK(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made), comm,
         type, key, info, made)
MPI_HOOK(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), comm, group, made)
MPI_HOOK(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), comm, group,
         tag, made)
MPI_HOOK(Comm_free, (MPI_Comm * comm), comm)
MPI_HOOK(Win_create,
         (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* made), base,
         size, unit, info, comm, made)
MPI_HOOK(Win_allocate,
         (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made), size,
         unit, info, comm, base, made)
MPI_HOOK(Win_allocate_shared,
         (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made), size,
         unit, info, comm, base, made)
MPI_HOOK(Win_fence, (int assertion, MPI_Win window), assertion, window)
MPI_HOOK(Win_free, (MPI_Win * window), window)
MPI_HOOK(File_open, (MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* file),
         comm, path, mode, info, file)
MPI_HOOK(File_close, (MPI_File * file), file)
MPI_HOOK(File_set_view,
         (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char* form,
          MPI_Info info),
         file, at, unit, type, form, info)
MPI_HOOK(File_set_size, (MPI_File file, MPI_Offset size), file, size)
MPI_HOOK(File_preallocate, (MPI_File file, MPI_Offset size), file, size)
MPI_HOOK(File_set_info, (MPI_File file, MPI_Info info), file, info)
MPI_HOOK(File_set_atomicity, (MPI_File file, int on), file, on)
MPI_HOOK(File_sync, (MPI_File file), file)
MPI_HOOK(File_read_all, (MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* status),
         file, data, n, type, status)
MPI_HOOK(File_read_at_all,
         (MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type, MPI_Status* status),
         file, at, data, n, type, status)
MPI_HOOK(File_write_all,
         (MPI_File file, const void* data, int n, MPI_Datatype type, MPI_Status* status), file,
         data, n, type, status)
MPI_HOOK(File_write_at_all,
         (MPI_File file, MPI_Offset at, const void* data, int n, MPI_Datatype type,
          MPI_Status* status),
         file, at, data, n, type, status)

#endif
