#include <fmt/format.h>

#include <algorithm>

#include "objects/file_opening.hpp"
#include "objects/node.hpp"
#include "objects/write_together.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {
namespace {

struct Elements {
  std::vector<std::byte> bytes;
  NewValues values;
};

Elements pad(Node& dataset, std::span<const std::string> texts) {
  const Datatype& type = dataset.dataset().type;
  const std::size_t size = type.size();
  // One byte is for the terminator.
  const std::size_t room = type.padding() == StringPadding::null_terminated ? size - 1 : size;
  const auto filler = std::byte{type.padding() == StringPadding::space_padded ? std::uint8_t{' '}
                                                                              : std::uint8_t{0}};
  Elements elements{std::vector<std::byte>(texts.size() * size, filler), {}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > room)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{}: a text of {} bytes does not fit into {}", dataset.where(),
                              texts[i].size(), type.describe()));
    const auto text = std::as_bytes(std::span(texts[i]));
    std::copy(text.begin(), text.end(),
              elements.bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  return elements;
}

Elements elements_of(Node& dataset, std::span<const std::string> texts) {
  const Datatype& type = dataset.dataset().type;
  if (type.type_class() == TypeClass::string) return pad(dataset, texts);
  if (type.type_class() != TypeClass::variable_string)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: is {}, not strings", dataset.where(), type.describe()));
  Elements elements;
  elements.bytes = elements.values.strings(type, texts);
  return elements;
}

}  // namespace

void Dataset::write_strings(std::span<const std::string> texts, const Selection& part) {
  const Elements elements = elements_of(*node_, texts);
  write(elements.bytes, part, elements.values);
}

void Dataset::write_all_strings(std::span<const std::string> texts, const Selection& part) {
  Elements elements;
  std::exception_ptr failure;
  try {
    require_writable(node_);
    elements = elements_of(*node_, texts);
  } catch (...) {
    failure = std::current_exception();
  }
  const Write mine{&*node_, elements.bytes, nullptr, &part, {}, &elements.values};
  write_together(*node_->file, CallKind::write_all, {&mine, 1}, failure);
}

void Dataset::write_equal_strings(std::span<const std::string> texts, const Selection& part) {
  const Elements elements = elements_of(*node_, texts);
  write_equal(elements.bytes, part, elements.values);
}

std::vector<std::byte> Dataset::read_elements(const Selection& part) const {
  const Datatype& type = datatype();
  std::uint64_t count = 0;
  if (part.kind() == Selection::Kind::all)
    count = stored_count(type);
  else
    count = (part.is_unlimited() ? part.clipped(shape()) : part).element_count();
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(count, type.size(), &size))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: a part of {} elements is too large", node_->where(), count));
  std::vector<std::byte> elements(static_cast<std::size_t>(size));
  read(elements, part);
  return elements;
}

std::vector<std::string> Dataset::read_strings(const Selection& part) const {
  return VariableValues(*this).strings(datatype(), read_elements(part));
}

}  // namespace onecast
