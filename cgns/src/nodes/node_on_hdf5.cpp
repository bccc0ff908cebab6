#include "nodes/node_on_hdf5.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "grammar/failure.hpp"
#include "grammar/names.hpp"
#include "nodes/hdf5_type.hpp"

namespace onecast::cgns {

namespace {

// The names of CGNS's own links and datasets begin with a blank, which names of nodes do not.
constexpr std::string_view kData = " data";
constexpr std::string_view kLink = " link";
constexpr std::string_view kPath = " path";
constexpr std::string_view kFile = " file";

constexpr std::size_t kNameBytes = 33;
constexpr std::size_t kTypeBytes = 3;
constexpr int kMostLinks = 100;  // the longest chain of links

void set_text(Group& node, std::string_view name, std::string_view text, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), text.data(), std::min(text.size(), size - 1));
  node.set_attribute(name, Datatype::string(size), Dataspace(), bytes);
}

void set_identity(Group& node, std::string_view name, std::string_view label,
                  std::string_view type) {
  set_text(node, "name", name, kNameBytes);
  set_text(node, "label", label, kNameBytes);
  set_text(node, "type", type, kTypeBytes);
}

Group create_bare(Group& parent, std::string_view name, std::string_view label,
                  std::string_view type) {
  Group node = parent.create_group(name);
  set_identity(node, name, label, type);
  node.set_attribute("flags", std::array<std::int32_t, 1>{1});
  return node;
}

/// Creates a text with its NUL, as for " format" and " path".
void create_text(Group& node, std::string_view name, std::string_view text, std::size_t size) {
  std::vector<std::int8_t> bytes(size);
  std::memcpy(bytes.data(), text.data(), text.size());
  node.create_dataset(name, {size}, bytes, {.layout = Layout::compact});
}

std::string read_text(const Group& node, std::string_view name) {
  const auto bytes = node.open_dataset(name).read<std::byte>();
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

/// Returns chunks of at most 1 MiB, which the HDF5 library keeps in its cache. They divide the
/// slowest dimensions first, as ranks do.
Shape chunk_of(const Shape& shape, std::size_t element) {
  Shape chunk = shape;
  std::uint64_t left = (std::uint64_t{1} << 20U) / element;
  for (auto extent = chunk.rbegin(); extent != chunk.rend(); ++extent) {
    *extent = std::min(*extent, left);
    left /= *extent;
    if (left == 0) left = 1;
  }
  return chunk;
}

void create_data(Group& node, const Value& value, const Placement& placement) {
  if (value.type == ValueType::MT) return;
  check_dimension_count(static_cast<std::int64_t>(value.dims.size()));
  const std::uint64_t elements = element_count(value.dims);
  if (elements == 0) throw Failure("a dimension is 0: values are not empty");
  const std::size_t element = size_of(value.type);
  const Shape shape(value.dims.rbegin(), value.dims.rend());
  const bool is_small = fits_header(elements, element);
  DatasetOptions options{.fill_time = FillTime::never};
  if (placement.compression > 0 && !is_small && placement.storage != Storage::parts) {
    options = {.layout = Layout::chunked,
               .chunk = chunk_of(shape, element),
               .filters = {Filter::shuffle(),
                           Filter::deflate(static_cast<std::uint32_t>(placement.compression))}};
  } else if (placement.storage != Storage::automatic) {
    options.layout = Layout::contiguous;
  } else if (is_small) {
    options.layout = Layout::compact;
  }
  node.create_dataset(
      kData,
      {.type = hdf5_type(value.type), .space = shape, .data = value.bytes, .options = options});
}

void require_label(std::string_view label) {
  if (label.size() > kLongestName)
    throw Failure("the label '" + std::string(label) + "' has more than 32 characters");
}

}  // namespace

std::uint64_t element_count(const Dims& dims) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : dims) {
    if (extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / extent)
      throw Failure("the dimensions of a value are too large");
    count *= extent;
  }
  return count;
}

