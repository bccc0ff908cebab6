#pragma once

#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "filters/filter_spec.hpp"
#include "format/objects/filter_pipeline_message.hpp"

namespace onecast::structures {

/// The filters that a Filter Pipeline message lists.
inline std::vector<FilterSpec> filter_specs(ByteView message, Address where,
                                            const FileContext& file) {
  std::vector<FilterSpec> specs;
  const auto pipeline = decode<FilterPipelineMessage>(message, where, file);
  specs.reserve(pipeline.filters.size());
  for (const FilterDescription& f : pipeline.filters)
    specs.push_back({f.id, f.is_optional(), std::string(f.name), f.client_data});
  return specs;
}

}  // namespace onecast::structures
