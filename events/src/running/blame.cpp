#include "running/blame.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"

namespace onecast::events {

std::string text_of(const Identity& id) {
  return fmt::format("{}:{}:{}", id.run, id.lumi, id.event);
}

std::exception_ptr blamed(const std::exception_ptr& failure, const std::string& component,
                          const std::string& at) {
  if (component.empty()) return failure;
  const auto with = [&](const char* text) {
    return fmt::format("{} ({}{}{})", text, component, at.empty() ? "" : ", ", at);
  };
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return std::make_exception_ptr(Error(error.code(), with(error.what()), error.system_errno()));
  } catch (const std::exception& error) {
    return std::make_exception_ptr(Error(ErrorCode::io, with(error.what())));
  } catch (...) {
    return std::make_exception_ptr(Error(ErrorCode::io, with("failed with no std::exception")));
  }
}

}  // namespace onecast::events
