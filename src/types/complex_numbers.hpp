#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

/// Complex numbers: the class of HDF5 since version 2.0, and the compounds that represent them in
/// other files.
namespace onecast::types {

/// A part of a complex number: its type, and its first byte within the element.
struct ComplexPart {
  Datatype type;
  std::size_t offset;
};
/// The real part and the imaginary part.
using ComplexParts = std::array<ComplexPart, 2>;

/// The parts, if the type has this class, or is a compound of two floating-point numbers. Like the
/// HDF5 library, accepts any names for such compounds.
std::optional<ComplexParts> complex_parts(const Datatype& type);
/// True for a compound whose members have usual names for complex numbers: r and i, re and im, real
/// and imag or imaginary, in upper or lower case.
bool is_named_like_complex(const Datatype& type);

/// Replaces each complex type by a compound of r and i, as in h5py, which every version of HDF5
/// reads. The bytes of elements stay the same.
Datatype without_complex_class(const Datatype& type);

}  // namespace onecast::types
