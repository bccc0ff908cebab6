#include "grammar/value_type.hpp"

#include <array>
#include <string>

namespace onecast::cgns {

namespace {

struct Row {
  std::string_view text;
  std::size_t size;
  char family;  ///< types of one family can be converted to each other
};
constexpr std::array<Row, 12> kTypes{{{"MT", 0, 'e'},
                                      {"LK", 0, 'l'},
                                      {"C1", 1, 't'},
                                      {"B1", 1, 'n'},
                                      {"I4", 4, 'n'},
                                      {"I8", 8, 'n'},
                                      {"U4", 4, 'n'},
                                      {"U8", 8, 'n'},
                                      {"R4", 4, 'n'},
                                      {"R8", 8, 'n'},
                                      {"X4", 8, 'c'},
                                      {"X8", 16, 'c'}}};

const Row& row(ValueType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view text_of(ValueType type) { return row(type).text; }
std::size_t size_of(ValueType type) { return row(type).size; }
bool converts(ValueType from, ValueType to) { return row(from).family == row(to).family; }

ValueType value_type_of(std::string_view text) {
  for (std::size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i].text == text) return static_cast<ValueType>(i);
  throw Failure("unknown data type '" + std::string(text.substr(0, 8)) + "'");
}

void check_dimension_count(std::int64_t count, int status) {
  if (count < 1 || count > static_cast<std::int64_t>(kMostDimensions))
    throw Failure(words("a value has 1 to ", kMostDimensions, " dimensions, not ", count), status);
}

}  // namespace onecast::cgns
