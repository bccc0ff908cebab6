// The B x Z file (README.md, "The workload"), filled and read through Onecast.
#pragma once

#include <algorithm>
#include <cstdint>
#include <onecast/onecast.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "digest.h"
#include "workload.h"

namespace onecast_bench {

using onecast::Access;
using onecast::Dataset;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::File;
using onecast::Group;

template <class T, std::size_t N>
std::span<const std::byte> bytes_of(const T (&values)[N]) {
  return std::as_bytes(std::span(values));
}

struct Types {
  Datatype name = Datatype::string(kNameSize);
  Datatype type = Datatype::string(kTypeSize);
  Datatype int32 = Datatype::of<std::int32_t>();
  Datatype int64 = Datatype::of<std::int64_t>();
  Datatype character = Datatype::of<char>();
};

inline void set_attributes(Group& group, const Types& types, const NodeAttributes& a) {
  group.set_attribute("name", types.name, Dataspace(), bytes_of(a.name));
  group.set_attribute("label", types.name, Dataspace(), bytes_of(a.label));
  group.set_attribute("type", types.type, Dataspace(), bytes_of(a.type));
}

inline void fill_zone(Group& base, const Types& types, int b, int z, int zones) {
  const NodeAttributes attributes = workload_zone(z);
  Group zone = base.create_group(attributes.name);
  set_attributes(zone, types, attributes);
  std::int64_t values[kZoneValues];
  workload_zone_values(b, z, zones, values);
  zone.create_dataset(
      WORKLOAD_DATA_NAME,
      {.type = types.int64, .space = Dataspace({kZoneSide, kZoneSide}), .data = bytes_of(values)});
  Group zone_type = zone.create_group(WORKLOAD_ZONE_TYPE);
  set_attributes(zone_type, types, workload_zone_type());
  const std::string_view text = WORKLOAD_ZONE_TYPE_VALUE;
  zone_type.create_dataset(WORKLOAD_DATA_NAME, {.type = types.character,
                                                .space = Dataspace({kZoneTypeValues}),
                                                .data = std::as_bytes(std::span(text))});
}

inline void fill(const File& file, int bases, int zones) {
  const Types types;
  Group root = file.root();
  for (int b = 0; b < bases; ++b) {
    const NodeAttributes attributes = workload_base(b);
    Group base = root.create_group(attributes.name);
    set_attributes(base, types, attributes);
    std::int32_t values[kBaseValues];
    workload_base_values(values);
    base.create_dataset(
        WORKLOAD_DATA_NAME,
        {.type = types.int32, .space = Dataspace({kBaseValues}), .data = bytes_of(values)});
    for (int z = 0; z < zones; ++z) fill_zone(base, types, b, z, zones);
  }
}

/// Returns true if the type holds references or sequences, whose bytes mean nothing outside of the
/// file.
inline bool is_opaque(const Datatype& type) {
  return type.type_class() != onecast::TypeClass::variable_string && type.points_elsewhere();
}

/// Reads every object, attribute and value, and adds it to the digest.
class Walk {
 public:
  explicit Walk(Contents& contents) : contents_(contents) {}

  void group(const Group& g) {
    ++contents_.groups;
    const std::uint64_t path = digest_path(path_.c_str());
    digest_add(&contents_, digest_kind(path, 'G'));
    attributes(g, path);
    above_.push_back(g);
    const std::size_t length = path_.size();
    for (const onecast::Link& link : g.links()) {
      if (length != 0) path_ += '/';
      path_ += link.name;
      visit(g, link);
      path_.resize(length);
    }
    above_.pop_back();
  }

 private:
  void visit(const Group& parent, const onecast::Link& link) {
    if (link.kind != onecast::LinkKind::hard) return not_followed();
    switch (parent.kind_of(link)) {
      case onecast::ObjectKind::group: {
        const Group child = parent.open_group(link);
        const auto is_child = [&](const Group& g) { return g.same_object(child); };
        if (std::any_of(above_.begin(), above_.end(), is_child)) return not_followed();
        return group(child);
      }
      case onecast::ObjectKind::dataset:
        return dataset(parent.open_dataset(link));
      case onecast::ObjectKind::datatype:
        return datatype(parent.open_object(link));
    }
  }

  void not_followed() {
    ++contents_.links;
    digest_add(&contents_, digest_item(path_.c_str(), 'L'));
  }

  void datatype(const onecast::Object& object) {
    ++contents_.datatypes;
    const std::uint64_t path = digest_path(path_.c_str());
    digest_add(&contents_, digest_kind(path, 'T'));
    attributes(object, path);
  }

  void attributes(const onecast::Object& object, std::uint64_t path) {
    for (const onecast::Attribute& a : object.attributes()) {
      ++contents_.attributes;
      const std::string_view name = a.name();
      const std::uint64_t hash = digest_name(digest_kind(path, 'A'), name.data(), name.size());
      value(hash, a, [&] {
        // The value is copied, as in a program that uses it.
        const std::span<const std::byte> bytes = a.bytes();
        const std::span<std::byte> room = room_for(bytes.size());
        std::copy(bytes.begin(), bytes.end(), room.begin());
        return std::span<const std::byte>(room);
      });
    }
  }

  void dataset(const Dataset& d) {
    ++contents_.datasets;
    const std::uint64_t path = digest_path(path_.c_str());
    value(digest_kind(path, 'D'), d, [&] {
      const std::span<std::byte> room =
          room_for(static_cast<std::size_t>(d.element_count()) * d.datatype().size());
      d.read(room);
      return std::span<const std::byte>(room);
    });
    attributes(d, path);
  }

  /// Adds the value of `source`, an attribute or a dataset.
  template <class Source, class Bytes>
  void value(std::uint64_t hash, const Source& source, Bytes&& bytes) {
    const Datatype& type = source.datatype();
    const Dataspace& space = source.dataspace();
    const bool strings = type.type_class() == onecast::TypeClass::variable_string;
    const bool skip = is_opaque(type);
    constexpr unsigned kStringClass = 3;
    hash = digest_type(hash, strings ? kStringClass : type.class_number(),
                       strings || skip ? 0 : type.size());
    const bool null = space.kind() == Dataspace::Kind::null;
    hash = digest_shape(hash, null ? DIGEST_NULL_DATASPACE : static_cast<unsigned>(space.rank()),
                        space.shape().data());
    if (skip) {
      ++contents_.skipped;
    } else {
      try {
        if (strings)
          for (const std::string& text : source.template read<std::string>())
            hash = add_bytes(digest_number(hash, text.size(), 8), std::as_bytes(std::span(text)));
        else
          hash = add_bytes(hash, bytes());
      } catch (const onecast::Error&) {
        ++contents_.unreadable;
      }
    }
    digest_add(&contents_, hash);
  }

  std::uint64_t add_bytes(std::uint64_t hash, std::span<const std::byte> b) {
    contents_.value_bytes += b.size();
    return digest_bytes(hash, b.data(), b.size());
  }

  std::span<std::byte> room_for(std::size_t bytes) {
    if (buffer_.size() < bytes) buffer_.resize(bytes);
    return std::span(buffer_).first(bytes);
  }

  Contents& contents_;
  std::string path_;
  std::vector<std::byte> buffer_;
  std::vector<Group> above_;
};

}  // namespace onecast_bench
