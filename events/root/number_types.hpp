#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/events/product.hpp"

namespace onecast::events::root {

/// A value as ROOT holds it in memory, which converts from and to the bytes of a product.
class Holder {
 public:
  Holder() = default;
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  virtual ~Holder() = default;

  [[nodiscard]] virtual void* object() = 0;
  /// Throws Error (format) that begins with `where`.
  virtual void from_bytes(Bytes bytes, const std::string& where) = 0;
  virtual void to_bytes(std::vector<std::byte>& out) const = 0;
};

/// A type of numbers with its names: in ROOT (Float_t), in a TLeaf (F), as a field of an RNTuple,
/// and as the element type of a vector in a branch.
struct NumberType {
  std::string_view name;
  char letter;
  std::string_view field;
  std::string_view vector;
  std::size_t bytes;
  std::unique_ptr<Holder> (*make_list)();  ///< holds a std::vector

  [[nodiscard]] bool is_bool() const { return letter == 'O'; }
  [[nodiscard]] bool is_float() const { return letter == 'F' || letter == 'D'; }
  /// Meaningful only for integers.
  [[nodiscard]] bool is_signed() const {
    return std::string_view("BSILG").find(letter) != std::string_view::npos;
  }
};

const NumberType* number_named(std::string_view name);
const NumberType* number_of_field(std::string_view type);
const NumberType* number_of_vector(std::string_view class_name);

/// A number of any type, in the widest type of its kind.
using Number = std::variant<std::int64_t, std::uint64_t, double>;
Number number_at(const void* memory, const NumberType& type);

/// The class of a product of numbers, which are stored as they are: `Float_t`, `Float_t[3]`,
/// `Float_t[nMuon]` or, if the counter is not known, `Float_t[]`.
struct NumberClass {
  const NumberType* type = nullptr;
  std::string dimensions{};  ///< with the brackets; empty: one number

  [[nodiscard]] bool is_fixed() const;
  /// Meaningful only for fixed dimensions.
  [[nodiscard]] std::size_t count() const;
  /// Returns the name of the product that holds the count, if it is named.
  [[nodiscard]] std::string counter() const;
};
/// Returns nothing for any other class.
std::optional<NumberClass> number_class(const std::string& class_name);
/// Returns the type of the numbers that the serializer made bytes of: ROOT's numbers, or `raw` ones
/// (`float`, `float[3]`, `std::vector<float>`, also under ROOT's names).
std::optional<NumberClass> numbers_of(const Product& product, const std::string& serializer);
/// True if the product is a plain text, which "raw" makes of a std::string.
bool is_text(const Product& product, const std::string& serializer);

/// Throws Error (format) that begins with `where` if a byte is neither 0 nor 1.
void require_booleans(Bytes bytes, const std::string& where);
/// Returns the error for a product whose size does not fit its column.
Error wrong_size(const std::string& where, std::size_t bytes, const std::string& expected);

}  // namespace onecast::events::root
