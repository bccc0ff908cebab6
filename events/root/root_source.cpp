#include <TClass.h>
#include <TFile.h>
#include <TKey.h>
#include <TTree.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "model/make_error.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"

namespace onecast::events::root {
namespace {

bool is_class(TKey& key, const char* name) {
  return std::string_view(key.GetClassName()).find(name) != std::string_view::npos;
}

/// Collects the names of trees and ntuples, including those in folders.
void collect(TDirectory& folder, const std::string& above, std::vector<std::string>& names) {
  for (TObject* object : *folder.GetListOfKeys()) {
    auto& key = dynamic_cast<TKey&>(*object);
    const std::string name = above + key.GetName();
    if (is_class(key, "TDirectory")) {
      if (above.size() > 1000) continue;  // a cycle of folders
      if (auto* inner = folder.GetDirectory(key.GetName())) collect(*inner, name + "/", names);
    } else if (is_class(key, "TTree") || is_class(key, "RNTuple")) {
      if (names.empty() || names.back() != name) names.push_back(name);
    }
  }
}

std::string chosen(TFile& file, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  std::vector<std::string> names;
  collect(file, "", names);
  for (const char* const usual : {"Events", "events"})
    for (const std::string& name : names)
      if (name == usual) return name;
  if (names == std::vector<std::string>{kMeta})  // what ROOT recovers of a ROOTEvent file
    throw format_error("{}: has no tree of events: its writer was interrupted", file.GetName());
  if (names.empty()) throw format_error("{}: holds no tree", file.GetName());
  if (names.size() != 1)
    throw argument_error("{}: one tree was expected, not {}; tree=NAME names one", file.GetName(),
                         names.size());
  return names.front();
}

std::unique_ptr<Source> open_source(const Request& request) {
  prepare_root();
  auto file = open_file(request.file);
  std::unique_ptr<Source> source;
  checked(request.file, [&] {
    const std::string name = chosen(*file, request.options.text("tree"));
    const std::string& identity = request.options.text("identity");
    TKey* key = file->FindKeyAny(name.substr(name.rfind('/') + 1).c_str());
    if (key != nullptr && is_class(*key, "RNTuple")) {
      source = ntuple_source(std::move(file), name, identity);
      return;
    }
    auto* tree = file->Get<TTree>(name.c_str());
    if (tree == nullptr) throw not_found_error("{}: there is no tree {}", request.file, name);
    source = has_blobs(*file, *tree) ? blob_source(std::move(file), name)
                                     : tree_source(std::move(file), name, identity);
  });
  return source;
}

struct Algorithm {
  const char* name;
  int number;  ///< ROOT's number
  int level, most;
};
/// True if another process holds a lock that excludes this one.
bool is_locked(const std::string& path, int lock) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;  // ROOT reports why
  const bool is = flock(descriptor, lock | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return is;
}

/// Throws Error (io) if ROOT should not replace the path: it removes whatever is there, even an
/// empty folder.
void require_replaceable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status there = fs::status(path, ignored);
  if (fs::is_directory(there))
    throw Error(ErrorCode::io, fmt::format("{}: {}", path, std::strerror(EISDIR)), EISDIR);
  if (fs::is_other(there)) throw Error(ErrorCode::io, path + ": is no regular file");
  if (is_locked(path, LOCK_EX))
    throw Error(ErrorCode::io, path + ": locked: it is open here or in another program", EAGAIN);
}

/// Returns ROOT's report. ROOT reports nothing for a truncated file.
std::string why_unread() {
  const std::string report = take_report();
  return report.empty() ? "cannot be read: its writer may have been interrupted" : report;
}

constexpr std::array<Algorithm, 5> kAlgorithms{
    {{"none", 0, 0, 0}, {"zlib", 1, 1, 9}, {"lzma", 2, 4, 9}, {"lz4", 4, 4, 9}, {"zstd", 5, 5, 9}}};

}  // namespace

std::unique_ptr<TFile> open_file(const std::string& path) {
  std::unique_ptr<TFile> file;
  std::error_code problem;
  if (std::filesystem::is_fifo(path, problem))
    throw Error(ErrorCode::io, path + ": is no regular file");  // opening a pipe would wait
  if (is_locked(path, LOCK_SH))
    throw Error(ErrorCode::io, path + ": locked: it is open elsewhere, for writing", EAGAIN);
  checked(path, [&] {
    // With this protocol, a name with colons is not taken for a URL.
    file.reset(TFile::Open(("file:" + path).c_str(), "READ"));
    if (file == nullptr || file->IsZombie()) throw io_error("{}: {}", path, why_unread());
  });
  flock(file->GetFd(), LOCK_SH | LOCK_NB);
  return file;
}

std::unique_ptr<TFile> create_file(const std::string& path, int compression) {
  std::unique_ptr<TFile> file;
  require_replaceable(path);
  checked(path, [&] {
    file.reset(TFile::Open(("file:" + path).c_str(), "RECREATE", "", compression));
    if (file == nullptr || file->IsZombie()) throw io_error("{}: {}", path, take_report());
  });
  flock(file->GetFd(), LOCK_EX | LOCK_NB);
  return file;
}

void leave_out(const std::string& path, const std::string& column, const std::string& why) {
  const std::string line =
      fmt::format("onecast-events: {}: {} is left out: {}\n", path, column, why);
  std::fwrite(line.data(), 1, line.size(), stderr);  // fmt::print throws if the disk is full
}

std::vector<OptionInfo> root_compression_options() {
  OptionInfo compression{.name = "compression",
                         .kind = OptionInfo::Kind::choice,
                         .otherwise = "zstd",
                         .description = "of ROOT's baskets or pages",
                         .choices = {}};
  for (const Algorithm& algorithm : kAlgorithms) compression.choices.emplace_back(algorithm.name);
  return {compression,
          {.name = "level",
           .kind = OptionInfo::Kind::number,
           .otherwise = "",
           .description = "of the compression: 1 to 9; by default 5 of zstd, 4 of lz4 and lzma"}};
}

int root_compression(const Options& options) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (options.text("compression") != algorithm.name) continue;
    const auto level =
        options.is_given("level") ? static_cast<int>(options.number("level")) : algorithm.level;
    if (options.is_given("level") && algorithm.number == 0)
      options.reject("level", "is for a compression");
    if (algorithm.number != 0 && (level < 1 || level > algorithm.most))
      options.reject("level", fmt::format("1 to {} was expected", algorithm.most));
    return algorithm.number * 100 + level;
  }
  return 0;
}

SourceInfo root_source() {
  return {.name = "ROOT",
          .description = "a TTree or an RNTuple of a ROOT file",
          .file = FileUse::required,
          .options = {{.name = "tree",
                       .kind = OptionInfo::Kind::text,
                       .otherwise = "",
                       .description = "its name; by default Events, events, or the only one"},
                      {.name = "identity",
                       .kind = OptionInfo::Kind::text,
                       .otherwise = "",
                       .description =
                           "columns of run, lumi and event, with commas; by default the usual; "
                           ",,: none, the entries are numbered"}},
          .make = open_source};
}

}  // namespace onecast::events::root

extern "C" void onecast_events_register(onecast::events::Registry& registry) {
  using namespace onecast::events::root;
  registry.add(root_source());
  registry.add(tree_outputer());
  registry.add(blob_outputer());
  registry.add(ntuple_outputer());
}
