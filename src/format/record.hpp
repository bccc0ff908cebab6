#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/lookup3.hpp"
#include "base/namespaces.hpp"

/// Each on-disk record has one list of its fields.
///
/// A record is a struct named after the specification's table, with
///
///     static constexpr const char* kTitle = "Version 2 B-tree Header";   // the table's title
///     template <class V, class Self> static void fields(V& v, Self& s);  // its rows, in order
///
/// `fields` calls one member of the visitor per row, with the row's own name. The visitors are
/// Decoder, Encoder, Sizer and Describer; `Self` is const for all but the Decoder. Fields that
/// depend on others (`if (s.flags & 1U) v.u32(...)`) use values that were decoded before. Records
/// hold views of the bytes from which they were decoded, which must outlive them.
namespace onecast::format {

template <class T>
concept Number = std::is_integral_v<T> || std::is_enum_v<T>;

/// The number of bytes that pad `size` to a multiple of `multiple`.
constexpr std::size_t padding(std::size_t size, std::size_t multiple) {
  return (multiple - size % multiple) % multiple;
}

template <class Visitor>
class RecordVisitor;

/// The rows of a fixed width, for a visitor that has `fixed<kWidth>`.
template <class Visitor>
class FixedWidths {
 public:
  void u8(const char* field, auto& value) { self().template fixed<1>(field, value); }
  void u16(const char* field, auto& value) { self().template fixed<2>(field, value); }
  void u24(const char* field, auto& value) { self().template fixed<3>(field, value); }
  void u32(const char* field, auto& value) { self().template fixed<4>(field, value); }
  void u64(const char* field, auto& value) { self().template fixed<8>(field, value); }

 private:
  FixedWidths() = default;
  friend Visitor;
  friend RecordVisitor<Visitor>;
  Visitor& self() { return static_cast<Visitor&>(*this); }
};

/// What the visitors of a record that is in memory have in common: they check nothing.
template <class Visitor>
class RecordVisitor : public FixedWidths<Visitor> {
 public:
  static constexpr bool kDecodes = false;

  template <class T, class F>
  void list(const char*, const std::vector<T>& items, std::uint64_t, std::uint64_t, F&& each) {
    for (const T& item : items) each(this->self(), item);
  }
  void last_version(const char* field, unsigned expected) { this->self().version(field, expected); }
  void versions(const char*, unsigned, unsigned, unsigned) {}
  void check(bool, const char*, std::string_view) {}
  void require(bool, const char*, std::string_view) {}

 private:
  RecordVisitor() = default;
  friend Visitor;
};

/// Reads a record from bytes.
class Decoder : public FixedWidths<Decoder> {
 public:
  static constexpr bool kDecodes = true;

  explicit Decoder(ByteReader& in) : in_(in), start_(in.position()) {}

  [[nodiscard]] const FileContext& file() const { return in_.file(); }
  /// The rest of the window, for records whose length is given from outside.
  [[nodiscard]] std::size_t remaining() const { return in_.remaining(); }
  [[nodiscard]] std::size_t position() const { return in_.position() - start_; }
  [[nodiscard]] ByteReader& reader() { return in_; }

