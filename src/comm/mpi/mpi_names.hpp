#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/device_api.hpp"
#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {

/// Handles of MPI as words, which hold the handles of any MPI: pointers or integers.
enum class MpiComm : std::uintptr_t {};
enum class MpiType : std::uintptr_t {};
enum class MpiOp : std::uintptr_t {};
enum class MpiInfo : std::uintptr_t {};
enum class MpiRequest : std::uintptr_t {};
enum class MpiWindow : std::uintptr_t {};
enum class MpiFile : std::uintptr_t {};

/// The handles that every MPI defines, and that Onecast uses.
struct MpiConstants {
  MpiComm comm_null{}, comm_world{}, comm_self{};
  MpiType byte{}, uint64{};
  MpiOp min{}, max{};
  MpiInfo info_null{};
  MpiRequest request_null{};
  MpiFile file_null{};
  std::uintptr_t errors_return = 0;
};

/// One MPI library of this process. Its functions have the names of MPI's; they take handles as
/// words and throw Error (io), which names the function, if MPI returns an error. Each library has
/// one object, which lasts as long as the process.
class Mpi {
 public:
  /// Combines `lower` into `higher`, for op_create: MPI_User_function.
  using Combine = void(void* lower, void* higher, int* count, void* type);
  /// What MPI_Finalize calls first, see at_finalize.
  struct AtFinalize {
    void (*function)(void*);
    void* state;
  };

  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  virtual ~Mpi() = default;

  /// The version of the library and its file, for errors.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const MpiConstants& constants() const { return constants_; }
  /// The size of communicators and info objects in the program.
  [[nodiscard]] virtual std::size_t handle_size() const = 0;
  [[nodiscard]] virtual MpiComm comm_f2c(int comm) const = 0;
  [[nodiscard]] virtual MpiInfo info_f2c(int info) const = 0;

  [[nodiscard]] virtual bool initialized() const = 0;
  [[nodiscard]] virtual bool finalized() const = 0;
  /// True if MPI calls can be made now.
  [[nodiscard]] bool is_running() const { return initialized() && !finalized(); }
  /// True if several threads can make MPI calls at once.
  [[nodiscard]] virtual bool allows_threads() const = 0;
  /// True if the library says that it sends from memory of such a device.
  [[nodiscard]] virtual bool sends_from(DeviceApi device) const = 0;
  virtual void init() const = 0;
  /// Ends the job of MPI_COMM_WORLD.
  virtual void abort() const = 0;
  /// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, when messages can still be sent.
  virtual void at_finalize(AtFinalize* then) const = 0;
  /// The text of an MPI error code.
  [[nodiscard]] virtual std::string error_text(int status) const = 0;
  /// The errno for the class of an error of a file, or 0.
  [[nodiscard]] virtual int errno_of(int status) const = 0;
  void check(int status, const char* call) const {
    if (status != 0) fail(status, call);
  }

