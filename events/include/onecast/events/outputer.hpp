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

  /// Bytes of all products.
  [[nodiscard]] std::size_t total_bytes() const;
  /// May the products stay where they are until they are written? Small ones are sooner copied.
  [[nodiscard]] bool can_stay() const;
};

/// What is left of an event when its lane goes on: what Outputer::encode made.
struct EncodedEvent {
  Identity identity;
  std::vector<std::byte> bytes;     ///< by default the products, one behind the other
  std::vector<std::uint64_t> ends;  ///< by default where each product ends in `bytes`
  /// In place of `bytes`, where an outputer does not copy products: parts of what `keeper` keeps,
  /// and of `bytes`.
  std::vector<Bytes> parts = {};
  std::shared_ptr<const void> keeper = {};
};

/// What Outputer::encode_batch makes of a batch, of an outputer's own kind.
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

/// What is known of the events before they are written: for choosing sizes.
struct Expectation {
  std::optional<std::uint64_t> events = {};  ///< at most so many
  std::vector<std::uint64_t> product_bytes;  ///< of the first events, on average; of none, zeros
  std::size_t threads = 1;                   ///< of this rank's lanes

  [[nodiscard]] std::uint64_t event_bytes() const {
    return std::accumulate(product_bytes.begin(), product_bytes.end(), std::uint64_t{0});
  }
};

/// What all ranks know after a round of Outputer::write_together.
struct Round {
  bool has_batches = false;  ///< any rank
  bool stops = false;        ///< a rank was asked to stop: its batches are the last
};

/// Where events go. What is wrong is thrown as onecast::Error.
///
/// begin, then for each event encode (in the event's lane, beside calls for other events), for each
/// batch encode_batch (beside calls for other batches), write (one at a time, in the order of the
/// batches), at the end finish.
class Outputer {
 public:
  Outputer() = default;
  Outputer(const Outputer&) = delete;
  Outputer& operator=(const Outputer&) = delete;
  virtual ~Outputer() = default;

  /// Before the first event.
  virtual void begin(const ProductList& products, const Expectation& expected) = 0;
  /// How many events form a batch; asked after begin.
  [[nodiscard]] virtual std::uint64_t batch_events() const { return 1; }
  /// Are the products of events serialised for it?
  [[nodiscard]] virtual bool takes_products() const { return true; }
  /// Does write() wait for a disk? It is then called on a thread of its own.
  [[nodiscard]] virtual bool blocks() const { return false; }
  /// Do all ranks write to one output? If not, each rank has an outputer for itself.
  [[nodiscard]] virtual bool is_collective() const { return false; }

  virtual EncodedEvent encode(const Event& event);
  virtual void encode_batch(Batch& batch) { static_cast<void>(batch); }
  virtual void write(const Batch& batch) = 0;
  /// In place of write, of a collective outputer: all ranks call it equally often, each with the
  /// next of its batches, with none (null), or with the failure that keeps it from having one.
  /// Throws on all ranks if one has failed.
  /// @param stops this rank was asked to stop: the batches of this round are the last
  virtual Round write_together(const Batch* batch, const std::exception_ptr& failure, bool stops);
  /// Before finish: events are missing, since a signal or a failure, of any rank, has ended the
  /// run. The output can say so. Does not throw.
  virtual void interrupt() {}
  /// All batches are written. Also after an error elsewhere, so that what is written is valid.
  virtual void finish() {}
  /// What of the events the output has not, each as "WHAT: why"; after finish.
  [[nodiscard]] virtual std::vector<std::string> left_out() const { return {}; }
  /// Bytes of the output; after finish.
  [[nodiscard]] virtual std::uint64_t bytes_written() const { return 0; }
};

}  // namespace onecast::events
