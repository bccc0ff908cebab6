// Superblocks of all versions, the superblock extension and the page list.
#include "format/boot/superblock.hpp"
#include "fuzz/input.hpp"
#include "pages/superblock_info.hpp"

namespace onecast {

using namespace pages;

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const auto base = find_superblock(bytes);
    if (!base) return;
    FileContext file{"input.h5", 8, 8};
    const ByteView from_base = bytes.subspan(static_cast<std::size_t>(*base));
    const Superblock superblock = decode_superblock(from_base, Address{*base}, file);
    fuzz::InputSource source(from_base, file);
    if (const auto list = read_extension(source, superblock).page_list)
      static_cast<void>(list->page_count());
  });
}

}  // namespace onecast
