#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

/// Complex numbers: the class that HDF5 has since version 2.0, and the compounds that stand for
/// them in other files.
namespace onecast::types {

/// A part of a complex number: its type, and its first byte within the element.
struct ComplexPart {
  Datatype type;
  std::size_t offset;
};
/// The real part and the imaginary part.
using ComplexParts = std::array<ComplexPart, 2>;

/// The parts, if it is of the class, or a compound of two floating-point numbers. As the HDF5
/// library converts such compounds, whatever the names are.
std::optional<ComplexParts> complex_parts(const Datatype& type);
/// Whether it is a compound with names that programs give to complex numbers: r and i, re and im,
/// real and imag or imaginary, in any case.
bool is_named_like_complex(const Datatype& type);

/// The type with a compound of r and i, as h5py has it, in place of each complex type: every
/// version of HDF5 reads that. The bytes of elements stay the same.
Datatype without_complex_class(const Datatype& type);

}  // namespace onecast::types
