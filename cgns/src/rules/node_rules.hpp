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
  void check_version();
  void check_place();
  /// The row of its name below its parent, or of any array there; null if there is none.
  [[nodiscard]] const HeldRow* held() const;
  [[nodiscard]] std::string_view types() const;
  void check_children();
  void check_type();
  void check_dimensions();
  void check_text();

  /// What values say of each other.
  void check_contents();
  void check_base();
  void check_zone();
  void check_particles();
  void check_sections();
  void check_section();
  void check_extents();
  void check_points();
  void check_boundary_data();
  void check_steps();
  void check_transform();
  void check_axisymmetry();
  void check_additional_exponents();
  void check_geometry_format();

  Node& node_;
  std::vector<Violation>& found_;
};

}  // namespace onecast::cgns
