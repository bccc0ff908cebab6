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

/// One event of a source after another. Each lane has a cursor of its own, which it uses for all
/// its events. What is wrong is thrown as onecast::Error.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  /// Goes to the event at `entry`, from 0 on; false: the source has no such entry. Calls of all
  /// cursors of a source are made one at a time, unless Source::goes_concurrently().
  virtual bool go_to(std::uint64_t entry) = 0;
  /// Of the event to which the cursor went.
  [[nodiscard]] virtual Identity identity() const = 0;

  /// Called once for each event, beside calls of other cursors: for work that all products need,
  /// such as decompression.
  virtual void prepare() {}
  /// Fetches a product and returns its size in bytes, as far as it is known. Called once for each
  /// product of an event, at the same time for several.
  virtual std::size_t fetch(std::size_t product) = 0;
  /// What is done with a product that has come, or has failed to come.
  using Fetched = std::function<void(std::size_t bytes, std::exception_ptr failure)>;
  /// Of a source that says Source::fetches_later(), in place of fetch(): asks for a product without
  /// waiting for it, and has `fetched` called once, by any thread, as soon as it is there. If this
  /// throws, `fetched` is not called.
  virtual void begin_fetch(std::size_t product, Fetched fetched) { fetched(fetch(product), {}); }
  /// The serialised product; valid until the next go_to(). Called after fetch() of that product.
  virtual Bytes serialized(std::size_t product) = 0;
  /// What keeps all that serialized() gave of this event valid, also after the next go_to(), for as
  /// long as anyone holds it. It should be little more than those bytes. Null: nothing does.
  [[nodiscard]] virtual std::shared_ptr<const void> keeper() { return {}; }

  /// Goes to the event if it is in memory already; false: go_to() has to. Called beside calls of
  /// other cursors. It does not throw.
  virtual bool go_to_known(std::uint64_t entry) {
    static_cast<void>(entry);
    return false;
  }
};

/// Where events come from.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  [[nodiscard]] virtual const ProductList& products() const = 0;
  /// The number of events, if it is known before they are read.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return {}; }
  /// Did what wrote the events not come to its end? Then some are missing.
  [[nodiscard]] virtual bool is_interrupted() const { return false; }
  /// What events have that is no product here, each with the reason: "NAME: why".
  [[nodiscard]] virtual std::vector<std::string> left_out() const { return {}; }
  /// Does Cursor::go_to wait for a disk or a network? It is then called on a thread of its own.
  [[nodiscard]] virtual bool blocks() const { return false; }
  /// May cursors go to events at the same time?
  [[nodiscard]] virtual bool goes_concurrently() const { return false; }
  /// Do products come from where they have to be waited for, as from a network? Then lanes ask for
  /// all products of their events by Cursor::begin_fetch, and no thread waits.
  [[nodiscard]] virtual bool fetches_later() const { return false; }
  /// A cursor, which does not outlive the source.
  [[nodiscard]] virtual std::unique_ptr<Cursor> cursor() = 0;
  /// Is there something that could be loaded before a cursor asks for it? If so, read_ahead() will
  /// be called once. Called beside other calls.
  [[nodiscard]] virtual bool could_read_ahead() { return false; }
  /// Loads it. Called as Cursor::go_to is. Returns what is left to do with it beside other calls,
  /// if anything. Neither throws: what fails is thrown when a cursor asks for it.
  virtual std::function<void()> read_ahead() { return {}; }
  /// Only these products will be fetched, by number; before the first cursor.
  virtual void select(const std::vector<std::size_t>& products) { static_cast<void>(products); }
  /// The entry with this identity, if there is one. Not beside other calls.
  [[nodiscard]] virtual std::optional<std::uint64_t> find(const Identity& identity);
};

/// A source with only some products of another, in the order given. Throws Error (not_found).
std::unique_ptr<Source> with_products(std::unique_ptr<Source> source,
                                      const std::vector<std::string>& names);

}  // namespace onecast::events
