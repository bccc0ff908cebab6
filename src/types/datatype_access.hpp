#pragma once

#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/datatype_message.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

/// The members of a Datatype that most types do not need.
struct Datatype::Parts {
  std::string tag;
  std::vector<CompoundMember> members;
  std::vector<EnumerationMember> values;
  std::vector<Datatype> base;  ///< none or one
  std::vector<std::uint32_t> dimensions;

  /// Members and values may be in any order, as for H5Tequal.
  [[nodiscard]] bool equals(const Parts& other) const;
};
}  // namespace onecast

namespace onecast::types {

/// The access of other layers to a Datatype.
struct DatatypeAccess {
  using Parts = Datatype::Parts;

  static Datatype make(TypeClass type_class, std::size_t size, std::uint32_t class_bits = 0) {
    Datatype t;
    t.class_ = type_class;
    t.size_ = static_cast<std::uint32_t>(size);
    t.class_bits_ = class_bits;
    return t;
  }
  static Datatype with_parts(Datatype type, Parts parts) {
    type.parts_ = std::make_shared<const Parts>(std::move(parts));
    return type;
  }
  static Datatype with_bits(Datatype type, BitRange bits) {
    type.bits_ = bits;
    return type;
  }
  static Datatype with_float(Datatype type, const DatatypeMessage& m) {
    type.exponent_location_ = m.exponent_location;
    type.exponent_size_ = m.exponent_size;
    type.mantissa_location_ = m.mantissa_location;
    type.mantissa_size_ = m.mantissa_size;
    type.exponent_bias_ = m.exponent_bias;
    return type;
  }
};

}  // namespace onecast::types
