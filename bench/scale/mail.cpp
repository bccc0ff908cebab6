#include "mail.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace scale {
namespace {

/// What precedes the bytes of a message between processes.
struct Envelope {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int32_t tag = 0;
  std::int32_t unused = 0;
  std::uint64_t size = 0;
};

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

void write_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) fail("send");
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, sent)));
  }
}

/// Returns false at the end of the connection.
bool read_all(int socket, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (got == 0) return false;
    if (got < 0 && errno != EINTR) fail("recv");
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  }
  return true;
}

}  // namespace

Sockets::Sockets(int processes)
    : ends_(static_cast<std::size_t>(processes),
            std::vector<int>(static_cast<std::size_t>(processes), -1)) {
  for (std::size_t a = 0; a < ends_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
      ends_[a][b] = pair[0];
      ends_[b][a] = pair[1];
    }
}

std::vector<int> Sockets::keep(int process) {
  const auto mine = std::exchange(ends_[static_cast<std::size_t>(process)], {});
  close_all();
  return mine;
}

void Sockets::close_all() {
  for (const auto& ends : std::exchange(ends_, {}))
    for (const int end : ends)
      if (end >= 0) close(end);
}

Mail::Mail(const Layout& layout, int process, std::vector<int> sockets)
    : layout_(layout),
      process_(process),
      first_(layout.first(process)),
      boxes_(static_cast<std::size_t>(layout.first(process + 1) - first_)),
      lines_(sockets.size()) {
  for (std::size_t p = 0; p < sockets.size(); ++p) {
    if (sockets[p] < 0) continue;
    lines_[p].socket = sockets[p];
    lines_[p].reader = std::thread([this, socket = sockets[p]] { read_from(socket); });
  }
}

Mail::~Mail() {
  for (Line& line : lines_) {
    if (line.socket < 0) continue;
    shutdown(line.socket, SHUT_RDWR);
    line.reader.join();
    close(line.socket);
  }
}

void Mail::read_from(int socket) {
  Envelope envelope;
  while (read_all(socket, std::as_writable_bytes(std::span(&envelope, 1)))) {
    Letter letter{envelope.from, envelope.tag, std::vector<std::byte>(envelope.size)};
    if (!read_all(socket, letter.bytes)) return;
    deliver(envelope.to, std::move(letter));
  }
}

void Mail::deliver(int to, Letter letter) {
  Box& box = box_of(to);
  const std::scoped_lock lock(box.mutex);
  box.letters.push_back(std::move(letter));
  box.changed.notify_one();
}

void Mail::send(int from, int to, int tag, std::span<const std::byte> bytes) {
  const int process = layout_.process_of(to);
  if (process == process_) return deliver(to, {from, tag, {bytes.begin(), bytes.end()}});
  const Envelope envelope{from, to, tag, 0, bytes.size()};
  Line& line = lines_[static_cast<std::size_t>(process)];
  const std::scoped_lock lock(line.mutex);
  write_all(line.socket, std::as_bytes(std::span(&envelope, 1)));
  write_all(line.socket, bytes);
}

void Mail::receive(int from, int to, int tag, std::span<std::byte> bytes) {
  Box& box = box_of(to);
  std::unique_lock lock(box.mutex);
  auto found = box.letters.end();
  box.changed.wait(lock, [&] {
    found = std::find_if(box.letters.begin(), box.letters.end(), [&](const Letter& letter) {
      return letter.from == from && letter.tag == tag;
    });
    return found != box.letters.end();
  });
  if (found->bytes.size() != bytes.size()) throw std::logic_error("a message of another size");
  std::memcpy(bytes.data(), found->bytes.data(), bytes.size());
  box.letters.erase(found);
}

}  // namespace scale
