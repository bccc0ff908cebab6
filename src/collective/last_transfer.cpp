#include "collective/last_transfer.hpp"

#include <fmt/format.h>

#include <string_view>

namespace onecast {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

bool uses_aggregators(Method method) {
  return method == Method::collective || method == Method::edges;
}

std::uint64_t stripes_within(const AccessSummary& wanted, std::uint64_t stripe_size) {
  if (wanted.bytes == 0) return 0;
  return (wanted.high - 1) / stripe_size - wanted.low / stripe_size + 1;
}

std::string describe(const Choice& choice, const AccessSummary& wanted, std::uint64_t stripe_size,
                     std::size_t aggregators) {
  if (wanted.bytes == 0) return choice.reason();
  std::string text = fmt::format(
      "{}; {} in {} of {}, within {} of {} bytes", choice.reason(), counted(wanted.bytes, "byte"),
      counted(wanted.pieces, "piece"), counted(wanted.ranks, "rank"),
      counted(stripes_within(wanted, stripe_size), "stripe"), stripe_size);
  if (uses_aggregators(choice.method))
    text += fmt::format(", by {}", counted(aggregators, "aggregator"));
  if (wanted.done != 0) text += fmt::format("; {} did not wait", counted(wanted.done, "rank"));
  return text;
}

void LastTransfer::begin(const char* call, const IoStats& now) {
  call_ = call;
  method_ = nullptr;
  before_ = after_ = now;
}

void LastTransfer::took(const char* method, const char* why, std::uint64_t bytes) {
  method_ = method;
  why_ = why;
  bytes_ = bytes;
}

void LastTransfer::took(const CollectiveFile& file) {
  choice_ = file.stats().last;
  method_ = name_of(choice_.method);
  why_ = nullptr;
  wanted_ = file.wanted();
  stripe_size_ = file.layout().stripe_size;
  aggregators_ = file.aggregators();
}

std::string LastTransfer::what() const {
  if (why_ != nullptr) return fmt::format("{}; {} on this rank", why_, counted(bytes_, "byte"));
  return describe(choice_, wanted_, stripe_size_, aggregators_);
}

std::string LastTransfer::sentence() const {
  if (call_ == nullptr) return "no read_all or write_all yet";
  if (method_ == nullptr) return fmt::format("{}: failed", call_);
  const std::uint64_t reads = after_.reads - before_.reads;
  const std::uint64_t writes = after_.writes - before_.writes;
  const bool writing = std::string_view(call_).starts_with("write");
  return fmt::format("{}: {}: {}; this rank made {} and {}", call_, method_, what(),
                     counted(writing ? writes : reads, writing ? "write call" : "read call"),
                     counted(after_.collectives - before_.collectives, "collective call"));
}

}  // namespace onecast
