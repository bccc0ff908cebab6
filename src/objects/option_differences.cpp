#include "objects/option_differences.hpp"

#include <tuple>
#include <utility>

namespace onecast {
namespace {

template <class T>
struct Option {
  const char* name;
  T FileOptions::* value;
};
template <class T>
Option(const char*, T FileOptions::*) -> Option<T>;

/// Those that say how a file is written, read together and trusted; not those that say how it is
/// opened and what is kept in memory.
constexpr auto kLasting = std::tuple{
    Option{"page_size", &FileOptions::page_size},
    Option{"compact_limit", &FileOptions::compact_limit},
    Option{"compact_total", &FileOptions::compact_total},
    Option{"follow_external", &FileOptions::follow_external},
    Option{"stripe_size", &FileOptions::stripe_size},
    Option{"stripe_count", &FileOptions::stripe_count},
    Option{"single_writer_stripes", &FileOptions::single_writer_stripes},
    Option{"alignment_threshold", &FileOptions::alignment_threshold},
    Option{"alignment_interval", &FileOptions::alignment_interval},
    Option{"durable", &FileOptions::durable},
    Option{"journal", &FileOptions::journal},
    Option{"sharing", &FileOptions::sharing},
    Option{"method", &FileOptions::method},
    Option{"collective_buffer", &FileOptions::collective_buffer},
    Option{"aggregators", &FileOptions::aggregators},
    Option{"hints", &FileOptions::hints},
    Option{"mpi_io", &FileOptions::mpi_io},
};

}  // namespace

std::optional<std::string> contradicting_option(const FileOptions& later,
                                                const FileOptions& first) {
  const FileOptions by_default;
  std::optional<std::string> found;
  const auto look = [&](const auto& option) {
    const auto value = option.value;
    if (!found && later.*value != by_default.*value && later.*value != first.*value)
      found = option.name;
  };
  std::apply([&](const auto&... option) { (look(option), ...); }, kLasting);
  return found;
}

}  // namespace onecast
