#pragma once

#include <memory>
#include <string>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "onecast/transport/random_access_file.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// An object that a user opens in place of a path, and its journal, for one file.
struct UserFile {
  /// Asks the object for its name and its journal; throws what these calls throw.
  explicit UserFile(std::shared_ptr<RandomAccessFile> object)
      : bytes(std::move(object)), journal(bytes->journal()), name(bytes->name()) {}

  std::shared_ptr<RandomAccessFile> bytes;
  std::shared_ptr<RandomAccessFile> journal;  ///< may be null
  std::string name;
  Mutex mutex{};  ///< one call at a time
};

/// The bytes of an object of the user.
class UserTransport final : public Transport {
 public:
  /// Like TransportFactory; `bytes` is the object or the journal of `file`. Empty bytes count as a
  /// file to create.
  UserTransport(std::shared_ptr<UserFile> file, std::shared_ptr<RandomAccessFile> bytes,
                std::string path, OpenMode mode);
  ~UserTransport() override;

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override;
  std::uint64_t size() override;
  /// Holds only within this process, which may have the object open already.
  void lock(LockKind kind) override;
  void sync_name() override {}
  void take_place() override {
    if (size() != 0) truncate();
  }
  void remove() override { truncate(); }

 private:
  template <class F>
  auto call(const char* function, F&& work);
  void truncate();

  std::shared_ptr<UserFile> file_;
  std::shared_ptr<RandomAccessFile> bytes_;
  std::string path_;
  bool writable_;
};

}  // namespace onecast::transport
