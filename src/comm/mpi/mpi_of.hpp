#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <type_traits>

#include "base/namespaces.hpp"
#include "comm/mpi/mpi_functions.hpp"
#include "comm/mpi/mpi_names.hpp"
#include "comm/mpi/mpi_symbols.hpp"

namespace onecast::comm {

/// An MPI library of one binary interface (comm/mpi/mpi_abis.hpp).
template <class Abi>
class MpiOf final : public Mpi {
  using Comm = typename Abi::Comm;
  using Type = typename Abi::Type;
  using Op = typename Abi::Op;
  using Info = typename Abi::Info;
  using Request = typename Abi::Request;
  using Window = typename Abi::Window;
  using File = typename Abi::File;
  using Errhandler = typename Abi::Errhandler;
  using Status = typename Abi::Status;
  using CopyAttribute = int(Comm, int, void*, void*, void*, int*);
  using DeleteAttribute = int(Comm, int, void*, void*);
  /// A function of the library, with its name for errors.
  template <class... Parameters>
  struct Function {
    const char* name;
    int (*call)(Parameters...) = nullptr;

    int operator()(Parameters... arguments) const { return call(arguments...); }
  };

 public:
  explicit MpiOf(const MpiSymbols& symbols) : Mpi(symbols.library()) {
#define ONECAST_LOOK_UP(NAME, ...) \
  functions_.NAME.call = reinterpret_cast<int (*)(__VA_ARGS__)>(symbols.required("MPI_" #NAME));
    ONECAST_MPI_FUNCTIONS(ONECAST_LOOK_UP)
#undef ONECAST_LOOK_UP
    if constexpr (!Abi::kNumbersAreHandles) {
      // The standard interface has these functions by another name.
      const auto converts = [&](const char* usual, const char* standard) {
        void* found = symbols.find(usual);
        return found != nullptr ? found : symbols.required(standard);
      };
      comm_of_number_ =
          reinterpret_cast<Comm (*)(int)>(converts("MPI_Comm_f2c", "MPI_Comm_fromint"));
      info_of_number_ =
          reinterpret_cast<Info (*)(int)>(converts("MPI_Info_f2c", "MPI_Info_fromint"));
    }
    sends_from_cuda_ = reinterpret_cast<int (*)()>(symbols.find("MPIX_Query_cuda_support"));
    // The names of Open MPI and of MPICH.
    for (const char* name : {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"})
      if (void* found = symbols.find(name); found != nullptr)
        sends_from_hip_ = reinterpret_cast<int (*)()>(found);
    set_constants(Abi::constants(symbols));
    byte_ = as<Type>(constants().byte);
  }

  std::size_t handle_size() const override { return sizeof(Comm); }
  MpiComm comm_f2c(int comm) const override { return MpiComm{of_number(comm_of_number_, comm)}; }
  MpiInfo info_f2c(int info) const override { return MpiInfo{of_number(info_of_number_, info)}; }

  bool initialized() const override { return flag(functions_.Initialized); }
  bool finalized() const override { return flag(functions_.Finalized); }
  bool allows_threads() const override {
    int level = 0;
    return is_running() && functions_.Query_thread(&level) == 0 && level == Abi::kThreadMultiple;
  }
  bool sends_from(DeviceApi device) const override {
    int (*const query)() = device == DeviceApi::cuda ? sends_from_cuda_ : sends_from_hip_;
    return query != nullptr && is_running() && query() != 0;
  }
  void init() const override { require(functions_.Init, nullptr, nullptr); }
  void abort() const override {
    static_cast<void>(functions_.Abort(as<Comm>(constants().comm_world), 1));
  }
  void at_finalize(AtFinalize* then) const override {
    int key = 0;
    require(functions_.Comm_create_keyval, copy_nothing, call_at_finalize, &key, nullptr);
    require(functions_.Comm_set_attr, as<Comm>(constants().comm_self), key, then);
    functions_.Comm_free_keyval(&key);
  }
  std::string error_text(int status) const override {
    std::array<char, 8192> text{};
    int length = 0;
    if (functions_.Error_string(status, text.data(), &length) != 0)
      return "MPI error " + std::to_string(status);
    return {text.data(), static_cast<std::size_t>(length)};
  }
  int errno_of(int status) const override {
    int kind = 0;
    functions_.Error_class(status, &kind);
    switch (kind) {
      case Abi::kNoSuchFile:
        return ENOENT;
      case Abi::kFileExists:
        return EEXIST;
      case Abi::kAccess:
        return EACCES;
      case Abi::kReadOnlyFileSystem:
        return EROFS;
      case Abi::kNoSpace:
        return ENOSPC;
      case Abi::kQuota:
        return EDQUOT;
      default:
        return 0;
    }
  }

  int comm_rank(MpiComm comm) const override {
    int rank = 0;
    require(functions_.Comm_rank, as<Comm>(comm), &rank);
    return rank;
  }
  int comm_size(MpiComm comm) const override {
    int size = 0;
    require(functions_.Comm_size, as<Comm>(comm), &size);
    return size;
  }
  MpiComm comm_dup(MpiComm comm) const override {
    Comm made{};
    require(functions_.Comm_dup, as<Comm>(comm), &made);
    return MpiComm{word(made)};
  }
  MpiComm comm_split(MpiComm comm, int color, int key) const override {
    Comm made{};
    require(functions_.Comm_split, as<Comm>(comm), color, key, &made);
    return MpiComm{word(made)};
  }
  MpiComm comm_split_nodes(MpiComm comm, int key) const override {
    Comm made{};
    require(functions_.Comm_split_type, as<Comm>(comm), Abi::kShared, key, no_info(), &made);
    return MpiComm{word(made)};
  }
  void comm_free(MpiComm comm) const noexcept override { free(functions_.Comm_free, comm); }
  bool comm_has_same_ranks(MpiComm one, MpiComm other) const override {
    int relation = 0;
    return functions_.Comm_compare(as<Comm>(one), as<Comm>(other), &relation) == 0 &&
           (relation == Abi::kIdentical || relation == Abi::kCongruent);
  }
  bool comm_test_inter(MpiComm comm) const override {
    int between = 0;
    require(functions_.Comm_test_inter, as<Comm>(comm), &between);
    return between != 0;
  }
  /// A function that does nothing cannot take its place: after it, MPICH 5.0 returns MPI_SUCCESS.
  void comm_return_errors(MpiComm comm) const override {
    require(functions_.Comm_set_errhandler, as<Comm>(comm),
            as<Errhandler>(constants().errors_return));
  }

  MpiRequest isend(std::span<const std::byte> bytes, int to, int tag, MpiComm comm) const override {
    return begun(functions_.Isend, bytes.data(), count_of(bytes), byte_, to, tag, as<Comm>(comm));
  }
  MpiRequest irecv(std::span<std::byte> bytes, int from, int tag, MpiComm comm) const override {
    return begun(functions_.Irecv, bytes.data(), count_of(bytes), byte_, from, tag, as<Comm>(comm));
  }
  void recv(std::span<std::byte> bytes, int from, int tag, MpiComm comm) const override {
    require(functions_.Recv, bytes.data(), count_of(bytes), byte_, from, tag, as<Comm>(comm),
            no_status());
  }
  std::optional<int> iprobe(int tag, MpiComm comm) const override {
    int there = 0;
    Status status{};
    require(functions_.Iprobe, Abi::kAnySource, tag, as<Comm>(comm), &there, &status);
    if (there == 0) return {};
    return Abi::source_of(status);
  }
  bool test(MpiRequest& request, const char* call) const override {
    auto own = as<Request>(request);
    int done = 0;
    const int status = functions_.Test(&own, &done, no_status());
    request = MpiRequest{word(own)};
    check(status, call);
    return done != 0;
  }
  /// Some at a time, so that no memory is needed.
  void waitall(std::span<MpiRequest> requests) const override {
    std::array<Request, 64> some;
    int failed = 0;
    // All are waited for, since MPI uses their memory until then.
    while (!requests.empty()) {
      const auto now = requests.first(std::min(requests.size(), some.size()));
      std::transform(now.begin(), now.end(), some.begin(), as<Request, MpiRequest>);
      const int status = functions_.Waitall(static_cast<int>(now.size()), some.data(), no_status());
      std::transform(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(now.size()),
                     now.begin(), [](Request one) { return MpiRequest{word(one)}; });
      if (failed == 0) failed = status;
      requests = requests.subspan(now.size());
    }
    check(failed, "MPI_Waitall");
  }

  void bcast(void* data, int count, MpiType type, int root, MpiComm comm) const override {
    require(functions_.Bcast, data, count, as<Type>(type), root, as<Comm>(comm));
  }
  MpiRequest ibarrier(MpiComm comm) const override {
    return begun(functions_.Ibarrier, as<Comm>(comm));
  }
  MpiRequest iallreduce(std::span<std::uint64_t> values, MpiOp op, MpiComm comm) const override {
    return begun(functions_.Iallreduce, in_place(), values.data(), static_cast<int>(values.size()),
                 as<Type>(constants().uint64), as<Op>(op), as<Comm>(comm));
  }
  MpiRequest iallreduce(const void* sent, void* received, MpiType type, MpiOp op,
                        MpiComm comm) const override {
    return begun(functions_.Iallreduce, sent, received, 1, as<Type>(type), as<Op>(op),
                 as<Comm>(comm));
  }
  void allreduce(void* value, MpiType type, MpiOp op, MpiComm comm) const override {
    require(functions_.Allreduce, in_place(), value, 1, as<Type>(type), as<Op>(op), as<Comm>(comm));
  }
  void allgather(const void* mine, int count, void* all, MpiComm comm) const override {
    require(functions_.Allgather, mine, count, byte_, all, count, byte_, as<Comm>(comm));
  }
  MpiRequest iallgather(const void* mine, int count, void* all, MpiComm comm) const override {
    return begun(functions_.Iallgather, mine, count, byte_, all, count, byte_, as<Comm>(comm));
  }
  void allgatherv(const void* mine, int count, void* all, const int* counts,
                  const int* displacements, MpiComm comm) const override {
    require(functions_.Allgatherv, mine, count, byte_, all, counts, displacements, byte_,
            as<Comm>(comm));
  }
  void alltoall(const std::uint64_t* out, std::uint64_t* in, MpiComm comm) const override {
    const auto type = as<Type>(constants().uint64);
    require(functions_.Alltoall, out, 1, type, in, 1, type, as<Comm>(comm));
  }

  MpiType type_of_bytes(int size) const override {
    Type type{};
    require(functions_.Type_contiguous, size, byte_, &type);
    require(functions_.Type_commit, &type);
    return MpiType{word(type)};
  }
  MpiType type_of_both(std::span<std::byte> head, std::span<std::byte> tail) const override {
    const std::array lengths{count_of(head), count_of(tail)};
    std::array<std::intptr_t, 2> places{};
    require(functions_.Get_address, head.data(), places.data());
    require(functions_.Get_address, tail.data(), &places[1]);
    Type both{};
    require(functions_.Type_create_hindexed, 2, lengths.data(), places.data(), byte_, &both);
    require(functions_.Type_commit, &both);
    return MpiType{word(both)};
  }
  void type_free(MpiType type) const noexcept override { free(functions_.Type_free, type); }
  MpiOp op_create(Combine* combine) const override {
    Op made{};
    require(functions_.Op_create, combine, /*commute=*/0, &made);
    return MpiOp{word(made)};
  }
  void op_free(MpiOp op) const noexcept override { free(functions_.Op_free, op); }

  MpiWindow win_allocate_shared(std::size_t size, MpiComm comm) const override {
    Window made{};
    void* mine = nullptr;
    require(functions_.Win_allocate_shared, static_cast<std::intptr_t>(size), 1, no_info(),
            as<Comm>(comm), static_cast<void*>(&mine), &made);
    return MpiWindow{word(made)};
  }
  std::span<std::byte> win_shared_query(MpiWindow window, int rank) const override {
    std::intptr_t size = 0;
    int unit = 0;
    void* part = nullptr;
    require(functions_.Win_shared_query, as<Window>(window), rank, &size, &unit,
            static_cast<void*>(&part));
    return {static_cast<std::byte*>(part), static_cast<std::size_t>(size)};
  }
  void win_lock_all(MpiWindow window) const override {
    require(functions_.Win_lock_all, Abi::kNoCheck, as<Window>(window));
  }
  void win_unlock_all(MpiWindow window) const noexcept override {
    functions_.Win_unlock_all(as<Window>(window));
  }
  void win_sync(MpiWindow window) const override {
    require(functions_.Win_sync, as<Window>(window));
  }
  void win_free(MpiWindow window) const noexcept override { free(functions_.Win_free, window); }

  int info_get_nkeys(MpiInfo info) const override {
    int count = 0;
    require(functions_.Info_get_nkeys, as<Info>(info), &count);
    return count;
  }
  std::string info_get_nthkey(MpiInfo info, int n) const override {
    std::array<char, 1024> key{};
    require(functions_.Info_get_nthkey, as<Info>(info), n, key.data());
    return key.data();
  }
  std::optional<std::string> info_get(MpiInfo info, const std::string& key) const override {
    int length = 0;
    int there = 0;
    require(functions_.Info_get_valuelen, as<Info>(info), key.c_str(), &length, &there);
    if (there == 0) return {};
    std::string value(static_cast<std::size_t>(length) + 1, '\0');
    require(functions_.Info_get, as<Info>(info), key.c_str(), length, value.data(), &there);
    value.resize(static_cast<std::size_t>(length));
    return value;
  }

  int file_open(const char* path, Opening how, MpiFile& file) const override {
    int mode = how.writable ? Abi::kReadWrite : Abi::kReadOnly;
    if (how.creates) mode |= Abi::kCreate | Abi::kExclusive;
    File made = as<File>(constants().file_null);
    const int status =
        functions_.File_open(as<Comm>(constants().comm_self), path, mode, no_info(), &made);
    file = MpiFile{word(made)};
    return status;
  }
  void file_close(MpiFile file) const noexcept override { free(functions_.File_close, file); }
  int file_sync(MpiFile file) const override { return functions_.File_sync(as<File>(file)); }
  int file_get_size(MpiFile file, std::int64_t& size) const override {
    return functions_.File_get_size(as<File>(file), &size);
  }
  int file_read_at(MpiFile file, std::int64_t offset, std::span<std::byte> out,
                   int& done) const override {
    Status status{};
    const int result =
        functions_.File_read_at(as<File>(file), offset, out.data(), count_of(out), byte_, &status);
    return result != 0 ? result : functions_.Get_count(&status, byte_, &done);
  }
  int file_write_at(MpiFile file, std::int64_t offset, std::span<const std::byte> bytes,
                    int& done) const override {
    Status status{};
    const int result = functions_.File_write_at(as<File>(file), offset, bytes.data(),
                                                count_of(bytes), byte_, &status);
    return result != 0 ? result : functions_.Get_count(&status, byte_, &done);
  }

 private:
  template <class Handle, class Word>
  static Handle as(Word word) {
    const auto bits = static_cast<std::uintptr_t>(word);
    if constexpr (std::is_pointer_v<Handle>)
      return reinterpret_cast<Handle>(bits);  // NOLINT(performance-no-int-to-ptr): it was a pointer
    else
      return static_cast<Handle>(bits);
  }
  template <class Handle>
  static std::uintptr_t word(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
      return reinterpret_cast<std::uintptr_t>(handle);
    else
      return static_cast<std::make_unsigned_t<Handle>>(handle);
  }
  template <class Handle>
  std::uintptr_t of_number(Handle (*convert)(int), int number) const {
    if constexpr (Abi::kNumbersAreHandles)
      return static_cast<unsigned>(number);
    else
      return word(convert(number));
  }
  static void* in_place() {
    return reinterpret_cast<void*>(Abi::kInPlace);  // NOLINT(performance-no-int-to-ptr)
  }
  static Status* no_status() {
    return reinterpret_cast<Status*>(Abi::kIgnoredStatus);  // NOLINT(performance-no-int-to-ptr)
  }
  Info no_info() const { return as<Info>(constants().info_null); }
  static int count_of(std::span<const std::byte> bytes) { return static_cast<int>(bytes.size()); }

  static bool flag(const Function<int*>& function) {
    int set = 0;
    function(&set);
    return set != 0;
  }
  /// Calls a function, and throws an error with its name if it fails.
  template <class... Parameters, class... Arguments>
  void require(const Function<Parameters...>& function, Arguments... arguments) const {
    check(function(arguments...), function.name);
  }
  /// Begins a nonblocking call; the request is the last parameter of its function.
  template <class... Parameters, class... Arguments>
  MpiRequest begun(const Function<Parameters...>& function, Arguments... arguments) const {
    auto request = as<Request>(constants().request_null);
    require(function, arguments..., &request);
    return MpiRequest{word(request)};
  }
  template <class Handle, class Word>
  static void free(const Function<Handle*>& function, Word handle) noexcept {
    auto own = as<Handle>(handle);
    function(&own);
  }

  static int copy_nothing(Comm /*from*/, int /*key*/, void* /*state*/, void* /*value*/,
                          void* /*copy*/, int* copies) {
    *copies = 0;
    return 0;
  }
  static int call_at_finalize(Comm /*self*/, int /*key*/, void* value, void* /*state*/) {
    const auto* then = static_cast<const AtFinalize*>(value);
    then->function(then->state);
    return 0;
  }

  struct {
#define ONECAST_DECLARE(NAME, ...) Function<__VA_ARGS__> NAME{"MPI_" #NAME};
    ONECAST_MPI_FUNCTIONS(ONECAST_DECLARE)
#undef ONECAST_DECLARE
  } functions_;
  Comm (*comm_of_number_)(int) = nullptr;
  Info (*info_of_number_)(int) = nullptr;
  int (*sends_from_cuda_)() = nullptr;
  int (*sends_from_hip_)() = nullptr;
  Type byte_{};
};

}  // namespace onecast::comm
