#pragma once

#include <TFile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "onecast/events/outputer.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"

namespace onecast::events::root {

/// The common part of outputers to a ROOT file: the file, and batches of about 1 MiB.
class RootFileOutputer : public Outputer {
 public:
  explicit RootFileOutputer(const Request& request)
      : path_(request.file), compression_(root_compression(request.options)) {
    prepare_root();
  }

  void begin(const ProductList& products, const Expectation& expected) final {
    constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20U;
    batch_events_ = std::clamp<std::uint64_t>(kBatchBytes / (expected.event_bytes() + 64), 1, 1024);
    checked(path_, [&] { prepare(products); });
    file_ = create_file(path_, compression_);
    try {
      checked(path_, [&] {
        TDirectory::TContext context(file_.get());
        begin_events(products);
      });
    } catch (...) {
      abandon();
      throw;
    }
  }
  std::uint64_t batch_events() const override { return batch_events_; }
  bool blocks() const override { return true; }
  void finish() override {
    if (!file_) return;
    checked(path_, [&] {
      before_close();
      file_->Write();
      file_->Close();
    });
    file_.reset();
  }
  std::uint64_t bytes_written() const override {
    struct stat status{};
    return stat(path_.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 protected:
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] TFile& file() { return *file_; }
  [[nodiscard]] int compression() const { return compression_; }
  /// Called before the file is created and the old file is lost; throws if the products are not
  /// valid.
  virtual void prepare(const ProductList& products) { static_cast<void>(products); }
  /// Creates the tree in the file.
  virtual void begin_events(const ProductList& products) = 0;
  virtual void before_close() {}
  /// Returns a product from the result of Outputer::encode.
  static Bytes product_of(const EncodedEvent& event, std::size_t product) {
    const auto start = static_cast<std::size_t>(product == 0 ? 0 : event.ends[product - 1]);
    return Bytes(event.bytes).subspan(start, static_cast<std::size_t>(event.ends[product]) - start);
  }

 private:
  /// Removes the file, since it cannot be read without its tree.
  void abandon() {
    before_close();
    file_.reset();
    take_report();
    unlink(path_.c_str());
  }

  std::string path_;
  int compression_;
  std::uint64_t batch_events_ = 1;
  std::unique_ptr<TFile> file_;
};

}  // namespace onecast::events::root
