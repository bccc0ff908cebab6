#include "session/session.hpp"

#include <cstdio>
#include <exception>

#include "grammar/failure.hpp"

namespace onecast::cgns {

namespace {

constexpr std::size_t kLongestError = 199;

}  // namespace

OpenFile& Session::enter(File file, Mode mode, bool is_parallel, VersionNode version) {
  auto open = std::make_unique<OpenFile>(OpenFile{opened_ + 1, mode, is_parallel, 0, nullptr});
  TreeOptions options{.existing = mode == Mode::modify ? Existing::replace : Existing::refuse,
                      .compression = configuration.compression(),
                      .version = written_version(),
                      .version_node = version,
                      .on_removed = [this, &of = *open](Node& node) {
                        position.forget(node);
                        ids.forget(node);
                        of.active_connectivity.erase(&node);
                        ++of.deleted;
                      }};
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

void Session::close(OpenFile& file) { release(file).close(); }

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

void Session::fail(std::string_view function, std::string_view text) noexcept {
  try {
    error_ = std::string(function) + ": " + std::string(text);
    if (error_.size() > kLongestError) error_.resize(kLongestError);
    if (configuration.error_handler != nullptr) configuration.error_handler(1, error_.data());
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a text; the number tells
  }
}

void Session::warn(std::string_view text) noexcept {
  try {
    std::string warning(text.substr(0, kLongestError));
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
