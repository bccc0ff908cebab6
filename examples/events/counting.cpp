// A source in a shared library: each event has one product, its own number.
//
//     onecast-events run --load ./libcounting.so -s Counting:events=50 -o HDF5Event=numbers.h5
#include <onecast/events/component.hpp>

namespace {

using namespace onecast::events;

// Returns one event after the other. Each lane has its own cursor.
class NumberCursor final : public Cursor {
 public:
  explicit NumberCursor(std::uint64_t events) : events_(events) {}

  bool go_to(std::uint64_t entry) override { return (number_ = entry) < events_; }
  Identity identity() const override { return {1, 1, number_}; }
  std::size_t fetch(std::size_t) override { return sizeof number_; }
  Bytes serialized(std::size_t) override { return std::as_bytes(std::span(&number_, 1)); }

 private:
  std::uint64_t events_;
  std::uint64_t number_ = 0;
};

class Counting final : public Source {
 public:
  explicit Counting(std::uint64_t events) : events_(events) {}

  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return events_; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<NumberCursor>(events_); }

 private:
  ProductList list_{"raw", {{"number", "unsigned long"}}};
  std::uint64_t events_;
};

}  // namespace

extern "C" void onecast_events_register(Registry& registry) {
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
