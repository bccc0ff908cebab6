#pragma once

#include "base/namespaces.hpp"
#include "format/record.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Decodes the record of `length` bytes at `address`. `record` has the context members.
template <class R>
R read_record(MetadataSource& source, Address address, std::uint64_t length, R record = {}) {
  ByteReader in(source.view(address, length, R::kTitle), address, source.file(), R::kTitle);
  decode_into(in, record);
  return record;
}

/// A reader for errors about a record at `address`.
inline ByteReader reader_at(MetadataSource& source, Address address, const char* record) {
  return {ByteView{}, address, source.file(), record};
}

}  // namespace onecast::structures
