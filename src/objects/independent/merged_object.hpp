#pragma once

#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/independent/local_part.hpp"
#include "objects/nodes/node.hpp"
#include "pages/waiting_bytes.hpp"

/// Turns an object that one rank made into one of all ranks by completing its messages. All
/// arguments are equal on all ranks, except `mine`.
namespace onecast::independent {

void set_messages(Node& node, std::span<const LocalPart::Message> given);

/// A fill value of variable length as it was sent.
struct SentFillValue {
  ByteView message;
  std::span<const std::byte> values;  ///< packed
};
std::optional<SentFillValue> sent_fill_value(const LocalPart::Object& object,
                                             const LocalPart& part);
/// Puts the fill value into the heap.
void store_fill_value(Node& node, const SentFillValue& sent);

/// Gives a place to the block to which a message refers.
void give_place_beside(Node& node, ByteView bytes);

/// Turns the compact data of a local dataset into contiguous data without a place.
void move_apart(Node& node);

/// Gives contiguous data its place; counts compact data. @param mine the data, on the rank that has
/// it, which is written later. If the data has gaps, the unwritten elements are filled as in any
/// new dataset.
void give_place(Node& node, bool has_data, bool has_gaps, WaitingBytes mine);

}  // namespace onecast::independent
