#pragma once

#include "onecast/capi/communicator.h"
#include "onecast/comm/communicator.hpp"

struct onecast_communicator {
  onecast::Communicator value;
};
