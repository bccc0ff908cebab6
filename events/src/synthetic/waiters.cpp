#include <algorithm>
#include <fstream>

#include "model/byte_file.hpp"
#include "model/make_error.hpp"
#include "synthetic/synthetic.hpp"

namespace onecast::events {
namespace {

using std::chrono::microseconds;

constexpr double kYear = 3e13;  // microseconds

microseconds rounded(double time) {
  return microseconds(static_cast<std::int64_t>(std::min(time, kYear)));
}

class Scale final : public Waiter {
 public:
  explicit Scale(const Request& request) : per_byte_(request.options.decimal("per_byte")) {}
  microseconds wait(std::uint64_t, std::size_t, std::size_t bytes) override {
    return rounded(per_byte_ * static_cast<double>(bytes));
  }

 private:
  double per_byte_;
};

class Sleep final : public Waiter {
 public:
  explicit Sleep(const Request& request) : file_(ByteFile::open(request.file)) {
    std::ifstream in(request.file);
    if (!in) throw not_found_error("{}: cannot be read", request.file);
    for (double time = 0; in >> time && time >= 0 && time <= kYear;) times_.push_back(time);
    if (!in.eof() || times_.empty())
      throw format_error("{}: a list of microseconds, from 0 on, was expected", request.file);
  }
  microseconds wait(std::uint64_t entry, std::size_t product, std::size_t) override {
    return product == 0 ? rounded(times_[static_cast<std::size_t>(entry % times_.size())])
                        : microseconds(0);
  }

 private:
  ByteFile file_;  ///< stays open: outputers do not overwrite it
  std::vector<double> times_;
};

class Uneven final : public Waiter {
 public:
  explicit Uneven(const Request& request)
      : time_(request.options.decimal("time")),
        factor_(request.options.decimal("factor")),
        every_(request.options.number("every")) {
    if (every_ == 0) request.options.reject("every", "must not be 0");
  }
  microseconds wait(std::uint64_t entry, std::size_t product, std::size_t) override {
    if (product != 0) return microseconds(0);
    return rounded(entry % every_ == 0 ? time_ * factor_ : time_);
  }

 private:
  double time_, factor_;
  std::uint64_t every_;
};

}  // namespace

WaiterInfo scale_waiter() {
  return {.name = "Scale",
          .description = "each product waits in proportion to its size",
          .file = FileUse::none,
          .options = {{.name = "per_byte",
                       .kind = OptionInfo::Kind::decimal,
                       .otherwise = "0.01",
                       .description = "microseconds for each byte"}},
          .make = [](const Request& request) { return std::make_unique<Scale>(request); }};
}

WaiterInfo sleep_waiter() {
  return {.name = "Sleep",
          .description =
              "each event waits as long as the next number of a list in a file says, in "
              "microseconds",
          .file = FileUse::required,
          .options = {},
          .make = [](const Request& request) { return std::make_unique<Sleep>(request); }};
}

WaiterInfo uneven_waiter() {
  using Kind = OptionInfo::Kind;
  return {.name = "Uneven",
          .description = "each event waits, some of them much longer",
          .file = FileUse::none,
          .options = {{.name = "time",
                       .kind = Kind::decimal,
                       .otherwise = "100",
                       .description = "microseconds that an event waits"},
                      {.name = "every",
                       .kind = Kind::number,
                       .otherwise = "10",
                       .description = "of this many events, the first waits longer"},
                      {.name = "factor",
                       .kind = Kind::decimal,
                       .otherwise = "20",
                       .description = "the factor by which they wait longer"}},
          .make = [](const Request& request) { return std::make_unique<Uneven>(request); }};
}

}  // namespace onecast::events