  void signature(const char* field, std::string_view expected) {
    const ByteView b = in_.bytes(expected.size(), field);
    if (std::memcmp(b.data(), expected.data(), expected.size()) != 0)
      fail_signature(field, expected);
  }
  /// The version number of a record of which there is one version.
  void version(const char* field, unsigned expected) {
    versions(field, static_cast<unsigned>(in_.uint<1>(field)), expected, expected);
  }
  /// The version number of a record of the oldest files, which will have no other.
  void last_version(const char* field, unsigned expected) {
    const auto found = static_cast<unsigned>(in_.uint<1>(field));
    if (found != expected) fail_version(field, found, expected);
  }
  /// Refuses versions after `last`, which may come. Versions before `first` never were: damage.
  void versions(const char* field, unsigned found, unsigned first, unsigned last) {
    if (found < first) fail_version(field, found, first);
    if (found > last) refuse_version(field, found, last);
  }
  template <Number T>
  void uint(const char* field, T& value, std::size_t width) {
    value = static_cast<T>(in_.uint(width, field));
  }
  template <std::size_t kWidth, Number T>
  void fixed(const char* field, T& value) {
    value = static_cast<T>(in_.uint<kWidth>(field));
  }
  /// An address, "size of offsets" wide.
  void address(const char* field, Address& value) {
    const std::size_t width = file().size_of_offsets;
    const std::uint64_t raw = in_.uint(width, field);
    const bool undefined = width < 8 && raw == (std::uint64_t{1} << (8 * width)) - 1;
    value.value = undefined ? Address::kUndefined : raw;
  }
  /// A length, "size of lengths" wide.
  void length(const char* field, std::uint64_t& value) {
    value = in_.uint(file().size_of_lengths, field);
  }
  void view(const char* field, ByteView& value, std::uint64_t count) {
    value = in_.bytes(count, field);
  }
  void text(const char* field, std::string_view& value, std::uint64_t count) {
    const ByteView b = in_.bytes(count, field);
    value = {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  /// A NUL-terminated text.
  void c_text(const char* field, std::string_view& value) { value = in_.c_string(field); }
  /// Reserved bytes: zero when written, ignored when read.
  void reserved(const char* field, std::uint64_t count) { in_.bytes(count, field); }
  /// Padding to a multiple of `multiple` bytes from the record's start.
  void pad(const char* field, std::size_t multiple) {
    in_.bytes((multiple - position() % multiple) % multiple, field);
  }
  template <class R>
  void record(const char* field, R& value);
  /// `count` items of at least `min_size` bytes each; `each(visitor, item)` visits one.
  template <class T, class F>
  void list(const char* field, std::vector<T>& items, std::uint64_t count, std::uint64_t min_size,
            F&& each) {
    in_.expect_room(count, min_size == 0 ? 1 : min_size, field);
    items.clear();
    items.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) each(*this, items.emplace_back());
  }
  /// lookup3 over everything from the record's start.
  void checksum(const char* field) {
    const ByteView checked = in_.window().subspan(start_, position());
    if (!checksum_matches(checked, in_.uint(4, field)))
      in_.fail(field, "does not match the bytes (damaged)");
  }
  /// Fails unless `ok`: the bytes violate the specification.
  void check(bool ok, const char* field, std::string_view what) {
    if (!ok) in_.fail(field, what);
  }
  /// Refuses unless `ok`: the bytes are valid, but not supported.
  void require(bool ok, const char* field, std::string_view feature) {
    if (!ok) in_.refuse(field, feature);
  }

 private:
  // Not inlined: records are decoded very often.
  [[noreturn, gnu::noinline]] void fail_signature(const char* field, std::string_view expected) {
    in_.fail(field, "is not \"" + std::string(expected) + '"');
  }
  [[noreturn, gnu::noinline]] void fail_version(const char* field, unsigned found,
                                                unsigned expected) {
    in_.fail(field, "is " + std::to_string(found) + ", not " + std::to_string(expected));
  }
  [[noreturn, gnu::noinline]] void refuse_version(const char* field, unsigned found,
                                                  unsigned last) {
    in_.refuse(field,
               "version " + std::to_string(found) + " (known up to " + std::to_string(last) + ')');
  }

  ByteReader& in_;
  std::size_t start_;
};

/// Writes a record into a window of exactly its size.
class Encoder : public RecordVisitor<Encoder> {
 public:
  Encoder(ByteWriter& out, const FileContext& file)
      : out_(out), file_(file), start_(out.position()) {}

  [[nodiscard]] const FileContext& file() const { return file_; }
  [[nodiscard]] std::size_t remaining() const { return out_.remaining(); }
  [[nodiscard]] std::size_t position() const { return out_.position() - start_; }

  void signature(const char*, std::string_view expected) { out_.text(expected); }
  void version(const char*, unsigned expected) { out_.uint<1>(expected); }
  template <Number T>
  void uint(const char*, const T& value, std::size_t width) {
    out_.uint(static_cast<std::uint64_t>(value), width);
  }
  template <std::size_t kWidth, Number T>
  void fixed(const char*, const T& value) {
    out_.uint<kWidth>(static_cast<std::uint64_t>(value));
  }
  void address(const char*, const Address& value) { out_.uint(value.value, file_.size_of_offsets); }
  void length(const char*, const std::uint64_t& value) { out_.uint(value, file_.size_of_lengths); }
  void view(const char*, const ByteView& value, std::uint64_t) { out_.bytes(value); }
  void text(const char*, const std::string_view& value, std::uint64_t) { out_.text(value); }
  void c_text(const char*, const std::string_view& value) {
    out_.text(value);
    out_.zeros(1);
  }
  void reserved(const char*, std::uint64_t count) { out_.zeros(static_cast<std::size_t>(count)); }
  void pad(const char*, std::size_t multiple) {
    out_.zeros((multiple - position() % multiple) % multiple);
  }
  template <class R>
  void record(const char* field, const R& value);
  void checksum(const char*) {
    out_.uint(lookup3(ByteView(out_.window()).subspan(start_, position())), 4);
  }

 private:
  ByteWriter& out_;
  const FileContext& file_;
  std::size_t start_;
};

/// Computes the size of a record.
class Sizer : public RecordVisitor<Sizer> {
 public:
  explicit Sizer(const FileContext& file) : file_(file) {}

