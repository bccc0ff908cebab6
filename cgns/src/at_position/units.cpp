#include <algorithm>

#include "api/single_nodes.hpp"

using namespace onecast::cgns;

namespace {

constexpr std::size_t kUnits = 5;            // mass, length, time, temperature, angle
constexpr std::size_t kAdditionalUnits = 3;  // current, amount, intensity
constexpr std::size_t kUnitSize = 32;

/// Returns the names of units in their stored form: each has 32 characters, padded with blanks.
std::string units_text(std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    text += name;
    text.resize((text.size() / kUnitSize + 1) * kUnitSize, ' ');
  }
  return text;
}

Value units_value(const std::string& text) {
  return {ValueType::C1, {kUnitSize, text.size() / kUnitSize}, std::as_bytes(std::span(text))};
}

/// The units of a node, `count` of them.
class Units {
 public:
  Units(Node& node, std::size_t count) : node_(node), text_(read_text(node)) {
    if (text_.size() != count * kUnitSize)
      throw failure(node.path(), " has ", text_.size(), " characters, not ", count * kUnitSize);
  }
  template <class Enum, std::size_t kCount>
  void read(std::size_t which, const char* const (&names)[kCount], Enum* out) {
    std::string_view text = std::string_view(text_).substr(which * kUnitSize, kUnitSize);
    text = trimmed(text.substr(0, text.find('\0')));
    *out = static_cast<Enum>(enum_value(node_, text, names));
  }

 private:
  Node& node_;
  std::string text_;
};

void read_units(Node& node, MassUnits_t* mass, LengthUnits_t* length, TimeUnits_t* time,
                TemperatureUnits_t* temperature, AngleUnits_t* angle) {
  Units units(node, kUnits);
  units.read(0, MassUnitsName, mass);
  units.read(1, LengthUnitsName, length);
  units.read(2, TimeUnitsName, time);
  units.read(3, TemperatureUnitsName, temperature);
  units.read(4, AngleUnitsName, angle);
}

std::string basic_units(MassUnits_t mass, LengthUnits_t length, TimeUnits_t time,
                        TemperatureUnits_t temperature, AngleUnits_t angle) {
  return units_text({enum_text(mass, MassUnitsName), enum_text(length, LengthUnitsName),
                     enum_text(time, TimeUnitsName), enum_text(temperature, TemperatureUnitsName),
                     enum_text(angle, AngleUnitsName)});
}

Node& units_here() {
  return only(position_for_reading(Label::DimensionalUnits), Label::DimensionalUnits);
}

/// Returns `count` of the numbers of that type at `numbers`, from index `first` on.
Value reals(DataType_t type, const void* numbers, std::size_t first, std::size_t count) {
  if (type != RealSingle && type != RealDouble)
    throw Failure("the numbers are of type RealSingle or RealDouble");
  if (numbers == nullptr) throw Failure("the numbers are NULL");
  const ValueType stored = value_type_of(type);
  const auto* bytes = static_cast<const std::byte*>(numbers) + first * size_of(stored);
  return {stored, {count}, {bytes, count * size_of(stored)}};
}

/// The type of a node's numbers, R4 or R8, which the caller's memory must have.
ValueType real_type(Node& node) {
  const ValueType type = node.type();
  if (type != ValueType::R4 && type != ValueType::R8)
    throw Failure(node.path() + " is of type " + std::string(text_of(type)) + ", not R4 or R8");
  return type;
}

/// Reads all numbers of a node, converted to that type.
void read_reals(Node& node, ValueType type, std::size_t expected, std::byte* out) {
  const auto bytes = read_value(node, type);
  if (bytes.size() != expected * size_of(type))
    throw failure(node.path(), " has ", bytes.size() / size_of(type), " numbers, not ", expected);
  std::ranges::copy(bytes, out);
}

Node& exponents_here() {
  return only(position_for_reading(Label::DimensionalExponents), Label::DimensionalExponents);
}

Node& conversion_here() {
  return only(position_for_reading(Label::DataConversion), Label::DataConversion);
}

}  // namespace

