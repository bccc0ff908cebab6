#include "onecast/comm/communicator.hpp"

#include <utility>

#include "comm/backend.hpp"
#include "comm/self_communicator.hpp"

namespace onecast {

using namespace comm;

Communicator::Communicator() : backend_(std::make_shared<SelfCommunicator>()) {}

Communicator::Communicator(std::shared_ptr<CommunicatorBackend> backend)
    : backend_(std::move(backend)) {}

int Communicator::rank() const { return backend_->rank(); }
int Communicator::size() const { return backend_->size(); }

}  // namespace onecast
