#include "filters/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/make_error.hpp"
#include "filters/borrowed_workspace.hpp"
#include "filters/filter.hpp"
#include "filters/registry.hpp"

namespace onecast::filters {
namespace {

/// A filter of the pipeline that was applied to the chunk.
struct Step {
  const FilterSpec* spec = nullptr;
  FoundFilter filter;
  std::size_t max_size = 0;  ///< the largest size of the filter's input
};

/// The steps in the order in which they were applied.
class Pipeline {
 public:
  Pipeline(const std::vector<FilterSpec>& specs, std::uint32_t filter_mask, const Where& where)
      : where_(where) {
    if (specs.size() > kMaxFilters)
      throw format_error(
          "{}: a pipeline of {} filters; at most {} are "
          "valid",
          where.text(), specs.size(), kMaxFilters);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if ((filter_mask >> i & 1U) != 0) continue;
      Step& step = steps_[count_++];
      step = {&specs[i], find_filter(specs[i].id)};
      if (!step.filter.exists())
        throw unsupported_error("{}: not supported: filter {}", where.text(),
                                number_and_name(specs[i]));
    }
  }

  /// `target` is the place for the result; empty: any place.
  ByteView decode(ByteView bytes, std::size_t expected_size, std::span<std::byte> target,
                  Workspace& workspace) {
    std::size_t size = expected_size;
    for (std::size_t i = 0; i < count_; ++i) {
      steps_[i].max_size = size;
      size = steps_[i].filter.max_filtered_size(size);
    }
    for (std::size_t i = count_; i-- > 0;) {
      workspace.next(i == 0 ? target : std::span<std::byte>{});
      bytes = decode(steps_[i], bytes, workspace);
    }
    if (bytes.size() != expected_size)
      throw format_error("{}: the chunk has {} bytes, {} are expected", where_.text(), bytes.size(),
                         expected_size);
    return bytes;
  }

 private:
  [[nodiscard]] ByteView decode(const Step& step, ByteView bytes, Workspace& workspace) const {
    const FilterJob job{*step.spec, step.filter.name(*step.spec), step.max_size, where_};
    const ByteView decoded = step.filter.decode(job, bytes, workspace);
    if (decoded.size() > job.max_size)
      job.fail(fmt::format("{} bytes, at most {} are possible", decoded.size(), job.max_size));
    return decoded;
  }

  const Where& where_;
  std::array<Step, kMaxFilters> steps_;
  std::size_t count_ = 0;
};

}  // namespace

void require_filters(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                     const Where& where) {
  Pipeline(pipeline, filter_mask, where);
}

void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::span<const std::byte> stored, std::span<std::byte> out, const Where& where) {
  BorrowedWorkspace workspace;
  const ByteView decoded =
      Pipeline(pipeline, filter_mask, where).decode(stored, out.size(), out, *workspace);
  if (decoded.data() != out.data()) std::copy(decoded.begin(), decoded.end(), out.begin());
}

void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::vector<std::byte>& in_out, std::size_t expected_size, const Where& where) {
  BorrowedWorkspace workspace;
  const ByteView decoded =
      Pipeline(pipeline, filter_mask, where).decode(in_out, expected_size, {}, *workspace);
  if (decoded.data() == in_out.data())
    in_out.resize(decoded.size());
  else
    in_out.assign(decoded.begin(), decoded.end());
}

}  // namespace onecast::filters
