#include <algorithm>

#include "check/index_check.hpp"
#include "check/object_check.hpp"
#include "filters/filter_name.hpp"
#include "filters/filters.hpp"
#include "format/infra/virtual_dataset_block.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "structures/read_record.hpp"
#include "types/datatype_codec.hpp"

namespace onecast::check {

std::uint64_t element_count(const DataspaceMessage& space) {
  if (space.type == DataspaceType::null) return 0;
  std::uint64_t count = 1;
  bool too_many = false;
  for (std::size_t d = 0; d < space.rank; ++d) {
    if (space.sizes[d] == 0) return 0;
    too_many = __builtin_mul_overflow(count, space.sizes[d], &count) || too_many;
  }
  return too_many ? ~std::uint64_t{0} : count;
}

namespace {

class DataCheck {
 public:
  DataCheck(CheckContext& context, const HeaderMessage& type, const HeaderMessage& space,
            const HeaderMessage& message)
      : context_(context),
        type_(to_datatype(decode<DatatypeMessage>(type.data, type.address, context.file()))),
        space_(decode<DataspaceMessage>(space.data, space.address, context.file())),
        message_(message),
        layout_(decode<DataLayoutMessage>(message.data, message.address, context.file())),
        values_(context, type_) {}

  void run(const HeaderMessage* pipeline, bool external) {
    if (external) {
      ++context_.counts["datasets in external files"];
      return;
    }
    switch (layout_.layout_class) {
      case LayoutClass::compact:
        return compact();
      case LayoutClass::contiguous:
        return contiguous();
      case LayoutClass::virtual_dataset:
        return virtual_dataset();
      case LayoutClass::chunked:
        return chunked(pipeline);
    }
  }

 private:
  [[noreturn]] void fail(const char* field, const std::string& what) const {
    reader_at(context_.source, message_.address, DataLayoutMessage::kTitle).fail(field, what);
  }

  /// The size of all elements in bytes.
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(element_count(space_), type_.size(), &bytes))
      fail("Size", "makes up more than 2^64 bytes");
    return bytes;
  }

  void compact() {
    ++context_.counts["compact datasets"];
    context_.report.compact_bytes += layout_.compact_data.size();
    if (layout_.compact_data.size() < size())
      fail("Compact Data Size", "is below that of the elements");
    values_.check(layout_.compact_data.first(static_cast<std::size_t>(size())), "");
  }

