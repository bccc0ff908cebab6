#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"

namespace onecast::comm {

/// Ranks that reduce headers: the part of a communicator that collective calls need to meet.
class HeaderReducer {
 public:
  HeaderReducer() = default;
  HeaderReducer(const HeaderReducer&) = delete;
  HeaderReducer& operator=(const HeaderReducer&) = delete;
  virtual ~HeaderReducer() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Begins the reduction of a header (see combine_headers); one message. It meets the next header
  /// that the other ranks begin, and no other operation.
  virtual std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) = 0;
  /// Waits until the reduction is done.
  virtual void wait_for(HeaderReduction& reduction, const AwaitedCall& call) = 0;
};

}  // namespace onecast::comm
