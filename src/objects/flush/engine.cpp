#include "objects/flush/engine.hpp"

#include "base/of_process.hpp"
#include "objects/files/file_state.hpp"
#include "objects/flush/call_words.hpp"
#include "objects/flush/flush.hpp"
#include "objects/lifetime/dataset_info.hpp"

namespace onecast::flush {
namespace {

class Engine final : public RoomsAbove {
 public:
  [[nodiscard]] Kept<DatasetInfo> read_dataset(Node& dataset) const override {
    return read_dataset_info(dataset);
  }
  [[noreturn]] void throw_difference(const OpenFile& file,
                                     CommunicatorBackend& comm) const override {
    flush::throw_difference(static_cast<const FileState&>(file).log(), comm, file.path());
  }
  void flush(OpenFile& file, CallKind kind) const override {
    flush_file(static_cast<FileState&>(file), kind);
  }
};

}  // namespace

const RoomsAbove& engine() { return of_process<Engine>(); }

}  // namespace onecast::flush