void write_root(Group& root) {
  set_identity(root, "HDF5 MotherNode", "Root Node of HDF5 File", "MT");
  create_text(root, " format", "IEEE_LITTLE_32", 15);
  create_text(root, " hdf5version", "HDF5 Version 1.8.0", kNameBytes);
}

std::string hdf5_version_of(const Group& root) {
  return read_text(root, " hdf5version").substr(0, kLongestName);
}

Group create_node(Group& parent, std::string_view name, std::string_view label, const Value& value,
                  const Placement& placement) {
  require_label(label);
  Group node = create_bare(parent, name, label, text_of(value.type));
  create_data(node, value, placement);
  return node;
}

Group create_link(Group& parent, std::string_view name, const LinkTarget& target) {
  Group link = create_bare(parent, name, "", "LK");
  std::string path = target.path.starts_with('/') ? target.path : "/" + target.path;
  create_text(link, kPath, target.path, target.path.size() + 1);
  if (trimmed(target.file).empty()) {
    link.create_soft_link(kLink, path);
  } else {
    create_text(link, kFile, target.file, target.file.size() + 1);
    link.create_external_link(kLink, target.file, path);
  }
  return link;
}

void write_name(Group& node, std::string_view name) { set_text(node, "name", name, kNameBytes); }

void write_label(Group& node, std::string_view label) {
  require_label(label);
  set_text(node, "label", label, kNameBytes);
}

void write_value(Group& node, const Value& value, const Placement& placement) {
  if (node.contains(kData)) node.remove(kData);
  set_text(node, "type", text_of(value.type), kTypeBytes);
  create_data(node, value, placement);
}

void copy_value(Group& node, ValueType type, const Dataset& data) {
  if (node.contains(kData)) node.remove(kData);
  set_text(node, "type", text_of(type), kTypeBytes);
  node.copy(data, kData);
}

std::string text_attribute(const Group& node, std::string_view name) {
  const auto attribute = node.find_attribute(name);
  const auto wrong = [&](const std::string& what) {
    return Failure(node.path() + ": attribute '" + std::string(name) + "': " + what);
  };
  if (!attribute) throw wrong("missing");
  if (attribute->datatype().type_class() != TypeClass::string) throw wrong("not a text");
  const auto bytes = attribute->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(text.substr(0, std::min(text.find('\0'), kLongestName)));
}

ValueType type_of(const Group& node) {
  try {
    return value_type_of(text_attribute(node, "type"));
  } catch (const Failure& failure) {
    throw Failure(node.path() + ": " + failure.what());
  }
}

std::optional<Dataset> data_of(const Group& node) {
  if (!node.contains(kData)) return {};
  return node.open_dataset(kData);
}

Dims dims_of(const Dataset& data, bool reversed) {
  const Shape& shape = data.shape();
  if (shape.empty()) return {1};
  return reversed ? Dims(shape.rbegin(), shape.rend()) : Dims(shape.begin(), shape.end());
}

bool is_link(const Group& node) {
  return node.contains(kLink) && text_attribute(node, "type") == "LK";
}

namespace {

/// Returns the path of the target of a link. Other libraries may store a link within a file as a
/// link to a file with a blank name.
std::optional<std::string> path_to_target(const Group& link) {
  if (link.kind_of(kLink)) return std::string(kLink);
  const LinkTarget target = target_of(link);
  std::string path = target.path.starts_with('/') ? target.path : "/" + target.path;
  if (!target.file.empty() || !link.kind_of(path)) return {};
  return path;
}

}  // namespace

std::optional<Group> followed(const Group& link) {
  Group node = link;
  try {
    for (int links = 0; is_link(node); ++links) {
      if (links == kMostLinks) return {};
      const auto path = path_to_target(node);
      if (!path) return {};
      node = node.open_group(*path);
    }
  } catch (const Error&) {
    return {};  // the other file is missing, or not HDF5
  }
  return node;
}

LinkTarget target_of(const Group& link) {
  LinkTarget target;
  target.path = read_text(link, kPath);
  if (link.contains(kFile)) target.file = read_text(link, kFile);
  if (trimmed(target.file).empty()) target.file.clear();
  return target;
}

}  // namespace onecast::cgns
