#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/handles/request_members.hpp"
#include "objects/virtual_datasets/virtual_storage.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast {

using namespace handles;

namespace {

/// Returns the type of the elements that a virtual dataset gives to a source; nothing if it is the
/// source's own.
std::optional<Datatype> given_type(const Datatype& given, Node& source) {
  if (source.dataset().type == given) return std::nullopt;
  return given;
}

/// Throws unless elements of the type can be written to this part of a source, which may be
/// virtual, too.
void check_source(const detail::WaitingPointer<Node>& source, const Selection& part,
                  const Datatype& given) {
  require_writable(source);
  require_there(*source);
  const BoundSelection selection(source->dataset().space, part, *source);
  const std::size_t bytes = static_cast<std::size_t>(selection.given_count()) * given.size();
  const std::span<const std::byte> elements{static_cast<const std::byte*>(nullptr), bytes};
  const Transfer checked(Transfer::Direction::writing, *source, elements, nullptr, part,
                         given_type(given, *source));
  const DatasetInfo& info = source->dataset();
  if (info.layout == Layout::virtual_dataset)
    sources_of(info).check_write(selection, {.check =
                                                 [&](Node& inner, const Selection& inner_part) {
                                                   check_source(handle_from(source, inner),
                                                                inner_part, info.type);
                                                 },
                                             .write = {}});
  else if (info.layout != Layout::compact)
    require_writable_storage(*source);
}

}  // namespace

void Dataset::write_sources(std::span<const std::byte> stored, const RequestView& asked) {
  const DatasetInfo& info = node_->dataset();
  const SourceWriter writer{
      .check =
          [&](Node& source, const Selection& part) {
            check_source(handle_from(node_, source), part, info.type);
          },
      .write =
          [&](Node& source, const Selection& part, std::span<const std::byte> elements) {
            RequestView request(part, given_type(info.type, source));
            request.values = asked.values;
            Dataset(handle_from(node_, source)).write_alone(elements, request);
          }};
  sources_of(info).write(BoundSelection(info.space, *asked.part, *node_), stored, writer);
}

}  // namespace onecast