  void contiguous() {
    ++context_.counts["contiguous datasets"];
    if (!layout_.address.is_defined()) return;
    const std::uint64_t needed = size();
    const std::uint64_t stored = layout_.version < 3 ? needed : layout_.size;
    if (stored < needed) fail("Size", "is below that of the elements");
    note_data(layout_.address, stored, Use::contiguous, "Address");
    if (!context_.options.data || values_.is_empty()) return;
    constexpr std::size_t kPiece = std::size_t{4} << 20U;
    const std::size_t piece = std::max<std::size_t>(kPiece / type_.size(), 1) * type_.size();
    for (std::uint64_t at = 0; at < needed; at += piece) {
      bytes_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece, needed - at)));
      read(layout_.address + at);
      values_.check(bytes_, "");
    }
  }

  void note_data(Address address, std::uint64_t bytes, Use use, const char* field) {
    if (!context_.source.inner().is_inside(address, bytes))
      reader_at(context_.source, address, "Raw Data")
          .fail(field, fmt::format("{} bytes there leave the file, which ends at {:#x}", bytes,
                                   context_.source.inner().end()));
    context_.source.map().note(address.value, bytes, Family::raw_data, use,
                               context_.source.owner());
  }

  /// Fills bytes_.
  void read(Address address) {
    if (context_.transport.read_at(context_.base + address.value, bytes_) != bytes_.size())
      reader_at(context_.source, address, "Raw Data").fail("size", "the file is shorter");
  }

  void virtual_dataset() {
    ++context_.counts["virtual datasets"];
    if (!layout_.address.is_defined()) return;
    const UseGuard use(context_.source, Use::values);
    const ByteView block = context_.heap.object({layout_.address, layout_.heap_index});
    constexpr std::size_t kChecksum = 4;
    const ByteReader in(block, layout_.address, context_.file(),
                        "Disk Format for Global Heap Block");
    if (block.size() < kChecksum) in.fail("Checksum", "is missing");
    ByteReader stored(block.last(kChecksum), layout_.address, context_.file());
    if (!checksum_matches(block.first(block.size() - kChecksum),
                          stored.uint(kChecksum, "Checksum")))
      in.fail("Checksum", "does not match the bytes (damaged)");
    for (const auto& entry :
         decode<VirtualDatasetBlock>(block, layout_.address, context_.file()).entries)
      if (!entry.shares_file_name() && !entry.is_in_same_file() && entry.file_name != ".")
        context_.note_named_file(context_.path(), VirtualDatasetBlock::kTitle, entry.file_name);
  }

  // --- chunks ------------------------------------------------------------------------------------
  void chunked(const HeaderMessage* pipeline) {
    ++context_.counts["chunked datasets"];
    const ChunkGrid grid(layout_, std::span(space_.sizes).first(space_.rank),
                         std::span(space_.maximum_sizes).first(space_.rank), type_.size(),
                         message_.address, context_.file());
    if (pipeline != nullptr) read_pipeline(*pipeline);
    FilterTotal& total = context_.filters[name_];
    total.filters = name_;
    ++total.datasets;
    check_chunk_index(context_, grid, layout_, !filters_.empty(), [&](const ChunkEntry& chunk) {
      ++context_.counts["chunks"];
      ++total.chunks;
      total.stored_bytes += chunk.size;
      total.plain_bytes += grid.bytes;
      if (filters_.empty() && chunk.size != grid.bytes)
        reader_at(context_.source, chunk.address, "Raw Data")
            .fail("Chunk Size", fmt::format("is {} without filters, a chunk has {} bytes",
                                            chunk.size, grid.bytes));
      note_data(chunk.address, chunk.size, Use::chunks, "Address");
      if (context_.options.data) decode_data(grid, chunk);
    });
  }

  void read_pipeline(const HeaderMessage& message) {
    const auto found =
        decode<FilterPipelineMessage>(message.data, message.address, context_.file());
    for (const FilterDescription& f : found.filters) {
      filters_.push_back({f.id, f.is_optional(), std::string(f.name), f.client_data});
      const std::string_view known = filter_name(f.id);
      name_ += fmt::format("{}{}", name_.empty() ? "" : ", ",
                           known.empty() ? fmt::format("filter {}", f.id) : std::string(known));
    }
  }

  void decode_data(const ChunkGrid& grid, const ChunkEntry& chunk) {
    if (filters_.empty() && values_.is_empty()) return;
    bytes_.resize(static_cast<std::size_t>(chunk.size));
    read(chunk.address);
    const bool plain =
        (layout_.chunk_flags & DataLayoutMessage::kDontFilterPartialBoundChunks) != 0 &&
        grid.contains(chunk.at) && grid.is_partial(chunk.at);
    const std::string where =
        fmt::format("{}: address {:#x}", context_.file().name, chunk.address.value);
    try {
      if (!plain)
        decode_chunk(filters_, chunk.filter_mask, bytes_, static_cast<std::size_t>(grid.bytes),
                     where);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::io) throw;
      const std::string text = error.what();
      context_.log.add({error.code() == ErrorCode::unsupported ? Finding::Kind::unsupported
                                                               : Finding::Kind::damage,
                        context_.path(), chunk.address.value, "Raw Data", "Chunk",
                        text.substr(text.starts_with(where) ? where.size() + 2 : 0)});
      return;
    }
    if (grid.contains(chunk.at)) values_.check(bytes_, "");
  }

  CheckContext& context_;
  Datatype type_;
  DataspaceMessage space_;
  const HeaderMessage& message_;
  DataLayoutMessage layout_;
  ValueCheck values_;
  std::vector<FilterSpec> filters_;
  std::string name_ = "";
  std::vector<std::byte> bytes_;
};

}  // namespace

void check_data(CheckContext& context, const HeaderMessage& type, const HeaderMessage& space,
                const HeaderMessage& layout, const HeaderMessage* pipeline, bool external) {
  DataCheck(context, type, space, layout).run(pipeline, external);
}

}  // namespace onecast::check
