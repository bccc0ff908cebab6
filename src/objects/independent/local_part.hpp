#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/local_edits.hpp"

namespace onecast::independent {

/// The local edits of one rank in the form in which they are sent: the additions to objects that
/// all ranks know, and the new objects. Views refer to the bytes from which they were unpacked.
struct LocalPart {
  /// An object that all ranks know, with a path that led to it.
  struct Known {
    NodeId id{};
    std::string_view path{};
  };
  enum class Target : std::uint8_t { new_object, known_object, soft, external };
  struct Link {
    std::string_view name{};
    Target target{};
    std::size_t object = 0;  ///< the index of a new object
    Known known{};
    std::span<const std::byte> value{};  ///< the value of a soft or external link
  };
  struct Attribute {
    ByteView message{};
    std::optional<std::span<const std::byte>> values{};  ///< packed values of variable length
  };
  /// Adjacent items of a vector.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;

    template <class T>
    [[nodiscard]] std::span<const T> of(const std::vector<T>& all) const {
      return std::span(all).subspan(first, count);
    }
  };
  struct Contents {
    Range links{};
    Range attributes{};
  };
  struct Holder {
    Known node{};
    Contents contents{};
  };
  struct Message {
    MessageType type{};
    std::uint8_t flags = 0;
    ByteView data{};
  };
  struct Object {
    ObjectKind kind{};
    bool on_the_way = false;
    bool has_data = false;   ///< contiguous data, which its rank will write
    bool has_gaps = false;   ///< true if nobody wrote some of these elements
    GroupOptions options{};  ///< without the limits of links, which a message has
    ByteView beside{};       ///< see LocalObject
    /// The packed values of variable length of the fill value in its message.
    std::optional<std::span<const std::byte>> fill_value{};
    Range messages{};
    Contents contents{};
    Node* linked = nullptr;  ///< set once a link leads to the object
  };

  std::vector<Holder> holders{};
  std::vector<Object> objects{};
  std::vector<Link> links{};
  std::vector<Attribute> attributes{};
  std::vector<Message> messages{};
};

/// The bytes that this rank sends, and its own objects and attributes in that order.
struct PackedLocalEdits {
  std::vector<std::byte> bytes{};
  std::vector<Node*> objects{};
  /// First for each holder, then for each object.
  std::vector<std::vector<const AttributeEntry*>> attributes{};
};

PackedLocalEdits pack(const LocalEdits& edits);
LocalPart unpack_local_part(std::span<const std::byte> bytes);

}  // namespace onecast::independent
