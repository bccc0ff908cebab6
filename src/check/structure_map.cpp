#include "check/structure_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace onecast::check {

const char* name_of(Family family) {
  constexpr std::array kNames{"superblock",
                              "driver information",
                              "object header",
                              "v1 B-tree",
                              "symbol table node",
                              "local heap",
                              "v2 B-tree",
                              "fractal heap",
                              "fixed array",
                              "extensible array",
                              "global heap",
                              "free-space manager",
                              "table of shared messages",
                              "raw data",
                              "other",
                              "other"};
  return kNames[static_cast<std::size_t>(family)];
}

const char* name_of(Use use) {
  constexpr std::array kNames{"file",       "objects", "links",
                              "attributes", "chunks",  "values of variable length",
                              "contiguous"};
  return kNames[static_cast<std::size_t>(use)];
}

std::uint32_t StructureMap::add_owner(std::string path) {
  owners_.push_back(std::move(path));
  return static_cast<std::uint32_t>(owners_.size() - 1);
}

void StructureMap::note(std::uint64_t address, std::uint64_t size, Family family, Use use,
                        std::uint32_t owner) {
  if (size == 0 || family == Family::none) return;
  if (!extents_.empty() && family != Family::raw_data) {
    Extent& last = extents_.back();
    if (last.address == address && last.family == family && last.owner == owner) {
      last.size = std::max(last.size, size);
      return;
    }
  }
  extents_.push_back({address, size, owner, family, use});
}

void StructureMap::reserve(std::uint64_t address, std::uint64_t size) {
  reserved_.push_back({Address{address}, size});
}

namespace {

/// True for structures to which several objects may refer.
bool may_be_shared(Family family) {
  return family == Family::global_heap || family == Family::object_header;
}

}  // namespace

std::vector<StructureMap::Extent> StructureMap::resolved(FindingLog& log) {
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    return a.address != b.address ? a.address < b.address : a.size > b.size;
  });
  std::vector<Extent> kept;
  for (const Extent& e : extents_) {
    Extent* last = kept.empty() ? nullptr : &kept.back();
    if (last == nullptr || e.address - last->address >= last->size) {
      kept.push_back(e);
      continue;
    }
    const bool inside = e.address + e.size <= last->address + last->size;
    const bool same_start = e.address == last->address;
    const bool same_owner = e.owner == last->owner;
    // The start of a structure may be viewed before the whole, and messages inside a header.
    const bool part = e.family == last->family && inside && e.family != Family::raw_data &&
                      (same_start || (same_owner && e.family == Family::object_header)) &&
                      (same_owner || may_be_shared(e.family));
    if (part) continue;
    report_overlap(*last, e, log);
    if (!inside)  // the bytes of e alone still count
      kept.push_back({last->address + last->size, e.address + e.size - (last->address + last->size),
                      e.owner, e.family, e.use});
  }
  extents_.clear();
  return kept;
}

void StructureMap::report_overlap(const Extent& a, const Extent& b, FindingLog& log) const {
  const auto owner = [&](const Extent& e) {
    return owners_[e.owner].empty() ? std::string("the file") : owners_[e.owner];
  };
  log.add({Finding::Kind::overlap, owners_[b.owner], b.address, name_of(b.family), "Address",
           fmt::format("{} bytes of {} overlap the {} at {:#x} ({} bytes) of {}", b.size, owner(b),
                       name_of(a.family), a.address, a.size, owner(a))});
}

/// Free bytes must not be in use, since the next writer would overwrite them.
void StructureMap::check_free(const std::vector<Extent>& extents, FindingLog& log) const {
  auto next = extents.begin();
  for (const FreeStretch& f : free_) {
    const std::uint64_t address = f.address.value;
    while (next != extents.end() && next->address + next->size <= address) ++next;
    if (next == extents.end()) return;
    if (next->address >= address + f.size()) continue;
    const bool is_its_collection = f.is_in_heap() && next->family == Family::global_heap &&
                                   next->address == address - f.distance() &&
                                   address + f.size() <= next->address + next->size;
    if (is_its_collection) continue;
    const std::string& owner = owners_[next->owner];
    log.add({Finding::Kind::overlap, owner, next->address, name_of(next->family), "Free Stretches",
             fmt::format("the page list says that the {} bytes at {:#x} are free, but {} has a {} "
                         "of {} bytes at {:#x}",
                         f.size(), address, owner.empty() ? "the file" : owner,
                         name_of(next->family), next->size, next->address)});
  }
}

void StructureMap::grow_to_reserved(std::vector<Extent>& extents, std::uint64_t end) {
  std::sort(reserved_.begin(), reserved_.end(),
            [](const FileRange& a, const FileRange& b) { return a.address < b.address; });
  auto r = reserved_.begin();
  for (std::size_t i = 0; i < extents.size() && r != reserved_.end(); ++i) {
    while (r != reserved_.end() && r->address.value < extents[i].address) ++r;
    if (r == reserved_.end() || r->address.value != extents[i].address) continue;
    // Other writers may reserve less space.
    const std::uint64_t next = i + 1 < extents.size() ? extents[i + 1].address : end;
    extents[i].size = std::max(extents[i].size, std::min(r->size, next - extents[i].address));
  }
  reserved_.clear();
}

void StructureMap::total(const std::vector<Extent>& extents, std::uint64_t end,
                         CheckReport& report) {
  std::map<std::pair<Family, Use>, StructureTotal> totals;
  std::uint64_t after_metadata = 0;
  std::uint64_t used = 0;
  for (const Extent& e : extents) {
    const std::uint64_t size = e.address < end ? std::min(e.size, end - e.address) : 0;
    StructureTotal& t = totals[{e.family, e.use}];
    t.structure = name_of(e.family);
    t.use = name_of(e.use);
    ++t.count;
    t.bytes += size;
    used += size;
    if (e.family == Family::raw_data) {
      report.raw_data_bytes += size;
      continue;
    }
    report.metadata_bytes += size;
    // A gap from alignment does not separate pieces.
    constexpr std::uint64_t kGap = 64;
    if (report.metadata_pieces == 0 || e.address > after_metadata + kGap) ++report.metadata_pieces;
    after_metadata = e.address + e.size;
  }
  report.unaccounted_bytes = end - std::min(end, used + report.free_bytes);
  for (auto& [key, t] : totals) report.structures.push_back(std::move(t));
}

void StructureMap::finish(std::uint64_t end, FindingLog& log, CheckReport& report) {
  std::vector<Extent> extents = resolved(log);
  check_free(extents, log);
  // Free space in a heap is a part of a structure.
  for (const FreeStretch& f : free_)
    if (!f.is_in_heap()) report.free_bytes += f.size();
  grow_to_reserved(extents, end);
  total(extents, end, report);
}

}  // namespace onecast::check
