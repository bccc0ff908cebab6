#include <algorithm>
#include <cstring>
#include <utility>

#include "base/round_up.hpp"
#include "pages/commit.hpp"
#include "pages/page_seal.hpp"

/// The images of a commit: their places, their memory, and what they hold before objects are
/// encoded into them.
namespace onecast::pages {

void Commit::touch(Address address, std::uint64_t size) {
  if (address.value < pages_start_) return ranges_.push_back({address, size});
  const std::uint64_t last = (address.value + std::max<std::uint64_t>(size, 1) - 1) / page_size_;
  for (std::uint64_t page = address.value / page_size_; page <= last; ++page) {
    // Objects come in the order of their addresses.
    if (pages_.empty() || *pages_.rbegin() != page) pages_.insert(pages_.end(), page);
    if (address.value + size > (page + 1) * page_size_ - kSealSize) without_seal_.insert(page);
  }
}

/// Joins neighbours, so that one call writes them. The superblock is written last, by itself.
void Commit::prepare_ranges(std::uint64_t known_end) {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const FileRange& a, const FileRange& b) { return a.address < b.address; });
  const FileRange superblock = ranges_.front();
  ranges_.erase(ranges_.begin());
  const auto next = std::find_if(ranges_.begin(), ranges_.end(),
                                 [&](const FileRange& r) { return r.address.value >= known_end; });
  std::vector<FileRange> behind(next, ranges_.end());
  ranges_.erase(next, ranges_.end());
  merge_ranges(ranges_, 0);
  ranges_.insert(ranges_.begin(), superblock);
  for (const FileRange& r : ranges_) {
    Image& image = add_image(r.address, r.size);
    image.existing = image.step = r.size;
  }
  constexpr std::uint64_t kAlignmentGap = 7;
  merge_ranges(behind, kAlignmentGap);
  for (const FileRange& r : behind) add_image(r.address, r.size).step = r.size;
}

Commit::Image& Commit::add_image(Address address, std::uint64_t size) {
  Image& image = images_.emplace_back();
  image.address = address;
  image.bytes = {static_cast<std::byte*>(nullptr), static_cast<std::size_t>(size)};
  return image;
}

void Commit::prepare_pages(std::uint64_t known_end, const std::set<std::uint64_t>& reused) {
  const auto is_there = [&](std::uint64_t page) {
    return page * page_size_ < known_end && !reused.contains(page);
  };
  for (auto first = pages_.begin(); first != pages_.end();) {
    auto last = std::next(first);
    std::uint64_t existing = is_there(*first) ? 1 : 0;
    // Page 0 is written last, by itself; in a new file, only its start. New pages follow old ones.
    while ((*first != 0 || known_end == 0) && last != pages_.end() &&
           *last == *std::prev(last) + 1 && (!is_there(*last) || is_there(*std::prev(last)))) {
      if (is_there(*last)) ++existing;
      ++last;
    }
    const std::uint64_t count = *std::prev(last) - *first + 1;
    Image& image = add_image(Address{*first * page_size_}, count * page_size_);
    image.step = page_size_;
    image.existing = existing * page_size_;
    first = last;
  }
}

void Commit::prepare(std::uint64_t known_end, const std::set<std::uint64_t>& reused,
                     NodeFile file) {
  known_end_ = known_end;
  if (!ranges_.empty()) prepare_ranges(known_end);
  prepare_pages(known_end, reused);
  shared_.take(std::move(file), bytes(), images_.size());
  if (shared_.is_empty()) return make_own_images();
  place_in_shared_memory();
  if (shared_.is_made_here()) fill();
}

void Commit::place_in_shared_memory() {
  std::size_t at = 0;
  for (Image& image : images_) {
    if (image.is_raw_data) continue;
    image.bytes = shared_.span().subspan(at, image.bytes.size());
    at += round_up(image.bytes.size(), SharedImages::kAlignment);
  }
}

bool Commit::take_over_encoding() {
  if (!shared_.give_up_if_refused()) return false;
  make_own_images();
  return true;
}

void Commit::make_own_images() {
  for (Image& image : images_) {
    if (image.is_raw_data) continue;
    image.own = Buffer(image.bytes.size());
    image.bytes = image.own.span();
  }
  fill();
}

void Commit::fill() {
  for (Image& image : images_) {
    if (image.is_raw_data) continue;
    for (std::uint64_t offset = 0; offset < image.existing; offset += image.step) {
      const ByteView old = old_bytes(image, offset);
      std::memcpy(image.bytes.data() + offset, old.data(), old.size());
    }
    std::memset(image.bytes.data() + image.existing, 0,
                image.bytes.size() - static_cast<std::size_t>(image.existing));
  }
}

void Commit::overwrite(Transport& transport, Address address, Buffer bytes,
                       std::uint64_t known_end) {
  Image image;
  image.address = address;
  image.is_raw_data = true;
  image.existing =
      std::clamp(known_end, address.value, address.value + bytes.size()) - address.value;
  image.step = image.existing;
  image.old = Buffer(static_cast<std::size_t>(image.existing));
  const std::size_t got = transport.read_at(store_.base() + address.value, image.old.span());
  std::ranges::fill(image.old.span().subspan(got), std::byte{0});
  image.own = std::move(bytes);
  image.bytes = image.own.span();
  images_.insert(image_behind(address), std::move(image));
}

std::vector<Commit::Image>::iterator Commit::image_behind(Address address) {
  return std::upper_bound(images_.begin(), images_.end(), address,
                          [](Address a, const Image& i) { return a < i.address; });
}

std::span<std::byte> Commit::at(Address address, std::uint64_t size) {
  Image& image = *std::prev(image_behind(address));
  return image.bytes.subspan(static_cast<std::size_t>(address.value - image.address.value),
                             static_cast<std::size_t>(size));
}

void Commit::seal(std::uint64_t told) {
  for (Image& image : images_) {
    if (image.address.value < pages_start_ || image.is_raw_data) continue;
    for (std::uint64_t offset = 0; offset < image.bytes.size(); offset += page_size_) {
      const Address page = image.address + offset;
      if (without_seal_.contains(page.value / page_size_)) continue;
      // A page without a seal may hold, up to its end, an object that does not change now.
      if (offset < image.existing && !is_sealed(page, old_bytes(image, offset))) continue;
      seal_page(page, image.bytes.subspan(static_cast<std::size_t>(offset),
                                          static_cast<std::size_t>(page_size_)));
    }
  }
  told_ = told;
  if (shared_.is_empty()) return;
  shared_.seal(told);
  place_in_shared_memory();
}

}  // namespace onecast::pages
