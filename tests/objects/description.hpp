#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "onecast/onecast.hpp"
#include "support/disk.hpp"
#include "support/python.hpp"
#include "support/temporary_directory.hpp"

/// Describes everything in a file as JSON, which check_with_h5py.py compares with what h5py finds.
namespace onecast::test {

inline std::string type_text(const Datatype& t) {
  const char* order = t.byte_order() == ByteOrder::big ? "big" : "little";
  switch (t.type_class()) {
    case TypeClass::integer:
      return fmt::format("integer {} {} {}", t.size(), t.is_signed() ? "signed" : "unsigned",
                         order);
    case TypeClass::floating:
      return fmt::format("float {} {}", t.size(), order);
    case TypeClass::string:
      return fmt::format("string {} padding {} set {}", t.size(), static_cast<int>(t.padding()),
                         static_cast<int>(t.character_set()));
    case TypeClass::compound: {
      std::string text = fmt::format("compound {} (", t.size());
      for (const CompoundMember& m : t.members())
        text += fmt::format("{} at {}: {};", m.name, m.offset, type_text(m.type));
      return text + ")";
    }
    default:
      return t.describe();
  }
}

class Description {
 public:
  explicit Description(const File& file) { object(file.root(), file.root()); }

  [[nodiscard]] std::string json() const { return "{" + text_ + "}"; }

 private:
  static std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (static_cast<unsigned char>(c) < 0x20)
        out += fmt::format("\\u{:04x}", c);
      else
        out += c;
    }
    return out + '"';
  }
  static std::string hex(std::span<const std::byte> bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string out;
    out.reserve(2 * bytes.size() + 2);
    for (const std::byte b : bytes) {
      out += kDigits[std::to_integer<unsigned>(b) >> 4U];
      out += kDigits[std::to_integer<unsigned>(b) & 15U];
    }
    return quoted(out);
  }
  static std::string space(const Dataspace& s) {
    if (s.kind() == Dataspace::Kind::null) return "\"null\"";
    std::string out;
    for (const std::uint64_t n : s.shape()) out += fmt::format("{}{}", out.empty() ? "" : ",", n);
    return "[" + out + "]";
  }
  static std::string value(const Datatype& type, const Dataspace& s,
                           std::span<const std::byte> bytes) {
    return fmt::format("[{},{},{}]", quoted(type_text(type)), space(s), hex(bytes));
  }

  void object(const Object& o, const Group& parent, const Link* link = nullptr) {
    if (!text_.empty()) text_ += ",\n";
    text_ += quoted(o.path()) + ":{\"attributes\":{";
    const char* comma = "";
    // Attributes are sorted by name, since dense ones have no order of their own.
    std::map<std::string_view, std::string> attributes;
    for (const Attribute& a : o.attributes())
      attributes.emplace(a.name(), value(a.datatype(), a.dataspace(), a.bytes()));
    for (const auto& [name, text] : attributes) {
      text_ += comma + quoted(name) + ":" + text;
      comma = ",";
    }
    text_ += "}";
    if (o.kind() == ObjectKind::dataset) {
      const Dataset d = parent.open_dataset(*link);
      std::vector<std::byte> bytes(static_cast<std::size_t>(d.element_count()) *
                                   d.datatype().size());
      d.read(bytes);
      text_ += fmt::format(",\"layout\":{},\"value\":{}}}", static_cast<int>(d.layout()),
                           value(d.datatype(), d.dataspace(), bytes));
      return;
    }
    const Group group = link == nullptr ? parent : parent.open_group(*link);
    text_ += ",\"links\":[";
    comma = "";
    for (const Link& l : group.links()) {
      text_ += comma + quoted(l.name);
      comma = ",";
    }
    text_ += "]}";
    for (const Link& l : group.links()) object(group.open_object(l), group, &l);
  }

  std::string text_;
};

/// Compares texts without printing megabytes if they differ.
inline testing::AssertionResult same_text(const std::string& a, const std::string& b) {
  if (a == b) return testing::AssertionSuccess();
  const auto differ = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t from = differ < 200 ? 0 : differ - 200;
  return testing::AssertionFailure() << "differ at " << differ << ":\n"
                                     << a.substr(from, 400) << "\n"
                                     << b.substr(std::min(from, b.size()), 400);
}

/// Expects h5py (and h5dump, if it is installed) to find in the file what Onecast finds.
inline void expect_as_stock(const Disk& disk, const std::string& name) {
  if (!has_h5py()) return;
  const TemporaryDirectory directory;
  disk.save(name, directory / name);
  std::ofstream(directory / "expected.json") << Description(disk.open(name)).json();
  const PythonAnswer answer =
      run_script(__FILE__, "check_with_h5py.py",
                 fmt::format("'{}' '{}'", directory / name, directory / "expected.json"));
  EXPECT_EQ(answer.status, 0) << answer.text;
}

}  // namespace onecast::test
