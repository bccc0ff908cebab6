#include "pages/commit.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

void Commit::touch(Address address, std::uint64_t size) {
  const std::uint64_t last = (address.value + std::max<std::uint64_t>(size, 1) - 1) / page_size_;
  for (std::uint64_t page = address.value / page_size_; page <= last; ++page)
    // Objects come in the order of their addresses: the hint makes this cheap.
    pages_.insert(pages_.end(), page);
}

void Commit::prepare(std::uint64_t known_end) {
  for (auto first = pages_.begin(); first != pages_.end();) {
    auto last = std::next(first);
    // Page 0 is written last, by itself.
    while (*first != 0 && last != pages_.end() && *last == *std::prev(last) + 1) ++last;
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

std::vector<Commit::Part> Commit::parts_of(const CommunicatorBackend& comm,
                                           const CommitOptions& options) const {
  // A page belongs to one writer even where stripes are smaller.
  const std::uint64_t stripe =
      std::max(options.stripe_size / page_size_, std::uint64_t{1}) * page_size_;
  const auto stripe_of = [&](std::uint64_t address) { return address / stripe; };
  std::uint64_t stripes = 0;
  for (const Image& image : images_)
    if (image.address.value != 0)
      stripes += stripe_of(image.address.value + image.bytes.size() - 1) -
                 stripe_of(image.address.value) + 1;

  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const bool single = stripes <= options.single_writer_stripes || ranks == 1;
  std::vector<Part> mine;
  for (const Image& image : images_) {
    if (image.address.value == 0) continue;
    if (single) {
      if (comm.rank() == 0) mine.push_back({&image, 0, image.bytes.size()});
      continue;
    }
    for (std::size_t offset = 0; offset < image.bytes.size();) {
      const std::uint64_t address = image.address.value + offset;
      const std::uint64_t end = (stripe_of(address) + 1) * stripe;
      const auto size = static_cast<std::size_t>(
          std::min<std::uint64_t>(end - address, image.bytes.size() - offset));
      if (stripe_of(address) % ranks == static_cast<std::uint64_t>(comm.rank()))
        mine.push_back({&image, offset, size});
      offset += size;
    }
  }
  return mine;
}

void Commit::write_part(Transport& transport, const Part& part) const {
  transport.write_at(store_.base() + part.image->address.value + part.offset,
                     part.image->bytes.span().subspan(part.offset, part.size));
}

void Commit::put_back(Transport& transport, const std::vector<Part>& parts) const {
  for (const Part& part : parts) {
    if (part.offset >= part.image->existing) continue;
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(part.size, part.image->existing - part.offset));
    // Page by page: the store may have come by neighbours at different times, and apart.
    for (std::size_t done = 0; done < size; done += page_size_) {
      const Address page = part.image->address + part.offset + done;
      try {
        transport.write_at(store_.base() + page.value,
                           store_.view(page, page_size_, "metadata page"));
      } catch (const Error&) {
        continue;  // the first error is the one to report; more cannot be done here
      }
    }
  }
}

void Commit::write(CommunicatorBackend& comm, Transport& transport, const CommitOptions& options,
                   std::uint64_t file_end, std::uint64_t end) {
  std::vector<Part> mine = parts_of(comm, options);
  try {
    agree(comm, [&] {
      for (const Part& part : mine) write_part(transport, part);
      if (options.durable) transport.sync();
    });
    for (const Image& image : images_)
      file_end = std::max(file_end, image.address.value + image.bytes.size());
    const Image& boot = images_.front();
    if (comm.rank() == 0) mine.push_back({&boot, 0, boot.bytes.size()});
    agree(comm, [&] {
      if (comm.rank() != 0) return;
      const std::byte zero{0};
      if (file_end < end) transport.write_at(store_.base() + end - 1, {&zero, 1});
      write_part(transport, mine.back());
      if (options.durable) transport.sync();
    });
  } catch (const Error&) {
    put_back(transport, mine);
    throw;
  }
}

void Commit::adopt() {
  for (Image& image : images_) store_.adopt(image.address, std::move(image.bytes));
  images_.clear();
}

}  // namespace onecast
