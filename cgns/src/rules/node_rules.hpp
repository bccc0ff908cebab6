#pragma once

#include <functional>

#include "rules/checking.hpp"

namespace onecast::cgns {

/// The rules for one node; what breaks them is appended to a list.
class Rules {
 public:
  Rules(Node& node, std::vector<Violation>& found) : node_(node), found_(found) {}

  /// A text that begins with the path of the node loses it.
  void add(const std::string& rule);
  /// Its name and attributes; where a link leads.
  void check_stored_form();
  /// Its place, its children, its value: what the table of labels says.
  void check_grammar();

 private:
  /// Does it, and takes what it throws as a violation.
  void attempt(const std::function<void()>& rule);
  /// But not what is wrong with a node beside this one, which is told once.
  void add_failure(const std::string& what);
  void check_attribute(std::string_view name, std::size_t size);
  void check_link();
  void check_root();
  void check_place();
  void check_children();
  void check_type();
  [[nodiscard]] std::string_view dimensions() const;
  void check_dimensions();
  void check_text();
  void check_zone();
  void check_sections();
  void check_section();
  void check_extents();
  void check_boundary_data();

  Node& node_;
  std::vector<Violation>& found_;
};

}  // namespace onecast::cgns
