#include "objects/flush/engine.hpp"

#include "objects/flush/call_words.hpp"
#include "objects/flush/flush.hpp"
#include "objects/storage/dataset_info.hpp"
#include "objects/storage/edited_chunks.hpp"
#include "objects/together/settle_writes.hpp"
#include "objects/values/heap_writer.hpp"

namespace onecast::flush {
namespace {

class Engine final : public RoomsAbove {
 public:
  [[nodiscard]] std::shared_ptr<HeapWriter> make_heap(FileState& file) const override {
    return std::make_shared<HeapWriter>(file);
  }
  [[nodiscard]] Kept<DatasetInfo> read_dataset(Node& dataset) const override {
    return read_dataset_info(dataset);
  }
  void drop_chunks(Node& dataset) const override { dataset.edited_chunks->drop(); }
  void finish_heap(FileState& file) const override { file.heap().finish(); }
  [[nodiscard]] bool has_unsettled_writes(const FileState& file) const override {
    return unsettled_writes(file).any();
  }
  [[noreturn]] void throw_difference(const FileState& file,
                                     CommunicatorBackend& comm) const override {
    flush::throw_difference(file.log(), comm, file.path());
  }
  void flush(FileState& file, CallKind kind) const override { flush_file(file, kind); }
};

}  // namespace

const RoomsAbove& engine() {
  // It is never destroyed, because files in static memory are closed after its destructor would
  // run.
  static const auto& all = *new Engine;
  return all;
}

}  // namespace onecast::flush
