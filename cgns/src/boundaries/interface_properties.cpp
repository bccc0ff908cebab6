#include <algorithm>

#include "boundaries/interfaces_of.hpp"

using namespace onecast::cgns;

namespace {

constexpr const char* kProperties = "GridConnectivityProperty";

/// The arguments that name an interface: general, or one to one.
struct Interface {
  int fn, base, zone;
  Label kind;
  int index;

  [[nodiscard]] Node& in(OpenFile& file) const { return in_active(file, base, zone, kind, index); }
};

Node& property_of(Node& interface, const char* name, Label label) {
  return required(required(interface, kProperties, Label::GridConnectivityProperty), name, label);
}

/// Creates a property of the interface. An existing one is replaced if the file may be modified.
Node& new_property(Node& interface, const char* name, Label label) {
  return create(require(interface, kProperties, Label::GridConnectivityProperty), name, label, {});
}

int read_periodic(const char* function, const Interface& which, float* center, float* angle,
                  float* translation) {
  return guarded(function, [&] {
    OpenFile& file = for_reading(which.fn);
    Node& periodic = property_of(which.in(file), "Periodic", Label::Periodic);
    const auto size = static_cast<std::size_t>(physical_dimension(base_at(file, which.base)));
    const auto read = [&](const char* name) {
      return read_numbers<float>(required(periodic, name, Label::DataArray), size);
    };
    const auto read_center = read("RotationCenter");
    const auto read_angle = read("RotationAngle");
    std::ranges::copy(read("Translation"), translation);
    std::ranges::copy(read_center, center);
    std::ranges::copy(read_angle, angle);
  });
}

int write_periodic(const char* function, const Interface& which, const float* center,
                   const float* angle, const float* translation) {
  return guarded(function, [&] {
    OpenFile& file = for_writing(which.fn);
    if (center == nullptr || angle == nullptr || translation == nullptr)
      throw Failure("the rotation or the translation is NULL");
    const auto size = static_cast<std::size_t>(physical_dimension(base_at(file, which.base)));
    Node& periodic = new_property(which.in(file), "Periodic", Label::Periodic);
    const auto write = [&](const char* name, const float* numbers) {
      create(periodic, name, Label::DataArray, Value::numbers(std::span(numbers, size)));
    };
    write("RotationCenter", center);
    write("RotationAngle", angle);
    write("Translation", translation);
  });
}

int read_average(const char* function, const Interface& which, AverageInterfaceType_t* type) {
  return guarded(function, [&] {
    Node& average =
        property_of(which.in(for_reading(which.fn)), "AverageInterface", Label::AverageInterface);
    *type = read_enum<AverageInterfaceType_t>(
        required(average, "AverageInterfaceType", Label::AverageInterfaceType),
        AverageInterfaceTypeName);
  });
}

int write_average(const char* function, const Interface& which, AverageInterfaceType_t type) {
  return guarded(function, [&] {
    OpenFile& file = for_writing(which.fn);
    const auto text = enum_text(type, AverageInterfaceTypeName);
    create(new_property(which.in(file), "AverageInterface", Label::AverageInterface),
           "AverageInterfaceType", Label::AverageInterfaceType, Value::text(text));
  });
}

}  // namespace

extern "C" {

int cg_conn_periodic_read(int fn, int B, int Z, int Ii, float* RotationCenter, float* RotationAngle,
                          float* Translation) {
  return read_periodic(__func__, {fn, B, Z, Label::GridConnectivity, Ii}, RotationCenter,
                       RotationAngle, Translation);
}

int cg_conn_periodic_write(int fn, int B, int Z, int Ii, const float* RotationCenter,
                           const float* RotationAngle, const float* Translation) {
  return write_periodic(__func__, {fn, B, Z, Label::GridConnectivity, Ii}, RotationCenter,
                        RotationAngle, Translation);
}

int cg_1to1_periodic_read(int fn, int B, int Z, int Ii, float* RotationCenter, float* RotationAngle,
                          float* Translation) {
  return read_periodic(__func__, {fn, B, Z, Label::GridConnectivity1to1, Ii}, RotationCenter,
                       RotationAngle, Translation);
}

int cg_1to1_periodic_write(int fn, int B, int Z, int Ii, const float* RotationCenter,
                           const float* RotationAngle, const float* Translation) {
  return write_periodic(__func__, {fn, B, Z, Label::GridConnectivity1to1, Ii}, RotationCenter,
                        RotationAngle, Translation);
}

int cg_conn_average_read(int fn, int B, int Z, int Ii,
                         AverageInterfaceType_t* AverageInterfaceType) {
  return read_average(__func__, {fn, B, Z, Label::GridConnectivity, Ii}, AverageInterfaceType);
}

int cg_conn_average_write(int fn, int B, int Z, int Ii,
                          AverageInterfaceType_t AverageInterfaceType) {
  return write_average(__func__, {fn, B, Z, Label::GridConnectivity, Ii}, AverageInterfaceType);
}

int cg_1to1_average_read(int fn, int B, int Z, int Ii,
                         AverageInterfaceType_t* AverageInterfaceType) {
  return read_average(__func__, {fn, B, Z, Label::GridConnectivity1to1, Ii}, AverageInterfaceType);
}

int cg_1to1_average_write(int fn, int B, int Z, int Ii,
                          AverageInterfaceType_t AverageInterfaceType) {
  return write_average(__func__, {fn, B, Z, Label::GridConnectivity1to1, Ii}, AverageInterfaceType);
}

}  // extern "C"
