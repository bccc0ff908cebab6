#include "components/staging.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "components/move_file.hpp"
#include "model/byte_file.hpp"
#include "model/files_beside.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

constexpr const char* kStaging = "staging";

/// An outputer whose file is written elsewhere and moved to its place when it is complete.
class StagedOutputer final : public Outputer {
 public:
  StagedOutputer(std::unique_ptr<Outputer> inner, std::string from, std::string place)
      : inner_(std::move(inner)), from_(std::move(from)), place_(std::move(place)) {}

  StagedOutputer(const StagedOutputer&) = delete;
  StagedOutputer& operator=(const StagedOutputer&) = delete;
  ~StagedOutputer() override {
    inner_.reset();
    if (is_worth_it_ || !has_begun_) return;
    ::unlink(from_.c_str());
    ::unlink(journal_beside(from_).c_str());
  }

  void begin(const ProductList& products, const Expectation& expected) override {
    ByteFile::require_closed(place_);
    mover_ = std::make_unique<FileMover>(from_, place_);
    has_begun_ = true;
    inner_->begin(products, expected);
  }
  std::uint64_t batch_events() const override { return inner_->batch_events(); }
  bool takes_products() const override { return inner_->takes_products(); }
  bool blocks() const override { return true; }
  EncodedEvent encode(const Event& event) override { return inner_->encode(event); }
  void encode_batch(Batch& batch) override { inner_->encode_batch(batch); }
  void write(const Batch& batch) override {
    inner_->write(batch);
    is_worth_it_ = true;
  }
  void interrupt() override {
    inner_->interrupt();
    is_interrupted_ = true;
  }
  void finish() override {
    inner_->finish();
    is_worth_it_ = is_worth_it_ || !is_interrupted_;
    if (mover_ && is_worth_it_) mover_->complete();
    mover_.reset();
  }
  std::vector<std::string> left_out() const override { return inner_->left_out(); }
  std::uint64_t bytes_written() const override { return inner_->bytes_written(); }

 private:
  std::unique_ptr<Outputer> inner_;
  std::string from_, place_;
  std::unique_ptr<FileMover> mover_;
  bool has_begun_ = false;
  bool is_interrupted_ = false;
  bool is_worth_it_ = false;  ///< true if the file is complete or has events
};

/// Throws before the first event if the staging is not possible.
void check(const Request& request, const std::filesystem::path& place, const std::string& folder) {
  const Options& options = request.options;
  if (request.file.empty()) options.reject(kStaging, "there is no file");
  if (request.team->size() > 1)
    options.reject(kStaging, "ranks that write one file write it where it belongs");
  struct stat status{};
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    options.reject(kStaging, fmt::format("{} is not a folder", folder));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    options.reject(kStaging, fmt::format("{}: {}", folder, std::strerror(errno)));
  if (std::error_code ignored; std::filesystem::is_directory(place, ignored))
    throw Error(ErrorCode::io, fmt::format("{}: {}", request.file, std::strerror(EISDIR)), EISDIR);
  const std::string at = place.parent_path();
  if (access(at.empty() ? "." : at.c_str(), W_OK | X_OK) != 0 ||
      (access(place.c_str(), F_OK) == 0 && access(place.c_str(), W_OK) != 0))
    throw Error(ErrorCode::io, fmt::format("{}: {}", request.file, std::strerror(errno)), errno);
}

}  // namespace

void add_staging(OutputerInfo& info) {
  if (info.file == FileUse::none ||
      std::ranges::any_of(info.options, [](const auto& o) { return o.name == kStaging; }))
    return;
  info.options.push_back({.name = kStaging,
                          .kind = OptionInfo::Kind::text,
                          .otherwise = "",
                          .description = "folder near the process: the file is written there, and "
                                         "moved to its place meanwhile"});
  info.make = [make = std::move(info.make)](const Request& request) -> std::unique_ptr<Outputer> {
    const std::string& folder = request.options.text(kStaging);
    if (folder.empty()) return make(request);
    const std::filesystem::path place = behind_links(request.file);
    check(request, place, folder);
    // The process id makes the names on one node unique.
    const std::string from = fmt::format("{}/{}.{}", folder, place.filename().string(), getpid());
    Request staged = request;
    staged.file = from;
    return std::make_unique<StagedOutputer>(make(staged), from, place);
  };
}

}  // namespace onecast::events
