#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "check/finding_log.hpp"
#include "check/noting_source.hpp"
#include "format/boot/superblock.hpp"
#include "format/objects/page_list_message.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/shared_messages.hpp"
#include "transport/transport.hpp"

namespace onecast::check {

/// The state that all parts of one check share.
struct CheckContext {
  NotingSource& source;
  FindingLog& log;
  Transport& transport;
  std::uint64_t base;  ///< the offset of address 0 in the file
  Superblock superblock;
  const CheckOptions& options;
  CheckReport& report;
  SharedMessages shared;
  GlobalHeap heap;
  std::vector<FreeStretch> unused_values{};              ///< according to the page list
  std::unordered_map<Address, std::uint32_t> claimed{};  ///< structures, with their owners
  std::map<std::string, FilterTotal> filters{};
  std::map<std::string, std::uint64_t> counts{};

  CheckContext(NotingSource& s, FindingLog& l, Transport& t, std::uint64_t b, const Superblock& sb,
               const CheckOptions& o, CheckReport& r,
               const std::optional<SharedMessageTableMessage>& table)
      : source(s),
        log(l),
        transport(t),
        base(b),
        superblock(sb),
        options(o),
        report(r),
        shared(s, table),
        heap(s) {}

  [[nodiscard]] const FileContext& file() const { return source.file(); }
  [[nodiscard]] const std::string& path() const { return source.map().path(source.owner()); }

  /// Claims a structure for the current owner, since each is checked once. Returns false, and adds
  /// a finding, if it was claimed before.
  bool claim(Address address, const char* title) {
    const auto [known, is_new] = claimed.try_emplace(address, source.owner());
    if (is_new) return true;
    const std::string& other = source.map().path(known->second);
    log.add({Finding::Kind::overlap, path(), address.value, title, "Address",
             fmt::format("belongs to {} already", other.empty() ? "the file" : other)});
    return false;
  }

  /// Notes a file that readers would open.
  void note_named_file(const std::string& by, const char* title, std::string_view name) const {
    log.add({Finding::Kind::note, by, {}, title, "", fmt::format("names the file \"{}\"", name)});
  }

  /// Like FindingLog::attempt, for the current owner.
  template <class F>
  bool attempt(const std::string& detail, F&& work) {
    try {
      std::forward<F>(work)();
      return true;
    } catch (const Error& error) {
      log.add(error, path(), detail, source.last_view());
      return false;
    }
  }
};

}  // namespace onecast::check
