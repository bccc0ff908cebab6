#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "onecast/onecast.hpp"

/// Reads everything in a file through the public API as far as possible, even in hostile files.
namespace onecast::test {

struct ReadLimits {
  std::size_t objects = 20'000;
  std::size_t attributes = 100'000;
  std::uint64_t value_bytes = std::uint64_t{64} << 20U;  ///< the limit for all values together
};

struct ReadReport {
  std::size_t objects = 0;
  std::size_t attributes = 0;
  std::uint64_t value_bytes = 0;
  std::vector<Error> refusals;  ///< errors of single objects, attributes and values
};

class ReadEverything {
 public:
  explicit ReadEverything(ReadLimits limits = {}) : limits_(limits) {}

  /// Throws Error if the file cannot be opened at all, std::logic_error if an Error has a code that
  /// no file may cause.
  ReadReport run(const std::string& path, const FileOptions& options = {}) {
    File file = File::open(path, Access::read_only, options);
    attempt([&] { static_cast<void>(file.metadata_report()); });
    seen_.insert("/");
    ++report_.objects;
    object(file.root());
    queue_.push_back(file.root());
    for (; !queue_.empty() && report_.objects < limits_.objects; queue_.pop_front())
      attempt([&] { members(queue_.front()); });
    queue_.clear();
    attempt([&] { file.close(); });
    return std::move(report_);
  }

 private:
  template <class F>
  void attempt(F&& action) {
    try {
      action();
    } catch (const Error& error) {
      const bool expected = error.code() == ErrorCode::format ||
                            error.code() == ErrorCode::unsupported ||
                            error.code() == ErrorCode::not_found;
      if (!expected)
        throw std::logic_error("an Error of code " +
                               std::to_string(static_cast<int>(error.code())) + ": " +
                               error.what());
      constexpr std::size_t kMostKept = 1000;
      if (report_.refusals.size() < kMostKept) report_.refusals.push_back(error);
    }
  }

  void members(const Group& group) {
    for (const Link& link : group.links()) {
      if (report_.objects >= limits_.objects) return;
      attempt([&] { member(group, link); });
    }
  }

  void member(const Group& group, const Link& link) {
    const Object found = group.open_object(link);
    if (!seen_.insert(found.path()).second) return;
    ++report_.objects;
    object(found);
    if (found.kind() == ObjectKind::group) queue_.push_back(group.open_group(link));
    if (found.kind() == ObjectKind::dataset) dataset(group.open_dataset(link));
  }

  void object(const Object& o) {
    attempt([&] {
      for (const Attribute& a : o.attributes()) {
        if (++report_.attributes > limits_.attributes) return;
        attempt([&] { static_cast<void>(a.datatype().describe()); });
        attempt([&] { take(a.bytes().size()); });
        if (is_text(a.datatype()))
          attempt([&] { take(size_of(a.read<std::string>())); });
        else if (a.datatype() == Datatype::of<std::int32_t>())
          attempt([&] { take(4 * a.read<std::int32_t>().size()); });
      }
    });
  }

  void dataset(const Dataset& d) {
    const Datatype type = d.datatype();
    static_cast<void>(type.describe());
    static_cast<void>(d.chunk_shape());
    attempt([&] { static_cast<void>(d.virtual_mappings()); });
    attempt([&] { static_cast<void>(d.external_slots()); });
    const std::uint64_t count = d.element_count();
    attempt([&] { part(d, type, count); });
    // A sparse dataset may rightly claim any number of strings, and each of them takes memory.
    const bool sparse = d.layout() != Layout::compact;
    if (is_text(type) && (!sparse || count <= kMostSparse))
      attempt([&] { take(size_of(d.read<std::string>())); });
    if (type == Datatype::of<std::int32_t>() && (!sparse || count <= kMostSparse))
      attempt([&] { take(4 * d.read<std::int32_t>().size()); });
  }

  /// Reads all elements, or if they are too many, the first and the last one.
  void part(const Dataset& d, const Datatype& type, std::uint64_t count) {
    if (count <=
        (limits_.value_bytes - std::min(limits_.value_bytes, report_.value_bytes)) / type.size()) {
      buffer_.resize(static_cast<std::size_t>(count) * type.size());
      d.read(buffer_);
      return take(buffer_.size());
    }
    if (type.size() > limits_.value_bytes) return;
    buffer_.resize(type.size());
    const Shape shape = d.shape();
    Hyperslab one{Shape(shape.size(), 0), Shape(shape.size(), 1)};
    attempt([&] { d.read(buffer_, one); });
    for (std::size_t i = 0; i < shape.size(); ++i) one.start[i] = shape[i] - 1;
    d.read(buffer_, one);
  }

  static bool is_text(const Datatype& type) {
    return type.type_class() == TypeClass::string ||
           type.type_class() == TypeClass::variable_string;
  }

  static std::uint64_t size_of(const std::vector<std::string>& strings) {
    std::uint64_t bytes = 0;
    for (const std::string& text : strings) bytes += text.size();
    return bytes;
  }

  void take(std::uint64_t bytes) { report_.value_bytes += bytes; }

  static constexpr std::uint64_t kMostSparse = 1'000'000;

  ReadLimits limits_;
  ReadReport report_;
  std::deque<Group> queue_;
  std::unordered_set<std::string> seen_;  ///< one path of each object
  std::vector<std::byte> buffer_;
};

}  // namespace onecast::test
