#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "cgio/cgio_guard.hpp"
#include "cgio/node_data.hpp"
#include "tree/copy.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::cgio;

namespace {

/// Returns the node, which has a label and a value of its own. Throws Failure if it is a link.
Node& not_a_link(Node& node) {
  if (node.is_link()) throw Failure(node.path() + " is a link");
  return node;
}

Node& child_of(OpenFile& file, double parent, double id) {
  Node& node = node_of(file, id);
  if (node.parent() != &node_of(file, parent))
    throw Failure(node.path() + " is not a child of " + node_of(file, parent).path(), kNotAChild);
  return node;
}

void require_new(Node& parent, const std::string& name, Code code = kNameExists) {
  if (Node* there = reached(parent).find(name))
    throw Failure("there is a node of the name '" + name + "' already: " + there->path(), code);
}

/// Returns the node at a path relative to `from`, or absolute.
Node& node_at(OpenFile& file, Node& from, std::string_view path) {
  Node* node = path.starts_with('/') ? &file.root() : &from;
  while (!path.empty()) {
    const auto step = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    if (step.empty() || step == ".") continue;
    Node* next = reached(*node).find(step);
    if (next == nullptr)
      throw Failure(node->path() + " has no node '" + std::string(step) + "'", kNotFound);
    node = next;
  }
  return *node;
}

/// Returns at most `max_ret` children, from child `start` on, counted from 1.
std::span<const std::unique_ptr<Node>> children_from(Node& parent, int start, int max_ret) {
  const std::span children = reached(parent).children();
  if (start < 1 || max_ret < 1 || static_cast<std::size_t>(start) > children.size())
    throw Failure(words(max_ret, " children from child ", start, " on are not among the ",
                        children.size(), " of ", parent.path()),
                  kBadChildIndex);
  const auto from = children.subspan(static_cast<std::size_t>(start) - 1);
  return from.first(std::min(from.size(), static_cast<std::size_t>(max_ret)));
}

LinkTarget link_of(Node& node) {
  if (!node.is_link()) throw Failure(node.path() + " is no link", kIsNoLink);
  return target_of(node.own_group());
}

/// The length with the NUL; 0 if there is no file.
int file_length(const LinkTarget& target) {
  return target.file.empty() ? 0 : static_cast<int>(target.file.size()) + 1;
}
int path_length(const LinkTarget& target) { return static_cast<int>(target.path.size()) + 1; }

}  // namespace

extern "C" {

int cgio_create_node(int cgio_num, double pid, const char* name, double* id) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& parent = node_of(file, pid);
    const std::string checked = given_name(name);
    require_new(parent, checked);
    *given(id, "id") = session().ids.id_of(file.tree->create(parent, checked, "", {}));
  });
}

int cgio_new_node(int cgio_num, double pid, const char* name, const char* label,
                  const char* data_type, int ndims, const cgsize_t* dims, const void* data,
                  double* id) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& parent = node_of(file, pid);
    const std::string checked = given_name(name);
    const std::string with_label = given_label(label);
    const Value value = given_value(data_type, ndims, dims, data);
    require_new(parent, checked);
    *given(id, "id") = session().ids.id_of(file.tree->create(parent, checked, with_label, value));
  });
}

int cgio_delete_node(int cgio_num, double pid, double id) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    file.tree->remove(child_of(file, pid, id));
  });
}

int cgio_move_node(int cgio_num, double pid, double id, double new_pid) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& node = child_of(file, pid, id);
    Node& parent = node_of(file, new_pid);
    require_new(parent, node.name(), kNotMoved);
    file.tree->move(node, parent, node.name());
  });
}

int cgio_copy_node(int cgio_num_inp, double id_inp, int cgio_num_out, double id_out) {
  return numbered([&] {
    Node& from = reached(node_of(file_of(cgio_num_inp), id_inp));
    copy_node(from, not_a_link(node_of(writable_file_of(cgio_num_out), id_out)));
  });
}

int cgio_release_id(int cgio_num, double id) {
  // The id stays valid: it takes no memory, and other parts of the program may use it.
  return numbered([&] { node_of(file_of(cgio_num), id); });
}

int cgio_is_link(int cgio_num, double id, int* link_len) {
  return numbered([&] {
    Node& node = node_of(file_of(cgio_num), id);
    *given(link_len, "link_len") = 0;
    if (!node.is_link()) return;
    const LinkTarget target = link_of(node);
    *link_len = file_length(target) + path_length(target);
  });
}

