#pragma once

#include <memory>
#include <string>

#include "onecast/events/component.hpp"

class TFile;
class TTree;

namespace onecast::events::root {

SourceInfo root_source();
OutputerInfo tree_outputer();
OutputerInfo blob_outputer();
OutputerInfo ntuple_outputer();

/// Throw Error that names the file.
std::unique_ptr<TFile> open_file(const std::string& path);
std::unique_ptr<TFile> create_file(const std::string& path, int compression);

/// The sources of what a file may hold; `identity`: names of the columns with run, lumi, event.
std::unique_ptr<Source> tree_source(std::unique_ptr<TFile> file, const std::string& tree,
                                    const std::string& identity);
/// Has the tree whole events as blobs, which another one describes?
bool has_blobs(TFile& file, TTree& tree);
std::unique_ptr<Source> blob_source(std::unique_ptr<TFile> file, const std::string& tree);
std::unique_ptr<Source> ntuple_source(std::unique_ptr<TFile> file, const std::string& name,
                                      const std::string& identity);

/// The options `compression` and `level`, and what ROOT calls both together.
std::vector<OptionInfo> root_compression_options();
int root_compression(const Options& options);

/// Names of what the writers add.
constexpr const char* kEventId = "EventID";
constexpr const char* kEventIdLeaves = "run/i:lumi/i:event/l";
constexpr const char* kMeta = "Meta";
constexpr const char* kSerializer = "onecast.serializer";
/// What made bytes of the values of a file without such a note.
constexpr const char* kRoot = "ROOT";
/// The serializer of values as they are in memory, little-endian.
constexpr const char* kRaw = "raw";

/// Tells that a column cannot be read.
void leave_out(const std::string& path, const std::string& column, const std::string& why);

}  // namespace onecast::events::root
