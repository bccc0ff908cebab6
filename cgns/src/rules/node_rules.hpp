#pragma once

#include <functional>

#include "rules/checking.hpp"

namespace onecast::cgns {

/// The rules for one node. Violations are appended to a list.
class Rules {
 public:
  Rules(Node& node, std::vector<Violation>& found) : node_(node), found_(found) {}

  /// Adds a violation. Removes the path of the node from the beginning of the text.
  void add(const std::string& rule);
  /// Checks the name and the attributes, and the target of a link.
  void check_stored_form();
  /// Checks the parent, the children and the value against the table of labels.
  void check_grammar();

 private:
  /// Calls `rule` and adds an exception as a violation.
  void attempt(const std::function<void()>& rule);
  /// Adds a violation, unless it concerns another node, which reports it itself.
  void add_failure(const std::string& what);
  void check_attribute(std::string_view name, std::size_t size);
  void check_link();
  void check_root();
  void check_version();
  void check_place();
  /// Returns the row of the node's name below its parent, or that of all arrays there; null if
  /// there is none.
  [[nodiscard]] const HeldRow* held() const;
  [[nodiscard]] std::string_view types() const;
  void check_children();
  void check_type();
  void check_dimensions();
  void check_text();

  /// Checks values against each other.
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
