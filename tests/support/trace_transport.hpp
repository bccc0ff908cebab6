#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transport/factory.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::test {

using namespace transport;

/// One call that reached a file.
struct IoCall {
  enum class Kind : unsigned char { read, write, sync };

  Kind kind;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  bool operator==(const IoCall&) const = default;
};
using IoTrace = std::vector<IoCall>;

/// Records every call, in order.
class TraceTransport final : public ForwardingTransport {
 public:
  TraceTransport(std::unique_ptr<Transport> inner, std::shared_ptr<IoTrace> trace)
      : ForwardingTransport(std::move(inner)), trace_(std::move(trace)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    trace_->push_back({IoCall::Kind::read, offset, out.size()});
    return ForwardingTransport::read_at(offset, out);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    trace_->push_back({IoCall::Kind::write, offset, bytes.size()});
    ForwardingTransport::write_at(offset, bytes);
  }
  void sync() override {
    trace_->push_back({IoCall::Kind::sync});
    ForwardingTransport::sync();
  }
  void sync_name() override {
    trace_->push_back({IoCall::Kind::sync});
    ForwardingTransport::sync_name();
  }

 private:
  std::shared_ptr<IoTrace> trace_;
};

inline TransportFactory trace_factory(TransportFactory inner, std::shared_ptr<IoTrace> trace) {
  return
      [inner = std::move(inner), trace = std::move(trace)](const std::string& path, OpenMode mode) {
        return std::make_unique<TraceTransport>(inner(path, mode), trace);
      };
}

}  // namespace onecast::test
