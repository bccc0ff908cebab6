#include "capi/random_access_file.hpp"

#include <string>
#include <utility>

#include "capi/arguments.hpp"
#include "capi/communicator.hpp"
#include "capi/file_options.hpp"
#include "capi/functions_of_c.hpp"
#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

class BytesOfC final : public RandomAccessFile {
 public:
  explicit BytesOfC(const onecast_random_access_file& given)
      : functions_(known_part(given, "bytes")) {
    name_ = functions_.name != nullptr ? functions_.name : RandomAccessFile::name();
    functions_.name = nullptr;
  }
  ~BytesOfC() override {
    if (functions_.release != nullptr) functions_.release(functions_.context);
  }
  /// Checks the functions. Not part of the constructor, so that the destructor releases the context
  /// if one is missing.
  void complete() {
    required(functions_.read_at, "bytes->read_at");
    required(functions_.get_size, "bytes->get_size");
    if (functions_.journal == nullptr) return;
    const auto journal = std::make_shared<BytesOfC>(*functions_.journal);
    functions_.journal = nullptr;
    journal->complete();
    journal_ = journal;
  }

  [[nodiscard]] std::string name() const override { return name_; }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    std::size_t got = 0;
    check_function(functions_.read_at(functions_.context, offset, out.data(), out.size(), &got));
    return got;
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (functions_.write_at == nullptr) return RandomAccessFile::write_at(offset, bytes);
    check_function(functions_.write_at(functions_.context, offset, bytes.data(), bytes.size()));
  }
  std::uint64_t size() override {
    std::uint64_t size = 0;
    check_function(functions_.get_size(functions_.context, &size));
    return size;
  }
  void truncate(std::uint64_t size) override {
    if (functions_.truncate == nullptr) return RandomAccessFile::truncate(size);
    check_function(functions_.truncate(functions_.context, size));
  }
  void sync() override {
    if (functions_.sync != nullptr) check_function(functions_.sync(functions_.context));
  }
  std::shared_ptr<RandomAccessFile> journal() override { return journal_; }

 private:
  onecast_random_access_file functions_;
  std::string name_;
  std::shared_ptr<RandomAccessFile> journal_;
};

/// The arguments of File::create or File::open: see note_problem().
struct BytesArguments {
  std::shared_ptr<RandomAccessFile> bytes;
  Communicator communicator;
  Access access = Access::read_only;
  FileOptions options;

  BytesArguments(const onecast_random_access_file* given, onecast_access how,
                 const onecast_communicator* ranks, const onecast_file_options* of,
                 onecast_file** file) {
    if (ranks != nullptr) communicator = ranks->value;
    note_problem(options, [&] {
      bytes = bytes_of_c(required(given, "bytes"));
      access = access_of(how);
      options = file_options_of(of);
      required(file, "file");
    });
  }
};

}  // namespace

std::shared_ptr<RandomAccessFile> onecast::capi::bytes_of_c(
    const onecast_random_access_file& functions) {
  const auto made = std::make_shared<BytesOfC>(functions);
  made->complete();
  return made;
}

onecast_status onecast_file_create_in(const onecast_random_access_file* bytes,
                                      const onecast_communicator* communicator,
                                      const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    BytesArguments given(bytes, ONECAST_READ_WRITE, communicator, options, file);
    File created = File::create(std::move(given.bytes), given.communicator, given.options);
    *file = new onecast_file{std::move(created)};
  });
}

onecast_status onecast_file_open_in(const onecast_random_access_file* bytes, onecast_access access,
                                    const onecast_communicator* communicator,
                                    const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    BytesArguments given(bytes, access, communicator, options, file);
    File opened =
        File::open(std::move(given.bytes), given.access, given.communicator, given.options);
    *file = new onecast_file{std::move(opened)};
  });
}
