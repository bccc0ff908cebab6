#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/functions.hpp"

namespace onecast_hdf5 {

struct Dummies;

/// A libhdf5 of this process that has loaded the plug-in. There may be several.
class Library {
 public:
  /// The most libraries of one process that are served.
  static constexpr std::size_t kMost = 8;

  /// Returns the library at this path, whose functions are taken by name; null if it is not one
  /// that the plug-in can serve. The reason is then written to stderr.
  static Library* of_path(const char* path);

  [[nodiscard]] std::size_t slot() const { return slot_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// True for 2.0 and later.
  [[nodiscard]] bool is_at_least(unsigned major, unsigned minor) const;

  /// The connector of the library itself. It is known once the library has initialized this one.
  [[nodiscard]] h5::Id native() const { return native_; }
  /// This connector, as the library knows it.
  h5::Id connector();
  /// The number of times that the library has begun; what was made before ended with the library.
  [[nodiscard]] unsigned start() const { return start_; }
  /// Called by the library before it uses the connector.
  h5::Status begin();
  /// Called by the library when it ends.
  h5::Status end();
  /// True if the library closes what the program has left open. Nobody looks at errors then.
  [[nodiscard]] bool is_ending() const;

  /// A variable of the library that holds an id, as H5P_CLS_FILE_ACCESS_ID_g; -1 if there is none.
  [[nodiscard]] h5::Id variable(const char* name) const;
  /// True if a function belongs to the library, and not to the program.
  [[nodiscard]] bool has(h5::AnyFunction function);
  /// The class of native files, which this connector passes for.
  const h5::ConnectorClass* native_class(void* object);
  /// The driver that reads files with system calls.
  [[nodiscard]] h5::Id plain_driver() const { return plain_driver_; }
  [[nodiscard]] h5::Id default_transfer() const { return default_transfer_; }
  [[nodiscard]] h5::Id default_link_access() const { return default_link_access_; }
  [[nodiscard]] h5::Id default_dataset_access() const { return default_dataset_access_; }

  /// Native objects of a file in memory; they are made when they are first needed.
  Dummies& dummies();
  [[nodiscard]] bool has_dummies() const { return dummies_ != nullptr; }
  /// Takes back what Dummies::take_file() returned, unless the library has ended meanwhile.
  void give_back_file(void* file);

  h5::Functions call{};
  h5::ParallelFunctions parallel{};

 private:
  [[nodiscard]] bool take_functions(void* library);
  void take_parallel_functions(void* library);

  std::size_t slot_ = 0;
  std::string path_;
  void* handle_ = nullptr;
  unsigned version_[3] = {};
  unsigned start_ = 0;
  h5::Id native_ = h5::kNoId;
  h5::Id connector_ = h5::kNoId;
  h5::Id plain_driver_ = h5::kNoId;
  h5::Id default_transfer_ = h5::kNoId;
  h5::Id default_link_access_ = h5::kNoId;
  h5::Id default_dataset_access_ = h5::kNoId;
  const h5::ConnectorClass* native_class_ = nullptr;
  std::vector<h5::AnyFunction> functions_;  ///< of the library, as has() found
  std::shared_ptr<Dummies> dummies_;
};

}  // namespace onecast_hdf5
