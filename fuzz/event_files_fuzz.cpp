// Events: whole files of every layout in HDF5, and of columns: all events are read, and found by
// their identities.
#include "components/file_kind.hpp"
#include "fuzz/input.hpp"
#include "onecast/events/component.hpp"
#include "support/memory_path.hpp"

namespace onecast {
namespace {

using namespace events;

constexpr std::uint64_t kMostEvents = 200;
constexpr std::size_t kMostProducts = 50;

void read_events(Source& source) {
  const std::size_t products = std::min(source.products().size(), kMostProducts);
  const auto cursor = source.cursor();
  for (std::uint64_t entry = 0; entry < std::min(source.size().value_or(0), kMostEvents); ++entry)
    fuzz::expect_errors_only([&] {
      if (!cursor->go_to(entry)) return;
      cursor->prepare();
      for (std::size_t p = 0; p < products; ++p) {
        cursor->fetch(p);
        cursor->serialized(p);
      }
      static_cast<void>(source.find(cursor->identity()));
    });
}

}  // namespace

FUZZ_TARGET(bytes) {
  static test::MemoryPath file;
  static const Registry components = standard_components();
  const std::string& path = file.write(bytes);
  fuzz::expect_errors_only([&] {
    const std::string text = source_for(path);
    if (text.starts_with("HDF5=")) read_events(*components.source(text));
  });
}

}  // namespace onecast
