#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "objects/codec/source_name.hpp"
#include "objects/elements/mapped_elements.hpp"
#include "objects/memory/box_index.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/dataset.hpp"
#include "space/bound_selection.hpp"

namespace onecast::files {
class FileState;
}  // namespace onecast::files

namespace onecast::format {
struct DataLayoutMessage;
struct VirtualDatasetBlock;
}  // namespace onecast::format

namespace onecast::virtual_datasets {

/// Writes to the sources of a virtual dataset.
struct SourceWriter {
  /// Throws unless these elements of the source can be written.
  std::function<void(Node& source, const Selection& part)> check;
  /// Writes elements, packed in the stored type of the virtual dataset.
  std::function<void(Node& source, const Selection& part, std::span<const std::byte> elements)>
      write;
};

/// The parts of a virtual dataset. Immutable except for its open files; any number of threads may
/// read at once.
class VirtualStorage final : public MappedElements {
 public:
  /// @param stored the dataspace in the header. If mappings are unlimited, sources are opened to
  /// find out their sizes.
  VirtualStorage(Node& dataset, const Dataspace& stored, const DataLayoutMessage& layout);

  /// Returns the dataspace, with the size that follows from the sources.
  [[nodiscard]] const Dataspace& space() const { return space_; }
  /// Returns true if the size follows from sources.
  [[nodiscard]] bool grows() const;
  [[nodiscard]] std::vector<VirtualMapping> mappings() const;
  /// Throws Error (not_found), which names the source, if a source does not exist and its elements
  /// would read as the fill value. Does not communicate.
  void require_sources() const;

  void read(const BoundSelection& selection, const ElementTarget& out) const override;
  /// Throws Error unless each of the selected elements has a source that exists and can be written:
  /// not_found, state, unsupported, format; invalid_argument for unmapped elements.
  void check_write(const BoundSelection& selection, const SourceWriter& writer) const;
  /// Writes the selected elements, packed in the stored type, to their sources. Throws what
  /// check_write() throws before anything is written. Does not communicate.
  void write(const BoundSelection& selection, std::span<const std::byte> elements,
             const SourceWriter& writer) const;

 private:
  friend class VirtualTransfer;

  struct Mapping {
    SourceName file, dataset;
    Selection source, mapped;
  };
  /// Elements of one source: a mapping, or one of its blocks, without unlimited sides.
  struct Piece {
    const Mapping* mapping;
    std::uint64_t block;
    const Selection* source;
    const Selection* mapped;
  };
  struct Source {
    std::shared_ptr<FileState> file;
    Node* node;
  };

  enum class For : std::uint8_t { reading, writing };

  void decode(const VirtualDatasetBlock& block, Address where);
  /// Makes the pieces and the dataspace.
  void resolve(const Dataspace& stored);
  /// Both return the extent of the mapping along `d`, its unlimited dimension.
  std::uint64_t add_growing(const Mapping& mapping, std::size_t d);
  std::uint64_t add_blocks(const Mapping& mapping, std::size_t d);
  void add_piece(const Mapping& mapping, std::uint64_t block, const Selection* source,
                 const Selection* mapped);
  const Selection* keep(Selection selection);

  /// Returns nothing if the file, or the dataset in it, does not exist. `missing_file` is the last
  /// file that was not found, which is not searched for again.
  [[nodiscard]] std::optional<Source> open(const Mapping& mapping, std::uint64_t block,
                                           std::string& missing_file, For use = For::reading) const;
  [[nodiscard]] std::shared_ptr<FileState> open_file(const std::string& name, For use) const;
  [[noreturn]] void fail(const char* field, const std::string& what) const;

  Node& dataset_;
  Address heap_;  ///< the heap's address, for errors
  Dataspace space_;
  std::vector<Mapping> mappings_;
  std::vector<Piece> pieces_;
  std::deque<Selection> kept_;  ///< the selections of pieces that are not whole mappings
  BoxIndex boxes_;              ///< the boxes of the pieces in the virtual dataset

  mutable Mutex files_mutex_;
  mutable std::unordered_map<std::string, std::weak_ptr<FileState>> files_;  ///< by name
};

/// Returns the parts of a virtual dataset.
inline const VirtualStorage& sources_of(const DatasetInfo& info) {
  return static_cast<const VirtualStorage&>(*info.storage);
}

/// Held while virtual datasets on this thread read their sources, which may be virtual, too.
class VirtualNesting {
 public:
  /// @param elements the number of elements requested of the outermost dataset
  /// Throws Error (format) if the nesting is deeper than any sensible file has, as in a loop.
  explicit VirtualNesting(const Node& dataset, std::uint64_t elements = 0);
  VirtualNesting(const VirtualNesting&) = delete;
  VirtualNesting& operator=(const VirtualNesting&) = delete;
  ~VirtualNesting();

  /// Counts work: `elements` are copied from one piece. Throws Error (unsupported) if the sum over
  /// all levels is far larger than a sound file needs.
  static void spend(const Node& dataset, std::uint64_t elements);
};

}  // namespace onecast::virtual_datasets
