#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/fault_transport.hpp"
#include "support/files_through.hpp"
#include "support/memory_transport.hpp"
#include "support/trace_transport.hpp"

namespace onecast::test {

using namespace files;

using Bytes = std::vector<std::byte>;

/// A disk in memory that records its calls, and can make them fail.
class Disk {
 public:
  [[nodiscard]] TransportFactory factory() const {
    return fault_factory(trace_factory(memory_factory(memory_), trace_), faults_);
  }

  [[nodiscard]] File create(const std::string& name, FileOptions options = {}) const {
    if (options.page_size == 0) options.page_size = 4096;
    return create_through(factory(), name, Communicator(), options);
  }
  [[nodiscard]] File open(const std::string& name, Access access = Access::read_only,
                          const FileOptions& options = {}) const {
    return open_through(factory(), name, access, Communicator(), options);
  }

  /// Returns the bytes of a file, which may be changed. The file is created if it does not exist.
  [[nodiscard]] Bytes& bytes(const std::string& name) const {
    if (!memory_->find(name)) memory_->open(name, OpenMode::create);
    return memory_->find(name)->bytes;
  }
  [[nodiscard]] std::vector<std::string> names() const { return memory_->names(); }
  void save(const std::string& name, const std::string& path) const {
    const Bytes& all = bytes(name);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(all.size()));
  }
  void load(const std::string& name, const std::string& path) const {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    const auto view = std::as_bytes(std::span(text));
    bytes(name).assign(view.begin(), view.end());
  }

  [[nodiscard]] FaultPlan& faults() const { return *faults_; }
  [[nodiscard]] IoTrace& trace() const { return *trace_; }
  [[nodiscard]] std::vector<IoCall> writes() const {
    std::vector<IoCall> found;
    for (const IoCall& call : *trace_)
      if (call.kind == IoCall::Kind::write) found.push_back(call);
    return found;
  }

 private:
  std::shared_ptr<MemoryDisk> memory_ = std::make_shared<MemoryDisk>();
  std::shared_ptr<FaultPlan> faults_ = std::make_shared<FaultPlan>();
  std::shared_ptr<IoTrace> trace_ = std::make_shared<IoTrace>();
};

}  // namespace onecast::test
