#pragma once

#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "objects/values/heap_reader.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::values {

/// Prepares elements that point elsewhere for another file: puts the values that they point to into
/// its heap, and makes references lead to copies. All ranks do this alike. References to objects
/// that are not copied are kept within a file; in another file they become references that were
/// never set.
class ValueCopy {
 public:
  /// Returns the copy of an object of the source; null if it is not copied.
  using CopyOf = std::function<Node*(Address)>;

  ValueCopy(FileState& source, FileState& target, CopyOf copy_of);
  /// Reads everything to which elements point, and changes nothing.
  static void check(FileState& source, FileState& target, const Datatype& type, ByteView elements);

  /// Calls each(address) for the references within the file, also for those in values of variable
  /// length.
  static void for_each_reference(FileState& file, const Datatype& type, ByteView elements,
                                 const std::function<void(Address)>& each);

  /// Returns a reader that has read everything to which elements point, except what is damaged.
  static HeapReader look_up(FileState& file, const Datatype& type, ByteView elements);

  /// `keep` is true if all ranks may read the values before the next flush.
  void translate(const Datatype& type, std::span<std::byte> elements, bool keep);

 private:
  static void look_at(FileState& source, FileState& target, const Datatype& type, ByteView elements,
                      CopyOf copy_of);
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
