#include "objects/any_layout/chunk_writer.hpp"

#include <algorithm>
#include <span>

#include "base/round_up.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/stored_extents.hpp"

namespace onecast::any_layout {

bool goes_together(const FileState& file) {
  return agree_first(asked_transfer(file, TransferDirection::writing, file.options().sharing),
                     file.transfers().layout);
}

void write_extents_together(FileState& file, const ExtentList& extents, const OutBuffers& bytes,
                            const std::exception_ptr& failure) {
  const AskedTransfer asked =
      asked_transfer(file, TransferDirection::writing, file.options().sharing);
  if (!extents.empty())
    file.transfers().chunk_cache.erase_stored(Address{extents.begin() - file.store().base()},
                                              extents.end() - extents.begin());
  collective_file(file).write(extents, bytes, failure, asked.method);
  if (!extents.empty())
    file.changes().written_end =
        std::max(file.changes().written_end, extents.end() - file.store().base());
}

ChunkWriter::ChunkWriter(FileState& file)
    : file_(file), together_(goes_together(file)), writer_(file) {}

void ChunkWriter::add(Address address, std::vector<std::byte> bytes) {
  // The rest of a unit of space is zeros, whichever rank writes it, so that neighbours are
  // adjacent.
  constexpr std::size_t kUnit = 8;
  bytes.resize(round_up(bytes.size(), kUnit));
  if (!together_) return writer_.add(address, bytes);
  pieces_.emplace_back(address, std::move(bytes));
}

void ChunkWriter::finish(std::exception_ptr& failure) {
  if (together_) return write_together(failure);
  comm::try_to(failure, [&] { writer_.finish(); });
}

void ChunkWriter::write_together(const std::exception_ptr& failure) {
  std::sort(pieces_.begin(), pieces_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  ExtentListBuilder extents;
  OutBuffers buffers;
  for (const auto& [address, bytes] : pieces_)
    extents.add(file_.store().base() + address.value, bytes.size(), buffers.add(std::span(bytes)));
  write_extents_together(file_, extents.take(), buffers, failure);
}

}  // namespace onecast::any_layout
