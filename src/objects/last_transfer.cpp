#include "objects/last_transfer.hpp"

#include <fmt/format.h>

#include <string_view>

namespace onecast {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

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
  if (wanted_.bytes == 0) return choice_.reason;
  const std::uint64_t stripes = (wanted_.high - 1) / stripe_size_ - wanted_.low / stripe_size_ + 1;
  std::string text =
      fmt::format("{}; {} in {} of {}, within {} of {} bytes", choice_.reason,
                  counted(wanted_.bytes, "byte"), counted(wanted_.pieces, "piece"),
                  counted(wanted_.ranks, "rank"), counted(stripes, "stripe"), stripe_size_);
  if (choice_.method == Method::collective || choice_.method == Method::edges)
    text += fmt::format(", by {}", counted(aggregators_, "aggregator"));
  if (wanted_.done != 0) text += fmt::format("; {} did not wait", counted(wanted_.done, "rank"));
  return text;
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
