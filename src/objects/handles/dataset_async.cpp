#include <memory>

#include "objects/files/file_state.hpp"
#include "objects/files/pending_call.hpp"
#include "objects/handles/request_members.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast {

using namespace handles;

namespace {

/// A request for a later call, with what it refers to.
struct KeptRequest {
  KeptRequest(const RequestView& view, const std::byte* memory) : request(view.kept()) {
    kept.keep(request, memory);
  }
  KeptRequest(const KeptRequest&) = delete;
  KeptRequest& operator=(const KeptRequest&) = delete;
  ~KeptRequest() = default;

  TransferRequest request;
  KeptForLater kept;
};

}  // namespace

// The call examines nothing before its turn comes, except which device has the memory, if there is
// a stream.
Pending Dataset::begin(How how, std::span<std::byte> out, const RequestView& request) const {
  return begin_call(
      file_of(*node_.now()),
      [dataset = *this, how, out, kept = std::make_shared<KeptRequest>(request, out.data())] {
        dataset.transfer(how, out, RequestView(kept->request));
      });
}

Pending Dataset::begin(How how, std::span<const std::byte> bytes, const RequestView& request) {
  return begin_call(file_of(*node_.now()),
                    [dataset = *this, how, bytes,
                     kept = std::make_shared<KeptRequest>(request, bytes.data())]() mutable {
                      dataset.transfer(how, bytes, RequestView(kept->request));
                    });
}

}  // namespace onecast
