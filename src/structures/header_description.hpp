#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// A row of a record's table in the specification, as text.
struct DescribedField {
  Address address;
  std::uint64_t size = 0;
  std::string name;
  std::string value;  ///< text from the file is unchanged; may be any bytes
};

/// One record at its place in the file.
struct DescribedRecord {
  std::string title;  ///< the title of the specification's table
  Address address;
  std::uint64_t size = 0;
  std::vector<DescribedField> fields;
  std::string problem;  ///< why there are no fields; else empty
};

/// Describes a whole object header: its blocks and, for each message, its header and then its data,
/// in the order of the file, including NIL and continuation messages. A message that cannot be
/// decoded has a `problem`. Throws Error if the header itself is damaged, like read_object_header.
std::vector<DescribedRecord> describe_header(MetadataSource& source, Address address);

}  // namespace onecast::structures
