#pragma once

#include "parallel/parallel_session.hpp"

/// The parts of arrays of one group, such as the coordinates of a zone, for write_data and
/// read_data. `arrays.at(index)` returns an array, in a file open in any mode, and
/// `arrays.rind_of(array)` its planes of rind.
namespace onecast::cgns {

template <class Arrays>
auto plain(const Arrays& arrays, int index, Range range, const void* elements) {
  return [=] { return Parts{plain_part(arrays.at(index), range, elements)}; };
}

template <class Arrays>
auto general(const Arrays& arrays, int index, Range range, const GeneralMemory& memory,
             const void* elements) {
  return [=] {
    Node& array = arrays.at(index);
    return Parts{general_part(array, arrays.rind_of(array), range, memory, elements)};
  };
}

template <class Arrays>
auto one_of_each(const Arrays& arrays, const int* indices, Range range, int sets,
                 const void* const* buffers) {
  return [=] {
    Parts parts;
    for (int i = 0; i < sets; ++i)
      parts.push_back(
          plain_part(arrays.at(indices[i]), range, buffers == nullptr ? nullptr : buffers[i]));
    return parts;
  };
}

}  // namespace onecast::cgns
