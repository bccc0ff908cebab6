#include "api/lookup.hpp"

using namespace onecast::cgns;

namespace {

// The size of the buffer in which other readers of CGNS files take an external link: a byte, the
// file, the path, two NULs.
constexpr std::size_t kLongestExternalLink = 512;
constexpr std::size_t kLongestLink = 4096;

LinkTarget checked_target(const char* file, const char* path) {
  LinkTarget target{file == nullptr ? "" : file, path == nullptr ? "" : path};
  if (target.path.empty()) throw Failure("the path to which a link leads is empty");
  const std::size_t longest = target.file.empty() ? kLongestLink : kLongestExternalLink - 3;
  if (target.file.size() + target.path.size() > longest)
    throw failure("the file and the path of a link have more than ", longest,
                  " characters together");
  return target;
}

Node& any_position_for_reading() {
  Node& node = session().position.node();
  for_reading(session().position.file());
  return node;
}

}  // namespace

extern "C" {

int cg_is_link(int* path_length) {
  return guarded(__func__, [&] {
    Node& node = any_position_for_reading();
    *path_length = 0;
    if (!node.is_link()) return;
    // The length is that of the CGNS library: both texts, each with its NUL.
    const LinkTarget target = target_of(node.own_group());
    const std::size_t file = target.file.empty() ? 0 : target.file.size() + 1;
    *path_length = static_cast<int>(file + target.path.size() + 1);
  });
}

int cg_link_read(char** filename, char** link_path) {
  return guarded(__func__, [&] {
    Node& node = any_position_for_reading();
    if (!node.is_link()) throw Failure(node.path() + " is no link");
    const LinkTarget target = target_of(node.own_group());
    *filename = allocated(target.file);
    *link_path = allocated(target.path);
  });
}

int cg_link_write(const char* nodename, const char* filename, const char* name_in_file) {
  return guarded(__func__, [&] {
    Node& node = session().position.node();
    for_writing(session().position.file());
    const std::string name = checked_name(nodename);
    node.tree().create_link(node, name, checked_target(filename, name_in_file));
  });
}

int cg_delete_node(const char* node_name) {
  return guarded(__func__, [&] {
    Node& node = session().position.node();
    if (session().file_at_position().mode != Mode::modify)
      throw Failure("nodes are deleted from files that are opened to be modified");
    const std::string name = checked_name(node_name);
    Node* child = node.find(name);
    if (child == nullptr) throw Failure(node.path() + " has no node '" + name + "'");
    const auto* row = named_row(node.label(), name);
    if (row != nullptr && row->required)
      throw Failure(child->path() + " is not deleted: a " + node.label_text() + " needs it");
    node.tree().remove(*child);
  });
}

}  // extern "C"
