#include "collective/collective_file.hpp"

#include "base/make_error.hpp"
#include "collective/transfer_call.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

void require_buffer(const ExtentList& extents, std::uint64_t size) {
  if (extents.buffer_size() > size)
    throw argument_error("collective transfer: the extents need a buffer of {} bytes, {} given",
                         extents.buffer_size(), size);
}

}  // namespace

CollectiveFile::CollectiveFile(CommunicatorBackend& comm, Transport& file,
                               const StripeLayout& layout, const CollectiveOptions& options)
    : comm_(comm), file_(file), method_(options.method), exchanges_(comm, file, layout, options) {}

AccessSummary CollectiveFile::summary(TransferDirection direction,
                                      const ExtentList& extents) const {
  AccessSummary mine = summary_of(extents);
  mine.distances = exchanges_.distances(direction, extents);
  return mine;
}

TransferPlan CollectiveFile::plan_together(TransferDirection direction, const ExtentList& extents,
                                           std::uint64_t buffer_size,
                                           const std::exception_ptr& failure, Method method) {
  std::exception_ptr why = failure;
  try_to(why, [&] { require_buffer(extents, buffer_size); });
  AccessSummary mine = summary(direction, extents);
  mine.failed = why ? 1 : 0;
  const AccessSummary all = summarize(comm_, mine, layout().stripe_size);
  if (all.failed != 0) comm::raise_any(comm_, why);
  AskedTransfer asked{.direction = direction,
                      .method = method == Method::automatic ? method_ : method,
                      .ranks = static_cast<std::size_t>(comm_.size())};
  asked.nodes = nodes_for(comm_, asked, all, layout());
  return plan_extents(asked, all, layout());
}

void CollectiveFile::write(const ExtentList& extents, const OutBuffers& bytes,
                           const std::exception_ptr& failure, Method method) {
  write(plan_together(TransferDirection::writing, extents, bytes.size(), failure, method), extents,
        bytes);
}

void CollectiveFile::read(const ExtentList& extents, const InBuffers& bytes,
                          const std::exception_ptr& failure, Method method) {
  read(plan_together(TransferDirection::reading, extents, bytes.size(), failure, method), extents,
       bytes);
}

void CollectiveFile::begin(const TransferPlan& plan) {
  ++calls_;
  last_ = plan;
}

void CollectiveFile::write(const TransferPlan& plan, const ExtentList& extents,
                           const OutBuffers& bytes, const std::exception_ptr& failure) {
  begin(plan);
  // Everything is written, and nothing can have failed since.
  if (plan.wanted.written && plan.wanted.same) return;
  entry_of(plan.extents.method)
      .write({comm_, file_, exchanges_, plan.wanted, extents, bytes, {}, failure});
  last_.aggregators = aggregators();
}

void CollectiveFile::read(const TransferPlan& plan, const ExtentList& extents,
                          const InBuffers& bytes, const std::exception_ptr& failure) {
  begin(plan);
  entry_of(plan.extents.method)
      .read({comm_, file_, exchanges_, plan.wanted, extents, {}, bytes, failure});
  last_.aggregators = aggregators();
}

ExchangePlan CollectiveFile::plan(TransferDirection direction, const ExtentList& extents) {
  return exchanges_.plan(direction, extents);
}

void CollectiveFile::write(const ExchangePlan& plan, const OutBuffers& bytes) {
  transfer(plan, bytes.size(), bytes, {});
}

void CollectiveFile::read(const ExchangePlan& plan, const InBuffers& bytes) {
  transfer(plan, bytes.size(), {}, bytes);
}

void CollectiveFile::transfer(const ExchangePlan& plan, std::uint64_t buffer_size,
                              const OutBuffers& out, const InBuffers& in) {
  // A rank without memory for the messages must report that before they are sent.
  agree(comm_, [&] {
    require_buffer(plan.extents, buffer_size);
    exchanges_.reserve(plan);
  });
  exchanges_.transfer(plan, out, in, {});
}

CollectiveStats CollectiveFile::stats() const {
  return {exchanges_.stats(), calls_, last_.extents};
}

}  // namespace onecast::collective
