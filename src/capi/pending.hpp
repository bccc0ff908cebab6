#pragma once

#include <utility>

#include "onecast/capi/pending.h"
#include "onecast/objects/pending.hpp"

struct onecast_pending {
  onecast::Pending call{};
};

namespace onecast::capi {

inline void give(onecast_pending** out, onecast_pending pending) {
  *out = new onecast_pending(std::move(pending));
}

}  // namespace onecast::capi