  [[nodiscard]] const FileContext& file() const { return file_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t position() const { return size_ - start_; }
  [[nodiscard]] std::size_t remaining() const { return 0; }

  void signature(const char*, std::string_view expected) { size_ += expected.size(); }
  void version(const char*, unsigned) { size_ += 1; }
  template <Number T>
  void uint(const char*, const T&, std::size_t width) {
    size_ += width;
  }
  template <std::size_t kWidth, Number T>
  void fixed(const char*, const T&) {
    size_ += kWidth;
  }
  void address(const char*, const Address&) { size_ += file_.size_of_offsets; }
  void length(const char*, const std::uint64_t&) { size_ += file_.size_of_lengths; }
  void view(const char*, const ByteView& value, std::uint64_t) { size_ += value.size(); }
  void text(const char*, const std::string_view& value, std::uint64_t) { size_ += value.size(); }
  void c_text(const char*, const std::string_view& value) { size_ += value.size() + 1; }
  void reserved(const char*, std::uint64_t count) { size_ += static_cast<std::size_t>(count); }
  void pad(const char*, std::size_t multiple) {
    size_ += (multiple - position() % multiple) % multiple;
  }
  template <class R>
  void record(const char* field, const R& value);
  void checksum(const char*) { size_ += 4; }

 private:
  const FileContext& file_;
  std::size_t size_ = 0;
  std::size_t start_ = 0;
};

/// One row of a described record: its place, its name in the specification, its value as text.
struct FieldDescription {
  std::size_t offset;
  std::size_t size;
  std::string name;
  std::string value;
};

/// Lists a record's rows as text: `onecast dump --format records`.
class Describer : public RecordVisitor<Describer> {
 public:
  explicit Describer(const FileContext& file) : file_(file) {}

  [[nodiscard]] const FileContext& file() const { return file_; }
  [[nodiscard]] std::size_t position() const { return offset_ - start_; }
  [[nodiscard]] std::size_t remaining() const { return 0; }
  [[nodiscard]] std::vector<FieldDescription> take() { return std::move(rows_); }

  void signature(const char* field, std::string_view expected) {
    add(field, expected.size(), std::string(expected));
  }
  void version(const char* field, unsigned expected) { add(field, 1, std::to_string(expected)); }
  template <Number T>
  void uint(const char* field, const T& value, std::size_t width) {
    add(field, width, std::to_string(static_cast<std::uint64_t>(value)));
  }
  template <std::size_t kWidth, Number T>
  void fixed(const char* field, const T& value) {
    uint(field, value, kWidth);
  }
  void address(const char* field, const Address& value);
  void length(const char* field, const std::uint64_t& value) {
    uint(field, value, file_.size_of_lengths);
  }
  void view(const char* field, const ByteView& value, std::uint64_t);
  void text(const char* field, const std::string_view& value, std::uint64_t) {
    add(field, value.size(), std::string(value));
  }
  void c_text(const char* field, const std::string_view& value) {
    add(field, value.size() + 1, std::string(value));
  }
  void reserved(const char* field, std::uint64_t count) {
    if (count != 0) add(field, static_cast<std::size_t>(count), "");
  }
  void pad(const char* field, std::size_t multiple) {
    const std::size_t count = (multiple - position() % multiple) % multiple;
    if (count != 0) add(field, count, "");
  }
  template <class R>
  void record(const char* field, const R& value);
  void checksum(const char* field) { add(field, 4, "lookup3"); }

 private:
  void add(const char* field, std::size_t size, std::string value) {
    rows_.push_back({offset_, size, prefix_ + field, std::move(value)});
    offset_ += size;
  }

  const FileContext& file_;
  std::size_t offset_ = 0;
  std::size_t start_ = 0;
  std::string prefix_;
  std::vector<FieldDescription> rows_;
};

/// Decodes one record at the reader's position into `value`, whose context members must be set (a
/// width or a version that comes from an outer record and is not stored in this one).
template <class R>
void decode_into(ByteReader& in, R& value) {
  const char* outer = in.record();
  in.set_record(R::kTitle);
  Decoder v(in);
  R::fields(v, value);
  in.set_record(outer);
}

/// Decodes one record at the reader's position.
template <class R>
R decode(ByteReader& in) {
  R value{};
  decode_into(in, value);
  return value;
}

/// Decodes one record from the start of `bytes`, which lie at `where` in the file.
template <class R>
R decode(ByteView bytes, Address where, const FileContext& file) {
  ByteReader in(bytes, where, file);
  return decode<R>(in);
}

template <class R>
void encode(ByteWriter& out, const FileContext& file, const R& value) {
  Encoder v(out, file);
  R::fields(v, value);
}

template <class R>
std::size_t encoded_size(const FileContext& file, const R& value) {
  Sizer v(file);
  R::fields(v, value);
  return v.size();
}

template <class R>
std::vector<FieldDescription> describe(const FileContext& file, const R& value) {
  Describer v(file);
  R::fields(v, value);
  return v.take();
}

template <class R>
void Decoder::record(const char*, R& value) {
  decode_into(in_, value);
}

template <class R>
void Encoder::record(const char*, const R& value) {
  encode(out_, file_, value);
}

template <class R>
void Sizer::record(const char*, const R& value) {
  size_ += encoded_size(file_, value);
}

template <class R>
void Describer::record(const char* field, const R& value) {
  for (FieldDescription& row : describe(file_, value)) {
    row.offset += offset_;
    row.name = prefix_ + field + ": " + row.name;
    rows_.push_back(std::move(row));
  }
  offset_ += encoded_size(file_, value);
}

}  // namespace onecast::format
