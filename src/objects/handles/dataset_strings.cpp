#include <algorithm>

#include "base/make_error.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/handles/request_members.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {

using namespace handles;

namespace {

struct StoredTexts {
  std::vector<std::byte> bytes;
  NewValues values;
};

StoredTexts pad(Node& dataset, std::span<const std::string> texts) {
  const Datatype& type = dataset.dataset().type;
  const std::size_t size = type.size();
  // One byte is for the terminator.
  const std::size_t room = type.padding() == StringPadding::null_terminated ? size - 1 : size;
  const auto filler = std::byte{type.padding() == StringPadding::space_padded ? std::uint8_t{' '}
                                                                              : std::uint8_t{0}};
  StoredTexts elements{std::vector<std::byte>(texts.size() * size, filler), {}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > room)
      throw argument_error("{}: a text of {} bytes does not fit into {}", dataset.where(),
                           texts[i].size(), type.describe());
    const auto text = std::as_bytes(std::span(texts[i]));
    std::copy(text.begin(), text.end(),
              elements.bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  return elements;
}

StoredTexts elements_of(Node& dataset, std::span<const std::string> texts) {
  const Datatype& type = dataset.dataset().type;
  if (type.type_class() == TypeClass::string) return pad(dataset, texts);
  if (type.type_class() != TypeClass::variable_string)
    throw argument_error("{}: is {}, not strings", dataset.where(), type.describe());
  StoredTexts elements;
  elements.bytes = elements.values.strings(type, texts);
  return elements;
}

/// Throws unless the request suits strings, which have no other type and no other layout in memory.
void require_plain(const Node& dataset, const RequestView& request) {
  const auto reject = [&](const char* member) {
    throw argument_error("{}: {}: not with strings", dataset.where(), member);
  };
  if (request.memory != nullptr) reject("memory");
  if (request.memory_type) reject("memory_type");
  if (request.values != nullptr) reject("values");
}

}  // namespace

void Dataset::transfer(How how, std::span<std::string> out, const RequestView& request) const {
  std::vector<std::byte> elements;
  RequestView bytes(request);
  bytes.attempt([&] {
    require_plain(*node_, request);
    const std::size_t count = count_of(request);
    if (count != out.size())
      throw argument_error("{}: {} strings expected, {} given", node_->where(), count, out.size());
    elements.resize(count * datatype().size());
  });
  transfer(how, elements, bytes);
  auto texts = VariableValues(*this).strings(datatype(), elements);
  std::ranges::move(texts, out.begin());
}

void Dataset::transfer(How how, std::span<const std::string> texts, const RequestView& request) {
  StoredTexts elements;
  RequestView bytes(request);
  bytes.attempt([&] {
    require_writable(node_);
    require_plain(*node_, request);
    elements = elements_of(*node_, texts);
  });
  bytes.values = &elements.values;
  transfer(how, elements.bytes, bytes);
}

}  // namespace onecast
