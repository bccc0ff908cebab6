#include "session/configuration.hpp"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "grammar/failure.hpp"

namespace onecast::cgns {

namespace {

/// Returns the number in an environment variable.
template <class Number>
Number variable(const char* name, Number least, Number most, Number otherwise) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return otherwise;
  const std::string_view text(value);
  Number number{};
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || end != text.end() || !(number >= least && number <= most))
    throw failure("the environment variable ", name, " is '", text, "', not a number from ", least,
                  " to ", most);
  return number;
}

}  // namespace

int Configuration::compression() const {
  return hdf5.compression ? *hdf5.compression : variable("ONECAST_CGNS_COMPRESS", 0, 9, 0);
}

float written_version() { return variable("ONECAST_CGNS_VERSION", 3.4F, 4.5F, 3.4F); }

}  // namespace onecast::cgns
