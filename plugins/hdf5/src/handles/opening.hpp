#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <onecast/onecast.hpp>
#include <string>
#include <vector>

#include "handles/dummies.hpp"
#include "handles/file_key.hpp"
#include "handles/handle.hpp"
#include "trace/trace.hpp"

namespace onecast_hdf5 {

/// The processes that have a file open.
enum class Processes : std::uint8_t {
  one,
  ranks,           ///< of a communicator
  ranks_together,  ///< likewise; they read and write elements together, whatever lists say
};

/// How a file was opened.
struct Manner {
  Processes by = Processes::one;
  onecast::FileOptions options{};
};

/// A file that Onecast has open. There is one for each H5Fcreate, H5Fopen and H5Freopen, and for
/// each file to which an external link leads.
class Opening : public std::enable_shared_from_this<Opening> {
 public:
  /// @param name as the program gave it
  /// @param access a list, which belongs to the opening from then on
  static std::shared_ptr<Opening> make(Library& library, onecast::File file, std::string name,
                                       h5::Id access, Manner how);
  /// An opening of a file for reading by this process alone, in the same manner; null if there is
  /// none.
  static std::shared_ptr<Opening> like(const Library& library, const char* name,
                                       const onecast::FileOptions& options);
  /// Opens the shadows of a file that the program is about to write: the native library then says
  /// why it cannot, as if it had the file open for reading itself.
  static void open_shadows_of(Library& library, const char* name);
  /// True if this process has a file open by Onecast.
  static bool is_open(const char* name);
  /// The opening by which a library may change a file; null if there is none.
  static std::shared_ptr<Opening> writer_of(const Library& library, const char* name);
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;
  ~Opening();

  /// The file belongs to this opening, and those made of it by again(): it is closed with the last
  /// of them.
  /// @param creation the list with which the program created it, which is copied; -1: it did not
  void own_file(h5::Id creation);

  /// True if the program may change the file through this opening.
  [[nodiscard]] bool is_written() const { return is_written_; }
  /// True if an opening of this process may change the file.
  [[nodiscard]] bool may_change() const {
    return is_written_ || (writers > 0 && writer() != nullptr);
  }
  /// The program has changed the file.
  void note_change();
  /// Writes what has changed to the file. Throws onecast::Error.
  void flush();
  /// flush() for a call that other ranks may not make: nothing, if the file is parallel.
  void flush_alone();

  // --- for a file that is handed over to the native library
  /// All openings of this file in the same library, with this one.
  [[nodiscard]] std::vector<std::shared_ptr<Opening>> openings_of_file() const;
  [[nodiscard]] bool is_open_in_other_library() const;
  [[nodiscard]] bool is_of_parent_process() const;
  /// flush() through the opening that writes the file, if there is one.
  void flush_file();
  /// Closes all that the native library has open of the file as a shadow.
  void drop_shadows();
  /// Closes Onecast's file. Throws onecast::Error.
  void close_file() { file_.close(); }
  /// Closes the file after a flush has failed, unless it is open by other openings, too.
  void give_up() noexcept;
  /// The name that the program gave, or the absolute path if that no longer leads to the file.
  [[nodiscard]] const std::string& usable_name() const {
    return is_at(FileKey::of(name_.c_str())) ? name_ : place_.path;
  }

  /// Another opening of the same file.
  /// @param access a list, which belongs to the new opening from then on
  [[nodiscard]] std::shared_ptr<Opening> again(std::string name, h5::Id access);
  /// The access list, for another opening.
  [[nodiscard]] h5::Id shared_access() const;
  /// The opening for an object that was reached from this file: this one, or that of the other file
  /// to which an external link led.
  std::shared_ptr<Opening> of(const onecast::Object& object);

