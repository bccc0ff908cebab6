#include "server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "failure.hpp"

namespace onecast::lab {

Server::Server(const ServerOptions& options)
    : names(options.owner),
      model(options.model),
      options_(options),
      store_(options.store, options.model.osts) {}

void Server::need_layout(Inode& inode) {
  if (inode.has_layout()) return;
  Layout& layout = inode.striped.layout;
  std::uint64_t start = 0;
  for (const StripeRequest& wanted : inode.striping.value_or(StripeRequests{{}})) {
    const StripeRequest request = complete(wanted);
    const std::uint32_t osts = options_.model.osts;
    std::uint32_t ost = request.first_ost;
    if (request.first_ost == kAnyOst) {
      ost = next_ost_;
      next_ost_ = (next_ost_ + request.stripe_count) % osts;
    }
    Component part{{start, request.end}, request.stripe_size, {},
                   layout.count(),       request.pool,        start == 0};
    for (std::uint32_t object = 0; object < request.stripe_count; ++object) {
      part.osts.push_back((ost + object) % osts);
    }
    start = part.extent.end;
    layout.components.push_back(std::move(part));
  }
  inode.striped.objects.resize(layout.count());
  inode.objects.resize(layout.count());
}

void Server::set_striping(Inode& inode, const StripeRequests& requests) {
  for (const StripeRequest& request : requests) {
    if (request.first_ost != kAnyOst && request.first_ost >= options_.model.osts) fail(EINVAL);
  }
  if (inode.has_layout()) {
    const bool written = std::any_of(inode.objects.begin(), inode.objects.end(),
                                     [](const ObjectFile& object) { return object.exists(); });
    if (options_.strict_layout || written || inode.size() > 0) fail(EEXIST);
    model.forget(inode.striped);
    inode.striped = {};
    inode.objects.clear();
  }
  inode.striping = requests;
  if (inode.is_file()) need_layout(inode);
}

std::vector<std::uint8_t> Server::lov(const Inode& inode) const {
  if (inode.is_file() && inode.has_layout()) {
    return encode_lov(inode.striped.layout, inode.status.st_ino);
  }
  if (!inode.is_directory() || !inode.striping) return {};
  StripeRequests all = *inode.striping;
  for (StripeRequest& request : all) request = complete(request);
  return encode_lov(all);
}

Time Server::write(std::uint32_t client, Inode& inode, std::span<const std::uint8_t> bytes,
                   std::uint64_t offset, bool at_once) {
  need_layout(inode);
  store_.write(inode.objects, inode.striped.layout, inode.status.st_ino, bytes, offset);
  const Range range{offset, offset + bytes.size()};
  inode.striped.layout.initialise(range);
  const Time until = model.write(client, inode.striped, range, at_once);
  inode.set_size(std::max(inode.size(), range.end));
  inode.changed(true);
  return until;
}

Time Server::truncate(std::uint32_t client, Inode& inode, std::uint64_t size) {
  need_layout(inode);
  if (size < inode.size()) ObjectStore::truncate(inode.objects, inode.striped.layout, size);
  const Time until = model.truncate(client, inode.striped, size);
  inode.set_size(size);
  inode.changed(true);
  return until;
}

Time Server::zero(std::uint32_t client, Inode& inode, Range hole) {
  need_layout(inode);
  ObjectStore::punch(inode.objects, inode.striped.layout, hole);
  inode.changed(true);
  return model.punch(client, inode.striped, hole);
}

void Server::collect(InodeNumber number) {
  if (const std::optional<Inode> gone = names.collect(number)) model.forget(gone->striped);
}

std::string Server::counters(bool send_all) {
  if (send_all) {
    for (auto& [number, inode] : names.all()) model.flush_all(inode.striped);
  }
  const ModelOptions& is = model.options();
  const StripeRequest usual = complete(StripeRequest{});
  const std::string text = fmt::format(
      "{{\"clients\": {}, \"osts\": {}, \"stripe_size\": {}, \"stripe_count\": {}, "
      "\"rpc_size\": {}, \"max_dirty\": {}, \"readahead\": {}, \"sync\": {}, "
      "\"latency_us\": {}, \"ost_service_us\": {}, \"mds_service_us\": {}, \"bandwidth\": {}}}",
      is.clients, is.osts, usual.stripe_size, usual.stripe_count, is.rpc_size, is.max_dirty,
      is.readahead, is.sync, is.latency.count() / 1000, is.ost_service.count() / 1000,
      is.mds_service.count() / 1000, is.bandwidth);
  return to_json(model.counters(), text, model.dirty_bytes());
}

// Fills in what was left to the file system, with at most one stripe per OST.
StripeRequest Server::complete(const StripeRequest& request) const {
  StripeRequest full = request;
  if (full.stripe_size == 0) full.stripe_size = options_.striping.stripe_size;
  if (full.stripe_count == 0) full.stripe_count = options_.striping.stripe_count;
  if (full.first_ost == kAnyOst) full.first_ost = options_.striping.first_ost;
  const auto osts = static_cast<std::uint16_t>(options_.model.osts);
  full.stripe_count = full.stripe_count == 0 ? osts : std::min(full.stripe_count, osts);
  return full;
}

}  // namespace onecast::lab
