#include "objects/together/own_datasets.hpp"

#include <map>
#include <tuple>

#include "comm/agreement.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::together {
namespace {

/// A flag for a new dataset, its identity, and how often the list has named it before. The
/// identities of new datasets are in the order of creation.
using Key = std::tuple<bool, std::uint64_t, std::uint64_t>;

}  // namespace

std::vector<NamedDataset> named_by_any(FileState& file, std::span<Node* const> mine) {
  std::map<Key, std::optional<std::size_t>> all;
  std::map<const Node*, std::uint64_t> times;
  Packer packed;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Key key{mine[i]->is_new(), mine[i]->identity(), times[mine[i]]++};
    all.emplace(key, i);
    packed.number(std::get<0>(key) ? 1 : 0);
    packed.number(std::get<1>(key));
    packed.number(std::get<2>(key));
  }
  for (const auto& of_rank : file.comm().all_gather(packed.out))
    for (Unpacker u(of_rank); !u.at_end();) {
      const bool is_new = u.number() != 0;
      const std::uint64_t identity = u.number();
      all.try_emplace(Key{is_new, identity, u.number()});
    }
  return agree(file.comm(), [&] {
    std::vector<NamedDataset> named;
    named.reserve(all.size());
    for (const auto& [key, number] : all)
      named.push_back({&file.nodes().of({std::get<0>(key), std::get<1>(key)}), number});
    return named;
  });
}

}  // namespace onecast::together