int cgio_link_size(int cgio_num, double id, int* file_len, int* name_len) {
  return numbered([&] {
    Node& node = node_of(file_of(cgio_num), id);
    *given(file_len, "file_len") = *given(name_len, "name_len") = 0;
    if (!node.is_link()) return;
    const LinkTarget target = link_of(node);
    *file_len = file_length(target);
    *name_len = path_length(target);
  });
}

int cgio_create_link(int cgio_num, double pid, const char* name, const char* filename,
                     const char* name_in_file, double* id) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& parent = node_of(file, pid);
    const std::string checked = given_name(name);
    const LinkTarget target{filename != nullptr ? filename : "",
                            given(name_in_file, "name_in_file")};
    if (target.path.empty()) throw Failure("the path of the link is empty", kNameEmpty);
    if (target.file.size() > CGIO_MAX_FILE_LENGTH || target.path.size() > CGIO_MAX_LINK_LENGTH)
      throw Failure("the target of the link is too long", kTextTooLong);
    require_new(parent, checked);
    *given(id, "id") = session().ids.id_of(file.tree->create_link(parent, checked, target));
  });
}

int cgio_get_link(int cgio_num, double id, char* filename, char* name_in_file) {
  return numbered([&] {
    const LinkTarget target = link_of(node_of(file_of(cgio_num), id));
    give(target.file.substr(0, CGIO_MAX_FILE_LENGTH), filename);
    give(target.path.substr(0, CGIO_MAX_LINK_LENGTH), name_in_file);
  });
}

int cgio_number_children(int cgio_num, double id, int* num_children) {
  return numbered([&] {
    const auto& children = reached(node_of(file_of(cgio_num), id)).children();
    *given(num_children, "num_children") = static_cast<int>(children.size());
  });
}

int cgio_children_ids(int cgio_num, double pid, int start, int max_ret, int* num_ret, double* ids) {
  return numbered([&] {
    const auto children = children_from(node_of(file_of(cgio_num), pid), start, max_ret);
    *given(num_ret, "num_ret") = static_cast<int>(children.size());
    double* out = given(ids, "ids");
    for (const auto& child : children) *out++ = session().ids.id_of(*child);
  });
}

int cgio_children_names(int cgio_num, double pid, int start, int max_ret, int name_len,
                        int* num_ret, char* names) {
  return numbered([&] {
    if (name_len < 1) throw Failure("name_len is " + std::to_string(name_len), CGIO_ERR_TOO_SMALL);
    const auto room = static_cast<std::size_t>(name_len);
    const auto children = children_from(node_of(file_of(cgio_num), pid), start, max_ret);
    *given(num_ret, "num_ret") = static_cast<int>(children.size());
    char* out = given(names, "names");
    for (const auto& child : children) {
      std::memset(out, 0, room);
      std::memcpy(out, child->name().data(), std::min(child->name().size(), room - 1));
      out += room;
    }
  });
}

int cgio_get_node_id(int cgio_num, double pid, const char* name, double* id) {
  return numbered([&] {
    OpenFile& file = file_of(cgio_num);
    const std::string_view path = given(name, "the name");
    if (path.empty()) throw Failure("the name is empty", kNameEmpty);
    *given(id, "id") = session().ids.id_of(node_at(file, node_of(file, pid), path));
  });
}

int cgio_get_name(int cgio_num, double id, char* name) {
  return numbered([&] {
    const Node& node = node_of(file_of(cgio_num), id);
    if (node.name().size() > CGIO_MAX_NAME_LENGTH)
      throw Failure("the name of " + node.path() + " has more than 32 characters", kTextTooLong);
    give(node.parent() != nullptr ? node.name() : "HDF5 MotherNode", name);
  });
}

int cgio_get_label(int cgio_num, double id, char* label) {
  return numbered([&] { give(reached(node_of(file_of(cgio_num), id)).label_text(), label); });
}

int cgio_set_name(int cgio_num, double pid, double id, const char* name) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& node = node_of(file, id);
    Node& parent = node_of(file, pid);
    if (node.parent() != &parent)
      throw Failure(node.path() + " is not a child of " + parent.path(), kNotMoved);
    const std::string checked = given_name(name);
    if (checked == node.name()) return;
    require_new(parent, checked);
    file.tree->move(node, parent, checked);
  });
}

int cgio_set_label(int cgio_num, double id, const char* label) {
  return numbered([&] {
    OpenFile& file = writable_file_of(cgio_num);
    Node& node = not_a_link(node_of(file, id));
    file.tree->set_label(node, given_label(label));
  });
}

}  // extern "C"
