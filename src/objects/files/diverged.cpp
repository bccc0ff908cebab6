#include "objects/files/diverged.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "comm/two_sides.hpp"
#include "objects/memory/packer.hpp"
#include "objects/nodes/collective_call.hpp"
#include "space/selection_text.hpp"
#include "types/value_text.hpp"

namespace onecast::files {
namespace {

/// One dataset, as an item of call_of().
struct OneDataset {
  Node* dataset;
};

std::vector<std::string> unpacked_words(std::span<const std::byte> bytes) {
  std::vector<std::string> words;
  for (Unpacker in(bytes); !in.at_end();) words.emplace_back(in.text());
  return words;
}

/// Returns "; rank 0: ...; rank 2: ..." with the first words that differ. @collective
std::string two_in_words(CommunicatorBackend& comm, std::uint64_t mine, const InWords& in_words) {
  const TwoSides sides = two_sides(comm, mine, [&] {
    Packer out;
    for (const std::string& text : in_words()) out.text(text);
    return std::move(out.out);
  });
  const auto first = unpacked_words(sides.first.span());
  const auto other = unpacked_words(sides.other.span());
  const auto [a, b] = std::ranges::mismatch(first, other);
  const bool has_first = a != first.end();
  const bool has_other = b != other.end();
  if (!has_first && !has_other) return {};
  return fmt::format("; rank 0: {}; rank {}: {}", has_first ? *a : "nothing", sides.rank,
                     has_other ? *b : "nothing");
}

}  // namespace

[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call,
                                  const InWords& in_words) {
  constexpr std::size_t kNamed = 8;
  const std::vector<std::uint64_t> all = everyones(file.comm(), mine);
  std::vector<std::size_t> others;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != all[0]) others.push_back(rank);
  const std::size_t count = others.size();
  others.resize(std::min(count, kNamed));
  throw diverged_error(
      "{}: {}: all ranks must pass equal arguments, but {} of {} ranks differ from "
      "rank 0: {}{}{}",
      file.path(), call, count, all.size(), fmt::join(others, ", "), count > kNamed ? ", ..." : "",
      two_in_words(file.comm(), mine, in_words));
}

void require_all_have(Node& dataset, CallKind kind, const std::function<std::uint64_t()>& work,
                      const InWords& in_words) {
  FileState& file = file_of(dataset);
  file.require_open();
  std::uint64_t mine = 0;
  std::exception_ptr failure;
  comm::try_to(failure, [&] { mine = work(); });
  const OneDataset one{&dataset};
  const CollectiveCall call = call_of(kind, std::span(&one, 1), failure);
  if (!file.calls().meet(call, mine, {}, failure))
    throw_different(file, mine, name_of(kind), in_words);
}

std::string part_in_words(const Node& dataset, const Selection& part) {
  return fmt::format("{} of {}", selection_text(part), dataset.path());
}

void add_elements_in_words(const Node& dataset, const Datatype& type,
                           std::span<const std::byte> elements, std::vector<std::string>& words) {
  constexpr std::size_t kMost = 4096;
  const std::string path = dataset.path();
  for (std::size_t i = 0; i < kMost && elements.size() >= type.size(); ++i) {
    words.push_back(fmt::format("{} for element {} of the part of {}",
                                value_text(type, elements.first(type.size())), i, path));
    elements = elements.subspan(type.size());
  }
}

}  // namespace onecast::files
