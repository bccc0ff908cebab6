#include "onecast/capi/structs.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "capi/arguments.hpp"
#include "capi/attribute_values.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "capi/transfers.hpp"
#include "onecast/objects/variable_values.hpp"
#include "onecast/types/convert.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

/// The mapping between bytes of a struct and bytes of a stored element.
class StructMembers {
 public:
  /// @param where the beginning of errors
  /// @param all true: the struct must have all members of the stored type
  StructMembers(const Datatype& stored, std::string where, const onecast_type* type, bool all)
      : stored_(stored), type_(required(type, "type").value), where_(std::move(where)), all_(all) {
    add(stored_, 0, type_, 0, "");
  }

  /// Returns the elements for the structs.
  std::vector<std::byte> elements(std::size_t count, const void* structs, NewValues& values) const {
    std::size_t size = 0;
    if (__builtin_mul_overflow(count, type_.size(), &size)) reject("too many structs");
    std::span<const std::byte> from = bytes(structs, size);
    std::vector<std::byte> all(count * stored_.size());
    std::span<std::byte> to = all;
    for (; !from.empty(); from = from.subspan(type_.size()), to = to.subspan(stored_.size())) {
      for (const Plain& p : plain_)
        change(p.type, from.subspan(p.at), p.stored, to.subspan(p.stored_at));
      for (const Variable& v : variable_)
        put(v, from.subspan(v.at), to.subspan(v.stored_at, v.stored.size()), values);
    }
    return all;
  }

  /// Returns the structs and their values in one block.
  void* structs(std::span<const std::byte> elements, VariableValues& values) const {
    const std::size_t count = elements.size() / stored_.size();
    std::vector<Value> found;
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (const Variable& v : variable_) {
        const auto element = elements.subspan(i * stored_.size() + v.stored_at, v.stored.size());
        found.push_back(value_of(v.stored, element, values));
        size += ReturnedBlock::padded(found.back().bytes.size());
      }
    // The values begin at an address that is aligned for any type.
    const std::size_t table = ReturnedBlock::padded(count * type_.size());
    ReturnedBlock block(count == 0 ? 0 : 1, table, size);
    auto* place = block.entries<std::byte>();
    if (count != 0) std::memset(place, 0, table);
    auto value = found.begin();
    for (; !elements.empty(); elements = elements.subspan(stored_.size()), place += type_.size()) {
      for (const Plain& p : plain_)
        change(p.stored, elements.subspan(p.stored_at), p.type, {place + p.at, p.type.size()});
      for (const Variable& v : variable_) give(*value++, block, place + v.at);
    }
    return block.release();
  }

 private:
  /// A member that is converted as bytes.
  struct Plain {
    Datatype stored;
    std::size_t stored_at;
    Datatype type;
    std::size_t at;
  };
  struct Variable {
    Datatype stored;
    std::size_t stored_at;
    std::size_t at;
  };
  struct Value {
    std::size_t count;
    std::vector<std::byte> bytes;
  };

