#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/codec/message_codec.hpp"

namespace onecast::codec {

/// The decoded values of messages of one kind. Each is decoded once: a file has thousands of
/// attributes but few datatypes and dataspaces. Any number of threads may look messages up at once.
template <class T>
class DecodedMessages {
 public:
  DecodedMessages() = default;
  DecodedMessages(const DecodedMessages&) = delete;
  DecodedMessages& operator=(const DecodedMessages&) = delete;
  ~DecodedMessages() {
    for (auto& first : lists_)
      for (const Entry* e = first.load(); e != nullptr;) delete std::exchange(e, e->next);
  }

  /// Returns the value of this message, which `decode` finds if its bytes are new. The value does
  /// not move.
  template <class Decode>
  const T& get(const HeaderMessage& message, Decode&& decode) {
    const Key key(message);
    std::atomic<Entry*>& first = list_of(key);
    Entry* newest = first.load(std::memory_order_acquire);
    for (const Entry* e = newest; e != nullptr; e = e->next)
      if (e->is(key, message.data)) return e->value;
    auto entry = std::make_unique<Entry>(Entry{decode(), key, {}, newest});
    if (!key.is_all()) entry->bytes.assign(message.data.begin(), message.data.end());
    // Another thread may add the same value meanwhile: then it is there twice.
    while (!first.compare_exchange_weak(entry->next, entry.get(), std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
    return entry.release()->value;
  }

 private:
  /// A key by which most messages differ and that is quick to compare: their first and last bytes.
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t size = 0;
    bool shared = false;

    explicit Key(const HeaderMessage& m) : size(m.data.size()), shared(m.is_shared()) {
      if (size < sizeof first) {
        std::memcpy(&first, m.data.data(), size);
        return;
      }
      std::memcpy(&first, m.data.data(), sizeof first);
      std::memcpy(&last, m.data.data() + size - sizeof last, sizeof last);
    }
    bool operator==(const Key&) const = default;
    [[nodiscard]] bool is_all() const { return size <= sizeof first + sizeof last; }
  };

  struct Entry {
    T value;
    Key key;
    std::vector<std::byte> bytes;  ///< empty if the key has all bytes
    Entry* next;

    [[nodiscard]] bool is(const Key& k, ByteView b) const {
      return key == k && (bytes.empty() || std::memcmp(bytes.data(), b.data(), b.size()) == 0);
    }
  };

  /// Returns the list for the key. The choice depends on the address of this object, so that the
  /// author of a file cannot predict it.
  std::atomic<Entry*>& list_of(const Key& key) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio
    std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(this) + key.size;
    for (const std::uint64_t word : {key.first, key.last})
      mixed = (std::rotl(mixed, 29) ^ word) * kMix;
    return lists_[(mixed >> 32U) % lists_.size()];
  }

  std::array<std::atomic<Entry*>, 256> lists_{};
};

}  // namespace onecast::codec
