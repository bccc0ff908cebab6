// The workloads of the core: see README.md.
#include <cstdint>
#include <numeric>
#include <onecast/onecast.hpp>
#include <string>
#include <vector>

#include "workload.hpp"

namespace {

using onecast::Access;
using onecast::Dataset;
using onecast::DatasetOptions;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::File;
using onecast::Group;
using onecast::Hyperslab;
using onecast_bench::measure;
using Path = std::filesystem::path;

std::string in(const Path& folder, const char* name) { return (folder / name).string(); }

// Many small objects

constexpr int kGroups = 16;
constexpr int kZones = 32;

void set_attributes(Group& group, const std::string& name) {
  group.set_attribute("name", name);
  group.set_attribute("label", "Zone_t");
  group.set_attribute("order", 7);
}

void fill(const File& file) {
  const std::vector<std::int64_t> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (int g = 0; g < kGroups; ++g) {
    Group group = file.root().create_group("Base" + std::to_string(g));
    set_attributes(group, "Base");
    for (int z = 0; z < kZones; ++z) {
      Group zone = group.create_group("Zone" + std::to_string(z));
      set_attributes(zone, "Zone");
      zone.create_dataset("data", {3, 3}, values);
    }
  }
}

std::size_t read_attributes(const onecast::Object& object) {
  std::size_t bytes = 0;
  for (const onecast::Attribute& a : object.attributes())
    bytes += a.name().size() + a.datatype().size() + a.bytes().size();
  return bytes;
}

std::size_t read_group(const Group& group) {
  std::size_t bytes = read_attributes(group);
  for (const onecast::Link& link : group.links()) {
    if (group.kind_of(link) == onecast::ObjectKind::group) {
      bytes += read_group(group.open_group(link));
      continue;
    }
    const Dataset dataset = group.open_dataset(link);
    bytes += dataset.read<std::int64_t>().size() + read_attributes(dataset);
  }
  return bytes;
}

void small_objects(const Path& folder) {
  const std::string path = in(folder, "small.h5");
  File file = File::create(path);
  measure("create small objects", [&] { fill(file); });
  measure("flush small objects", [&] { file.flush(); });
  file.close();
  measure("open and read small objects", [&] {
    file = File::open(path);
    read_group(file.root());
    file.close();
  });
}

// Sessions

void sessions(const Path& folder) {
  const std::string path = in(folder, "small.h5");
  measure("sessions that change an attribute", [&] {
    for (int i = 0; i < 50; ++i) {
      File file = File::open(path, Access::read_write);
      Group group = file.root().open_group("Base" + std::to_string(i % kGroups));
      group.set_attribute("order", i);
      file.close();
    }
  });
  measure("sessions that add a dataset", [&] {
    for (int i = 0; i < 50; ++i) {
      File file = File::open(path, Access::read_write);
      file.root().create_dataset("Base3/new" + std::to_string(i), {1}, {i});
      file.close();
    }
  });
}

// Blocks of arrays, and strings

constexpr std::uint64_t kSide = 256;
constexpr std::uint64_t kBlock = 16;

/// Calls each(part) for all blocks of the array.
template <class F>
void for_each_block(F&& each) {
  for (std::uint64_t row = 0; row < kSide; row += kBlock)
    for (std::uint64_t column = 0; column < kSide; column += kBlock)
      each(Hyperslab{{row, column}, {kBlock, kBlock}});
}

void blocks(const Path& folder) {
  const std::string path = in(folder, "blocks.h5");
  const std::vector<double> block(kBlock * kBlock, 1.0);
  std::vector<double> read(block.size());
  File file = File::create(path);
  const Dataspace space({kSide, kSide});
  Dataset plain = file.root().create_dataset("plain", {Datatype::of<double>(), space});
  measure("collective writes of blocks",
          [&] { for_each_block([&](const Hyperslab& part) { plain.write_all(block, part); }); });
  measure("reads of blocks",
          [&] { for_each_block([&](const Hyperslab& part) { plain.read(read, part); }); });
  DatasetOptions options{.chunk = {32, 32}};
  options.filters = {onecast::Filter::shuffle(), onecast::Filter::fletcher32()};
  Dataset chunked = file.root().create_dataset(
      "chunked", {.type = Datatype::of<double>(), .space = space, .options = options});
  measure("chunked writes of blocks", [&] {
    for_each_block([&](const Hyperslab& part) { chunked.write(block, part); });
    file.flush();
  });
  file.close();
  file = File::open(path, Access::read_only, {.decode_threads = 1});
  chunked = file.root().open_dataset("chunked");
  measure("chunked reads of blocks",
          [&] { for_each_block([&](const Hyperslab& part) { chunked.read(read, part); }); });
  file.close();
}

void strings(const Path& folder) {
  const std::string path = in(folder, "strings.h5");
  std::vector<std::string> texts(2000);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = "text " + std::to_string(i);
  measure("strings of variable length", [&] {
    File file = File::create(path);
    Dataset dataset = file.root().create_dataset(
        "texts", {Datatype::variable_string(), Dataspace({texts.size()})});
    dataset.write(texts);
    file.close();
    file = File::open(path);
    file.root().open_dataset("texts").read(texts);
    file.close();
  });
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_workloads(argc, argv, [](const Path& folder) {
    small_objects(folder);
    sessions(folder);
    blocks(folder);
    strings(folder);
  });
}
