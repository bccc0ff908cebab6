#pragma once

#include <array>
#include <string_view>

namespace onecast::events {

/// The names of the columns of run, lumi and event.
using IdentityNames = std::array<std::string_view, 3>;

/// The parts of an Identity.
inline constexpr IdentityNames kIdentityParts{"run", "lumi", "event"};
/// The columns that stand for the identity if products have the names of its parts.
inline constexpr IdentityNames kOwnIdentityNames{"EventID_run", "EventID_lumi", "EventID_event"};
/// The names that files of the field give these columns, in the order in which they are tried. The
/// Python package has the table, too, since it also works without this library; a test compares
/// both.
inline constexpr std::array kUsualIdentities{
    IdentityNames{"run", "luminosityBlock", "event"}, kIdentityParts,
    IdentityNames{"run", "subrun", "event"}, kOwnIdentityNames};

}  // namespace onecast::events
