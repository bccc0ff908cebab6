#include "tree/copy.hpp"

#include <vector>

#include "grammar/failure.hpp"
#include "tree/values.hpp"

namespace onecast::cgns {

namespace {

/// True if a value is copied through memory to the header of its node.
bool is_small(const Dataset& data) {
  return data.element_count() > 0 && fits_header(data.element_count(), data.datatype().size());
}

/// Copies a value through memory. Also needed if the two files store dimensions in different
/// orders.
void copy_by_memory(Node& from, Node& to) {
  const ValueType type = from.type();
  const auto bytes = read_value(from, type);
  to.tree().write_value(to, {type, from.dims(), bytes});
}

}  // namespace

void copy_node(Node& from, Node& to) {
  to.tree().set_label(to, from.label_text());
  const auto data = from.data();
  const bool as_stored =
      data && !is_small(*data) && from.tree().is_reversed() == to.tree().is_reversed();
  if (!data)
    to.tree().write_value(to, {.type = from.type()});
  else if (as_stored)
    to.tree().copy_value(to, from.type(), *data);
  else
    copy_by_memory(from, to);
}

void copy_children(Node& from, Node& to, Links links) {
  // An explicit stack, because trees may be deep.
  std::vector<std::pair<Node*, Node*>> waiting{{&from, &to}};
  while (!waiting.empty()) {
    const auto [source, target] = waiting.back();
    waiting.pop_back();
    for (const auto& child : source->children()) {
      Tree& tree = target->tree();
      if (child->is_link()) {
        const LinkTarget leads = target_of(child->own_group());
        // A link within an expanded file would lead to another node here.
        const bool is_inside = leads.file.empty() && child->own_group().in_file_of(from.group());
        if (links == Links::kept || is_inside) {
          tree.create_link(*target, child->name(), leads);
          continue;
        }
      }
      Node& copy = tree.create(*target, child->name(), child->label_text(), {});
      copy_node(*child, copy);
      waiting.emplace_back(child.get(), &copy);
    }
  }
}

}  // namespace onecast::cgns
