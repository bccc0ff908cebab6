// Serves files from Python file objects in place of a path.

#include "file_object.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "onecast/base/error.hpp"
#include "own_mutex.hpp"
#include "read_ahead.hpp"
#include "text.hpp"

namespace {

using onecast::Error;
using onecast::ErrorCode;

class ObjectOfPython;

/// The file objects in use, which make it possible to recognize an object that is passed twice. The
/// GIL guards the table.
std::map<PyObject*, std::weak_ptr<ObjectOfPython>>& objects_in_use() {
  static auto& all = *new std::map<PyObject*, std::weak_ptr<ObjectOfPython>>;  // never destroyed
  return all;
}

/// A file for the core, which calls it without the GIL, perhaps on another thread.
class ObjectOfPython final : public onecast::RandomAccessFile {
 public:
  ObjectOfPython(nb::object file, std::string name, bool is_remote)
      : file_(std::move(file)),
        name_(std::move(name)),
        reads_into_(nb::hasattr(file_, "readinto")),
        is_remote_(is_remote) {}
  ~ObjectOfPython() override {
    if (Py_IsInitialized() == 0) {
      static_cast<void>(file_.release());
      return;
    }
    const HeldGil gil;
    std::erase_if(objects_in_use(), [](const auto& one) { return one.second.expired(); });
    file_.reset();
  }

  /// Drops the file object, so that the program may free it; later calls fail.
  void let_go() { file_ = nb::none(); }

  [[nodiscard]] std::string name() const override { return name_; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return in_python([&]() -> std::size_t {
      if (!is_remote_) return read_once(offset, out);
      if (!size_) size_ = size_now();
      return ahead_.read_at(offset, out, *size_,
                            [this](std::uint64_t at, std::span<std::byte> all) {
                              std::size_t done = 0;
                              while (done < all.size()) {
                                const std::size_t got = read_once(at + done, all.subspan(done));
                                if (got == 0) break;
                                done += got;
                              }
                              return done;
                            });
    });
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    in_python([&] {
      forget();
      call("seek", offset);
      while (!bytes.empty()) {
        // Some file objects write everything and return nothing.
        const nb::object written =
            call("write", view(const_cast<std::byte*>(bytes.data()), bytes.size(), false));
        if (written.is_none()) break;
        const std::size_t count = counted(written);
        if (count == 0 || count > bytes.size())
          throw Error(ErrorCode::io, "it returned " + std::to_string(count));
        bytes = bytes.subspan(count);
      }
      flush();
    });
  }
  std::uint64_t size() override {
    return in_python([&] { return size_now(); });
  }
  void truncate(std::uint64_t size) override {
    in_python([&] {
      forget();
      call("truncate", size);
      flush();
    });
  }

 private:
  /// Turns a Python exception into its text, taken while the GIL is held.
  template <class F>
  auto in_python(F&& work) -> decltype(work()) {
    // The lock keeps seek and read together. It is waited for without the GIL.
    const std::scoped_lock lock(mutex_);
    const HeldGil gil;
    const CallFromCore here;
    try {
      return std::forward<F>(work)();
    } catch (nb::python_error& error) {
      int number = 0;
      if (error.matches(PyExc_OSError)) {
        const nb::object value = nb::getattr(error.value(), "errno", nb::none());
        if (!value.is_none()) number = nb::cast<int>(value);
      }
      throw Error(ErrorCode::io, words_of(error), number);
    }
  }
  template <class... Arguments>
  nb::object call(const char* method, Arguments&&... arguments) {
    return call_python(file_.attr(method), std::forward<Arguments>(arguments)...);
  }
  std::size_t read_once(std::uint64_t offset, std::span<std::byte> out) {
    call("seek", offset);
    if (reads_into_) return counted(call("readinto", view(out.data(), out.size(), true)));
    const nb::object got = call("read", out.size());
    if (got.is_none()) throw Error(ErrorCode::io, "it returned None");
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(got.ptr(), &bytes, &size) != 0) throw nb::python_error();
    if (static_cast<std::size_t>(size) > out.size())
      throw Error(ErrorCode::io, "it returned more than was asked for");
    std::memcpy(out.data(), bytes, static_cast<std::size_t>(size));
    return static_cast<std::size_t>(size);
  }
  std::uint64_t size_now() {
    constexpr int kFromTheEnd = 2;
    const nb::object end = call("seek", 0, kFromTheEnd);
    return nb::cast<std::uint64_t>(end.is_none() ? call("tell") : end);
  }
  void forget() {
    ahead_.forget();
    size_.reset();
  }
  static std::size_t counted(const nb::object& count) {
    if (count.is_none()) throw Error(ErrorCode::io, "it returned None");
    return nb::cast<std::size_t>(count);
  }
  static nb::object view(std::byte* bytes, std::size_t size, bool writable) {
    nb::object made = nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(bytes),
                                                        static_cast<Py_ssize_t>(size),
                                                        writable ? PyBUF_WRITE : PyBUF_READ));
    if (!made.is_valid()) nb::raise_python_error();
    return made;
  }
  /// Makes written bytes visible to others, as in an unbuffered file.
  void flush() {
    if (nb::hasattr(file_, "flush")) call("flush");
  }

  OwnMutex mutex_;
  nb::object file_;
  std::string name_;
  bool reads_into_;
  bool is_remote_;
  ReadAhead ahead_;                    ///< used if the file is remote
  std::optional<std::uint64_t> size_;  ///< known if the file is remote and nothing changes it
};

}  // namespace

void let_go_of_object(nb::handle file) {
  const auto known = objects_in_use().find(file.ptr());
  const auto object =
      known == objects_in_use().end() ? std::shared_ptr<ObjectOfPython>() : known->second.lock();
  if (!object) return;
  objects_in_use().erase(known);
  object->let_go();
}

std::shared_ptr<onecast::RandomAccessFile> bytes_of_object(nb::object file, std::string name,
                                                           bool is_remote) {
  std::weak_ptr<ObjectOfPython>& known = objects_in_use()[file.ptr()];
  auto object = known.lock();
  if (!object)
    known = object = std::make_shared<ObjectOfPython>(std::move(file), std::move(name), is_remote);
  return object;
}
