#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "Filter Description". The name is empty if none is stored.
struct FilterDescription {
  static constexpr const char* kTitle = "Filter Description";
  static constexpr std::uint16_t kFirstNamed = 256;  ///< version 2 stores no names for lower
                                                     ///< numbers
  static constexpr std::uint16_t kOptional = 0x0001;

  std::uint8_t pipeline_version = 2;  ///< context: the message's
  std::uint16_t id = 0;
  std::uint16_t flags = 0;
  std::string_view name;
  std::vector<std::uint32_t> client_data;

  [[nodiscard]] bool is_optional() const { return (flags & kOptional) != 0; }
  [[nodiscard]] FilterDescription context() const {
    FilterDescription c;
    c.pipeline_version = pipeline_version;
    return c;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u16("Filter Identification Value", s.id);
    const bool old = s.pipeline_version == 1;
    auto name_size = static_cast<std::uint16_t>(s.name.empty() ? 0 : s.name.size() + 1);
    if (old) name_size = static_cast<std::uint16_t>(name_size + padding(name_size, 8));
    const bool named = old || s.id >= kFirstNamed;
    if (named) v.u16("Name Length", name_size);
    v.u16("Flags", s.flags);
    auto value_count = static_cast<std::uint16_t>(s.client_data.size());
    v.u16("Number Client Data Values", value_count);
    if (named && name_size != 0) {
      v.text("Name", s.name, name_size);
      if constexpr (V::kDecodes) {
        s.name = s.name.substr(0, s.name.find('\0'));
      } else {
        v.reserved("Name", name_size - s.name.size());
      }
    }
    v.list("Client Data", s.client_data, value_count, 4,
           [](V& each, auto& value) { each.u32("Client Data", value); });
    if (old && value_count % 2 != 0) v.reserved("Padding", 4);
  }
};

/// "IV.A.2.l. The Data Storage - Filter Pipeline Message", versions 1 and 2.
struct FilterPipelineMessage {
  static constexpr const char* kTitle = "Filter Pipeline Message";
  static constexpr std::uint8_t kMaxFilters = 32;

  std::uint8_t version = 2;
  std::vector<FilterDescription> filters;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 2);
    auto count = static_cast<std::uint8_t>(s.filters.size());
    v.u8("Number of Filters", count);
    v.check(count <= kMaxFilters, "Number of Filters", "is more than 32");
    if (s.version == 1) v.reserved("Reserved", 6);
    v.list("Filter Description List", s.filters, count, 6, [&](V& each, auto& filter) {
      if constexpr (V::kDecodes) filter.pipeline_version = s.version;
      each.record("Filter Description", filter);
    });
  }
};

}  // namespace onecast::format
