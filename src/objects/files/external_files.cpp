#include "objects/files/external_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>

#include "base/make_error.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/open_files.hpp"
#include "transport/file_lock.hpp"

namespace onecast::files {
namespace {

namespace fs = std::filesystem;

/// Returns true if the error says that there is no file at the path: nothing, a folder, or a name
/// that no file can have.
bool is_absent(const Error& error) {
  constexpr int kAbsent[] = {EISDIR, ENOTDIR, ENAMETOOLONG, ELOOP};
  return error.code() == ErrorCode::not_found ||
         std::ranges::count(kAbsent, error.system_errno()) != 0;
}

/// Returns the result of `open` for the first path where there is a file; null if there is none.
template <class Open>
auto first_found(const FileState& from, const std::vector<std::string>& paths, Open&& open)
    -> decltype(open(paths[0])) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) continue;  // an empty name, or one that leads to a folder
    if (!may_follow(from, path)) {
      // If a file is there, do not go on to a later path: other programs would open this one.
      if (fs::exists(path, ignored)) fail_outside(from, path);
      continue;
    }
    try {
      return open(path);
    } catch (const Error& error) {
      if (!is_absent(error)) throw;
    }
  }
  return nullptr;
}

[[noreturn]] void fail_missing(const FileState& from, std::string_view name,
                               const std::vector<std::string>& paths) {
  throw not_found_error("{}: external file \"{}\": not found at {}", from.path(), name,
                        fmt::join(paths, ", "));
}

/// Returns true if a link in `from` may lead into `open`, a file that this process has open. A file
/// that several ranks have open qualifies only if it is open for writing: then all ranks open and
/// close it together. Otherwise some ranks might not have it open.
bool leads_into(const FileState& from, const FileState& open) {
  return &open == &from || open.comm().size() == 1 ||
         (open.access() == Access::read_write && open.comm().has_ranks_of(from.comm()));
}

/// Returns true if `open` may follow links to more files than `from` may.
bool trusts_more(const FileState& from, const FileState& open) {
  const auto trust = [](const FileState& file) { return file.options().follow_external; };
  return trust(from) == FollowExternal::folder && trust(open) != FollowExternal::nowhere &&
         (trust(open) == FollowExternal::everywhere ||
          from.name().trusted_folder != open.name().trusted_folder);
}

FilePrefixes prefixes_of(const Node& dataset) {
  return dataset.prefixes() != nullptr ? dataset.prefixes()->now() : FilePrefixes();
}

}  // namespace

ExternalFiles::~ExternalFiles() {
  for (const auto& file : kept_files()) file->drop_opening(file->access());
}

std::shared_ptr<FileState> ExternalFiles::open(const FileState& from, std::string_view name) {
  const auto paths = external_paths(from, name);
  const bool writes = from.access() == Access::read_write && from.comm().size() == 1;
  auto file = first_found(from, paths, [&](const std::string& path) {
    return open_at(from, path, writes, from.asked(), files_);
  });
  if (!file) fail_missing(from, name, paths);
  return file;
}

std::shared_ptr<FileState> ExternalFiles::source(const Node& dataset, std::string_view name,
                                                 bool writes) {
  const FileState& from = file_of(dataset);
  writes = writes && from.access() == Access::read_write && from.comm().size() == 1;
  if (writes) close_written_sources();
  FileOptions options = from.asked();
  // A virtual dataset may have many sources, so each gets a smaller chunk cache.
  options.chunk_cache_bytes /= 8;
  return first_found(
      from, external_paths(from, name, "HDF5_VDS_PREFIX", prefixes_of(dataset).sources),
      [&](const std::string& path) { return open_at(from, path, writes, options, sources_); });
}

std::shared_ptr<FileState> ExternalFiles::open_at(const FileState& from, const std::string& path,
                                                  bool writes, const FileOptions& options,
                                                  Files& files) {
  const std::string key = canonical(path);
  const std::scoped_lock lock(mutex_);
  if (const auto known = files.find(key); known != files.end()) {
    // A source that was opened for reading is opened anew for writing.
    const bool too_little = &files == &sources_ && writes && known->second.kept &&
                            known->second.kept->access() == Access::read_only;
    if (too_little) known->second.kept->end_opening(Access::read_only);
    if (auto file = known->second.file.lock(); file && file->is_open() && !too_little) return file;
    files.erase(known);
  }
  for (auto& open : OpenFiles::of_this_process().at(path, from.comm())) {
    if (!leads_into(from, *open)) continue;
    if (!trusts_more(from, *open)) return keep(from, std::move(open), key, files);
    if (open->access() == Access::read_write)
      throw unsupported_error(
          "{}: external file \"{}\": is open for writing and follows more "
          "files: option follow_external of both must be the same",
          from.path(), path);
  }
  FileOptions own = options;
  own.load_policy = LoadPolicy::automatic;
  own.page_size = 0;
  std::string why_not =
      "each rank opened it for itself, because an external link leads to it: to "
      "write, open it on the communicator of the file with that link";
  if (writes) {
    try {
      return keep(from, FileState::open_external(path, Access::read_write, own, from), key, files);
    } catch (const Error& error) {
      if (is_absent(error)) throw;
      why_not = error.what();
    }
  }
  // Other ranks may write the file together with this one.
  if (this_process_writes(path)) own.locking = FileLocking::off;
  auto file = FileState::open_external(path, Access::read_only, own, from);
  if (from.access() == Access::read_write) file->name().why_read_only = why_not;
  return keep(from, std::move(file), key, files);
}

