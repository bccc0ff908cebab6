#include "number_types.hpp"

#include <RtypesCore.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <type_traits>

#include "model/make_error.hpp"
#include "root_components.hpp"

namespace onecast::events::root {
namespace {

template <class T>
class ListHolder final : public Holder {
 public:
  void* object() override { return &list_; }
  void from_bytes(Bytes bytes, const std::string& where) override {
    if (bytes.size() % sizeof(T) != 0)
      throw wrong_size(where, bytes.size(), fmt::format("numbers of {}", sizeof(T)));
    if constexpr (std::is_same_v<T, Bool_t>) require_booleans(bytes, where);
    list_.resize(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < list_.size(); ++i) {
      T number{};
      std::memcpy(&number, bytes.data() + i * sizeof(T), sizeof(T));
      list_[i] = number;
    }
  }
  void to_bytes(std::vector<std::byte>& out) const override {
    out.resize(list_.size() * sizeof(T));
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const T number = list_[i];
      std::memcpy(out.data() + i * sizeof(T), &number, sizeof(T));
    }
  }

 private:
  std::vector<T> list_;
};

template <class T>
constexpr NumberType row(std::string_view name, char letter, std::string_view field,
                         std::string_view vector) {
  return {name,      letter,
          field,     vector,
          sizeof(T), []() -> std::unique_ptr<Holder> {
            return std::make_unique<ListHolder<T>>(); }};
}

constexpr std::array kTypes{
    row<Float_t>("Float_t", 'F', "float", "vector<float>"),
    row<Double_t>("Double_t", 'D', "double", "vector<double>"),
    row<Bool_t>("Bool_t", 'O', "bool", "vector<bool>"),
    row<Char_t>("Char_t", 'B', "std::int8_t", "vector<char>"),
    row<UChar_t>("UChar_t", 'b', "std::uint8_t", "vector<unsigned char>"),
    row<Short_t>("Short_t", 'S', "std::int16_t", "vector<short>"),
    row<UShort_t>("UShort_t", 's', "std::uint16_t", "vector<unsigned short>"),
    row<Int_t>("Int_t", 'I', "std::int32_t", "vector<int>"),
    row<UInt_t>("UInt_t", 'i', "std::uint32_t", "vector<unsigned int>"),
    row<Long64_t>("Long64_t", 'L', "std::int64_t", "vector<Long64_t>"),
    row<ULong64_t>("ULong64_t", 'l', "std::uint64_t", "vector<ULong64_t>"),
    // These are other names of the last two types.
    row<Long_t>("Long_t", 'G', "", "vector<long>"),
    row<ULong_t>("ULong_t", 'g', "", "vector<unsigned long>"),
};

/// The C++ name of little-endian numbers.
struct RawName {
  std::string_view name, root;
};
constexpr std::array kRawNames{RawName{"float", "Float_t"},
                               RawName{"double", "Double_t"},
                               RawName{"bool", "Bool_t"},
                               RawName{"char", "Char_t"},
                               RawName{"signed char", "Char_t"},
                               RawName{"int8_t", "Char_t"},
                               RawName{"unsigned char", "UChar_t"},
                               RawName{"uint8_t", "UChar_t"},
                               RawName{"short", "Short_t"},
                               RawName{"int16_t", "Short_t"},
                               RawName{"unsigned short", "UShort_t"},
                               RawName{"uint16_t", "UShort_t"},
                               RawName{"int", "Int_t"},
                               RawName{"int32_t", "Int_t"},
                               RawName{"unsigned", "UInt_t"},
                               RawName{"unsigned int", "UInt_t"},
                               RawName{"uint32_t", "UInt_t"},
                               RawName{"long", "Long64_t"},
                               RawName{"long long", "Long64_t"},
                               RawName{"int64_t", "Long64_t"},
                               RawName{"Long_t", "Long64_t"},
                               RawName{"unsigned long", "ULong64_t"},
                               RawName{"unsigned long long", "ULong64_t"},
                               RawName{"uint64_t", "ULong64_t"},
                               RawName{"ULong_t", "ULong64_t"}};

std::string_view without_std(std::string_view name) {
  constexpr std::string_view kStd = "std::";
  return name.starts_with(kStd) ? name.substr(kStd.size()) : name;
}

const NumberType* raw_number_named(std::string_view name) {
  const auto* const found = std::ranges::find(kRawNames, without_std(name), &RawName::name);
  return number_named(found == kRawNames.end() ? name : found->root);
}

std::optional<NumberClass> raw_number_class(std::string_view name) {
  constexpr std::string_view kVector = "vector<";
  const std::string_view vector = without_std(name);
  std::string dimensions;
  if (vector.starts_with(kVector) && vector.ends_with('>')) {
    name = vector.substr(kVector.size(), vector.size() - kVector.size() - 1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    dimensions = "[]";
  } else if (const std::size_t bracket = name.find('['); bracket != std::string_view::npos) {
    if (!name.ends_with(']')) return {};
    dimensions = name.substr(bracket);
    name = name.substr(0, bracket);
  }
  NumberClass numbers{raw_number_named(name), dimensions};
  // ROOT makes no column of arrays without elements.
  if (numbers.type == nullptr || (numbers.is_fixed() && numbers.count() == 0)) return {};
  return numbers;
}

template <class Is>
const NumberType* find(Is&& is) {
  const auto* const found = std::ranges::find_if(kTypes, is);
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace

const NumberType* number_named(std::string_view name) {
  return find([&](const NumberType& type) { return type.name == name; });
}
const NumberType* number_of_field(std::string_view field) {
  return find([&](const NumberType& type) { return !field.empty() && type.field == field; });
}
const NumberType* number_of_vector(std::string_view class_name) {
  return find([&](const NumberType& type) { return type.vector == class_name; });
}

Number number_at(const void* memory, const NumberType& type) {
  if (type.letter == 'D') return *static_cast<const double*>(memory);
  if (type.letter == 'F') return static_cast<double>(*static_cast<const float*>(memory));
  std::uint64_t bits = 0;
  std::memcpy(&bits, memory, type.bytes);
  if (!type.is_signed()) return bits;
  const std::size_t above = 8 * (sizeof bits - type.bytes);
  return static_cast<std::int64_t>(bits << above) >> above;
}

bool NumberClass::is_fixed() const {
  return dimensions.find_first_not_of("[]0123456789") == std::string::npos &&
         dimensions.find("[]") == std::string::npos;
}

std::size_t NumberClass::count() const {
  std::size_t count = 1;
  for (std::size_t at = 0; (at = dimensions.find('[', at)) != std::string::npos; ++at) {
    std::size_t length = 0;
    std::from_chars(dimensions.data() + at + 1, dimensions.data() + dimensions.size(), length);
    if (__builtin_mul_overflow(count, length, &count) || count > (std::size_t{1} << 40U))
      throw format_error("{}: dimensions too large", dimensions);
  }
  return count;
}

std::string NumberClass::counter() const {
  if (is_fixed()) return {};
  return dimensions.substr(1, dimensions.find(']') - 1);
}

std::optional<NumberClass> number_class(const std::string& class_name) {
  const std::size_t bracket = class_name.find('[');
  const NumberType* type = number_named(std::string_view(class_name).substr(0, bracket));
  if (type == nullptr) return {};
  const bool is_one = bracket == std::string::npos;
  if (!is_one && class_name.back() != ']') return {};
  return NumberClass{type, is_one ? std::string() : class_name.substr(bracket)};
}

std::optional<NumberClass> numbers_of(const Product& product, const std::string& serializer) {
  if (serializer == kRoot) return number_class(product.class_name);
  if (serializer == kRaw) return raw_number_class(product.class_name);
  return {};
}

bool is_text(const Product& product, const std::string& serializer) {
  return serializer == kRaw && without_std(product.class_name) == "string";
}

void require_booleans(Bytes bytes, const std::string& where) {
  for (const std::byte byte : bytes)
    if (byte > std::byte{1})
      throw format_error("{}: {} is no boolean", where, std::to_integer<int>(byte));
}

Error wrong_size(const std::string& where, std::size_t bytes, const std::string& expected) {
  return {ErrorCode::format,
          fmt::format("{}: {} bytes, {} were expected; the outputer ROOTEvent keeps products of "
                      "any size",
                      where, bytes, expected)};
}

}  // namespace onecast::events::root
