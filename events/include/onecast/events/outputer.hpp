#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"

namespace onecast::events {

/// An event with its serialised products, in a lane.
struct Event {
  Identity identity;
  std::vector<Bytes> products;
  std::shared_ptr<const void> keeper = {};  ///< see Cursor::keeper

  /// Returns the number of bytes of all products.
  [[nodiscard]] std::size_t total_bytes() const;
  /// True if the products may stay where they are until they are written. Small ones are copied
  /// instead.
  [[nodiscard]] bool can_stay() const;
};

/// The result of Outputer::encode, which is kept of an event when its lane goes on.
struct EncodedEvent {
  Identity identity;
  std::vector<std::byte> bytes;     ///< by default the products, one behind the other
  std::vector<std::uint64_t> ends;  ///< by default where each product ends in `bytes`
  /// The parts of the encoded event, in place of `bytes`, if an outputer does not copy products.
  /// They lie in memory that `keeper` keeps, and in `bytes`.
  std::vector<Bytes> parts = {};
  std::shared_ptr<const void> keeper = {};
};

/// The result of Outputer::encode_batch; each outputer derives its own kind.
struct EncodedBatch {
  EncodedBatch() = default;
  EncodedBatch(const EncodedBatch&) = delete;
  EncodedBatch& operator=(const EncodedBatch&) = delete;
  virtual ~EncodedBatch() = default;
};

/// Events that are written together: a run of events in the order of the source.
struct Batch {
  std::uint64_t number = 0;  ///< among the batches of this rank
  std::vector<EncodedEvent> events;
  std::unique_ptr<EncodedBatch> encoded = {};
};

/// What is known of the events before they are written; outputers choose sizes from it.
struct Expectation {
  std::optional<std::uint64_t> events = {};  ///< at most
  std::vector<std::uint64_t> product_bytes;  ///< averages over the first events, or zeros
  std::size_t threads = 1;                   ///< the threads of this rank's lanes

  [[nodiscard]] std::uint64_t event_bytes() const {
    return std::accumulate(product_bytes.begin(), product_bytes.end(), std::uint64_t{0});
  }
};

/// The state that all ranks know after a round of Outputer::write_together.
struct Round {
  bool has_batches = false;  ///< true if any rank has a batch
  bool stops = false;        ///< a rank was asked to stop: its batches are the last
};

/// The destination of events. Failures are thrown as onecast::Error.
///
/// The order of calls: begin; encode for each event (in the event's lane, concurrently with other
/// events); encode_batch for each batch (concurrently with other batches); write for each batch
/// (one at a time, in the order of the batches); finish.
class Outputer {
 public:
  Outputer() = default;
  Outputer(const Outputer&) = delete;
  Outputer& operator=(const Outputer&) = delete;
  virtual ~Outputer() = default;

  /// Called before the first event.
  virtual void begin(const ProductList& products, const Expectation& expected) = 0;
  /// Returns the number of events that form a batch; called after begin.
  [[nodiscard]] virtual std::uint64_t batch_events() const { return 1; }
  /// True if the products of events are to be serialised for this outputer.
  [[nodiscard]] virtual bool takes_products() const { return true; }
  /// True if write() waits for a disk; it is then called on a thread of its own.
  [[nodiscard]] virtual bool blocks() const { return false; }
  /// True if all ranks write to one output. If not, each rank has an outputer of its own.
  [[nodiscard]] virtual bool is_collective() const { return false; }

  virtual EncodedEvent encode(const Event& event);
  virtual void encode_batch(Batch& batch) { static_cast<void>(batch); }
  virtual void write(const Batch& batch) = 0;
  /// Replaces write() in a collective outputer. All ranks call it equally often, each with its next
  /// batch, with null if it has none, or with the failure that keeps it from having one. Throws on
  /// all ranks if one of them has failed.
  /// @param stops this rank was asked to stop: the batches of this round are the last
  virtual Round write_together(const Batch* batch, const std::exception_ptr& failure, bool stops);
  /// Called before finish if events are missing because a signal or a failure on any rank has ended
  /// the run. The output can note it. Does not throw.
  virtual void interrupt() {}
  /// Called when all batches are written, also after an error elsewhere, so that what is written is
  /// valid.
  virtual void finish() {}
  /// Returns what the output does not hold of the events, each as "WHAT: why"; called after finish.
  [[nodiscard]] virtual std::vector<std::string> left_out() const { return {}; }
  /// Returns the number of bytes of the output; called after finish.
  [[nodiscard]] virtual std::uint64_t bytes_written() const { return 0; }
};

}  // namespace onecast::events