  [[nodiscard]] virtual int comm_rank(MpiComm comm) const = 0;
  [[nodiscard]] virtual int comm_size(MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiComm comm_dup(MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiComm comm_split(MpiComm comm, int color, int key) const = 0;
  /// MPI_Comm_split_type with MPI_COMM_TYPE_SHARED.
  [[nodiscard]] virtual MpiComm comm_split_nodes(MpiComm comm, int key) const = 0;
  virtual void comm_free(MpiComm comm) const noexcept = 0;
  /// MPI_Comm_compare: true if identical or congruent.
  [[nodiscard]] virtual bool comm_has_same_ranks(MpiComm one, MpiComm other) const = 0;
  [[nodiscard]] virtual bool comm_test_inter(MpiComm comm) const = 0;
  /// Sets MPI_ERRORS_RETURN.
  virtual void comm_return_errors(MpiComm comm) const = 0;

  [[nodiscard]] virtual MpiRequest isend(std::span<const std::byte> bytes, int to, int tag,
                                         MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiRequest irecv(std::span<std::byte> bytes, int from, int tag,
                                         MpiComm comm) const = 0;
  virtual void recv(std::span<std::byte> bytes, int from, int tag, MpiComm comm) const = 0;
  /// The rank from which a message is there.
  [[nodiscard]] virtual std::optional<int> iprobe(int tag, MpiComm comm) const = 0;
  /// @param call the call that began the request
  virtual bool test(MpiRequest& request, const char* call) const = 0;
  virtual void waitall(std::span<MpiRequest> requests) const = 0;

  virtual void bcast(void* data, int count, MpiType type, int root, MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiRequest ibarrier(MpiComm comm) const = 0;
  /// The result takes the place of the values.
  [[nodiscard]] virtual MpiRequest iallreduce(std::span<std::uint64_t> values, MpiOp op,
                                              MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiRequest iallreduce(const void* sent, void* received, MpiType type,
                                              MpiOp op, MpiComm comm) const = 0;
  /// The result takes the place of the value, which is one element.
  virtual void allreduce(void* value, MpiType type, MpiOp op, MpiComm comm) const = 0;
  /// `count` bytes of each rank.
  virtual void allgather(const void* mine, int count, void* all, MpiComm comm) const = 0;
  [[nodiscard]] virtual MpiRequest iallgather(const void* mine, int count, void* all,
                                              MpiComm comm) const = 0;
  virtual void allgatherv(const void* mine, int count, void* all, const int* counts,
                          const int* displacements, MpiComm comm) const = 0;
  /// One number to each rank.
  virtual void alltoall(const std::uint64_t* out, std::uint64_t* in, MpiComm comm) const = 0;

  /// Types of bytes in one element, committed: `size` bytes, or two stretches of memory, of which
  /// the address is MPI_BOTTOM.
  [[nodiscard]] virtual MpiType type_of_bytes(int size) const = 0;
  [[nodiscard]] virtual MpiType type_of_both(std::span<std::byte> head,
                                             std::span<std::byte> tail) const = 0;
  virtual void type_free(MpiType type) const noexcept = 0;
  /// An operation that does not commute.
  [[nodiscard]] virtual MpiOp op_create(Combine* combine) const = 0;
  virtual void op_free(MpiOp op) const noexcept = 0;

  [[nodiscard]] virtual MpiWindow win_allocate_shared(std::size_t size, MpiComm comm) const = 0;
  [[nodiscard]] virtual std::span<std::byte> win_shared_query(MpiWindow window, int rank) const = 0;
  virtual void win_lock_all(MpiWindow window) const = 0;
  virtual void win_unlock_all(MpiWindow window) const noexcept = 0;
  virtual void win_sync(MpiWindow window) const = 0;
  virtual void win_free(MpiWindow window) const noexcept = 0;

  [[nodiscard]] virtual int info_get_nkeys(MpiInfo info) const = 0;
  [[nodiscard]] virtual std::string info_get_nthkey(MpiInfo info, int n) const = 0;
  [[nodiscard]] virtual std::optional<std::string> info_get(MpiInfo info,
                                                            const std::string& key) const = 0;

  /// Functions of files return MPI's status.
  struct Opening {
    bool writable = false;
    bool creates = false;  ///< and fails if the file exists
  };
  virtual int file_open(const char* path, Opening how, MpiFile& file) const = 0;
  virtual void file_close(MpiFile file) const noexcept = 0;
  virtual int file_sync(MpiFile file) const = 0;
  virtual int file_get_size(MpiFile file, std::int64_t& size) const = 0;
  /// @param done the number of bytes that were read or written
  virtual int file_read_at(MpiFile file, std::int64_t offset, std::span<std::byte> out,
                           int& done) const = 0;
  virtual int file_write_at(MpiFile file, std::int64_t offset, std::span<const std::byte> bytes,
                            int& done) const = 0;

 protected:
  explicit Mpi(std::string name) : name_(std::move(name)) {}
  void set_constants(const MpiConstants& constants) { constants_ = constants; }

 private:
  [[noreturn]] void fail(int status, const char* call) const;

  std::string name_;
  MpiConstants constants_;
};

}  // namespace onecast::comm
