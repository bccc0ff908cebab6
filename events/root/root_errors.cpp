#include "root_errors.hpp"

#include <TError.h>
#include <TROOT.h>

#include <mutex>
#include <utility>

namespace onecast::events::root {
namespace {

thread_local std::string reported;

void keep_report(int level, Bool_t, const char* location, const char* message) {
  // Warnings say, for example, that a class has no dictionary, which is no error here.
  if (level >= kError && reported.empty()) reported = std::string(location) + ": " + message;
}

}  // namespace

void prepare_root() {
  static std::once_flag once;
  std::call_once(once, [] {
    ROOT::EnableThreadSafety();
    SetErrorHandler(keep_report);
  });
}

std::string take_report() { return std::exchange(reported, {}); }

std::string said_by(const std::exception& error) {
  std::string text = error.what();
  for (const char* const place : {" (unchecked RResult", "\nAt:"})
    text = text.substr(0, text.find(place));
  return text;
}

}  // namespace onecast::events::root
