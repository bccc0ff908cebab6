// An outputer in a shared library: it counts events by size, in classes of powers of two.
//
//     onecast-events run --load ./libhistogram.so -s TestProducts -o Histogram=sizes.txt
#include <bit>
#include <fstream>
#include <map>
#include <onecast/events/component.hpp>
#include <stdexcept>

namespace {

using namespace onecast::events;

class Histogram final : public Outputer {
 public:
  explicit Histogram(std::string file) : file_(std::move(file)) {}

  void begin(const ProductList&, const Expectation&) override {}

  // Called in the lanes, at the same time for several events: returns what is kept of one event.
  EncodedEvent encode(const Event& event) override {
    std::uint64_t size = 0;
    for (const Bytes& product : event.products) size += product.size();
    return {event.identity, {}, {size}};
  }

  // Called for one batch at a time, in the order of the source.
  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events)
      ++counts_[static_cast<int>(std::bit_width(event.ends.front()))];
  }

  void finish() override {
    std::ofstream out(file_);
    for (const auto& [bits, count] : counts_) out << "below 2^" << bits << ": " << count << '\n';
    if (!out) throw std::runtime_error(file_ + ": cannot be written");
  }

 private:
  std::string file_;
  std::map<int, std::uint64_t> counts_;
};

}  // namespace

extern "C" void onecast_events_register(Registry& registry) {
  registry.add(OutputerInfo{
      .name = "Histogram",
      .description = "counts events by size",
      .file = FileUse::required,
      .options = {},
      .make = [](const Request& request) { return std::make_unique<Histogram>(request.file); }});
}
