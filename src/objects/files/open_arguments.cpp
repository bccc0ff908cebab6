#include "objects/files/open_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "base/make_error.hpp"
#include "comm/agreement.hpp"
#include "comm/node/node_memory.hpp"
#include "comm/two_sides.hpp"
#include "objects/files/file_option_rules.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/packer.hpp"
#include "objects/nodes/call_log.hpp"

namespace onecast::files {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;  ///< names and values

const char* words_for(OpenMode mode) {
  constexpr std::array kWords{"for reading", "for writing", "to create it", "to replace it"};
  return kWords.at(static_cast<std::size_t>(mode));
}

/// Returns the arguments in words that users know.
Arguments arguments_of(const std::string& path, OpenMode mode, const FileOptions& options) {
  Arguments all = shared_options(options);
  all.insert(all.begin(), {{"path", path}, {"mode", words_for(mode)}});
  return all;
}

Arguments unpacked_arguments(std::span<const std::byte> bytes) {
  Arguments all;
  for (Unpacker in(bytes); !in.at_end();) {
    const std::string_view name = in.text();
    all.emplace_back(name, in.text());
  }
  return all;
}

/// Returns "option page_size: 4096 on rank 0, 65536 on rank 1" for each argument that differs.
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
                            OpenMode mode, const FileOptions& options,
                            const std::exception_ptr& failure) {
  const Arguments mine = comm.size() == 1 ? Arguments() : arguments_of(path, mode, options);
  Digest digest;
  for (const auto& [name, value] : mine)
    digest.add(std::string_view(name)).add(std::string_view(value));
  const CollectiveCall call{mode == OpenMode::replace ? CallKind::create : CallKind::open};
  struct Told {
    std::uint64_t failed = 0;  ///< 1: this rank has
    NodeHints nodes;
  };
  using Words = std::array<std::uint64_t, sizeof(Told) / sizeof(std::uint64_t)>;
  Told told{failure ? 1U : 0U, {}};
  told.nodes.be_on(comm.node_hint());
  auto words = std::bit_cast<Words>(told);
  if (calls.meet(call, digest.value(), words)) {
    told = std::bit_cast<Told>(words);
    if (told.failed != 0) comm::raise_any(comm, failure);
    if (comm.size() >= NodeBuffer::kSharingRanks && told.nodes.are_on_several_nodes())
      comm.be_on_several_nodes();
    return;
  }
  const TwoSides sides = two_sides(comm, digest.value(), [&] {
    Packer out;
    for (const auto& [name, value] : mine) {
      out.text(name);
      out.text(value);
    }
    return std::move(out.out);
  });
  const Arguments first = unpacked_arguments(sides.first.span());
  throw diverged_error("{}: ranks open the file with different arguments: {}", first.front().second,
                       differences(first, unpacked_arguments(sides.other.span()), sides.rank));
}

}  // namespace onecast::files
