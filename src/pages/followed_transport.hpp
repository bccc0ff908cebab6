#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"
#include "pages/recovery.hpp"
#include "transport/factory.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::pages {

/// A file as its writer's last flush left it, while the writer goes on. A flush writes its journal
/// before it changes what was in the file, so the journal and the superblock tell one flush from
/// the next: every read compares them afterwards. During a flush, the journal has the old bytes.
///
/// A file that is written for readers (SWMR) is read as it is.
class FollowedTransport final : public ForwardingTransport {
 public:
  /// `factory` opens the journal at the path `journal`.
  FollowedTransport(std::unique_ptr<Transport> file, TransportFactory factory, std::string journal);

  /// Throws Error (io, EAGAIN) if a flush has begun since look_again(); then what was read may be
  /// of two flushes.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;

  /// Shows the present state from now on. Returns false if it is the state that was shown before.
  /// Throws Error (io, EAGAIN) if flushes follow each other too quickly.
  bool look_again();
  /// Notes that what was shown could not be taken over: until look_again(), which then returns
  /// true, read_at() throws Error (io, EAGAIN).
  void note_lost() { is_lost_ = true; }
  [[nodiscard]] bool is_for_readers() const { return is_for_readers_; }

 private:
  /// What a flush changes for certain.
  struct State {
    std::array<std::byte, 512> superblock{};
    std::array<std::byte, 24> journal_start{};
    std::array<std::byte, 4> journal_checksum{};
    FileStamp journal_stamp;  ///< a later flush may change the same bytes

    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State state();
  [[noreturn]] void fail() const;
  [[nodiscard]] bool is_shown(const State& now) const { return !is_lost_ && shown_ == now; }
  void show(const State& now, bool for_readers, std::shared_ptr<const Recovery> undone);

  TransportFactory factory_;
  std::string journal_;
  std::optional<std::uint64_t> superblock_at_;
  std::optional<State> shown_;
  bool is_for_readers_ = false;
  bool is_lost_ = false;
  std::shared_ptr<const Recovery> undone_;  ///< set while a flush is half done
};

/// True if read_at() of a FollowedTransport has thrown this.
[[nodiscard]] bool is_of_flush_meanwhile(const Error& error);

}  // namespace onecast::pages
