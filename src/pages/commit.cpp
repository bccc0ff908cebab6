#include "pages/commit.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "format/boot/superblock.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/page_seal.hpp"

namespace onecast {
namespace {

/// Of a new file: superblock and extension. Cut short, one of their checksums is wrong: without all
/// of them, the file is not HDF5.
constexpr std::size_t kNewBoot = kBootSize;

/// `a` and the bytes at the start of `b`.
bool same_bytes(ByteView a, ByteView b) { return std::memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace

void Commit::touch(Address address, std::uint64_t size) {
  const std::uint64_t last = (address.value + std::max<std::uint64_t>(size, 1) - 1) / page_size_;
  for (std::uint64_t page = address.value / page_size_; page <= last; ++page) {
    // Objects come in the order of their addresses: the hint makes this cheap.
    pages_.insert(pages_.end(), page);
    if (address.value + size > (page + 1) * page_size_ - kSealSize) without_seal_.insert(page);
  }
}

void Commit::prepare(std::uint64_t known_end) {
  for (auto first = pages_.begin(); first != pages_.end();) {
    auto last = std::next(first);
    // Page 0 is written last, by itself; of a new file, only its start.
    while ((*first != 0 || known_end == 0) && last != pages_.end() && *last == *std::prev(last) + 1)
      ++last;
    const std::uint64_t count = *std::prev(last) - *first + 1;
    Image& image = images_.emplace_back();
    image.address = Address{*first * page_size_};
    image.bytes = Buffer(static_cast<std::size_t>(count * page_size_));
    std::byte* out = image.bytes.data();
    for (std::uint64_t page = *first; page < *first + count; ++page, out += page_size_) {
      const std::uint64_t address = page * page_size_;
      if (address < known_end) {
        const ByteView old = store_.view(Address{address}, page_size_, "metadata page");
        std::memcpy(out, old.data(), old.size());
        image.existing = address + page_size_ - image.address.value;
      } else {
        std::memset(out, 0, static_cast<std::size_t>(page_size_));
      }
    }
    first = last;
  }
}

std::span<std::byte> Commit::at(Address address, std::uint64_t size) {
  const auto next = std::upper_bound(images_.begin(), images_.end(), address,
                                     [](Address a, const Image& i) { return a < i.address; });
  Image& image = *std::prev(next);
  return image.bytes.span().subspan(static_cast<std::size_t>(address.value - image.address.value),
                                    static_cast<std::size_t>(size));
}

void Commit::seal() {
  for (Image& image : images_)
    for (std::uint64_t offset = 0; offset < image.bytes.size(); offset += page_size_) {
      const Address page = image.address + offset;
      if (without_seal_.contains(page.value / page_size_)) continue;
      // What was not sealed may hold, to its end, an object that does not change now.
      if (offset < image.existing && !is_sealed(page, old_page(page))) continue;
      seal_page(page, image.bytes.span().subspan(static_cast<std::size_t>(offset),
                                                 static_cast<std::size_t>(page_size_)));
    }
}

ByteView Commit::old_page(Address address) {
  return store_.view(address, page_size_, "metadata page");
}

bool Commit::changes(Address address, std::uint64_t size) {
  const std::uint64_t page = address.value / page_size_ * page_size_;
  const std::span<std::byte> now = at(address, size);
  const ByteView old = old_page({page}).subspan(static_cast<std::size_t>(address.value - page));
  return !same_bytes(now, old);
}

bool Commit::boot_changes() { return is_new() || changes(Address{0}, page_size_); }

std::vector<Commit::Part> Commit::parts(int ranks) const {
  // A page belongs to one writer even where stripes are smaller.
  const std::uint64_t stripe =
      std::max(options_.stripe_size / page_size_, std::uint64_t{1}) * page_size_;
  const auto stripe_of = [&](std::uint64_t address) { return address / stripe; };
  std::uint64_t stripes = 0;
  for (const Image& image : images_)
    if (&image != &boot() || is_new())
      stripes += stripe_of(image.address.value + image.bytes.size() - 1) -
                 stripe_of(image.address.value) + 1;

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
      const std::uint64_t end = (stripe_of(address) + 1) * stripe;
      const auto size = static_cast<std::size_t>(
          std::min<std::uint64_t>(end - address, image.bytes.size() - offset));
      const auto rank = static_cast<int>(stripe_of(address) % static_cast<std::uint64_t>(ranks));
      all.push_back({&image, offset, size, rank});
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

void Commit::protect(const CommunicatorBackend& comm, Transport& transport, JournalFile& journal) {
  if (comm.rank() != 0 || is_new()) return;
  Journal old;
  old.base = store_.base();
  old.new_boot = boot().bytes.span().first(JournalBlock::kSize);
  bool any = false;
  for (const Image& image : images_)
    // Page by page: the store may have come by neighbours at different times, and apart.
    for (std::uint64_t page = 0; page < image.existing; page += page_size_) {
      const ByteView was = old_page(image.address + page);
      for (std::uint64_t block = 0; block < page_size_; block += JournalBlock::kSize) {
        const Address address = image.address + page + block;
        const auto now =
            image.bytes.span().subspan(static_cast<std::size_t>(page + block), JournalBlock::kSize);
        const auto there = was.subspan(static_cast<std::size_t>(block), JournalBlock::kSize);
        const bool same = same_bytes(now, there);
        any = any || !same;
        if (!same || address.value == 0) old.blocks.push_back({address, lookup3(now), there});
      }
    }
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
                     part.image->bytes.span().subspan(part.offset, part.size));
}

void Commit::write_version(Transport& transport, std::byte version) const {
  transport.write_at(store_.base() + kSuperblockVersionAt, {&version, 1});
}

/// The last step: from here on the flush is done.
void Commit::write_boot(Transport& transport) {
  if (boot_changes())
    write_part(transport, {&boot(), 0, is_new() ? kNewBoot : boot().bytes.size(), 0});
  else if (marked_)
    write_version(transport, boot().bytes.span()[kSuperblockVersionAt]);
}

void Commit::write(CommunicatorBackend& comm, Transport& transport, std::uint64_t file_end,
                   std::uint64_t end) {
  writing_ = true;
  agree(comm, [&] {
    for (const Part& part : parts_of(comm)) write_part(transport, part);
    if (options_.durable) transport.sync();
  });
  for (const Image& image : images_)
    file_end = std::max(file_end, image.address.value + image.bytes.size());
  agree(comm, [&] {
    if (comm.rank() != 0) return;
    const std::byte zero{0};
    // Raw data that another rank wrote during this flush may reach further than all ranks know.
    const bool grows = file_end < end && transport.size() < store_.base() + end;
    if (grows) transport.write_at(store_.base() + end - 1, {&zero, 1});
    const bool writes = grows || marked_ || boot_changes();
    boot_touched_ = true;
    write_boot(transport);
    if (options_.durable && writes) transport.sync();
  });
}

/// What of the part was in the file.
void Commit::write_old(Transport& transport, const Part& part) {
  if (!part.overwrites()) return;
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(part.size, part.image->existing - part.offset));
  for (std::size_t done = 0; done < size; done += page_size_) {
    const Address page = part.image->address + part.offset + done;
    transport.write_at(store_.base() + page.value, old_page(page));
  }
}

bool Commit::put_back(CommunicatorBackend& comm, Transport& transport) {
  std::uint64_t well[] = {1};
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Error&) {
      well[0] = 0;  // the error of the flush is the one to report
    }
  };
  if (writing_)
    for (const Part& part : parts_of(comm)) attempt([&] { write_old(transport, part); });
  if (options_.durable) attempt([&] { transport.sync(); });
  comm.all_reduce_min(well);
  // The mark stays until all else is as it was.
  if (comm.rank() == 0 && boot_touched_ && (well[0] != 0 || !marked_)) {
    attempt([&] { write_old(transport, {&boot(), 0, boot().bytes.size(), 0}); });
    if (options_.durable) attempt([&] { transport.sync(); });
  }
  comm.all_reduce_min(well);
  return well[0] != 0;
}

void Commit::adopt() {
  for (Image& image : images_) store_.adopt(image.address, std::move(image.bytes));
  images_.clear();
}

}  // namespace onecast
