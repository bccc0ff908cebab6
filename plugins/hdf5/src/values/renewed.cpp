#include "values/renewed.hpp"

#include <algorithm>
#include <vector>

#include "handles/opening.hpp"
#include "values/stored_elements.hpp"

namespace onecast_hdf5 {
namespace {

class Renewal {
 public:
  Renewal(const Handle& of, onecast::NewValues& values)
      : stored_(of.opening->file().root()), values_(values) {}

  void all(const onecast::Datatype& type, std::span<std::byte> elements) {
    if (!type.points_elsewhere()) return;
    for (std::size_t at = 0; at < elements.size(); at += type.size())
      one(type, elements.subspan(at, type.size()));
  }

 private:
  void one(const onecast::Datatype& type, std::span<std::byte> element) {
    switch (type.type_class()) {
      case onecast::TypeClass::compound:
        for (const auto& member : type.members())
          all(member.type, element.subspan(member.offset, member.type.size()));
        return;
      case onecast::TypeClass::array:
        return all(type.base(), element);
      default:
        break;
    }
    // An element of zeros has no value.
    if (std::ranges::all_of(element, [](std::byte b) { return b == std::byte{0}; })) return;
    switch (type.type_class()) {
      case onecast::TypeClass::variable_string:
        return values_.string(type, stored_.string(type, element), element);
      case onecast::TypeClass::sequence: {
        const auto found = stored_.sequence(type, element);
        std::vector<std::byte> bytes(found.bytes.begin(), found.bytes.end());
        all(type.base(), bytes);
        return values_.sequence(type, bytes, element);
      }
      default:
        return values_.reference(type, stored_.reference(type, element), element);
    }
  }

  onecast::VariableValues stored_;
  onecast::NewValues& values_;
};

}  // namespace

void renew_values(const Handle& of, const onecast::Datatype& type, std::span<std::byte> elements,
                  onecast::NewValues& values) {
  read_values([&] { Renewal(of, values).all(type, elements); });
}

}  // namespace onecast_hdf5
