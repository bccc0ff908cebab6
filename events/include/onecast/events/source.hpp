#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"

namespace onecast::events {

/// A position in a source. Each lane has a cursor of its own, which goes from one event to the
/// next. Failures are thrown as onecast::Error.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  /// Goes to the event at `entry`, counted from 0; returns false if the source has no such entry.
  /// Calls of all cursors of a source are made one at a time, unless Source::goes_concurrently().
  virtual bool go_to(std::uint64_t entry) = 0;
  /// Returns the identity of the event to which the cursor went.
  [[nodiscard]] virtual Identity identity() const = 0;

  /// Called once for each event, concurrently with other cursors, for work that all products need,
  /// such as decompression.
  virtual void prepare() {}
  /// Fetches a product and returns its size in bytes, as far as it is known. Called once for each
  /// product of an event, concurrently for several products.
  virtual std::size_t fetch(std::size_t product) = 0;
  /// The function that takes a product that has been fetched, or the failure to fetch it.
  using Fetched = std::function<void(std::size_t bytes, std::exception_ptr failure)>;
  /// Replaces fetch() if Source::fetches_later(): requests a product without waiting for it.
  /// `fetched` is called once, on any thread, when the product has arrived. If this call throws,
  /// `fetched` is not called.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): cursors that fetch later keep it
  virtual void begin_fetch(std::size_t product, Fetched fetched) { fetched(fetch(product), {}); }
  /// Returns the serialised product, which is valid until the next go_to(). Called after fetch() of
  /// that product.
  virtual Bytes serialized(std::size_t product) = 0;
  /// Returns an owner that keeps the products returned by serialized() for this event valid beyond
  /// the next go_to(). It should hold little more than their bytes. Null: there is no such owner.
  [[nodiscard]] virtual std::shared_ptr<const void> keeper() { return {}; }

  /// Goes to the event if it is in memory already; returns false if go_to() is needed. Called
  /// concurrently with calls of other cursors. Does not throw.
  virtual bool go_to_known(std::uint64_t entry) {
    static_cast<void>(entry);
    return false;
  }
};

/// The origin of events.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  [[nodiscard]] virtual const ProductList& products() const = 0;
  /// Returns the number of events, if it is known before they are read.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return {}; }
  /// True if the program that wrote the events was interrupted; some are then missing.
  [[nodiscard]] virtual bool is_interrupted() const { return false; }
  /// Returns the parts of the events that are no products here, each with the reason: "NAME: why".
  [[nodiscard]] virtual std::vector<std::string> left_out() const { return {}; }
  /// True if Cursor::go_to waits for a disk or a network; it is then called on a thread of its own.
  [[nodiscard]] virtual bool blocks() const { return false; }
  /// True if cursors may go to events concurrently.
  [[nodiscard]] virtual bool goes_concurrently() const { return false; }
  /// True if products arrive only after a wait, as from a network. Lanes then request all products
  /// of their events by Cursor::begin_fetch, and no thread waits.
  [[nodiscard]] virtual bool fetches_later() const { return false; }
  /// Returns a new cursor, which does not outlive the source.
  [[nodiscard]] virtual std::unique_ptr<Cursor> cursor() = 0;
  /// True if something could be loaded before a cursor asks for it. If so, read_ahead() is called
  /// once. May be called concurrently with other calls.
  [[nodiscard]] virtual bool could_read_ahead() { return false; }
  /// Loads what could be read ahead. Called as Cursor::go_to is. Returns the work that remains and
  /// may run concurrently with other calls, if any. Neither throws: a failure is thrown when a
  /// cursor asks for the data.
  virtual std::function<void()> read_ahead() { return {}; }
  /// Restricts the source to these products, by number. Called before the first cursor is made.
  virtual void select(const std::vector<std::size_t>& products) { static_cast<void>(products); }
  /// Returns the entry with this identity, if there is one. Not called concurrently with other
  /// calls.
  [[nodiscard]] virtual std::optional<std::uint64_t> find(const Identity& identity);
};

/// Returns a source with some products of another, in the order given. Throws Error (not_found).
std::unique_ptr<Source> with_products(std::unique_ptr<Source> source,
                                      const std::vector<std::string>& names);

}  // namespace onecast::events
