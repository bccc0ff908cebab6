#include "objects/compact_write.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "objects/selection_codec.hpp"

namespace onecast {
namespace {

class Packer {
 public:
  void number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }
  void block(std::span<const std::byte> b) {
    number(b.size());
    bytes(b);
  }
  std::vector<std::byte> out;

 private:
  void bytes(std::span<const std::byte> b) { out.insert(out.end(), b.begin(), b.end()); }
};

/// Reads what a Packer of another rank of this program wrote.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::span<const std::byte> block() {
    const auto size = static_cast<std::size_t>(number());
    const auto b = rest_.first(size);
    rest_ = rest_.subspan(size);
    return b;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> serialize(const std::vector<CompactWrite>& writes) {
  Packer p;
  for (const CompactWrite& w : writes) {
    p.block(std::as_bytes(std::span(w.path)));
    p.number(w.part.rank());
    p.block(encode_selection(w.part));
    p.block(w.bytes);
    p.number(w.epoch);
  }
  return std::move(p.out);
}

std::vector<CompactWrite> deserialize_compact_writes(const std::vector<std::byte>& bytes) {
  std::vector<CompactWrite> writes;
  for (Unpacker u(bytes); !u.at_end();) {
    CompactWrite& w = writes.emplace_back();
    const auto path = u.block();
    w.path.assign(reinterpret_cast<const char*>(path.data()), path.size());
    const std::uint64_t rank = u.number();
    w.part =
        decode_selection(u.block(), Address{0}, {"another rank"}, static_cast<std::size_t>(rank));
    const auto data = u.block();
    w.bytes.assign(data.begin(), data.end());
    w.epoch = u.number();
  }
  return writes;
}

}  // namespace onecast
