#include "objects/flush/call_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "comm/agreement.hpp"
#include "comm/two_sides.hpp"
#include "filters/filter_name.hpp"
#include "format/infra/global_heap.hpp"
#include "format/objects/link_message.hpp"
#include "objects/files/file_state.hpp"
#include "objects/nodes/call_log.hpp"
#include "objects/values/heap_reader.hpp"
#include "onecast/base/error.hpp"
#include "types/value_text.hpp"

namespace onecast::flush {
namespace {

using Argument = CallWords::Argument;
constexpr std::array<const char*, CallArguments::kCount> kNames{"type", "shape", "storage",
                                                                "value"};
/// The largest number of elements that is sent.
constexpr std::size_t kMostElements = 4096;

std::string shape_text(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string space_text(const Dataspace& space) {
  if (space.max_shape().empty()) return shape_text(space.shape());
  std::vector<std::string> most;
  for (const std::uint64_t n : space.max_shape())
    most.push_back(n == Dataspace::kUnlimited ? "unlimited" : fmt::format("{}", n));
  return fmt::format("{}, at most ({})", shape_text(space.shape()), fmt::join(most, ", "));
}

std::string storage_text(const DatasetInfo& info) {
  constexpr const char* kLayouts[] = {"compact", "contiguous", "chunked", "virtual"};
  std::string text =
      info.is_external() ? "external" : kLayouts[static_cast<std::size_t>(info.layout)];
  if (!info.chunk.empty()) text += fmt::format(", chunks {}", shape_text(info.chunk));
  for (const FilterSpec& filter : info.filters) {
    const std::string_view name = filter_name(filter.id);
    text += fmt::format(", {}", name.empty() ? fmt::format("filter {}", filter.id) : name);
    if (!filter.client_data.empty())
      text += fmt::format("({})", fmt::join(filter.client_data, " "));
  }
  if (!info.fill_value.empty())
    text += fmt::format(", fill value {}", value_text(info.type, info.fill_value));
  return text;
}

std::string heap_text(FileState& file, HeapReader& heap, ByteView element) {
  const auto ref = decode<VariableLengthReference>(element, {}, file.store().file());
  if (ref.length == 0) return "\"\"";
  const auto found = heap.object(ref.id, ref.length, "Length");
  const std::string_view text(reinterpret_cast<const char*>(found.bytes.data()),
                              found.bytes.size());
  constexpr std::size_t kMost = 40;
  return fmt::format("\"{}\"{}", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

std::vector<std::string> element_texts(FileState& file, const Datatype& type, ByteView bytes) {
  std::vector<std::string> texts;
  HeapReader heap(file);
  for (; bytes.size() >= type.size() && texts.size() < kMostElements;
       bytes = bytes.subspan(type.size())) {
    const ByteView element = bytes.first(type.size());
    texts.push_back(type.type_class() == TypeClass::variable_string ? heap_text(file, heap, element)
                                                                    : value_text(type, element));
  }
  return texts;
}

void tell_dataset(Node& node, std::vector<Argument>& arguments) {
  if (node.kind != ObjectKind::dataset) return;
  const DatasetInfo& info = node.dataset();
  arguments[CallArguments::kType].texts = {info.type.describe()};
  arguments[CallArguments::kShape].texts = {space_text(info.space)};
  arguments[CallArguments::kStorage].texts = {storage_text(info)};
  if (info.layout == Layout::compact)
    arguments[CallArguments::kValue].texts = element_texts(file_of(node), info.type, info.compact);
}

void tell_attribute(Node& node, const StoredAttribute& entry, std::vector<Argument>& arguments) {
  FileState& file = file_of(node);
  const Datatype& type = file.datatype(entry.datatype_message());
  arguments[CallArguments::kType].texts = {type.describe()};
  arguments[CallArguments::kShape].texts = {space_text(file.dataspace(entry.dataspace_message()))};
  arguments[CallArguments::kValue].texts = element_texts(file, type, entry.data());
}

void tell_type(Node& node, std::vector<Argument>& arguments) {
  if (const HeaderMessage* m = node.header.find(MessageType::datatype))
    arguments[CallArguments::kType].texts = {file_of(node).datatype(*m).describe()};
}

/// Describes what a link of the group holds.
void tell_link(const LinkEntry& link, const FileContext& context,
               std::vector<Argument>& arguments) {
  const LinkMessage m = link.message();
  std::string target;
  if (m.type == LinkType::soft) {
    target = fmt::format("\"{}\"", m.soft_value);
  } else if (m.type == LinkType::external) {
    const auto value = decode<ExternalLinkValue>(m.user_data, {}, context);
    target = fmt::format("\"{}\" of file \"{}\"", value.object_path, value.file_name);
  } else if (link.node != nullptr) {
    target = fmt::format("\"{}\"", link.node->path());
  }
  if (!target.empty()) arguments[CallArguments::kValue].texts = {std::move(target)};
}

/// Describes the arguments from the present contents of the file.
void tell_arguments(const LoggedCall& call, std::vector<Argument>& arguments) {
  Node& where = *call.where;
  const std::string_view what = call.what;
  const bool anonymous = call.name.empty();
  if (what == "set attribute") {
    if (const AttributeEntry* entry = where.attributes().find(call.name))
      tell_attribute(where, *entry, arguments);
  } else if (what == "create datatype" && anonymous) {
    tell_type(where, arguments);
  } else if (what == "resize" || what == "write" || what == "values of" ||
             what == "allocate chunks of" || (what == "create dataset" && anonymous)) {
    tell_dataset(where, arguments);
  } else if (where.kind == ObjectKind::group && !what.ends_with("attribute")) {
    const LinkEntry* link = where.links().find(call.name);
    if (link == nullptr || link->removed) return;
    if (what == "create dataset" && link->node != nullptr)
      tell_dataset(*link->node, arguments);
    else if (what == "create datatype" && link->node != nullptr)
      tell_type(*link->node, arguments);
    else if (what != "move")
      tell_link(*link, file_of(where).store().file(), arguments);
  }
}

/// Returns the text of an argument that differs; if it has many elements, the text of the first
/// that differs.
std::string text_beside(const char* name, const Argument& mine, const Argument& other) {
  const auto& [digest, texts] = mine;
  const auto at = std::ranges::mismatch(texts, other.texts).in1 - texts.begin();
  const auto position = static_cast<std::size_t>(at);
  if (texts.empty() || other.texts.empty() || position == texts.size())
    return fmt::format("with another {}", name);
  if (texts.size() == 1) return fmt::format("with {} {}", name, texts.front());
  return fmt::format("with {} at element {} of its {}", texts[position], position, name);
}

}  // namespace

void CallWords::pack(Packer& out) const {
  out.text(call);
  for (const Argument& argument : arguments) {
    out.number(argument.digest);
    out.number(argument.texts.size());
    for (const std::string& text : argument.texts) out.text(text);
  }
}

CallWords CallWords::unpacked(std::span<const std::byte> bytes) {
  CallWords words;
  Unpacker in(bytes);
  for (words.call = in.text(); !in.at_end();) {
    Argument& argument = words.arguments.emplace_back();
    argument.digest = in.number();
    for (std::uint64_t left = in.number(); left > 0; --left) argument.texts.emplace_back(in.text());
  }
  return words;
}

CallWords words_of(const LoggedCall& call) {
  CallWords words;
  const std::string path = call.where->path();
  if (path.empty() && call.name.empty())
    words.call = fmt::format("{} without a link", call.what);
  else if (path.empty())
    words.call = fmt::format("{} \"{}\" in an anonymous object", call.what, call.name);
  else if (call.name.empty())
    words.call = fmt::format("{} \"{}\"", call.what, path);
  else
    words.call = fmt::format("{} \"{}\" in \"{}\"", call.what, call.name, path);
  words.arguments.resize(CallArguments::kCount);
  try {
    tell_arguments(call, words.arguments);
  } catch (const Error&) {
    // Arguments that cannot be looked up any more are left out.
    words.arguments.assign(CallArguments::kCount, {});
  }
  for (std::size_t i = 0; i < CallArguments::kCount; ++i)
    words.arguments[i].digest = call.arguments[i];
  return words;
}

namespace {

/// Returns the call of one rank, with those arguments that differ from another rank's. Digests of
/// different arguments may be equal, since the log keeps only their ends.
std::string told_beside(const CallWords& mine, const CallWords& other) {
  std::string text = mine.call;
  if (mine.call != other.call || mine.arguments.size() != other.arguments.size()) return text;
  const char* separator = " ";
  for (std::size_t i = 0; i < mine.arguments.size(); ++i)
    if (mine.arguments[i].digest != other.arguments[i].digest) {
      text += separator + text_beside(kNames[i], mine.arguments[i], other.arguments[i]);
      separator = ", ";
    }
  if (text == mine.call) text += " with other arguments";
  return text;
}

}  // namespace

void throw_difference(const CallLog& log, CommunicatorBackend& comm, const std::string& file) {
  // Digests cover all earlier calls, so bisection finds the first difference.
  std::uint64_t count[1] = {log.size()};
  comm.all_reduce_max(count);
  std::size_t at = 0;
  std::size_t different = static_cast<std::size_t>(count[0]);
  while (at < different) {
    const std::size_t middle = at + (different - at) / 2;
    if (compare_digest(comm, log.digest_at(middle)))
      at = middle + 1;
    else
      different = middle;
  }
  const TwoSides sides = two_sides(comm, log.digest_at(at), [&] {
    Packer out;
    (at < log.size() ? words_of(log[at]) : CallWords()).pack(out);
    return std::move(out.out);
  });
  const CallWords first = CallWords::unpacked(sides.first.span());
  const CallWords other = CallWords::unpacked(sides.other.span());
  throw Error(
      ErrorCode::diverged,
      fmt::format("{}: ranks made different structural calls; the first that differs is call {} "
                  "since the last flush: rank 0: {}; rank {}: {}",
                  file, at + 1, told_beside(first, other), sides.rank, told_beside(other, first)));
}

}  // namespace onecast::flush
