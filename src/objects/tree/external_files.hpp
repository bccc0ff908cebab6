#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast {
struct FileOptions;
}  // namespace onecast

namespace onecast::tree {

class FileState;
class Node;

/// The files that others name: links and virtual datasets of one file, and those of files that they
/// lead to. Each is opened once, by this process alone, or it is one that this process has open
/// already. Any number of threads may ask at once.
class ExternalFiles {
 public:
  ~ExternalFiles();

  /// The file of that name, seen from the file `from`; for writing if `from` is and if this process
  /// can do so by itself. Throws Error: not_found if there is none, unsupported (see
  /// FileOptions::follow_external), and as opening does.
  std::shared_ptr<FileState> open(const FileState& from, std::string_view name);
  /// A source of virtual datasets, found as links are, but by HDF5_VDS_PREFIX; null if there is
  /// none. For writing only if somebody `writes`, and if that is possible. It stays open for a
  /// while after the caller lets it go: there may be more of them than a process may have open.
  std::shared_ptr<FileState> source(const FileState& from, std::string_view name, bool writes);
  /// A file of raw data, found by HDF5_EXTFILE_PREFIX. A file to be written to is created if there
  /// is none. Throws Error: not_found, unsupported, io.
  std::shared_ptr<Transport> raw_data(const FileState& from, std::string_view name,
                                      OpenMode mode = OpenMode::read_only);
  /// A virtual dataset of this file is as large as its sources were when it was decoded.
  /// `decoded`: ends with what was decoded.
  void note_growing(std::weak_ptr<const void> decoded, Node& dataset);
  /// A dataset of this file was resized: others that may have grown with it are decoded anew.
  void forget_growing();
  /// What was written is on the disk.
  void sync();
  /// Of the files that were opened for writing here.
  void flush();
  /// Of the files that were opened here; throws what a flush threw when all are closed.
  void close();

 private:
  /// Opened here, or by the program: that one is closed when the program wants.
  struct Known {
    std::weak_ptr<FileState> file;
    std::shared_ptr<FileState> kept;
  };
  using Files = std::map<std::string, Known>;
  using RawFiles = std::map<std::string, std::shared_ptr<Transport>>;
  static constexpr std::size_t kMostSources = 64;

  std::shared_ptr<FileState> open_at(const FileState& from, const std::string& place, bool writes,
                                     const FileOptions& options, Files& files);
  std::shared_ptr<FileState> keep(const FileState& from, std::shared_ptr<FileState> file,
                                  const std::string& key, Files& files);
  std::vector<std::shared_ptr<FileState>> kept_files();
  void close_written_sources();

  Mutex mutex_;
  Files files_;
  Files sources_;  ///< of virtual datasets
  RawFiles raw_;
  RawFiles written_raw_;
  std::vector<std::pair<std::weak_ptr<const void>, Node*>> growing_;
};

}  // namespace onecast::tree