extern "C" {

int cg_nunits(int* nunits) {
  return guarded(__func__, [&] {
    Node* more = single(units_here(), Label::AdditionalUnits);
    *nunits = static_cast<int>(more == nullptr ? kUnits : kUnits + kAdditionalUnits);
  });
}

int cg_units_read(MassUnits_t* mass, LengthUnits_t* length, TimeUnits_t* time,
                  TemperatureUnits_t* temperature, AngleUnits_t* angle) {
  return guarded(__func__,
                 [&] { read_units(units_here(), mass, length, time, temperature, angle); });
}

int cg_units_write(MassUnits_t mass, LengthUnits_t length, TimeUnits_t time,
                   TemperatureUnits_t temperature, AngleUnits_t angle) {
  return guarded(__func__, [&] {
    Node& node = position_for_writing(Label::DimensionalUnits);
    create_only(node, Label::DimensionalUnits,
                units_value(basic_units(mass, length, time, temperature, angle)));
  });
}

int cg_unitsfull_read(MassUnits_t* mass, LengthUnits_t* length, TimeUnits_t* time,
                      TemperatureUnits_t* temperature, AngleUnits_t* angle,
                      ElectricCurrentUnits_t* current, SubstanceAmountUnits_t* amount,
                      LuminousIntensityUnits_t* intensity) {
  return guarded(__func__, [&] {
    Node& node = units_here();
    read_units(node, mass, length, time, temperature, angle);
    *current = ElectricCurrentUnitsNull;
    *amount = SubstanceAmountUnitsNull;
    *intensity = LuminousIntensityUnitsNull;
    Node* additional = single(node, Label::AdditionalUnits);
    if (additional == nullptr) return;
    Units units(*additional, kAdditionalUnits);
    units.read(0, ElectricCurrentUnitsName, current);
    units.read(1, SubstanceAmountUnitsName, amount);
    units.read(2, LuminousIntensityUnitsName, intensity);
  });
}

int cg_unitsfull_write(MassUnits_t mass, LengthUnits_t length, TimeUnits_t time,
                       TemperatureUnits_t temperature, AngleUnits_t angle,
                       ElectricCurrentUnits_t current, SubstanceAmountUnits_t amount,
                       LuminousIntensityUnits_t intensity) {
  return guarded(__func__, [&] {
    Node& node = position_for_writing(Label::DimensionalUnits);
    const std::string basic = basic_units(mass, length, time, temperature, angle);
    const std::string additional = units_text({enum_text(current, ElectricCurrentUnitsName),
                                               enum_text(amount, SubstanceAmountUnitsName),
                                               enum_text(intensity, LuminousIntensityUnitsName)});
    Node& units = create_only(node, Label::DimensionalUnits, units_value(basic));
    create_only(units, Label::AdditionalUnits, units_value(additional));
  });
}

int cg_exponents_info(DataType_t* DataType) {
  return guarded(__func__, [&] { *DataType = data_type_of(real_type(exponents_here())); });
}

int cg_nexponents(int* numexp) {
  return guarded(__func__, [&] {
    Node* more = single(exponents_here(), Label::AdditionalExponents);
    *numexp = static_cast<int>(more == nullptr ? kUnits : kUnits + kAdditionalUnits);
  });
}

int cg_exponents_read(void* exponents) {
  return guarded(__func__, [&] {
    Node& node = exponents_here();
    read_reals(node, real_type(node), kUnits, static_cast<std::byte*>(exponents));
  });
}

int cg_exponents_write(DataType_t DataType, const void* exponents) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::DimensionalExponents), Label::DimensionalExponents,
                reals(DataType, exponents, 0, kUnits));
  });
}

int cg_expfull_read(void* exponents) {
  return guarded(__func__, [&] {
    Node& node = exponents_here();
    const ValueType type = real_type(node);
    auto* out = static_cast<std::byte*>(exponents);
    read_reals(node, type, kUnits, out);
    std::byte* rest = out + kUnits * size_of(type);
    if (Node* more = single(node, Label::AdditionalExponents))
      read_reals(*more, type, kAdditionalUnits, rest);
    else
      std::fill_n(rest, kAdditionalUnits * size_of(type), std::byte{0});
  });
}

int cg_expfull_write(DataType_t DataType, const void* exponents) {
  return guarded(__func__, [&] {
    Node& node = create_only(position_for_writing(Label::DimensionalExponents),
                             Label::DimensionalExponents, reals(DataType, exponents, 0, kUnits));
    create_only(node, Label::AdditionalExponents,
                reals(DataType, exponents, kUnits, kAdditionalUnits));
  });
}

int cg_conversion_info(DataType_t* DataType) {
  return guarded(__func__, [&] { *DataType = data_type_of(real_type(conversion_here())); });
}

int cg_conversion_read(void* ConversionFactors) {
  return guarded(__func__, [&] {
    Node& node = conversion_here();
    read_reals(node, real_type(node), 2, static_cast<std::byte*>(ConversionFactors));
  });
}

int cg_conversion_write(DataType_t DataType, const void* ConversionFactors) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::DataConversion), Label::DataConversion,
                reals(DataType, ConversionFactors, 0, 2));
  });
}

}  // extern "C"
