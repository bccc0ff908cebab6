#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "onecast/onecast.hpp"
#include "ranks_of_functions.hpp"
#include "support/files_through.hpp"
#include "support/pattern.hpp"
#include "support/sound_files.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::test {

inline const Datatype kText = Datatype::variable_string();

using namespace files;

/// A copy of a file as the last flush left it. This process may have the file open for writing.
class FlushedCopy {
 public:
  explicit FlushedCopy(const std::string& file) { std::filesystem::copy_file(file, path()); }
  [[nodiscard]] std::string path() const { return directory_ / "copy.h5"; }

 private:
  TemporaryDirectory directory_;
};

/// Ranks, a directory that they share, and a watchdog: a test that hangs ends the run.
class ParallelTest : public testing::Test {
 protected:
  static constexpr unsigned kPatience =
      180;  // seconds; other programs may slow a test down twentyfold

  ParallelTest() {
    alarm(kPatience);
    if (rank() == 0) mine_.emplace();
    directory_ = everyones(mine_ ? mine_->path().string() : "").front();
  }
  /// Checks that the files of a test are sound, except those that it damaged on purpose.
  void TearDown() override {
    barrier();
    if (!mine_ || leaves_damage_) return;
    expect_sound(mine_->path());
  }
  ~ParallelTest() override {
    barrier();
    alarm(0);
  }

  [[nodiscard]] int rank() const { return world_.rank(); }
  [[nodiscard]] int size() const { return world_.size(); }
  [[nodiscard]] int last() const { return size() - 1; }
  void barrier() const { backend_of(world_).barrier(); }
  [[nodiscard]] std::string path(const std::string& name = "file.h5") const {
    return directory_ + "/" + name;
  }

  /// Returns a communicator of the first `ranks` ranks; nothing on the other ranks.
  [[nodiscard]] std::optional<Communicator> first_ranks(int ranks) const {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank() < ranks ? 0 : MPI_UNDEFINED, rank(), &part);
    if (part == MPI_COMM_NULL) return std::nullopt;
    const Communicator communicator = tested_communicator(part);
    MPI_Comm_free(&part);
    return communicator;
  }

  /// Returns the texts of all ranks.
  [[nodiscard]] std::vector<std::string> everyones(const std::string& mine) const {
    std::vector<std::string> all;
    for (const auto& bytes : backend_of(world_).all_gather(std::as_bytes(std::span(mine))))
      all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all;
  }
  /// Returns the numbers of all ranks.
  [[nodiscard]] std::vector<std::uint64_t> everyones(std::uint64_t mine) const {
    std::vector<std::uint64_t> all;
    for (const std::string& text : everyones(std::to_string(mine)))
      all.push_back(std::stoull(text));
    return all;
  }

  /// Returns what `work` adds to this rank's reads, writes and collective calls of a file.
  template <class F>
  static IoStats counts(const File& file, F&& work) {
    const IoStats before = file.io_stats();
    std::forward<F>(work)();
    IoStats added = file.io_stats();
    added.reads -= before.reads;
    added.bytes_read -= before.bytes_read;
    added.writes -= before.writes;
    added.bytes_written -= before.bytes_written;
    added.collectives -= before.collectives;
    return added;
  }

  /// Expects `action` to throw equal Errors on all ranks, and returns the Error.
  template <class Action>
  Error same_error(Action&& action) const {
    std::optional<Error> thrown;
    try {
      std::forward<Action>(action)();
    } catch (const Error& error) {
      thrown = error;
    }
    const auto all =
        everyones(thrown ? std::to_string(static_cast<int>(thrown->code())) + "/" +
                               std::to_string(thrown->system_errno()) + " " + thrown->what()
                         : "nothing was thrown");
    for (const std::string& text : all) EXPECT_EQ(text, all.front());
    if (thrown) return *thrown;
    ADD_FAILURE() << "an Error was expected on rank " << rank();
    return {ErrorCode::state, "nothing was thrown"};
  }

  /// Returns the current bytes of a file.
  static std::string present_contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Returns the bytes of a file that no rank changes any more. @collective
  [[nodiscard]] std::string contents(const std::string& file) const {
    barrier();
    return present_contents(file);
  }

  /// Returns the names in the root group as the last flush left them.
  [[nodiscard]] std::vector<std::string> names_flushed() const {
    barrier();
    const FlushedCopy copy(path());
    barrier();
    return names(File::open(copy.path()).root());
  }

  [[nodiscard]] File create(const std::string& file, const FileOptions& options,
                            TransportFactory factory) const {
    return create_through(std::move(factory), file, world_, options);
  }
  [[nodiscard]] File open(const std::string& file, Access access, const FileOptions& options,
                          TransportFactory factory) const {
    return open_through(std::move(factory), file, access, world_, options);
  }

  /// Returns part `index` of `count` elements dealt to `parts`.
  static Hyperslab share(std::uint64_t count, int index, int parts) {
    const auto at = [&](int i) {
      return count * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(parts);
    };
    return {{at(index)}, {at(index + 1) - at(index)}, {}, {}};
  }
  [[nodiscard]] Hyperslab my_share(std::uint64_t count) const {
    return share(count, rank(), size());
  }
  static Hyperslab nothing() { return {{0}, {0}, {}, {}}; }

  /// Returns values from `first` on, one for each element of `part`.
  static std::vector<std::int32_t> count_up(const Hyperslab& part, std::int32_t offset = 0) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(part.count[0]));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int32_t>(part.start[0] + i) + offset;
    return values;
  }
  static std::vector<std::int32_t> count_up(std::uint64_t count, std::int32_t offset = 0) {
    return count_up(Hyperslab{{0}, {count}}, offset);
  }
  static Dataset create_int32(Group group, const std::string& name, std::uint64_t count) {
    return group.create_dataset(name, {Datatype::of<std::int32_t>(), Dataspace({count})});
  }
  static std::vector<std::string> names(const Group& group) {
    std::vector<std::string> found;
    for (const Link& link : group.links()) found.emplace_back(link.name);
    return found;
  }

  bool leaves_damage_ = false;
  Communicator world_ = tested_communicator(MPI_COMM_WORLD);

 private:
  std::optional<TemporaryDirectory> mine_;
  std::string directory_;
};

}  // namespace onecast::test
