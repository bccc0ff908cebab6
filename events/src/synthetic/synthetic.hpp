#pragma once

#include "onecast/events/component.hpp"

namespace onecast::events {

SourceInfo empty_source();
SourceInfo test_products_source();
SourceInfo replay_source();

OutputerInfo dummy_outputer();
OutputerInfo text_dump_outputer();
OutputerInfo serialize_outputer();

WaiterInfo scale_waiter();
WaiterInfo sleep_waiter();
WaiterInfo uneven_waiter();

}  // namespace onecast::events