/// Files that the program opened are not kept open here: files that lead to each other would keep
/// each other open.
std::shared_ptr<FileState> ExternalFiles::keep(const FileState& from,
                                               std::shared_ptr<FileState> file,
                                               const std::string& key, Files& files) {
  Known known{file, nullptr};
  if (file->name().is_external && file.get() != &from && !file->owns(*this)) {
    file->become_external_of(from);
    file->begin_opening(file->access());
    known.kept = file;
  }
  if (&files == &sources_ && files.size() >= kMostSources) {
    // Files open for writing wait for close_written_sources().
    std::erase_if(files, [](const auto& one) {
      const auto& old = one.second.kept;
      if (old && old->access() == Access::read_write) return false;
      if (old) old->drop_opening(Access::read_only);
      return true;
    });
  }
  files[key] = std::move(known);
  return file;
}

std::shared_ptr<Transport> ExternalFiles::raw_data(const Node& dataset, std::string_view name,
                                                   OpenMode mode) {
  const FileState& from = file_of(dataset);
  const auto paths = raw_data_paths(from, name, prefixes_of(dataset).external);
  RawFiles& files = mode == OpenMode::read_only ? raw_ : written_raw_;
  const auto open = [&](const std::string& path) {
    const std::string key = canonical(path);
    const std::scoped_lock lock(mutex_);
    if (const auto known = files.find(key); known != files.end()) return known->second;
    std::shared_ptr<Transport> opened = posix_factory()(path, mode);
    // Symbolic links on the path may have changed since the check.
    if (from.options().follow_external == FollowExternal::folder &&
        !may_follow(from, opened->resolved_path()))
      fail_outside(from, path);
    if (files.size() >= kMostSources) {
      for (const auto& [_, file] : files)
        if (mode != OpenMode::read_only) file->sync();
      files.clear();
    }
    return files[key] = std::move(opened);
  };
  auto file = first_found(from, paths, open);
  if (!file && mode != OpenMode::read_only) {
    if (!may_follow(from, paths.front())) fail_outside(from, paths.front());
    // Other ranks may create the file at the same time.
    const std::ofstream made(paths.front(), std::ios::app | std::ios::binary);
    file = first_found(from, paths, open);
  }
  if (!file) fail_missing(from, name, paths);
  return file;
}

void ExternalFiles::note_growing(std::weak_ptr<const void> decoded, Node& dataset) {
  const std::scoped_lock lock(mutex_);
  if (growing_.size() == growing_.capacity())
    std::erase_if(growing_, [](const auto& one) { return one.first.expired(); });
  growing_.emplace_back(std::move(decoded), &dataset);
}

void ExternalFiles::forget_growing() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [decoded, dataset] : growing_)
    if (const auto there = decoded.lock()) dataset->forget_dataset();
  growing_.clear();
}

void ExternalFiles::refresh(const FileState& from) {
  for (const auto& file : kept_files()) {
    if (file.get() == &from || !file->is_open()) continue;
    try {
      file->refresh_alone(nullptr);
    } catch (const Error& error) {
      if (error.system_errno() != ESTALE && error.system_errno() != ENOENT) throw;
      {
        const std::scoped_lock lock(mutex_);
        for (Files* files : {&files_, &sources_})
          std::erase_if(*files, [&](const auto& one) { return one.second.kept == file; });
      }
      file->end_opening(file->access());
    }
  }
}

void ExternalFiles::sync() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [path, file] : written_raw_) file->sync();
}

/// Closes the sources that were written if there are too many. A call that holds the lock must not
/// do so, because a flush asks for the files, too.
void ExternalFiles::close_written_sources() {
  std::vector<std::shared_ptr<FileState>> written;
  {
    const std::scoped_lock lock(mutex_);
    if (sources_.size() < kMostSources) return;
    std::erase_if(sources_, [&](const auto& one) {
      const auto& kept = one.second.kept;
      if (!kept || kept->access() != Access::read_write) return false;
      written.push_back(kept);
      return true;
    });
  }
  for (const auto& file : written) file->end_opening(Access::read_write);
}

std::vector<std::shared_ptr<FileState>> ExternalFiles::kept_files() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<FileState>> kept;
  for (const auto* files : {&files_, &sources_})
    for (const auto& [_, known] : *files)
      if (known.kept) kept.push_back(known.kept);
  return kept;
}

void ExternalFiles::flush() {
  for (const auto& file : kept_files())
    if (file->is_open() && file->access() == Access::read_write) file->flush();
}

void ExternalFiles::close() {
  std::exception_ptr failure;
  const auto kept = kept_files();
  {
    const std::scoped_lock lock(mutex_);
    files_.clear();
    sources_.clear();
    raw_.clear();
    written_raw_.clear();
  }
  for (const auto& file : kept) {
    try {
      file->end_opening(file->access());
    } catch (const Error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace onecast::files
