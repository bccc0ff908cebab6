#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "session/configuration.hpp"
#include "session/node_ids.hpp"
#include "session/open_file.hpp"
#include "session/position.hpp"

namespace onecast::cgns {

/// The state of the library between calls. A process has one; the API is for one thread.
class Session {
 public:
  Configuration configuration;
  Position position;
  NodeIds ids;

  /// Adds a file that was opened or created, and gives it a number.
  OpenFile& enter(File file, Mode mode, bool is_parallel, VersionNode version);
  /// The number of the next file: one more than the opens of the process.
  [[nodiscard]] int next_number() const { return opened_ + 1; }
  /// Closes a file. It is no longer open even if that fails.
  void close(OpenFile& file);
  /// Closes a file without writing its changes.
  void abandon(OpenFile& file, const std::string& reason);
  /// Closes all files even if one fails, then throws the first exception.
  void close_all();
  /// Closes the files that the program left open at its end, except files of several ranks, which
  /// would wait for each other, and files that another process opened before a fork.
  void close_left() noexcept;
  /// Throws Failure if no such file is open.
  OpenFile& file(int number);
  /// The file of the current position.
  OpenFile& file_at_position() { return file(position.file()); }

  /// The text of the last error, at most 1,024 bytes with its end.
  [[nodiscard]] const char* error() const { return error_.c_str(); }
  /// Sets the text, and calls the error handler.
  void fail(std::string_view function, std::string_view text) noexcept;
  void fail(std::string_view text) noexcept;
  /// Sets the text without calling the handler, for an answer that is not an error of the program.
  void note(std::string_view function, std::string_view text) noexcept;
  /// Calls the handler, or prints on stdout.
  void warn(std::string_view text) noexcept;

 private:
  /// Removes a file from the session.
  File release(OpenFile& file);
  void tell_handler() noexcept;

  int opened_ = 0;
  std::map<int, std::unique_ptr<OpenFile>> files_;
  std::string error_ = "no CGNS error reported";
};

Session& session();

}  // namespace onecast::cgns
