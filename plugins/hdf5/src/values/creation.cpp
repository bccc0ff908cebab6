#include "values/creation.hpp"

#include <algorithm>
#include <onecast/filters/known_filters.hpp>

#include "handles/hand_over.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/spaces.hpp"
#include "values/stored_elements.hpp"
#include "values/stored_types.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Failure("H5E_DATASET_g", "H5E_UNSUPPORTED_g", what);
}

bool tracks_times(Library& library, h5::Id creation) {
  bool tracks = false;
  library.call.H5Pget_obj_track_times(creation, &tracks);
  return tracks;
}

bool tracks_attributes(Library& library, h5::Id creation) {
  unsigned order = 0;
  library.call.H5Pget_attr_creation_order(creation, &order);
  return order != 0;
}

std::vector<onecast::Filter> filters_of(Library& library, h5::Id creation) {
  constexpr unsigned kOptional = 1;
  constexpr std::size_t kMany = 256;
  const int count = library.call.H5Pget_nfilters(creation);
  std::vector<onecast::Filter> filters;
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::vector<unsigned> values(kMany);
    std::size_t number = values.size();
    const int id = library.call.H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &number,
                                               values.data(), 0, nullptr, nullptr);
    if (number > kMany || !encodes(id)) throw NeedsNative{kUnknownFilter};
    values.resize(number);
    filters.push_back({.id = static_cast<std::uint16_t>(id),
                       .optional = (flags & kOptional) != 0,
                       .client_data = {values.begin(), values.end()}});
  }
  return filters;
}

std::vector<onecast::ExternalSlot> external_of(Library& library, h5::Id creation) {
  const int count = library.call.H5Pget_external_count(creation);
  std::vector<onecast::ExternalSlot> slots;
  for (int i = 0; i < count; ++i) {
    constexpr std::size_t kLongest = 4096;
    std::string name(kLongest, '\0');
    off_t offset = 0;
    h5::Size size = 0;
    if (library.call.H5Pget_external(creation, static_cast<unsigned>(i), name.size(), name.data(),
                                     &offset, &size) < 0 ||
        name.find('\0') == std::string::npos)
      refuse("the name of an external file is too long");
    name.resize(name.find('\0'));
    slots.push_back({std::move(name), static_cast<std::uint64_t>(offset), size});
  }
  return slots;
}

/// Reads a text of a list.
template <class Function>
std::string text_of(Function function, h5::Id creation, std::size_t index) {
  const std::ptrdiff_t length = function(creation, index, nullptr, 0);
  if (length < 0) refuse("a source of a virtual dataset without a name");
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  function(creation, index, text.data(), text.size());
  text.pop_back();
  return text;
}

onecast::Selection mapping_side(Library& library, h5::Id space) {
  auto selection = mapped_selection_of(library, space);
  library.call.H5Sclose(space);
  if (!selection) throw NeedsNative{"a selection of a virtual dataset"};
  return *std::move(selection);
}

std::vector<onecast::VirtualMapping> sources_of(Library& library, h5::Id creation) {
  const h5::Functions& call = library.call;
  std::size_t count = 0;
  std::vector<onecast::VirtualMapping> sources;
  if (call.H5Pget_virtual_count(creation, &count) < 0) return sources;
  for (std::size_t i = 0; i < count; ++i)
    sources.push_back({text_of(call.H5Pget_virtual_filename, creation, i),
                       text_of(call.H5Pget_virtual_dsetname, creation, i),
                       mapping_side(library, call.H5Pget_virtual_srcspace(creation, i)),
                       mapping_side(library, call.H5Pget_virtual_vspace(creation, i))});
  return sources;
}

