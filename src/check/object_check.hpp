#pragma once

#include <deque>
#include <string>
#include <unordered_set>

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "check/value_check.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/objects/group_messages.hpp"
#include "structures/object_contents.hpp"

namespace onecast::check {

/// Checks objects, breadth first.
class ObjectCheck {
 public:
  explicit ObjectCheck(CheckContext& context) : context_(context) {}

  /// Reads the superblock extension, which is owned by the file itself.
  ObjectHeader extension(Address address);
  /// Checks the root group and everything below it.
  void run(Address root);

 private:
  struct Waiting {
    Address address;
    std::string path;
  };

  void enqueue(Address address, std::string path);
  void visit(const Waiting& object);
  /// Resolves a shared message, each one once.
  HeaderMessage resolve(const HeaderMessage& message);
  void decode_message(const HeaderMessage& message);
  void count_kind(const ObjectHeader& header);

  void links(const ObjectHeader& header, const std::string& path);
  void link(const LinkMessage& link, const std::string& path);
  void symbol_table(const HeaderMessage& message, const std::string& path);
  void dense_links(const LinkInfoMessage& info, const std::string& path);

  void attributes(const ObjectHeader& header);
  void attribute(ByteView message, Address where);
  void dense_attributes(const AttributeInfoMessage& info);

  void dataset(const ObjectHeader& header);

  CheckContext& context_;
  std::deque<Waiting> queue_;
  std::unordered_set<Address> seen_;
  std::unordered_map<Address, HeaderMessage> committed_;  ///< committed datatypes
};

/// Checks layout, storage and values of a dataset.
void check_data(CheckContext& context, const HeaderMessage& type, const HeaderMessage& space,
                const HeaderMessage& layout, const HeaderMessage* pipeline, bool external);

/// The number of elements of a dataspace; 2^64 - 1 if there are more.
std::uint64_t element_count(const DataspaceMessage& space);

}  // namespace onecast::check
