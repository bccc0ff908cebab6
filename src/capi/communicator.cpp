#include "capi/communicator.hpp"

#include <memory>
#include <string>
#include <utility>

#include "capi/arguments.hpp"
#include "capi/file_options.hpp"
#include "capi/functions_of_c.hpp"
#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"
#include "onecast/comm/point_to_point.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

class FunctionsOfC final : public PointToPoint {
 public:
  explicit FunctionsOfC(const onecast_point_to_point& functions) : functions_(functions) {}
  ~FunctionsOfC() override {
    if (releases_ && functions_.release != nullptr) functions_.release(functions_.context);
  }
  void release_at_the_end() { releases_ = true; }

  [[nodiscard]] int rank() const override { return functions_.rank; }
  [[nodiscard]] int size() const override { return functions_.ranks; }
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    check_function(functions_.send(functions_.context, to, tag, bytes.data(), bytes.size()));
  }
  void receive(int from, int tag, std::span<std::byte> bytes) override {
    check_function(functions_.receive(functions_.context, from, tag, bytes.data(), bytes.size()));
  }
  void fail(std::string_view reason) noexcept override {
    if (functions_.fail != nullptr)
      functions_.fail(functions_.context, std::string(reason).c_str());
  }
  [[nodiscard]] bool any_thread() const override { return functions_.any_thread != 0; }
  [[nodiscard]] std::uint64_t node() const override { return functions_.node; }

 private:
  onecast_point_to_point functions_;
  bool releases_ = false;
};

/// The arguments of File::create or File::open: see note_problem().
struct PathArguments {
  std::string path;
  Access access = Access::read_only;
  FileOptions options;
};

PathArguments arguments_of(const char* path, onecast_access access,
                           const onecast_file_options* options, onecast_file** file) {
  PathArguments given;
  note_problem(given.options, [&] {
    required(file, "file");
    given = {required_text(path, "path"), access_of(access), file_options_of(options)};
  });
  return given;
}

}  // namespace

onecast_status onecast_communicator_create(const onecast_point_to_point* functions,
                                           onecast_communicator** communicator) {
  return guard_making(communicator, [&] {
    required(communicator, "communicator");
    const onecast_point_to_point given = known_part(required(functions, "functions"), "functions");
    required(given.send, "functions->send");
    required(given.receive, "functions->receive");
    const auto ranks = std::make_shared<FunctionsOfC>(given);
    auto made = std::make_unique<onecast_communicator>(user_communicator(ranks));
    ranks->release_at_the_end();
    *communicator = made.release();
  });
}

void onecast_communicator_close(onecast_communicator** communicator) {
  if (communicator != nullptr) delete std::exchange(*communicator, nullptr);
}

onecast_status onecast_file_create_on(const char* path, const onecast_communicator* communicator,
                                      const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator& ranks = required(communicator, "communicator").value;
    const auto given = arguments_of(path, ONECAST_READ_WRITE, options, file);
    File created = File::create(given.path, ranks, given.options);
    *file = new onecast_file{std::move(created)};
  });
}

onecast_status onecast_file_open_on(const char* path, onecast_access access,
                                    const onecast_communicator* communicator,
                                    const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator& ranks = required(communicator, "communicator").value;
    const auto given = arguments_of(path, access, options, file);
    File opened = File::open(given.path, given.access, ranks, given.options);
    *file = new onecast_file{std::move(opened)};
  });
}
