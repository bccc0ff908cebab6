#include "nodes/hdf5_type.hpp"

#include <string>

#include "grammar/failure.hpp"

namespace onecast::cgns {

namespace {

Datatype pair_of(std::size_t size) {
  const auto part = Datatype::floating(size);
  return Datatype::compound(2 * size, {{"r", 0, part}, {"i", size, part}});
}

}  // namespace

Datatype hdf5_type(ValueType type) {
  switch (type) {
    case ValueType::C1:
      return Datatype::integer(1, true);
    case ValueType::B1:
      return Datatype::integer(1, false);
    case ValueType::I4:
      return Datatype::integer(4, true);
    case ValueType::I8:
      return Datatype::integer(8, true);
    case ValueType::U4:
      return Datatype::integer(4, false);
    case ValueType::U8:
      return Datatype::integer(8, false);
    case ValueType::R4:
      return Datatype::floating(4);
    case ValueType::R8:
      return Datatype::floating(8);
    case ValueType::X4:
      return pair_of(4);
    case ValueType::X8:
      return pair_of(8);
    case ValueType::MT:
    case ValueType::LK:
      break;
  }
  throw Failure("a node of type " + std::string(text_of(type)) + " has no value");
}

}  // namespace onecast::cgns
