#include "objects/lifetime/stored_elsewhere.hpp"

#include <fmt/format.h>

#include "format/infra/local_heap.hpp"
#include "format/infra/virtual_dataset_block.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/selection_codec.hpp"
#include "structures/heaps/heap_packer.hpp"

namespace onecast::lifetime {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() && text.find('\0') == std::string::npos;
}

/// Returns a place in the metadata pages of the next flush; for what only this rank knows, a place
/// that no file has.
Address take_place(FileState& file, std::uint64_t size) {
  return file.local_edits().is_inside() ? file.local_edits().heap.take(size, file.store().file())
                                        : file.allocator().metadata(size);
}

/// The names in sequence, each ended by NUL and padded to a multiple of 8 bytes. The first is
/// empty, as other libraries have it.
class NameHeap {
 public:
  std::uint64_t add(const std::string& name) {
    const std::uint64_t offset = names_.size();
    names_ += name;
    names_.resize((names_.size() / kAlignment + 1) * kAlignment);
    return offset;
  }

  [[nodiscard]] ByteView bytes() const { return std::as_bytes(std::span(names_)); }

 private:
  static constexpr std::size_t kAlignment = 8;
  std::string names_ = std::string(kAlignment, '\0');
};

/// A collection of the global heap in a block of its own.
class OwnCollection final : private HeapPacker::Target {
 public:
  explicit OwnCollection(FileState& file) : file_(file) {}

  GlobalHeapId put(ByteView value) {
    HeapPacker packer(file_.store().file(), *this);
    const GlobalHeapId id = packer.put(value);
    packer.finish();
    return id;
  }

 private:
  Address begin(std::uint64_t size) override { return take_place(file_, size); }
  void complete(const HeapRoom& room, std::span<const std::byte> bytes, std::uint64_t) override {
    file_.new_blocks().put(room.address, file_.arena().keep(bytes));
    if (room.size > bytes.size() && !file_.local_edits().is_inside())
      file_.allocator().free_metadata(room.address + bytes.size(), room.size - bytes.size());
  }

  FileState& file_;
};

/// Writes "III.D. Disk Format: Level 1D - Local Heaps": the header, then the data segment.
Address store_names(FileState& file, ByteView names) {
  const FileContext& context = file.store().file();
  LocalHeapHeader header;
  header.data_segment_size = names.size();
  const std::uint64_t header_size = encoded_size(context, header);
  const std::span<std::byte> bytes = file.arena().allocate(header_size + names.size());
  const Address address = take_place(file, bytes.size());
  header.data_segment = address + header_size;
  ByteWriter out(bytes);
  encode(out, context, header);
  out.bytes(names);
  file.new_blocks().put(address, bytes);
  return address;
}

void store_mappings(FileState& file, ByteView mappings, DataLayoutMessage& layout) {
  const GlobalHeapId id = OwnCollection(file).put(mappings);
  layout.address = id.collection;
  layout.heap_index = id.index;
}

}  // namespace

void check_slots(const std::vector<ExternalSlot>& slots, std::uint64_t size, const Reject& reject) {
  std::uint64_t room = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const ExternalSlot& slot = slots[i];
    if (!is_name(slot.file))
      reject(fmt::format("external file {}: a name without NUL expected", i));
    const bool endless = slot.size == ExternalSlot::kUnlimited;
    if (endless && i + 1 != slots.size())
      reject(fmt::format("external file \"{}\": only the last can be unlimited", slot.file));
    if (slot.size == 0) reject(fmt::format("external file \"{}\": of 0 bytes", slot.file));
    std::uint64_t end = 0;
    if (!endless && (__builtin_add_overflow(slot.offset, slot.size, &end) || end > INT64_MAX))
      reject(fmt::format("external file \"{}\": offset and size exceed 2^63", slot.file));
    if (__builtin_add_overflow(room, slot.size, &room)) room = UINT64_MAX;
  }
  if (slots.size() > UINT16_MAX) reject("at most 65,535 external files");
  if (room < size)
    reject(fmt::format("external files: have room for {} bytes, {} are needed", room, size));
}

void check_mappings(const std::vector<VirtualMapping>& mappings, const Dataspace& space,
                    const Reject& reject) {
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const VirtualMapping& m = mappings[i];
    if (!is_name(m.file) || !is_name(m.dataset))
      reject(fmt::format("virtual source {}: file and dataset names without NUL expected", i));
    for (const Selection* s : {&m.source, &m.mapped})
      if (s->kind() == Selection::Kind::points)
        reject(fmt::format("virtual source {}: points cannot be mapped", i));
    if (m.mapped.kind() == Selection::Kind::all || m.mapped.kind() == Selection::Kind::none)
      continue;
    if (m.mapped.rank() != space.rank())
      reject(fmt::format("virtual source {}: {} dimensions expected, {} given", i, space.rank(),
                         m.mapped.rank()));
    if (m.mapped.is_unlimited()) continue;
    const Selection::Box box = m.mapped.bounding_box();
    for (std::size_t d = 0; d < space.rank(); ++d)
      if (box.end[d] > space.shape()[d])
        reject(fmt::format("virtual source {}: ends at {} in dimension {}, the dataset at {}", i,
                           box.end[d], d, space.shape()[d]));
    if (!m.source.is_unlimited() && m.source.kind() != Selection::Kind::all &&
        m.source.element_count() != m.mapped.element_count())
      reject(fmt::format("virtual source {}: {} elements are mapped to {}", i,
                         m.source.element_count(), m.mapped.element_count()));
  }
}

HeaderMessage external_data_files(FileState& file, const std::vector<ExternalSlot>& slots,
                                  ByteView& beside) {
  ExternalDataFilesMessage message;
  NameHeap names;
  for (const ExternalSlot& slot : slots)
    message.slots.push_back({names.add(slot.file), slot.offset, slot.size});
  beside = file.arena().keep(names.bytes());
  message.heap = store_names(file, beside);
  return {MessageType::external_data_files,
          0,
          0,
          {},
          encode_kept(message, file.store().file(), file.arena())};
}

DataLayoutMessage virtual_layout(FileState& file, const std::vector<VirtualMapping>& mappings,
                                 ByteView& beside) {
  DataLayoutMessage layout;
  layout.version = 4;
  layout.layout_class = LayoutClass::virtual_dataset;
  if (mappings.empty()) return layout;
  VirtualDatasetBlock block;
  for (const VirtualMapping& m : mappings) {
    VirtualMappingEntry& entry = block.entries.emplace_back();
    entry.file_name = m.file;
    entry.dataset_name = m.dataset;
    entry.source = to_record(m.source);
    entry.mapped = to_record(m.mapped);
  }
  const FileContext& context = file.store().file();
  const std::span<std::byte> bytes = file.arena().allocate(encoded_size(context, block));
  ByteWriter out(bytes);
  encode(out, context, block);
  beside = bytes;
  store_mappings(file, beside, layout);
  return layout;
}

void store_beside(FileState& file, HeaderMessage& message, ByteView beside) {
  const FileContext& context = file.store().file();
  if (message.type == MessageType::external_data_files) {
    auto files = decode<ExternalDataFilesMessage>(message.data, message.address, context);
    files.heap = store_names(file, beside);
    message.data = encode_kept(files, context, file.arena());
  } else if (message.type == MessageType::data_layout) {
    auto layout = decode<DataLayoutMessage>(message.data, message.address, context);
    if (layout.layout_class != LayoutClass::virtual_dataset) return;
    store_mappings(file, beside, layout);
    message.data = encode_kept(layout, context, file.arena());
  }
}

}  // namespace onecast::lifetime
