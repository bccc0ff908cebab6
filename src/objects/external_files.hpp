#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "transport/transport.hpp"

namespace onecast {

class FileState;
struct FileOptions;

/// Where a file that another one names may lie, best first: in the folders of the environment
/// variable HDF5_EXT_PREFIX, beside the file that names it, at the name as it stands.
std::vector<std::string> external_places(const std::string& from, std::string_view name,
                                         const char* prefix_variable = "HDF5_EXT_PREFIX");

/// The same of raw data: in the folder of HDF5_EXTFILE_PREFIX, at the name as it stands, beside the
/// file that names it.
std::vector<std::string> raw_data_places(const std::string& from, std::string_view name);

/// The files that others name: links and virtual datasets of one file, and those of files that they
/// lead to. Each is opened once, by this process alone, for reading. Any number of threads may ask
/// at once.
class ExternalFiles {
 public:
  /// The file of that name, seen from the file `from`. Throws Error: not_found if there is none,
  /// and as opening does.
  std::shared_ptr<FileState> open(const FileState& from, std::string_view name);
  /// A source of virtual datasets, found as links are, but by HDF5_VDS_PREFIX; null if there is
  /// none. It stays open for a while after the caller lets it go: there may be more of them than a
  /// process may have open.
  std::shared_ptr<FileState> source(const FileState& from, std::string_view name);
  /// A file of raw data; likewise. To be written to it is made if there is none. Throws Error:
  /// not_found, io.
  std::shared_ptr<Transport> raw_data(const FileState& from, std::string_view name,
                                      OpenMode mode = OpenMode::read_only);
  /// What was written is on the disk.
  void sync();
  /// Of the files that are open.
  void close();

 private:
  template <class File>
  using ByPlace = std::map<std::string, std::shared_ptr<File>>;
  static constexpr std::size_t kMostSources = 64;

  std::shared_ptr<FileState> open_at(const FileState& from, const std::string& place,
                                     const FileOptions& options, ByPlace<FileState>& files,
                                     std::size_t most);

  std::mutex mutex_;
  ByPlace<FileState> files_;
  ByPlace<FileState> sources_;  ///< of virtual datasets
  ByPlace<Transport> raw_;
  ByPlace<Transport> written_raw_;
};

}  // namespace onecast
