#include <fmt/format.h>

#include <functional>
#include <memory>
#include <utility>

#include "device/place.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/create/new_dataset.hpp"
#include "objects/create/new_object.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/new_path.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/objects/group.hpp"
#include "types/gaps.hpp"

namespace onecast::create {
namespace {

/// The data and options of a dataset after its values of variable length were put into the heap.
struct DatasetWithValues {
  DatasetWithValues(FileState& file, const Datatype& type, std::span<const std::byte> elements,
                    const DatasetOptions& given, const NewValues& values)
      : data(elements.begin(), elements.end()), options(given) {
    const auto store = [&](std::span<std::byte> bytes, bool keep) {
      store_values(type, bytes, values, file.store().file(),
                   [&](ByteView value) { return heap_of(file).put(value, keep); });
    };
    store(data, false);
    if (options.fill_value) store(*options.fill_value, true);
  }

  std::vector<std::byte> data;
  DatasetOptions options;
};

/// A fill value of variable length that only this rank knows; it is in a private heap until the
/// flush.
class LocalFillValue {
 public:
  LocalFillValue(FileState& file, const Datatype& type, const DatasetOptions& given,
                 const NewValues& values)
      : options(given) {
    if (!given.fill_value) return;
    pack_values(type, *given.fill_value, values, packed_);
    store_values(type, *options.fill_value, values, file.store().file(), [&](ByteView value) {
      return file.local_edits().heap.put(value, file.store().file());
    });
  }

  /// `given` is the element before its values were stored.
  void keep(Node& node, ByteView given) {
    const FileState& file = file_of(node);
    const HeaderMessage& m = *node.header.find(MessageType::fill_value);
    auto message = decode<FillValueMessage>(m.data, m.address, file.store().file());
    message.value = given;
    node.local()->fill_value = {encode_kept(message, file.store().file(), file_of(node).arena()),
                                std::move(packed_.out)};
  }

  DatasetOptions options;

 private:
  Packer packed_;
};

/// Turns a new node into a dataset.
Node& make_dataset(Node& node, const NewDataset& created) {
  CallLog& log = file_of(node).log();
  created.add_messages(node);
  for (const HeaderMessage& m : node.header.messages) log.grow(0, m.data.size());
  if (created.is_chunked()) log.grow(kMemoryOfNewIndex, 0);
  log.add("create dataset", created_in(node), node.name, [&] { return created.arguments(); });
  return node;
}

/// Returns options with a fill value whose gaps are zeros; nothing if they are already.
std::optional<DatasetOptions> with_plain_fill_value(const Datatype& type,
                                                    const DatasetOptions& given) {
  if (!given.fill_value) return std::nullopt;
  const Gaps gaps(type);
  if (gaps.are_zero(*given.fill_value)) return std::nullopt;
  std::optional<DatasetOptions> options = given;
  gaps.clear(*options->fill_value);
  return options;
}

}  // namespace

MakeDataset prepare_dataset(FileState& file, std::string where, const Datatype& type,
                            const Dataspace& space, std::span<const std::byte> data,
                            const DatasetOptions& options, const Model& model) {
  const auto created = std::make_shared<const NewDataset>(
      file, [where = std::move(where)] { return where; }, type, space, data, options, &model);
  return [created](Node& group, std::string_view name) -> Node& {
    return make_dataset(link_new(group, name, ObjectKind::dataset), *created);
  };
}

}  // namespace onecast::create

namespace onecast {

using namespace create;

Dataset Group::create_dataset(std::string_view path, const DatasetDescription& described) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_dataset(there->path, described);
  return make_dataset(path, described);
}

Dataset Group::create_anonymous_dataset(const DatasetDescription& described) {
  begin_adding(node_);
  return make_dataset(std::nullopt, described);
}

Dataset Group::make_dataset(std::optional<std::string_view> path,
                            const DatasetDescription& described) {
  static const NewValues kNone;
  const Datatype& type = described.type;
  const Dataspace& space = described.space;
  const DatasetOptions& given = described.options;
  const NewValues& values = described.values != nullptr ? *described.values : kNone;
  const std::optional<Datatype>& memory_type = described.memory_type;
  std::span<const std::byte> data = described.data;
  FileState& file = file_of(*node_);
  file.require_editable();
  make_room(file);
  // Such data is converted part by part, or comes from a device, as in any write, once the dataset
  // exists.
  std::span<const std::byte> to_convert;
  if ((memory_type && *memory_type != type) || device::place_of(data.data()))
    std::swap(to_convert, data);
  const PlainBytes plain(type, data);
  data = plain.get();
  const std::optional<DatasetOptions> cleared = with_plain_fill_value(type, given);
  const DatasetOptions& options = cleared ? *cleared : given;
  // Everything that may throw comes before the first change.
  const auto where = [&] {
    return path ? fmt::format("{}: dataset \"{}\"", node_->where(), *path)
                : file.path() + ": anonymous dataset";
  };
  std::optional<NewDataset> created(std::in_place, file, std::ref(where), type, space, data,
                                    options);
  std::optional<DatasetWithValues> placed;
  if (type.points_elsewhere()) {
    require_storable(type, file.store().file(), where);
    check_values(type, data, values, where);
    if (options.fill_value) check_values(type, *options.fill_value, values, where);
  }
  std::optional<NewPath> at;
  if (path) at.emplace(*node_, *path);
  // True if values wait for the flush together with the dataset.
  const bool wait = uses_heap(type) && file.local_edits().is_inside() && !file.comm().is_self();
  std::optional<LocalFillValue> fill_value;
  if (wait) {
    fill_value.emplace(file, type, options, values);
    created.emplace(file, std::ref(where), type, space, std::span<const std::byte>(),
                    fill_value->options);
  } else if (uses_heap(type)) {
    placed.emplace(file, type, data, options, values);
    created.emplace(file, std::ref(where), type, space, placed->data, placed->options);
  }
  std::shared_ptr<const void> prefixes;
  const auto make = [&](Node& node) -> Node& {
    if (given.prefixes) prefixes = node.set_prefixes(*given.prefixes);
    onecast::make_dataset(node, *created);
    if (!values.empty())
      file.log().add("values of", node, "", {CallArguments::kValue, Digest().add(values.bytes())});
    if (fill_value && options.fill_value) fill_value->keep(node, *options.fill_value);
    created->write_value(node);
    const bool waits = wait && !data.empty();
    if (!waits && to_convert.empty()) return node;
    Dataset dataset(handle_from(node_, node));
    if (waits) dataset.write(data, TransferRequest{.values = &values});
    const TransferRequest request{.memory_type = memory_type};
    if (!to_convert.empty() && file.local_edits().is_inside())
      dataset.write(to_convert, request);
    else if (!to_convert.empty())
      dataset.write_equal(to_convert, request);
    return node;
  };
  const std::uint64_t bytes = created->bytes_to_write();
  Node& made = at ? make_at(*at, bytes,
                            [&](Node& group, std::string_view name) -> Node& {
                              return make(link_new(group, name, ObjectKind::dataset));
                            })
                  : make_anonymous(file, bytes, [&]() -> Node& {
                      return make(new_anonymous(file, ObjectKind::dataset));
                    });
  return Dataset(handle_from(node_, made));
}

}  // namespace onecast
