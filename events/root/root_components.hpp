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

/// Opens or creates a file. Throws an Error that names the file.
std::unique_ptr<TFile> open_file(const std::string& path);
std::unique_ptr<TFile> create_file(const std::string& path, int compression);

/// The sources for the contents that a file may have; `identity` names the columns of run, lumi and
/// event.
std::unique_ptr<Source> tree_source(std::unique_ptr<TFile> file, const std::string& tree,
                                    const std::string& identity);
/// True if the tree holds whole events as blobs, which another tree describes.
bool has_blobs(TFile& file, TTree& tree);
std::unique_ptr<Source> blob_source(std::unique_ptr<TFile> file, const std::string& tree);
std::unique_ptr<Source> ntuple_source(std::unique_ptr<TFile> file, const std::string& name,
                                      const std::string& identity);

/// The options `compression` and `level`, and ROOT's number for both together.
std::vector<OptionInfo> root_compression_options();
int root_compression(const Options& options);

/// The names of the objects that the writers add.
constexpr const char* kEventId = "EventID";
constexpr const char* kEventIdLeaves = "run/i:lumi/i:event/l";
constexpr const char* kMeta = "Meta";
constexpr const char* kSerializer = "onecast.serializer";
/// The serializer of a file without a note of it.
constexpr const char* kRoot = "ROOT";
/// The serializer of values in their memory form, little-endian.
constexpr const char* kRaw = "raw";

/// Reports that a column cannot be read.
void leave_out(const std::string& path, const std::string& column, const std::string& why);

}  // namespace onecast::events::root
