#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "format/boot/superblock.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/object_header.hpp"
#include "format/objects/object_messages.hpp"
#include "structures/dense_pieces.hpp"

/// Creates small complete files around dense storage: a superblock, a root group whose links and
/// attributes are all dense, and one empty group to which all links lead.
namespace onecast::structures {

struct DenseFilePlan {
  std::size_t links = 0;           ///< "link%06d", after the first, "target"
  std::size_t attributes = 0;      ///< "attr%05d": 8 bytes, whose value is the number
  std::size_t big_attributes = 0;  ///< "big%03d": (4000 + 500 number) bytes of the number
};

struct Extent {
  Address address;
  std::uint64_t size;
};

class DenseFile {
 public:
  explicit DenseFile(const DenseFilePlan& plan) : plan_(plan) { build(); }

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  /// Returns the places of the pieces of links and attributes.
  [[nodiscard]] const std::vector<Extent>& pieces() const { return pieces_; }
  void save(const std::string& path) const {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes_.data()),
              static_cast<std::streamsize>(bytes_.size()));
  }

 private:
  template <class R>
  void add(const R& record) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + encoded_size(file_, record));
    ByteWriter out(std::span<std::byte>(bytes_).subspan(start));
    encode(out, file_, record);
  }

  template <class M>
  void add_message(MessageType type, const M& message, bool with_creation_order) {
    const auto size = static_cast<std::uint16_t>(encoded_size(file_, message));
    add(MessageHeaderV2{with_creation_order, type, size, 0, 0});
    add(message);
  }

  void add_checksum(std::size_t start) {
    bytes_.resize(bytes_.size() + 4);
    const ByteView covered = ByteView(bytes_).subspan(start, bytes_.size() - start - 4);
    ByteWriter(std::span(bytes_).last(4)).uint(lookup3(covered), 4);
  }

  void start_header(std::uint8_t flags, std::uint64_t messages_size) {
    ObjectHeaderPrefixV2 prefix;
    prefix.flags = flags;
    prefix.chunk0_size = messages_size;
    add(prefix);
  }

  void add_target() {
    const std::size_t start = bytes_.size();
    start_header(0, 4 + 18 + 4 + 2 + 4 + 5);
    add_message(MessageType::link_info, LinkInfoMessage{}, false);
    add_message(MessageType::group_info, GroupInfoMessage{}, false);
    add_message(MessageType::reference_count,
                ReferenceCountMessage{static_cast<std::uint32_t>(plan_.links + 1)}, false);
    add_checksum(start);
  }

  void add_root(const std::vector<Address>& links, const DensePieces& link_pieces,
                const std::vector<Address>& attributes, const DensePieces& attribute_pieces) {
    LinkInfoMessage link_info;
    link_info.flags = LinkInfoMessage::kOrderTracked | LinkInfoMessage::kOrderIndexed;
    link_info.maximum_creation_index = plan_.links + 1;
    link_info.fractal_heap = links[DensePieces::heap_piece()];
    link_info.name_btree = links[link_pieces.name_index_piece()];
    link_info.creation_order_btree = links[*link_pieces.creation_order_index_piece()];
    AttributeInfoMessage attribute_info;
    attribute_info.flags =
        AttributeInfoMessage::kOrderTracked | AttributeInfoMessage::kOrderIndexed;
    attribute_info.maximum_creation_index =
        static_cast<std::uint16_t>(plan_.attributes + plan_.big_attributes);
    attribute_info.fractal_heap = attributes[DensePieces::heap_piece()];
    attribute_info.name_btree = attributes[attribute_pieces.name_index_piece()];
    attribute_info.creation_order_btree =
        attributes[*attribute_pieces.creation_order_index_piece()];

    const std::size_t start = bytes_.size();
    const std::uint64_t size = 3 * 6 + encoded_size(file_, link_info) +
                               encoded_size(file_, GroupInfoMessage{}) +
                               encoded_size(file_, attribute_info);
    start_header(header_flag::kAttributeOrderTracked | header_flag::kAttributeOrderIndexed, size);
    add_message(MessageType::link_info, link_info, true);
    add_message(MessageType::group_info, GroupInfoMessage{}, true);
    add_message(MessageType::attribute_info, attribute_info, true);
    add_checksum(start);
  }

  [[nodiscard]] std::vector<std::byte> link(std::size_t index, Address target) const {
    LinkMessage message;
    const std::string name = index == 0 ? "target" : fmt::format("link{:06}", index - 1);
    message.name = name;
    message.flags = LinkMessage::flags_for(name.size(), LinkType::hard, CharacterSet::ascii, true);
    message.creation_order = index;
    message.object_header = target;
    return encoded_message(message);
  }

  [[nodiscard]] std::vector<std::byte> attribute(std::size_t index) const {
    const bool big = index >= plan_.attributes;
    const std::size_t number = big ? index - plan_.attributes : index;
    const std::string name =
        big ? fmt::format("big{:03}", number) : fmt::format("attr{:05}", number);
    // The types are version 1 signed integers of 8 bytes and integers of 1 byte; dataspaces have
    // version 2.
    static constexpr std::uint8_t kInt64[] = {0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0};
    static constexpr std::uint8_t kUint8[] = {0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0};
    static constexpr std::uint8_t kScalar[] = {2, 0, 0, 0};
    const std::size_t length = big ? 4000 + 500 * number : 8;
    std::vector<std::byte> simple(12);
    ByteWriter dimension(simple);
    dimension.uint(0x01000102, 4);
    dimension.uint(length, 8);
    std::vector<std::byte> data(length, static_cast<std::byte>(number));
    if (!big) ByteWriter(data).uint(number, 8);
    AttributeMessage message;
    message.name = name;
    message.datatype = std::as_bytes(std::span(big ? kUint8 : kInt64));
    message.dataspace = big ? ByteView(simple) : std::as_bytes(std::span(kScalar));
    message.data = data;
    return encoded_message(message);
  }

  template <class M>
  [[nodiscard]] std::vector<std::byte> encoded_message(const M& message) const {
    std::vector<std::byte> bytes(encoded_size(file_, message));
    ByteWriter out(bytes);
    encode(out, file_, message);
    return bytes;
  }

  /// Gives the pieces consecutive addresses, and encodes them.
  std::vector<Address> place(const Pieces& pieces) {
    std::vector<Address> addresses;
    for (std::size_t i = 0; i < pieces.count(); ++i) {
      bytes_.resize((bytes_.size() + 7) / 8 * 8);
      addresses.push_back({bytes_.size()});
      pieces_.push_back({addresses.back(), pieces.size(i)});
      bytes_.resize(bytes_.size() + pieces.size(i));
    }
    for (std::size_t i = 0; i < pieces.count(); ++i)
      pieces.encode(i, std::span(bytes_).subspan(addresses[i].value, pieces.size(i)), addresses,
                    file_);
    return addresses;
  }

  void build() {
    bytes_.resize(SuperblockV2::size(file_));
    const Address target{bytes_.size()};
    add_target();

    const auto write = [](const std::vector<std::byte>& message, std::span<std::byte> out) {
      ASSERT_EQ(message.size(), out.size());
      std::copy(message.begin(), message.end(), out.begin());
    };
    const std::size_t link_count = plan_.links + 1;
    const std::size_t attribute_count = plan_.attributes + plan_.big_attributes;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < link_count; ++i)
      names.emplace_back(decode<LinkMessage>(link(i, target), {}, file_).name);
    const DensePieces links(
        DensePieces::Kind::links, link_count,
        [&](std::size_t i) { return DenseObject{names[i], i, link(i, target).size(), 0}; }, true,
        file_, [&](std::size_t i, std::span<std::byte> out) { write(link(i, target), out); });
    std::vector<std::string> attribute_names;
    for (std::size_t i = 0; i < attribute_count; ++i)
      attribute_names.emplace_back(decode<AttributeMessage>(attribute(i), {}, file_).name);
    const DensePieces attributes(
        DensePieces::Kind::attributes, attribute_count,
        [&](std::size_t i) { return DenseObject{attribute_names[i], i, attribute(i).size(), 0}; },
        true, file_, [&](std::size_t i, std::span<std::byte> out) { write(attribute(i), out); });

    const std::vector<Address> link_addresses = place(links);
    const std::vector<Address> attribute_addresses = place(attributes);
    SuperblockV2 superblock;
    superblock.root_group_header = {bytes_.size()};
    add_root(link_addresses, links, attribute_addresses, attributes);
    superblock.end_of_file = {bytes_.size()};
    ByteWriter out(std::span<std::byte>(bytes_).first(SuperblockV2::size(file_)));
    encode(out, file_, superblock);
  }

  DenseFilePlan plan_;
  FileContext file_{"dense.h5", 8, 8};
  std::vector<std::byte> bytes_;
  std::vector<Extent> pieces_;
};

}  // namespace onecast::structures
