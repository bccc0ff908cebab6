#pragma once

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::together {

/// The duration of one read_all or write_all.
class TransferScope {
 public:
  TransferScope(FileState& file, const char* call) : file_(file) {
    file.transfers().last.begin(call, file.io_stats());
    file.transfers().device_way.forget();
  }
  TransferScope(const TransferScope&) = delete;
  TransferScope& operator=(const TransferScope&) = delete;
  ~TransferScope() {
    file_.stats().exchange_nanoseconds += file_.transfers().last.end(file_.io_stats());
  }

 private:
  FileState& file_;
};

}  // namespace onecast::together