  [[nodiscard]] Library& library() const { return library_; }
  [[nodiscard]] const onecast::File& file() const { return file_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The folder of the file, an absolute path that ends with a slash.
  [[nodiscard]] std::string folder() const {
    return place_.path.substr(0, place_.path.rfind('/') + 1);
  }
  [[nodiscard]] unsigned long number() const { return number_; }
  [[nodiscard]] h5::Id access_list() const { return access_; }
  /// The list with which the program created the file; -1: it did not.
  [[nodiscard]] h5::Id creation_list() const { return creation_; }
  [[nodiscard]] h5::CloseDegree close_degree() const { return close_degree_; }
  [[nodiscard]] bool is_same_file(const Opening& other) const {
    return file_.same_file(other.file_);
  }

  /// True if the file is open on the ranks of an MPI communicator. No call on such a file may wait
  /// for other ranks, unless the program makes it on all of them.
  [[nodiscard]] bool is_parallel() const { return how_.by != Processes::one; }
  /// True if ranks make a transfer with this list together.
  [[nodiscard]] bool is_collective(h5::Id transfer) const;

  /// The handle that the library gets for the file where no id leads to one.
  Handle& file_handle();
  /// The native file that stands for this one.
  void* shown_file();
  /// The same file, opened by the native library for what Onecast does not serve; -1 if that fails.
  /// A file that may change is flushed, and opened anew if it has changed since. Throws
  /// onecast::Error, also if another file has the name now.
  h5::Id shadow_file();

  /// Lets the shadow stand for the file from now on. Old region references need that, since the
  /// library decodes them itself.
  void show_shadow() { shows_shadow_ = true; }

  /// Copies the value at a place of the file's heaps to `out`, which has `size` bytes.
  void read_heap(const void* place, void* out, std::size_t size);
  /// Keeps a value until the elements that stand for it are written, and fills its place.
  void put_in_heap(const void* value, std::size_t size, void* place);
  /// The values that put_in_heap() keeps; null while the program writes nothing.
  onecast::NewValues* new_values = nullptr;

  /// The id of a type in the format of this file, with which the library converts elements; -1 if
  /// the library cannot make it.
  h5::Id file_type(h5::Id type);

  /// The handles of this opening, each of which knows the next one.
  Handle* first_handle = nullptr;
  /// The handles of all openings of this file in the same library.
  [[nodiscard]] std::vector<Handle*> handles_of_file() const;

  /// Handles that ids of the program hold.
  std::atomic<std::size_t> handles{0};
  std::atomic<std::size_t> file_handles{0};
  FileTrace trace;

 private:
  /// The openings of this process that may change a file.
  static std::atomic<std::size_t> writers;

  /// Where a file lies.
  struct Place {
    explicit Place(const onecast::File& file);
    std::string path;                    ///< absolute
    std::optional<FileVersion> version;  ///< absent if no path led to the file any more
  };
  Opening(Library& library, onecast::File file, Place place, std::string name, h5::Id access,
          Manner how);
  static std::shared_ptr<Opening> registered(Opening* opening);
  [[nodiscard]] h5::Id shadow_access() const;
  [[nodiscard]] bool is_at(const std::optional<FileKey>& key) const;
  /// Another opening of this file that may change it; null if there is none.
  [[nodiscard]] std::shared_ptr<Opening> writer() const;
  void drop_shadow();
  /// Closes the shadow if the file has changed since it was opened, after a flush.
  void renew_shadow();

  /// Keeps the note that the file is open for writing until it is closed.
  std::shared_ptr<const void> noted_;
  Library& library_;
  onecast::File file_;
  Place place_;
  std::string name_;
  h5::Id access_;
  Manner how_;
  h5::Id creation_ = h5::kNoId;
  bool is_written_;
  pid_t process_;  ///< that opened the file; a forked one leaves it alone
  std::shared_ptr<const void> closes_;
  h5::CloseDegree close_degree_ = h5::CloseDegree::weak;
  unsigned long number_ = 0;
  std::mutex mutex_;
  std::unique_ptr<onecast::VariableValues> values_;
  std::uint64_t changes_in_values_ = 0;  ///< when values_ was made
  void* shown_ = nullptr;
  h5::Id shadow_ = h5::kNoId;
  std::uint64_t changes_in_shadow_ = 0;  ///< when shadow_ was opened
  bool shows_shadow_ = false;
  std::unique_ptr<Handle> handle_;
};

}  // namespace onecast_hdf5
