#pragma once

#include "onecast/events/outputer.hpp"
#include "onecast/events/run.hpp"
#include "onecast/events/source.hpp"
#include "onecast/events/team.hpp"

/// What ranks must agree on before the first event.
namespace onecast::events {

/// Throws on all ranks if a rank's source has other products than that of rank 0.
/// @collective @local
void agree_on_products(const ProductList& products, Team& team);

/// Returns the expectation from the sources of all ranks; the sizes are those of the lowest rank
/// that has an event. @collective @local
Expectation agreed_expectation(Source& source, const RunOptions& options, Team& team);

}  // namespace onecast::events
