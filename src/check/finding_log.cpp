#include "check/finding_log.hpp"

#include <fmt/format.h>

#include "base/located_error.hpp"

namespace onecast::check {
namespace {

constexpr std::array kNames{"damage", "overlap", "unsupported", "note"};
/// The most findings and addresses to remember, so that a badly damaged file does not fill the
/// memory.
constexpr std::size_t kMostKnown = 100'000;

}  // namespace

void FindingLog::add(Finding finding) {
  const std::string key = finding.address
                              ? fmt::format("{:x} {} {} {}", *finding.address, finding.structure,
                                            finding.field, finding.what)
                              : fmt::format("{} {} {} {}", finding.path, finding.structure,
                                            finding.field, finding.what);
  if (known_.size() < kMostKnown && !known_.insert(key).second) return;
  ++counts_[static_cast<std::size_t>(finding.kind)];
  if (findings_.size() < limit_) findings_.push_back(std::move(finding));
}

void FindingLog::add(const Error& error, const std::string& path, const std::string& detail,
                     std::optional<std::uint64_t> start) {
  if (error.code() == ErrorCode::io) throw error;
  Finding found;
  found.kind =
      error.code() == ErrorCode::unsupported ? Finding::Kind::unsupported : Finding::Kind::damage;
  found.path = path;
  found.what = error.what();
  if (const auto* located = dynamic_cast<const LocatedError*>(&error)) {
    if (located->address.is_defined()) found.address = located->address.value;
    found.structure = located->structure;
    found.field = located->field;
    found.what = located->what_is_wrong;
    // The checksum is at the end of a structure, so its start is reported.
    if (start && found.field.ends_with("Checksum")) found.address = start;
    // A structure that could not be read is not kept, so it may be met again.
    const bool again = found.what == "is used twice by one structure";
    if (found.address && again && damaged_.contains(*found.address)) return;
    if (found.address && damaged_.size() < kMostKnown) damaged_.insert(*found.address);
  }
  if (!detail.empty()) found.what = detail + ": " + found.what;
  add(std::move(found));
}

std::vector<NamedCount> FindingLog::counts() const {
  std::vector<NamedCount> all;
  all.reserve(kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) all.push_back({kNames[i], counts_[i]});
  return all;
}

}  // namespace onecast::check

namespace onecast {

using namespace check;

bool CheckReport::is_damaged() const {
  for (const NamedCount& c : finding_counts)
    if (c.count != 0 && (c.name == kNames[0] || c.name == kNames[1])) return true;
  return false;
}

}  // namespace onecast
