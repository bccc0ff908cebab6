#include "comm/serving_group.hpp"

#include <map>
#include <utility>

#include "comm/agreement.hpp"

namespace onecast::comm {

CommunicatorBackend* ServingGroup::join(CommunicatorBackend& comm, std::uint64_t number) {
  std::map<std::uint64_t, int> groups;
  std::vector<int> group_of_rank;
  for (const std::uint64_t theirs : everyones(comm, number))
    group_of_rank.push_back(groups.emplace(theirs, static_cast<int>(groups.size())).first->second);
  if (groups.size() == group_of_rank.size()) return nullptr;
  if (group_of_rank != group_of_rank_) {
    ranks_ = comm.split(groups.at(number));
    group_of_rank_ = std::move(group_of_rank);
  }
  return ranks_.get();
}

}  // namespace onecast::comm
