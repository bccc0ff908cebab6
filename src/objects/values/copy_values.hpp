#pragma once

#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "objects/values/heap_reader.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::values {

/// Elements that point elsewhere, on their way to another file: puts what they point to into its
/// heap, and makes references lead to copies. All ranks do the same. References to what is not
/// copied are kept within a file, and else become ones that were never set.
class ValueCopy {
 public:
  /// The copy of an object of the source; null: it is not copied.
  using CopyOf = std::function<Node*(Address)>;

  ValueCopy(FileState& source, FileState& target, CopyOf copy_of);
  /// Reads all that elements point to, and changes nothing.
  static void check(FileState& source, FileState& target, const Datatype& type, ByteView elements);

  /// What has read all that elements point to, but for what is damaged.
  static HeapReader look_up(FileState& file, const Datatype& type, ByteView elements);

  /// `keep`: all ranks may want to read the values before the next flush.
  void translate(const Datatype& type, std::span<std::byte> elements, bool keep);

 private:
  void translate_sequence(const Datatype& type, std::span<std::byte> element, bool keep);
  void translate_reference(const Datatype& type, std::span<std::byte> element, bool keep);
  void translate_revised(std::span<std::byte> element, bool keep);
  GlobalHeapId put(ByteView value, bool keep);
  [[nodiscard]] bool translate_address(std::span<std::byte> address) const;

  FileState& source_;
  FileState& target_;
  CopyOf copy_of_;
  HeapReader reader_;
  bool only_checks_ = false;
};

}  // namespace onecast::values
