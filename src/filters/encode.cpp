#include <fmt/format.h>

#include <limits>

#include "base/make_error.hpp"
#include "filters/borrowed_workspace.hpp"
#include "filters/filter.hpp"
#include "filters/filters.hpp"
#include "filters/registry.hpp"

namespace onecast::filters {
namespace {

Error lacking(const FilterSpec& spec, const Where& where) {
  return {ErrorCode::unsupported, fmt::format("{}: not supported: writing with filter {}",
                                              where.text(), number_and_name(spec))};
}

/// Applies an optional filter. Returns nothing if the filter must be left out.
std::optional<ByteView> encode_optional(const FoundFilter& filter, const FilterJob& job,
                                        ByteView plain, Workspace& workspace) {
  if (!filter.encodes()) return std::nullopt;
  try {
    return filter.encode(job, plain, workspace);
  } catch (const Error&) {
    return std::nullopt;
  }
}

ByteView encode(const FoundFilter& filter, const FilterJob& job, ByteView plain,
                Workspace& workspace) {
  if (!filter.encodes()) throw lacking(job.spec, job.where);
  const std::optional<ByteView> filtered = filter.encode(job, plain, workspace);
  if (!filtered) job.fail("it cannot make this chunk smaller, and is not optional");
  return *filtered;
}

}  // namespace

void require_encoders(const std::vector<FilterSpec>& pipeline, const Where& where) {
  if (pipeline.size() > kMaxFilters)
    throw argument_error("{}: {} filters; a pipeline has at most {}", where.text(), pipeline.size(),
                         kMaxFilters);
  for (const FilterSpec& spec : pipeline)
    if (!spec.optional && !find_filter(spec.id).encodes()) throw lacking(spec, where);
}

void encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                  EncodedChunk& out, const Where& where) {
  require_encoders(pipeline, where);
  BorrowedWorkspace workspace;
  out.filter_mask = 0;
  ByteView bytes = chunk;
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    const FilterSpec& spec = pipeline[i];
    const FoundFilter filter = find_filter(spec.id);
    const FilterJob job{spec, filter.name(spec), std::numeric_limits<std::size_t>::max(), where,
                        ErrorCode::invalid_argument};
    (*workspace).next({});
    const std::optional<ByteView> filtered = spec.optional
                                                 ? encode_optional(filter, job, bytes, *workspace)
                                                 : encode(filter, job, bytes, *workspace);
    if (filtered) {
      bytes = *filtered;
    } else {
      (*workspace).drop_result();
      out.filter_mask |= std::uint32_t{1} << i;
    }
  }
  out.bytes.assign(bytes.begin(), bytes.end());
}

EncodedChunk encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                          const Where& where) {
  EncodedChunk out;
  encode_chunk(pipeline, chunk, out, where);
  return out;
}

}  // namespace onecast::filters