void set_layout(Library& library, h5::Id creation, onecast::DatasetOptions& options) {
  const h5::Functions& call = library.call;
  switch (call.H5Pget_layout(creation)) {
    case h5::LayoutClass::compact:
      options.layout = onecast::Layout::compact;
      break;
    case h5::LayoutClass::contiguous:
      options.layout = onecast::Layout::contiguous;
      options.external = external_of(library, creation);
      break;
    case h5::LayoutClass::chunked: {
      options.layout = onecast::Layout::chunked;
      options.chunk.resize(h5::kRankMax);
      options.chunk.resize(static_cast<std::size_t>(
          std::max(0, call.H5Pget_chunk(creation, h5::kRankMax, options.chunk.data()))));
      unsigned edges = 0;
      if (call.H5Pget_chunk_opts(creation, &edges) >= 0 && edges != 0)
        throw NeedsNative{"chunks at the edge that are not filtered"};
      break;
    }
    case h5::LayoutClass::virtual_dataset:
      options.layout = onecast::Layout::virtual_dataset;
      options.sources = sources_of(library, creation);
      break;
  }
}

void set_fill(const Handle& on, h5::Id type, h5::Id creation, NewDataset& made) {
  Library& library = on.library;
  const h5::Functions& call = library.call;
  onecast::DatasetOptions& options = made.description.options;
  int time = 0;
  if (call.H5Pget_fill_time(creation, &time) >= 0)
    options.fill_time = static_cast<onecast::FillTime>(time);
  if (call.H5Pget_alloc_time(creation, &time) >= 0 && time > 0)
    options.allocation_time = static_cast<onecast::AllocationTime>(time);
  constexpr int kByProgram = 2;
  int defined = 0;
  if (call.H5Pfill_value_defined(creation, &defined) < 0 || defined != kByProgram) return;
  const onecast::Datatype& stored = made.description.type;
  std::vector<std::byte> value(std::max(stored.size(), call.H5Tget_size(type)));
  if (call.H5Pget_fill_value(creation, type, value.data()) < 0)
    refuse("a fill value that cannot be converted");
  if (stored.points_elsewhere()) {
    const h5::Id to = stored_type_id(*on.opening, stored);
    const Collecting now(*on.opening, made.values);
    const InFile values(on.opening);
    if (call.H5Tconvert(type, to, 1, value.data(), nullptr, library.default_transfer()) < 0)
      refuse("a fill value that cannot be converted");
  }
  value.resize(stored.size());
  options.fill_value = std::move(value);
}

/// Sets limits of dense storage for which the program has asked.
void set_limits(h5::Status (*get)(h5::Id, unsigned*, unsigned*), h5::Id creation,
                onecast::DenseLimits& limits) {
  onecast::DenseLimits asked;
  if (get(creation, &asked.max_compact, &asked.min_dense) >= 0 && asked != onecast::DenseLimits())
    limits = asked;
}

}  // namespace

bool encodes(int filter) {
  const auto known = onecast::known_filters();
  return std::ranges::any_of(
      known, [&](const auto& each) { return static_cast<int>(each.id) == filter && each.encodes; });
}

onecast::GroupOptions group_options_of(const Handle& on, h5::Id creation) {
  Library& library = on.library;
  onecast::GroupOptions options{.attribute_order = tracks_attributes(library, creation)};
  unsigned order = 0;
  library.call.H5Pget_link_creation_order(creation, &order);
  options.link_order = order != 0;
  set_limits(library.call.H5Pget_link_phase_change, creation, options.dense_links);
  set_limits(library.call.H5Pget_attr_phase_change, creation, options.dense_attributes);
  // The native library stores times of groups in headers of version 2 alone.
  int low = 0;
  int high = 0;
  library.call.H5Pget_libver_bounds(on.opening->access_list(), &low, &high);
  options.times =
      tracks_times(library, creation) && (low > 0 || options.link_order || options.attribute_order);
  return options;
}

NewDataset dataset_of(const Handle& on, h5::Id type, h5::Id space, h5::Id creation) {
  Library& library = on.library;
  NewDataset made{{.type = stored_form(on, type), .space = dataspace_of(library, space)}};
  onecast::DatasetOptions& options = made.description.options;
  set_layout(library, creation, options);
  options.filters = filters_of(library, creation);
  options.attribute_order = tracks_attributes(library, creation);
  options.times = tracks_times(library, creation);
  set_limits(library.call.H5Pget_attr_phase_change, creation, options.dense_attributes);
  if (const Handle* const committed = committed_type(library, type);
      committed != nullptr && committed->opening->is_same_file(*on.opening))
    options.committed_type = committed->object;
  set_fill(on, type, creation, made);
  return made;
}

}  // namespace onecast_hdf5
