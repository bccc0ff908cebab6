#pragma once

#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/independent/local_part.hpp"
#include "objects/tree/node.hpp"
#include "pages/waiting_bytes.hpp"

/// An object that one rank made for itself becomes one of all: what its messages lack. All of it is
/// the same on all ranks, but for `mine`.
namespace onecast::independent {

void set_messages(Node& node, std::span<const LocalPart::Message> given);

/// A fill value of variable length, as it was sent.
struct SentFillValue {
  ByteView message;
  std::span<const std::byte> values;  ///< packed
};
std::optional<SentFillValue> sent_fill_value(const LocalPart::Object& object,
                                             const LocalPart& part);
/// It gets its place in the heap.
void settle_fill_value(Node& node, const SentFillValue& sent);

/// So does what a message refers to.
void give_place_beside(Node& node, ByteView bytes);

/// Of a local dataset: its compact data becomes contiguous, without a place yet.
void move_apart(Node& node);

/// Contiguous data gets its place; compact data counts. @param mine the data, on the rank that has
/// it: written later. Of data with gaps, what nobody wrote is filled as in any new dataset.
void give_place(Node& node, bool has_data, bool has_gaps, WaitingBytes mine);

}  // namespace onecast::independent
