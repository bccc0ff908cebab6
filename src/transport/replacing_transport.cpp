#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "onecast/base/error.hpp"
#include "transport/factory.hpp"
#include "transport/forwarding_transport.hpp"
#include "transport/path_rules.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

/// Other processes may create and remove files of this name meanwhile; each try may meet one.
constexpr int kMostTries = 100;

class ReplacingTransport final : public ForwardingTransport {
 public:
  ReplacingTransport(std::unique_ptr<Transport> inner, std::string beside, std::string path)
      : ForwardingTransport(std::move(inner)), beside_(std::move(beside)), path_(std::move(path)) {}
  ReplacingTransport(const ReplacingTransport&) = delete;
  ReplacingTransport& operator=(const ReplacingTransport&) = delete;
  ~ReplacingTransport() override {
    if (!beside_.empty()) unlink(beside_.c_str());
  }

  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override {
    inner().write_parts_at(offset, parts);
  }
  int descriptor() override { return inner().descriptor(); }
  void take_place() override {
    if (beside_.empty()) return;
    if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail_call(path_, "rename", errno);
    beside_.clear();
    inner().moved_to(path_);
  }

 private:
  std::string beside_;  ///< the file's temporary path; empty once it is at its path
  std::string path_;
};

/// A short name, whatever the file's name, since it must also be valid in the directory.
std::string name_beside(const std::string& path, int number) {
  namespace fs = std::filesystem;
  return (fs::path(path).parent_path() / fmt::format(".onecast-new-{}-{}", getpid(), number))
      .string();
}

/// Rethrows `error` with `path` instead of the name beside it.
[[noreturn]] void fail_at(const std::string& path, const std::string& beside, const Error& error) {
  std::string text = error.what();
  if (const auto at = text.find(beside); at != std::string::npos)
    text.replace(at, beside.size(), path);
  const int reason = error.system_errno();
  if (reason == EACCES || reason == EPERM || reason == EROFS)
    text +=
        "; a new file is made beside the old one and then replaces it, and this process may not "
        "make files in that folder (grant that right, or empty the file first: an empty one is "
        "written in place, with the option journal off)";
  throw Error(error.code(), text, error.system_errno());
}

std::unique_ptr<Transport> open_beside(const TransportFactory& inner, const std::string& path,
                                       const FileRights& rights) {
  for (int number = 0;; ++number) {
    const std::string beside = name_beside(path, number);
    std::unique_ptr<Transport> file;
    try {
      file = inner(beside, OpenMode::create);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::already_exists && number < kMostTries) continue;
      fail_at(path, beside, error);
    }
    keep_rights(beside, rights);
    return std::make_unique<ReplacingTransport>(std::move(file), beside, path);
  }
}

}  // namespace

TransportFactory replacing_factory(TransportFactory inner) {
  return [inner = std::move(inner)](const std::string& path, OpenMode mode) {
    if (mode != OpenMode::replace) return inner(path, mode);
    for (int tries = 0;; ++tries) {
      if (const auto rights = rights_of_replaced(path)) return open_beside(inner, path, *rights);
      try {
        return inner(path, OpenMode::create);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::already_exists || tries == kMostTries) throw;
      }
    }
  };
}

}  // namespace onecast::transport
