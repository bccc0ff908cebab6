#include <memory>
#include <utility>

#include "objects/files/file_state.hpp"
#include "objects/files/pending_call.hpp"
#include "objects/handles/request_members.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast {

using namespace handles;

namespace {

/// A request for a later call, with copies of the values to which it refers.
struct KeptRequest {
  explicit KeptRequest(const RequestView& view) : request(view.kept()) { values.keep(request); }
  KeptRequest(const KeptRequest&) = delete;
  KeptRequest& operator=(const KeptRequest&) = delete;
  ~KeptRequest() = default;

  TransferRequest request;
  KeptValues values;
};

}  // namespace

// The call examines nothing before its turn comes.
Pending Dataset::begin(How how, std::span<std::byte> out, const RequestView& request) const {
  return begin_call(file_of(*node_.now()),
                    [dataset = *this, how, out, kept = std::make_shared<KeptRequest>(request)] {
                      dataset.transfer(how, out, RequestView(kept->request));
                    });
}

Pending Dataset::begin(How how, std::span<const std::byte> bytes, const RequestView& request) {
  return begin_call(
      file_of(*node_.now()),
      [dataset = *this, how, bytes, kept = std::make_shared<KeptRequest>(request)]() mutable {
        dataset.transfer(how, bytes, RequestView(kept->request));
      });
}

}  // namespace onecast
