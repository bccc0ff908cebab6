#pragma once

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

namespace onecast::nodes {
class Node;
}  // namespace onecast::nodes

namespace onecast::files {

class FileState;

/// The files that other files name: through links and virtual datasets of one file and of the files
/// that those lead to. Each is opened once, by this process alone, unless this process has it open
/// already. Any number of threads may call this at once.
class ExternalFiles {
 public:
  ~ExternalFiles();

  /// Returns the file that `name` means in the file `from`. It is open for writing if `from` is and
  /// if this process can open it so by itself. Throws Error: not_found if there is none,
  /// unsupported (see FileOptions::follow_external), and those of an open.
  std::shared_ptr<FileState> open(const FileState& from, std::string_view name);
  /// Returns a source of a virtual dataset, which is found as the target of a link is, but with
  /// HDF5_VDS_PREFIX, or else the dataset's prefixes; null if there is none. It is open for writing
  /// only if somebody `writes` and if that is possible. It stays open for a while after the caller
  /// releases it, but not for ever: a virtual dataset may have more sources than a process may have
  /// open files.
  std::shared_ptr<FileState> source(const Node& dataset, std::string_view name, bool writes);
  /// Returns a file of a dataset's raw data, found with HDF5_EXTFILE_PREFIX or else the dataset's
  /// prefix. Creates a file that is to be written and does not exist. Throws Error: not_found,
  /// unsupported, io.
  std::shared_ptr<Transport> raw_data(const Node& dataset, std::string_view name,
                                      OpenMode mode = OpenMode::read_only);
  /// Notes that a virtual dataset of this file had the size of its sources when it was decoded.
  /// `decoded` expires with the decoded contents.
  void note_growing(std::weak_ptr<const void> decoded, Node& dataset);
  /// Makes virtual datasets be decoded anew, as they may have grown with a dataset of this file
  /// that was resized.
  void forget_growing();
  /// Refreshes the files that were opened here, except `from`. One that was replaced or removed is
  /// opened anew when it is needed. Throws Error.
  void refresh(const FileState& from);
  /// Makes what was written durable on the disk.
  void sync();
  /// Flushes the files that were opened for writing here.
  void flush();
  /// Closes the files that were opened here, then throws the first error of a flush.
  void close();

 private:
  /// A file. If it was opened here, `kept` keeps it open; the program closes those that it opened.
  struct Known {
    std::weak_ptr<FileState> file;
    std::shared_ptr<FileState> kept;
  };
  using Files = std::map<std::string, Known>;
  using RawFiles = std::map<std::string, std::shared_ptr<Transport>>;
  static constexpr std::size_t kMostSources = 64;

  std::shared_ptr<FileState> open_at(const FileState& from, const std::string& path, bool writes,
                                     const FileOptions& options, Files& files);
  std::shared_ptr<FileState> keep(const FileState& from, std::shared_ptr<FileState> file,
                                  const std::string& key, Files& files);
  std::vector<std::shared_ptr<FileState>> kept_files();
  void close_written_sources();

  Mutex mutex_;
  Files files_;
  Files sources_;  ///< the sources of virtual datasets
  RawFiles raw_;
  RawFiles written_raw_;
  std::vector<std::pair<std::weak_ptr<const void>, Node*>> growing_;
};

}  // namespace onecast::files
