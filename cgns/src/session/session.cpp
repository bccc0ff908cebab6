#include "session/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "grammar/failure.hpp"
#include "grammar/names.hpp"

namespace onecast::cgns {

namespace {

/// Other libraries truncate at 199 bytes; the reason from another rank comes after that.
constexpr std::size_t kLongestError = 1023;

void close_at_exit() { session().close_left(); }

}  // namespace

OpenFile& Session::enter(File file, Mode mode, bool is_parallel, VersionNode version) {
  auto open = std::make_unique<OpenFile>(
      OpenFile{.number = opened_ + 1, .mode = mode, .is_parallel = is_parallel});
  const auto forget = [this, &of = *open](Node& node) {
    ids.forget(node);
    of.active_connectivity.erase(&node);
    ++of.deleted;
  };
  TreeOptions options{.existing = mode == Mode::modify ? Existing::replace : Existing::refuse,
                      .compression = configuration.compression(),
                      .version = written_version(),
                      .version_node = version,
                      .has_ranks = is_parallel,
                      .on_removed =
                          [this, forget](Node& node) {
                            position.forget(node);
                            forget(node);
                          },
                      .on_replaced =
                          [this, forget](Node& node, Node& now) {
                            position.replace(node, now);
                            forget(node);
                          }};
  if (opened_ == 0) std::atexit(close_at_exit);
  open->tree = std::make_unique<Tree>(std::move(file), mode == Mode::write, std::move(options));
  return *(files_[++opened_] = std::move(open));
}

OpenFile& Session::file(int number) {
  const auto found = files_.find(number);
  if (found == files_.end()) throw Failure("no file is open with number " + std::to_string(number));
  return *found->second;
}

File Session::release(OpenFile& file) {
  if (position.file() == file.number) position.clear();
  ids.forget_all_of(*file.tree);
  File handle = file.tree->file();
  files_.erase(file.number);
  return handle;
}

namespace {

/// Makes an empty CGNS file of a new file that is an empty HDF5 file because ranks made different
/// changes.
void make_root(const std::string& path, float version) noexcept {
  try {
    File file = File::open(path, Access::read_write);
    if (file.root().links().empty()) Tree(file, true, {.version = version}).file().close();
  } catch (const std::exception&) {
    return;  // there is an error already
  }
}

}  // namespace

void Session::close(OpenFile& file) {
  const bool is_new = file.is_parallel && file.mode == Mode::write;
  File handle = release(file);
  const bool makes_root = is_new && handle.communicator().rank() == 0;
  try {
    handle.close();
  } catch (const Error& error) {
    if (makes_root && error.code() == ErrorCode::diverged)
      make_root(handle.path(), written_version());
    throw;
  }
}

void Session::abandon(OpenFile& file, const std::string& reason) { release(file).abandon(reason); }

void Session::close_all() {
  std::exception_ptr failed;
  while (!files_.empty()) {
    try {
      close(*files_.begin()->second);
    } catch (...) {
      if (!failed) failed = std::current_exception();
    }
  }
  if (failed) std::rethrow_exception(failed);
}

void Session::close_left() noexcept {
  const auto is_left = [](const auto& numbered) {
    return !numbered.second->is_parallel && numbered.second->process == getpid();
  };
  for (auto left = std::ranges::find_if(files_, is_left); left != files_.end();
       left = std::ranges::find_if(files_, is_left)) {
    try {
      close(*left->second);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "onecast: %s\n", failure.what());
    }
  }
}

void Session::fail(std::string_view function, std::string_view text) noexcept {
  note(function, text);
  tell_handler();
}

void Session::fail(std::string_view text) noexcept {
  try {
    error_ = shortened(text, kLongestError);
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a text
  }
  tell_handler();
}

void Session::tell_handler() noexcept {
  try {
    if (configuration.error_handler != nullptr) configuration.error_handler(1, error_.data());
  } catch (...) {  // NOLINT(bugprone-empty-catch): exceptions of a handler are dropped
  }
}

void Session::note(std::string_view function, std::string_view text) noexcept {
  try {
    error_ = shortened(std::string(function) + ": " + std::string(text), kLongestError);
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a text; the number remains
  }
}

void Session::warn(std::string_view text) noexcept {
  try {
    std::string warning = shortened(text, kLongestError);
    if (configuration.error_handler != nullptr)
      configuration.error_handler(0, warning.data());
    else
      std::printf("*** Warning: %s ***\n", warning.c_str());
  } catch (...) {  // NOLINT(bugprone-empty-catch): as above
  }
}

Session& session() {
  static Session the_session;
  return the_session;
}

}  // namespace onecast::cgns
