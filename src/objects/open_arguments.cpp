#include "objects/open_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>
#include <vector>

#include "comm/two_sides.hpp"
#include "objects/call_log.hpp"
#include "objects/packer.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;  ///< names and values

template <class E>
std::string name_of(E value, std::initializer_list<const char*> names) {
  const auto at = static_cast<std::size_t>(value);
  return at < names.size() ? names.begin()[at] : fmt::format("{}", at);
}

/// In words that users know.
Arguments arguments_of(const std::string& path, OpenMode mode, const FileOptions& o) {
  Arguments all{
      {"path", path},
      {"mode", name_of(mode, {"for reading", "for writing", "to create it", "to replace it"})},
  };
  const auto add = [&](const char* name, const auto& value) {
    all.emplace_back(fmt::format("option {}", name), fmt::format("{}", value));
  };
  add("page_size", o.page_size);
  add("profile", name_of(o.profile, {"compatible", "latest"}));
  add("compact_limit", o.compact_limit);
  add("compact_total", o.compact_total ? fmt::format("{}", *o.compact_total) : "not given");
  add("metadata_budget", o.metadata_budget);
  add("small_data_limit", o.small_data_limit);
  add("load_policy", name_of(o.load_policy, {"automatic", "eager", "lazy"}));
  add("follow_external", name_of(o.follow_external, {"nowhere", "everywhere", "folder"}));
  add("stripe_size", o.stripe_size);
  add("stripe_count", o.stripe_count);
  add("single_writer_stripes",
      o.single_writer_stripes ? fmt::format("{}", *o.single_writer_stripes) : "not given");
  add("alignment_threshold", o.alignment_threshold);
  add("alignment_interval", o.alignment_interval);
  add("durable", o.durable);
  add("journal", o.journal);
  add("locking", name_of(o.locking, {"on", "off", "best_effort"}));
  add("sharing", name_of(o.sharing, {"auto", "trust", "verify", "serve"}));
  add("method", name_of(o.method, {"auto", "plain", "independent", "collective", "broadcast"}));
  add("collective_buffer", o.collective_buffer);
  add("aggregators", o.aggregators);
  for (const auto& [name, value] : o.hints) all.emplace_back(fmt::format("hint {}", name), value);
  add("mpi_io", o.mpi_io);
  return all;
}

Arguments unpacked(std::span<const std::byte> bytes) {
  Arguments all;
  for (Unpacker in(bytes); !in.at_end();) {
    const std::string_view name = in.text();
    all.emplace_back(name, in.text());
  }
  return all;
}

/// "option page_size: 4096 on rank 0, 65536 on rank 1" of each that differs.
std::string differences(const Arguments& first, const Arguments& other, int rank) {
  std::map<std::string, std::pair<std::string, std::string>> sides;
  for (const auto& [name, value] : first) sides[name] = {value, "not given"};
  for (const auto& [name, value] : other)
    sides.try_emplace(name, "not given", "").first->second.second = value;
  std::vector<std::string> texts;
  for (const auto& [name, values] : sides)
    if (values.first != values.second)
      texts.push_back(
          fmt::format("{}: {} on rank 0, {} on rank {}", name, values.first, values.second, rank));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

void require_same_arguments(CommunicatorBackend& comm, FileCalls& calls, const std::string& path,
                            OpenMode mode, const FileOptions& options) {
  const Arguments mine = comm.size() == 1 ? Arguments() : arguments_of(path, mode, options);
  Digest digest;
  for (const auto& [name, value] : mine)
    digest.add(std::string_view(name)).add(std::string_view(value));
  const CollectiveCall call{mode == OpenMode::replace ? CallKind::create : CallKind::open};
  if (calls.meet(call, digest.value(), {})) return;
  const TwoSides sides = two_sides(comm, digest.value(), [&] {
    Packer out;
    for (const auto& [name, value] : mine) {
      out.text(name);
      out.text(value);
    }
    return std::move(out.out);
  });
  const Arguments first = unpacked(sides.first.span());
  throw Error(
      ErrorCode::diverged,
      fmt::format("{}: ranks open the file with different arguments: {}", first.front().second,
                  differences(first, unpacked(sides.other.span()), sides.rank)));
}

}  // namespace onecast
