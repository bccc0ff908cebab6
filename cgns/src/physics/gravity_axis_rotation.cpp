#include <algorithm>

#include "api/single_nodes.hpp"

using namespace onecast::cgns;

namespace {

/// A vector in physical space, and its name.
struct Named {
  const char* name;
  const float* vector;
};

/// Creates the only node of a label, with its vectors.
void create_with_vectors(Node& parent, Label label, std::initializer_list<Named> vectors) {
  const auto size = static_cast<std::size_t>(physical_dimension(base_of(parent)));
  for (const Named& each : vectors)
    if (each.vector == nullptr) throw Failure(std::string(each.name) + " is NULL");
  Node& node = create_only(parent, label, {});
  for (const Named& each : vectors)
    create(node, each.name, Label::DataArray, Value::numbers(std::span(each.vector, size)));
}

void read_vector(Node& node, const char* name, float* out) {
  const auto size = static_cast<std::size_t>(physical_dimension(base_of(node)));
  std::ranges::copy(read_numbers<float>(required(node, name, Label::DataArray), size), out);
}

}  // namespace

extern "C" {

int cg_gravity_read(int fn, int B, float* gravity_vector) {
  return guarded(__func__, [&] {
    read_vector(only(base_at(for_reading(fn), B), Label::Gravity), "GravityVector", gravity_vector);
  });
}

int cg_gravity_write(int fn, int B, const float* gravity_vector) {
  return guarded(__func__, [&] {
    create_with_vectors(base_at(for_writing(fn), B), Label::Gravity,
                        {{"GravityVector", gravity_vector}});
  });
}

int cg_axisym_read(int fn, int B, float* ref_point, float* axis) {
  return guarded(__func__, [&] {
    Node& node = only(base_at(for_reading(fn), B), Label::Axisymmetry);
    read_vector(node, "AxisymmetryReferencePoint", ref_point);
    read_vector(node, "AxisymmetryAxisVector", axis);
  });
}

int cg_axisym_write(int fn, int B, const float* ref_point, const float* axis) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_writing(fn), B);
    if (physical_dimension(base) != 2)
      throw Failure("an axis of symmetry is for a base of two dimensions, not " +
                    std::to_string(physical_dimension(base)));
    create_with_vectors(
        base, Label::Axisymmetry,
        {{"AxisymmetryReferencePoint", ref_point}, {"AxisymmetryAxisVector", axis}});
  });
}

int cg_rotating_read(float* rot_rate, float* rot_center) {
  return guarded(__func__, [&] {
    Node& node = only(position_for_reading(Label::RotatingCoordinates), Label::RotatingCoordinates);
    read_vector(node, "RotationRateVector", rot_rate);
    read_vector(node, "RotationCenter", rot_center);
  });
}

int cg_rotating_write(const float* rot_rate, const float* rot_center) {
  return guarded(__func__, [&] {
    create_with_vectors(position_for_writing(Label::RotatingCoordinates),
                        Label::RotatingCoordinates,
                        {{"RotationCenter", rot_center}, {"RotationRateVector", rot_rate}});
  });
}

}  // extern "C"
