#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/namespaces.hpp"
#include "objects/codec/datatype_codec.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/memory/arena.hpp"
#include "types/complex_numbers.hpp"

namespace onecast::codec {

/// The last few encoded values of one kind: the next object mostly has one of them.
template <class T>
class LastEncoded {
 public:
  template <class Encode>
  ByteView get(const T& value, Encode&& encode) {
    for (const auto& known : known_)
      if (known && known->first == value) return known->second;
    const ByteView bytes = encode();
    known_[next_++ % known_.size()].emplace(value, bytes);
    return bytes;
  }
  void forget() { known_ = {}; }

 private:
  std::array<std::optional<std::pair<T, ByteView>>, 8> known_;
  std::size_t next_ = 0;
};

/// Messages that many objects of a file share, each encoded once, in the arena.
class EncodedMessages {
 public:
  /// @param for_old_readers true: without the class of complex numbers
  ByteView of(const Datatype& type, bool for_old_readers, const FileContext& file, Arena& arena) {
    return datatypes_.get(type, [&] {
      return encode_datatype(for_old_readers ? without_complex_class(type) : type, file, arena);
    });
  }
  ByteView of(const Dataspace& space, const FileContext& file, Arena& arena) {
    return dataspaces_.get(space, [&] { return encode_dataspace(space, file, arena); });
  }
  HeaderMessage group_info(const DenseLimits& links, const FileContext& file, Arena& arena) {
    const DenseLimits common = GroupOptions().dense_links;
    if (links != common) return group_info_message(links, file, arena);
    if (!group_info_) group_info_ = group_info_message(common, file, arena);
    return *group_info_;
  }
  /// Forgets the messages after the arena was renewed.
  void forget() {
    datatypes_.forget();
    dataspaces_.forget();
    group_info_.reset();
  }

 private:
  LastEncoded<Datatype> datatypes_;
  LastEncoded<Dataspace> dataspaces_;
  std::optional<HeaderMessage> group_info_;
};

}  // namespace onecast::codec
