#include "pages/commit.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

#include "comm/agreement.hpp"
#include "format/boot/superblock.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/page_seal.hpp"

namespace onecast::pages {
namespace {

/// The superblock and the extension of a new file. If their write is cut short, one of their
/// checksums is wrong, so a part of them is never taken for an HDF5 file.
constexpr std::size_t kNewBoot = kBootSize;

/// Compares `a` with the first bytes of `b`.
bool same_bytes(ByteView a, ByteView b) { return std::memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace

ByteView Commit::old_bytes(const Image& image, std::uint64_t offset) {
  if (image.is_raw_data) return image.old.span();
  return store_.view(image.address + offset, image.step, "metadata page");
}

bool Commit::changes(Address address, std::uint64_t size) {
  return !same_bytes(at(address, size), store_.view(address, size, "metadata page"));
}

bool Commit::boot_changes() { return is_new() || changes(Address{0}, boot().bytes.size()); }

std::vector<Commit::Part> Commit::parts(int ranks) const {
  // A stripe of a few bytes is no real stripe.
  constexpr std::uint64_t kLeast = 4096;
  const std::uint64_t stripe = options_.stripe_size < kLeast ? page_size_ : options_.stripe_size;
  const auto stripe_of = [&](std::uint64_t address) { return (store_.base() + address) / stripe; };
  const auto writer = [&](std::uint64_t number) {
    if (options_.owners == nullptr)
      return static_cast<int>(number % static_cast<std::uint64_t>(ranks));
    return options_.owners->rank_at(number * stripe);
  };
  std::uint64_t stripes = 0;
  std::uint64_t counted = 0;  // all stripes before this number are counted
  for (const Image& image : images_) {
    if (&image == &boot() && !is_new()) continue;
    const std::uint64_t last = stripe_of(image.address.value + image.bytes.size() - 1);
    stripes += last + 1 - std::max(counted, stripe_of(image.address.value));
    counted = last + 1;
  }

  const bool single = stripes <= options_.single_writer_stripes || ranks == 1;
  std::vector<Part> all;
  for (const Image& image : images_) {
    if (&image == &boot() && !is_new()) continue;
    const std::size_t start = &image == &boot() ? kNewBoot : 0;
    if (single) {
      all.push_back({&image, start, image.bytes.size() - start, 0});
      continue;
    }
    for (std::size_t offset = start; offset < image.bytes.size();) {
      const std::uint64_t address = image.address.value + offset;
      const std::uint64_t end = (stripe_of(address) + 1) * stripe - store_.base();
      const auto size = static_cast<std::size_t>(
          std::min<std::uint64_t>(end - address, image.bytes.size() - offset));
      all.push_back({&image, offset, size, writer(stripe_of(address))});
      offset += size;
    }
  }
  return all;
}

std::vector<Commit::Part> Commit::parts_of(const CommunicatorBackend& comm) const {
  std::vector<Part> mine = parts(comm.size());
  std::erase_if(mine, [&](const Part& part) { return part.rank != comm.rank(); });
  return mine;
}

/// Notes the old bytes of each block that changes.
void Commit::note_old(const Image& image, std::uint64_t offset, Journal& old, bool& any) {
  const ByteView was = old_bytes(image, offset);
  for (std::uint64_t done = 0; done < was.size();) {
    const Address address = image.address + offset + done;
    const std::uint64_t size = std::min<std::uint64_t>(
        JournalBlock::kSize - address.value % JournalBlock::kSize, was.size() - done);
    const auto part = [&](ByteView bytes, std::uint64_t from) {
      return bytes.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size));
    };
    const ByteView now = part(image.bytes, offset + done);
    const ByteView there = part(was, done);
    const bool same = same_bytes(now, there);
    const bool guarded =
        address.value < guard_.address.value + guard_.size && guard_.address < address + size;
    any = any || !same;
    if (image.is_raw_data && !same)
      old.blocks.push_back({address, 0, JournalBlock::kRawData, there});
    else if (!same || address.value == 0 || guarded)
      old.blocks.push_back({address, lookup3(now), 0, there});
    done += size;
  }
}

void Commit::protect(const CommunicatorBackend& comm, Transport& transport, JournalFile& journal) {
  if (comm.rank() != 0 || is_new()) return;
  Journal old;
  old.base = store_.base();
  std::array<std::byte, JournalBlock::kSize> new_boot{};
  const ByteView superblock = boot().bytes;
  std::copy_n(superblock.begin(), std::min(superblock.size(), new_boot.size()), new_boot.begin());
  old.new_boot = new_boot;
  bool any = false;
  for (const Image& image : images_)
    // One page at a time: the store may have read neighbours at different times, into different
    // blocks.
    for (std::uint64_t offset = 0; offset < image.existing; offset += image.step)
      note_old(image, offset, old, any);
  if (!any) return;
  journal.write(old, options_.durable);

  const std::vector<Part> all = parts(comm.size());
  const auto overwrites =
      std::count_if(all.begin(), all.end(), [](const Part& part) { return part.overwrites(); });
  if (overwrites + (boot_changes() ? 1 : 0) < 2) return;
  boot_touched_ = marked_ = true;
  write_version(transport, std::byte{kFlushUnderWay});
  if (options_.durable) transport.sync();
}

void Commit::write_part(Transport& transport, const Part& part) const {
  transport.write_at(store_.base() + part.image->address.value + part.offset,
                     part.image->bytes.subspan(part.offset, part.size));
}

void Commit::write_version(Transport& transport, std::byte version) const {
  transport.write_at(store_.base() + kSuperblockVersionAt, {&version, 1});
}

/// The last step: afterwards the flush is complete.
void Commit::write_boot(Transport& transport, bool changes) {
  if (changes)
    write_part(transport, {&boot(), 0, is_new() ? kNewBoot : boot().bytes.size(), 0});
  else if (marked_)
    write_version(transport, boot().bytes[kSuperblockVersionAt]);
}

bool Commit::owns_end(const CommunicatorBackend& comm, Transport& transport,
                      std::uint64_t end) const {
  // An owner that has not opened the file does not open it for this, since that may fail.
  if (options_.owners == nullptr || comm.rank() == 0 || !transport.is_open()) return false;
  return options_.owners->rank_at(store_.base() + end - 1) == comm.rank();
}

bool Commit::make_as_long_as(std::uint64_t end, Transport& transport) const {
  // Another rank may have written raw data beyond the end that all ranks know.
  if (transport.size() >= store_.base() + end) return false;
  const std::byte zero{0};
  transport.write_at(store_.base() + end - 1, {&zero, 1});
  return true;
}

void Commit::write(CommunicatorBackend& comm, Transport& transport, std::uint64_t file_end,
                   std::uint64_t end) {
  writing_ = true;
  bool changes_boot = false;
  bool is_short = false;
  agree(comm, [&] {
    changes_boot = boot_changes();
    for (const Image& image : images_)
      if (&image != &boot() || changes_boot) file_end = std::max(file_end, image.end().value);
    is_short = file_end < end;
    for (const Part& part : parts_of(comm)) write_part(transport, part);
    if (is_short && owns_end(comm, transport, end)) make_as_long_as(end, transport);
    if (options_.durable) transport.sync();
    for (const Image& image : images_)
      if (!image.is_raw_data) for_node_.note(store_, image.address, image.bytes);
  });
  for_node_.renew();
  agree(comm, [&] {
    if (comm.rank() != 0) return;
    const bool grows = is_short && make_as_long_as(end, transport);
    const bool writes = grows || marked_ || changes_boot;
    boot_touched_ = true;
    write_boot(transport, changes_boot);
    if (options_.durable && writes) transport.sync();
  });
}

void Commit::write_in_order(Transport& transport, std::span<const FileRange> order,
                            std::uint64_t end, bool all) {
  for (const Image& image : images_)
    if (const auto old = static_cast<std::size_t>(image.existing); old < image.bytes.size())
      write_part(transport, {&image, old, image.bytes.size() - old, 0});
  make_as_long_as(end, transport);
  if (options_.durable) transport.sync();
  write_range(transport, {Address{0}, Boot::superblock_size(store_.file())}, all);
  for (const FileRange& range : order) write_range(transport, range, all);
  for (const Image& image : images_)
    for (std::uint64_t page = 0; page < image.existing && image.address.value >= pages_start_;
         page += page_size_)
      write_range(transport, {image.address + (page + page_size_ - kSealSize), kSealSize}, all);
  if (options_.durable) transport.sync();
}

void Commit::keep_new_pages() {
  for (const Image& image : images_) {
    const ByteView bytes = ByteView(image.bytes).subspan(static_cast<std::size_t>(image.existing));
    if (bytes.empty()) continue;
    Buffer copy(bytes.size());
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    store_.take_in(image.address + image.existing, std::move(copy));
  }
}

/// Writes a touched range if the file had it and it changes.
void Commit::write_range(Transport& transport, const FileRange& range, bool all) {
  const Image& image = *std::prev(image_behind(range.address));
  const std::uint64_t offset = range.address.value - image.address.value;
  if (offset >= image.existing || (!all && !changes(range.address, range.size))) return;
  write_part(transport,
             {&image, static_cast<std::size_t>(offset), static_cast<std::size_t>(range.size), 0});
}

template <class F>
void Commit::for_each_old(const Part& part, F&& use) {
  if (!part.overwrites()) return;
  const Image& image = *part.image;
  const std::uint64_t end = std::min<std::uint64_t>(part.offset + part.size, image.existing);
  for (std::uint64_t at = part.offset; at < end;) {
    const std::uint64_t skip = at % image.step;
    const auto size = std::min(image.step - skip, end - at);
    const ByteView old = old_bytes(image, at - skip);
    use(at, old.subspan(static_cast<std::size_t>(skip), static_cast<std::size_t>(size)));
    at += size;
  }
}

void Commit::write_old(Transport& transport, const Part& part) {
  for_each_old(part, [&](std::uint64_t offset, ByteView old) {
    transport.write_at(store_.base() + part.image->address.value + offset, old);
  });
}

void Commit::look_at_old(const CommunicatorBackend& comm) {
  if (encodes()) return;  // fill() has looked at all of them
  for (const Part& part : parts_of(comm)) for_each_old(part, [](std::uint64_t, ByteView) {});
}

bool Commit::put_back(CommunicatorBackend& comm, Transport& transport) {
  std::exception_ptr apart;  // set if the ranks cannot communicate
  try {
    for_node_.restore(comm);
  } catch (const Error&) {
    apart = std::current_exception();
  }
  std::uint64_t well[] = {1};
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Error&) {
      well[0] = 0;  // the error of the flush is the one to report
    }
  };
  // Old bytes in memory of another rank may not be there again. Then the journal has them.
  if (writing_ && (!apart || store_.shared_bytes() == 0))
    for (const Part& part : parts_of(comm)) attempt([&] { write_old(transport, part); });
  if (options_.durable) attempt([&] { transport.sync(); });
  if (apart) std::rethrow_exception(apart);
  comm.all_reduce_min(well);
  // The mark stays until everything else has been put back.
  if (comm.rank() == 0 && boot_touched_ && (well[0] != 0 || !marked_)) {
    attempt([&] { write_old(transport, {&boot(), 0, boot().bytes.size(), 0}); });
    if (options_.durable) attempt([&] { transport.sync(); });
  }
  comm.all_reduce_min(well);
  return well[0] != 0;
}

void Commit::apply() {
  if (shared_.is_empty()) {
    for (Image& image : images_)
      if (!image.is_raw_data) store_.take_in(image.address, std::move(image.own));
  } else {
    std::vector<MetadataStore::Image> images;
    for (const Image& image : images_)
      if (!image.is_raw_data) images.push_back({image.address, image.bytes});
    store_.take_in(shared_.finish(), images, Address{known_end_});
  }
  images_.clear();
}

}  // namespace onecast::pages