  static_assert(sizeof(onecast_text) == sizeof(onecast_sequence));

  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    reject(where_ + ": member \"" + name + "\": " + what);
  }

  void add(const Datatype& stored, std::size_t stored_at, const Datatype& type, std::size_t at,
           const std::string& name) {
    if (!type.points_elsewhere() && !stored.points_elsewhere() && !has_members(type))
      return plain_.push_back({stored, stored_at, type, at});
    if (stored.type_class() != type.type_class())
      refuse(name, "is " + stored.describe() + ", not " + type.describe());
    switch (type.type_class()) {
      case TypeClass::compound:
        return add_members(stored, stored_at, type, at, name);
      case TypeClass::array:
        return add_elements(stored, stored_at, type, at, name);
      case TypeClass::sequence:
        if (type.base() != stored.base() || type.base().points_elsewhere())
          refuse(name, "is " + stored.describe() + ", read or written as " + type.describe());
        [[fallthrough]];
      case TypeClass::variable_string:
        if (type.size() != sizeof(onecast_text))
          refuse(name, "has " + std::to_string(type.size()) + " bytes in the struct, not " +
                           std::to_string(sizeof(onecast_text)));
        variable_.push_back({stored, stored_at, at});
        return;
      default:
        refuse(name,
               "is " + stored.describe() + ": for references there are functions of their own");
    }
  }

  /// True if the type has members, which may have gaps between them with unspecified bytes.
  static bool has_members(const Datatype& type) {
    return type.type_class() == TypeClass::compound ||
           (type.type_class() == TypeClass::array && has_members(type.base()));
  }

  void add_members(const Datatype& stored, std::size_t stored_at, const Datatype& type,
                   std::size_t at, const std::string& name) {
    const auto& known = stored.members();
    if (all_)
      for (const CompoundMember& m : known)
        if (std::ranges::find(type.members(), m.name, &CompoundMember::name) ==
            type.members().end())
          refuse(name + m.name, "is stored, but not in the struct");
    for (const CompoundMember& m : type.members()) {
      const auto found = std::ranges::find(known, m.name, &CompoundMember::name);
      if (found == known.end()) refuse(name + m.name, "is not stored");
      add(found->type, stored_at + found->offset, m.type, at + m.offset, name + m.name);
    }
  }

  void add_elements(const Datatype& stored, std::size_t stored_at, const Datatype& type,
                    std::size_t at, const std::string& name) {
    if (stored.dimensions() != type.dimensions()) refuse(name, "is " + stored.describe());
    const std::size_t count = type.size() / type.base().size();
    for (std::size_t i = 0; i < count; ++i)
      add(stored.base(), stored_at + i * stored.base().size(), type.base(),
          at + i * type.base().size(), name);
  }

  static void change(const Datatype& from, std::span<const std::byte> in, const Datatype& to,
                     std::span<std::byte> out) {
    in = in.first(from.size());
    out = out.first(to.size());
    if (from == to)
      std::memcpy(out.data(), in.data(), in.size());
    else
      convert(from, in, to, out);
  }

  static void put(const Variable& v, std::span<const std::byte> from, std::span<std::byte> to,
                  NewValues& values) {
    if (v.stored.type_class() == TypeClass::variable_string) {
      onecast_text given;
      std::memcpy(&given, from.data(), sizeof given);
      const auto text = list(given.text, given.size, "text of a string");
      if (given.text != nullptr) values.string(v.stored, {text.data(), text.size()}, to);
      return;
    }
    onecast_sequence given;
    std::memcpy(&given, from.data(), sizeof given);
    std::size_t size = 0;
    if (__builtin_mul_overflow(given.count, v.stored.base().size(), &size))
      reject("sequence too long");
    values.sequence(v.stored, bytes(given.elements, size), to);
  }

  /// Returns a value; a text has its NUL.
  static Value value_of(const Datatype& type, std::span<const std::byte> element,
                        VariableValues& values) {
    if (type.type_class() == TypeClass::sequence) {
      const VariableValues::Sequence found = values.sequence(type, element);
      return {static_cast<std::size_t>(found.count), {found.bytes.begin(), found.bytes.end()}};
    }
    const auto text = std::as_bytes(std::span(values.string(type, element)));
    Value value{text.size(), {text.begin(), text.end()}};
    value.bytes.push_back(std::byte{0});
    return value;
  }

  static void give(const Value& value, ReturnedBlock& block, std::byte* place) {
    const void* kept = value.bytes.empty() ? nullptr : block.put(value.bytes);
    const onecast_sequence given = {value.count, kept};  // onecast_text has the same layout
    std::memcpy(place, &given, sizeof given);
  }

  const Datatype& stored_;
  const Datatype& type_;
  std::string where_;
  bool all_;
  std::vector<Plain> plain_;
  std::vector<Variable> variable_;
};

onecast_status read_structs(const onecast_object* dataset, const onecast_selection* part,
                            const onecast_type* type, size_t* count, void** structs, Way way) {
  std::optional<StructMembers> members;
  return read_values(
      dataset, part, way, count, structs,
      [&](const Dataset& from) { members.emplace(from.datatype(), from.path(), type, false); },
      [&](const Dataset& from, std::span<const std::byte> elements) {
        VariableValues values(from);
        return members->structs(elements, values);
      });
}

onecast_status write_structs(onecast_object* dataset, const onecast_selection* part,
                             const onecast_type* type, size_t count, const void* structs, Way way) {
  return write_values(dataset, part, way, [&](const Dataset& to, MadeElements& made) {
    made.bytes =
        StructMembers(to.datatype(), to.path(), type, true).elements(count, structs, made.values);
  });
}

}  // namespace

onecast_status onecast_dataset_read_structs(const onecast_object* dataset,
                                            const onecast_selection* part, const onecast_type* type,
                                            size_t* count, void** structs) {
  return read_structs(dataset, part, type, count, structs, Way::alone);
}

onecast_status onecast_dataset_read_all_structs(const onecast_object* dataset,
                                                const onecast_selection* part,
                                                const onecast_type* type, size_t* count,
                                                void** structs) {
  return read_structs(dataset, part, type, count, structs, Way::together);
}

onecast_status onecast_dataset_write_structs(onecast_object* dataset, const onecast_selection* part,
                                             const onecast_type* type, size_t count,
                                             const void* structs) {
  return write_structs(dataset, part, type, count, structs, Way::alone);
}

onecast_status onecast_dataset_write_all_structs(onecast_object* dataset,
                                                 const onecast_selection* part,
                                                 const onecast_type* type, size_t count,
                                                 const void* structs) {
  return write_structs(dataset, part, type, count, structs, Way::together);
}

onecast_status onecast_dataset_write_equal_structs(onecast_object* dataset,
                                                   const onecast_selection* part,
                                                   const onecast_type* type, size_t count,
                                                   const void* structs) {
  return write_structs(dataset, part, type, count, structs, Way::equally);
}

onecast_status onecast_attribute_read_structs(const onecast_object* object, const char* name,
                                              const onecast_type* type, size_t* count,
                                              void** structs) {
  return read_attribute_values(
      object, name, count, structs,
      [&](const Attribute& from, const std::string& where, VariableValues& values) {
        return StructMembers(from.datatype(), where, type, false).structs(from.bytes(), values);
      });
}

onecast_status onecast_attribute_set_structs(onecast_object* object, const char* name,
                                             const onecast_type* type,
                                             const onecast_dataspace* space, size_t count,
                                             const void* structs) {
  return set_attribute_values(
      object, name, type, space, count,
      [&](const Datatype& stored, const std::string& where, MadeElements& made) {
        made.bytes = StructMembers(stored, where, type, true).elements(count, structs, made.values);
      });
}
