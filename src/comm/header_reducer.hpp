#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"

namespace onecast::comm {

/// Ranks that reduce headers: all that a collective call needs of a communicator to meet the calls
/// of the other ranks.
class HeaderReducer {
 public:
  HeaderReducer() = default;
  HeaderReducer(const HeaderReducer&) = delete;
  HeaderReducer& operator=(const HeaderReducer&) = delete;
  virtual ~HeaderReducer() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Begins the reduction of a header (see combine_headers); one message. It meets whatever header
  /// the other ranks begin next, and nothing else.
  virtual std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) = 0;
  /// Until it is done.
  virtual void wait_for(HeaderReduction& reduction, const AwaitedCall& call) = 0;
};

}  // namespace onecast::comm
