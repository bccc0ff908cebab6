#pragma once

#include <functional>
#include <string>
#include <vector>

#include "onecast/events/identity.hpp"

namespace onecast::events::root {

/// The columns with run, lumi and event, as they are usually called; an empty name: there is none.
/// `exists` tells whether there is such a column. None: no names fit.
std::vector<std::string> identity_columns(const std::string& given,
                                          const std::function<bool(const std::string&)>& exists,
                                          const std::string& path);

/// Of an entry without such columns: event numbers from 1 on.
Identity numbered(std::uint64_t entry);

}  // namespace onecast::events::root
