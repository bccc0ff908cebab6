#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// A row of a record's table in the specification, for people.
struct DescribedField {
  Address address;
  std::uint64_t size = 0;
  std::string name;
  std::string value;  ///< text of the file as it is; may be any bytes
};

/// One record where it lies.
struct DescribedRecord {
  std::string title;  ///< of the specification's table
  Address address;
  std::uint64_t size = 0;
  std::vector<DescribedField> fields;
  std::string problem;  ///< why there are no fields; else empty
};

/// All of an object header: its blocks, and of each message its header and then its data, as they
/// lie in the file, also what is NIL or leads to the next block. A message that cannot be decoded
/// has a problem. Throws Error where the header itself is damaged, as read_object_header.
std::vector<DescribedRecord> describe_header(MetadataSource& source, Address address);

}  // namespace onecast::structures
