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

/// What the library knows between two calls. One per process; the API is for one thread.
class Session {
 public:
  Configuration configuration;
  Position position;
  NodeIds ids;

  /// Takes a file that was opened or created, and numbers it.
  OpenFile& enter(File file, Mode mode, bool is_parallel, VersionNode version);
  /// Counts the opens of the process: the number of the next file.
  [[nodiscard]] int next_number() const { return opened_ + 1; }
  /// Closes a file; also if that fails, it is no longer open.
  void close(OpenFile& file);
  /// Closes a file without writing its changes.
  void abandon(OpenFile& file, const std::string& reason);
  /// All files, also if one of them fails; throws what the first of these throws.
  void close_all();
  /// At the end of the program: those that it forgot, of this process alone. Ranks would wait for
  /// each other, and a forked process leaves files to the one that opened them.
  void close_left() noexcept;
  /// Throws Failure if no such file is open.
  OpenFile& file(int number);
  /// The file of the current position.
  OpenFile& file_at_position() { return file(position.file()); }

  /// The text of the last error, at most 1,024 bytes with its end.
  [[nodiscard]] const char* error() const { return error_.c_str(); }
  /// Sets the text, and tells the handler.
  void fail(std::string_view function, std::string_view text) noexcept;
  void fail(std::string_view text) noexcept;
  /// Sets the text: what a question got for an answer is no error of the program.
  void note(std::string_view function, std::string_view text) noexcept;
  /// Tells the handler, or prints on stdout.
  void warn(std::string_view text) noexcept;

 private:
  /// The file is no longer one of the session.
  File release(OpenFile& file);
  void tell_handler() noexcept;

  int opened_ = 0;
  std::map<int, std::unique_ptr<OpenFile>> files_;
  std::string error_ = "no CGNS error reported";
};

Session& session();

}  // namespace onecast::cgns
