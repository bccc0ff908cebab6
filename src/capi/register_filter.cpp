#include "onecast/filters/register_filter.hpp"

#include <stdexcept>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "onecast/capi/filter.h"

using namespace onecast;
using namespace onecast::capi;

struct onecast_filter_output {
  std::vector<std::byte> bytes;
};

namespace {

FilterFunction function_of(onecast_filter_function call, void* user) {
  if (call == nullptr) return {};
  return [call, user](const FilterInput& input) {
    const onecast_filter_input given = {input.bytes.data(), input.bytes.size(),
                                        input.client_data.data(), input.client_data.size(),
                                        input.max_size};
    onecast_filter_output output;
    if (const int result = call(user, &given, &output); result != 0)
      throw std::runtime_error("the filter returned " + std::to_string(result));
    return std::move(output.bytes);
  };
}

}  // namespace

void* onecast_filter_room(onecast_filter_output* output, size_t size) {
  if (output == nullptr) return nullptr;
  try {
    output->bytes.resize(size);
  } catch (const std::exception&) {
    return nullptr;
  }
  return output->bytes.data();
}

onecast_status onecast_register_filter(uint16_t id, const char* name,
                                       onecast_filter_function decode,
                                       onecast_filter_function encode, void* user) {
  return guard([&] {
    if (decode == nullptr) reject("decode is NULL");
    register_filter(id, required_text(name, "name"), function_of(decode, user),
                    function_of(encode, user));
  });
}

onecast_status onecast_unregister_filter(uint16_t id, int* had_one) {
  return guard([&] {
    const bool had = unregister_filter(id);
    if (had_one != nullptr) *had_one = had ? 1 : 0;
  });
}
