// The workloads of the events layer: see README.md.
#include <cstddef>
#include <onecast/events/component.hpp>
#include <string>
#include <vector>

#include "workload.hpp"

namespace {

using namespace onecast::events;
using onecast_bench::measure;

constexpr std::uint64_t kEvents = 2000;

/// Each event has three products of a few hundred bytes.
void write(Outputer& outputer) {
  const ProductList products{"bytes", {{"tracks", "T"}, {"hits", "H"}, {"jets", "J"}}};
  const std::vector<std::byte> bytes(600, std::byte{7});
  outputer.begin(products, {kEvents, {200, 400, 600}});
  Batch batch;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    Event event{{1, 1, i}, {}};
    for (const std::size_t size : {200U, 400U, 600U})
      event.products.push_back(Bytes(bytes).first(size - i % 16));
    batch.events.push_back(outputer.encode(event));
    if (batch.events.size() < outputer.batch_events() && i + 1 < kEvents) continue;
    outputer.encode_batch(batch);
    outputer.write(batch);
    batch.events.clear();
    batch.encoded.reset();
    ++batch.number;
  }
  outputer.finish();
}

std::size_t read(Source& source) {
  const auto cursor = source.cursor();
  std::size_t bytes = 0;
  for (std::uint64_t i = 0; cursor->go_to(i); ++i) {
    cursor->prepare();
    for (std::size_t p = 0; p < source.products().size(); ++p) {
      cursor->fetch(p);
      bytes += cursor->serialized(p).size();
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_workloads(argc, argv, [](const std::filesystem::path& folder) {
    const Registry components = standard_components();
    const std::string file = (folder / "events.h5").string();
    const auto outputer = components.outputer("HDF5Event=" + file);
    measure("write events", [&] { write(*outputer); });
    const auto source = components.source("HDF5=" + file);
    measure("read events", [&] { read(*source); });
  });
}
