// The striping of a file as Lustre writes it, and extents as ranks send them to each other.
#include "collective/extent_list.hpp"
#include "collective/lustre_layout.hpp"
#include "fuzz/input.hpp"

namespace onecast {

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] { static_cast<void>(decode_lustre_layout(bytes, "input")); });
  fuzz::expect_errors_only([&] { static_cast<void>(ExtentList::decode(bytes)); });
}

}  // namespace onecast
