// An outputer and a source of one's own, in a shared library: sizes of events are counted in
// classes of powers of two.
//
//     onecast-events run --load ./libhistogram.so -s TestProducts -o Histogram=sizes.txt
#include <bit>
#include <fstream>
#include <map>
#include <stdexcept>

#include "onecast/events/component.hpp"

namespace {

using namespace onecast::events;

class Histogram final : public Outputer {
 public:
  explicit Histogram(std::string file) : file_(std::move(file)) {}

  void begin(const ProductList&, const Expectation&) override {}

  // In the lanes, beside other events: what is kept of one.
  EncodedEvent encode(const Event& event) override {
    std::uint64_t size = 0;
    for (const Bytes& product : event.products) size += product.size();
    return {event.identity, {}, {size}};
  }

  // One batch at a time, in the order of the source.
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

/// Each event has one product: its own number.
class Counting final : public Source {
 public:
  explicit Counting(std::uint64_t events) : events_(events) {}
  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return events_; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<Event>(events_); }

 private:
  struct Event final : Cursor {
    explicit Event(std::uint64_t all) : events(all) {}
    bool go_to(std::uint64_t entry) override { return (number = entry) < events; }
    Identity identity() const override { return {1, 1, number}; }
    std::size_t fetch(std::size_t) override { return sizeof number; }
    Bytes serialized(std::size_t) override { return std::as_bytes(std::span(&number, 1)); }

    std::uint64_t events;
    std::uint64_t number = 0;
  };

  ProductList list_{"raw", {{"number", "unsigned long"}}};
  std::uint64_t events_;
};

}  // namespace

extern "C" void onecast_events_register(Registry& registry) {
  registry.add(OutputerInfo{
      .name = "Histogram",
      .description = "counts events by size",
      .file = FileUse::required,
      .options = {},
      .make = [](const Request& request) { return std::make_unique<Histogram>(request.file); }});
  registry.add(SourceInfo{.name = "Counting",
                          .description = "numbers",
                          .file = FileUse::none,
                          .options = {{.name = "events",
                                       .kind = OptionInfo::Kind::number,
                                       .otherwise = "100",
                                       .description = "how many"}},
                          .make = [](const Request& request) {
                            return std::make_unique<Counting>(request.options.number("events"));
                          }});
}
