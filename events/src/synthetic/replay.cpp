#include <algorithm>
#include <utility>

#include "synthetic/synthetic.hpp"

namespace onecast::events {
namespace {

/// An event in memory.
struct Kept {
  Identity identity;
  std::vector<std::vector<std::byte>> products;
};

class ReplayCursor final : public Cursor {
 public:
  ReplayCursor(std::shared_ptr<const std::vector<Kept>> kept, std::uint64_t events,
               std::uint64_t numbers)
      : kept_(std::move(kept)), events_(events), numbers_(numbers) {}
  bool go_to(std::uint64_t entry) override {
    if (entry >= events_ || kept_->empty()) return false;
    now_ = &(*kept_)[static_cast<std::size_t>(entry % kept_->size())];
    round_ = entry / kept_->size();
    return true;
  }
  Identity identity() const override {
    Identity identity = now_->identity;
    identity.event += round_ * numbers_;
    return identity;
  }
  std::size_t fetch(std::size_t product) override { return now_->products[product].size(); }
  Bytes serialized(std::size_t product) override { return now_->products[product]; }
  std::shared_ptr<const void> keeper() override { return kept_; }

 private:
  std::shared_ptr<const std::vector<Kept>> kept_;
  std::uint64_t events_;
  std::uint64_t numbers_;
  const Kept* now_ = nullptr;
  std::uint64_t round_ = 0;
};

class Replay final : public Source {
 public:
  explicit Replay(const Request& request)
      : source_(request.registry.source(request.file, request.team)),
        events_(request.options.number("events")) {
    if (request.options.number("count") == 0)
      request.options.reject("count", "a number from 1 on was expected");
    std::vector<Kept> kept;
    const auto cursor = source_->cursor();
    const std::size_t products = source_->products().size();
    for (std::uint64_t entry = 0; entry < request.options.number("count") && cursor->go_to(entry);
         ++entry) {
      cursor->prepare();
      Kept event{cursor->identity(), {}};
      for (std::size_t p = 0; p < products; ++p) {
        cursor->fetch(p);
        const Bytes bytes = cursor->serialized(p);
        event.products.emplace_back(bytes.begin(), bytes.end());
      }
      kept.push_back(std::move(event));
    }
    const auto number = [](const Kept& event) { return event.identity.event; };
    if (!kept.empty()) {
      const auto [least, most] = std::ranges::minmax_element(kept, {}, number);
      numbers_ = number(*most) - number(*least) + 1;
    }
    kept_ = std::make_shared<const std::vector<Kept>>(std::move(kept));
  }
  const ProductList& products() const override { return source_->products(); }
  std::optional<std::uint64_t> size() const override { return kept_->empty() ? 0 : events_; }
  bool goes_concurrently() const override { return true; }
  std::unique_ptr<Cursor> cursor() override {
    return std::make_unique<ReplayCursor>(kept_, events_, numbers_);
  }

 private:
  std::unique_ptr<Source> source_;
  std::uint64_t events_;
  std::shared_ptr<const std::vector<Kept>> kept_;
  std::uint64_t numbers_ = 1;  ///< the difference from one round to the next
};

}  // namespace

SourceInfo replay_source() {
  using Kind = OptionInfo::Kind;
  return {.name = "Replay",
          .description =
              "the first events of another source, kept in memory and repeated; the "
              "file is that source, its colons doubled",
          .file = FileUse::required,
          .options = {{.name = "count",
                       .kind = Kind::number,
                       .otherwise = "10",
                       .description = "the number of events that are kept"},
                      {.name = "events",
                       .kind = Kind::number,
                       .otherwise = "1000",
                       .description = "the number of events in total"}},
          .make = [](const Request& request) { return std::make_unique<Replay>(request); }};
}

}  // namespace onecast::events
