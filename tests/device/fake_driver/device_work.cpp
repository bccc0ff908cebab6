#include "device_work.hpp"

#include <cstdio>
#include <cstdlib>

namespace fake_device {

State& state() {
  static auto& only = *new State;
  return only;
}

const std::pair<const std::uintptr_t, Memory>* memory_at(std::uintptr_t address) {
  auto after = state().memory.upper_bound(address);
  if (after == state().memory.begin()) return nullptr;
  const auto& found = *--after;
  return address < found.first + found.second.size ? &found : nullptr;
}

std::byte* inside(std::uint64_t address, std::size_t size) {
  const auto* found = memory_at(address);
  if (found == nullptr || size > found->first + found->second.size - address) return nullptr;
  return found->second.bytes + (address - found->first);
}

void finish(const SharedWork& last) {
  std::vector<SharedWork> open;
  if (last) open.push_back(last);
  while (!open.empty()) {
    const SharedWork work = open.back();
    const std::size_t waiting = open.size();
    for (const SharedWork& before : work->before)
      if (!before->is_done) open.push_back(before);
    if (open.size() != waiting) continue;
    open.pop_back();
    if (work->is_done) continue;
    if (work->is_held) {
      std::fputs("the fake driver: something waits for work that must not be waited for\n", stderr);
      std::abort();
    }
    if (work->make) work->make();
    work->is_done = true;
    work->before.clear();
  }
}

Stream* stream_of(void* handle) {
  constexpr std::uintptr_t kMostOfDefault = 2;  // the default streams of processes and threads
  if (reinterpret_cast<std::uintptr_t>(handle) <= kMostOfDefault) return &state().default_stream;
  const auto found = state().streams.find(handle);
  return found == state().streams.end() ? nullptr : found->second.get();
}

SharedWork put(Stream& stream, std::function<void()> make, const SharedWork& also) {
  State& s = state();
  auto work = std::make_shared<Work>();
  work->make = std::move(make);
  const auto wait_for = [&](const SharedWork& before) {
    if (before && !before->is_done) work->before.push_back(before);
  };
  wait_for(stream.last);
  wait_for(also);
  if (&stream == &s.default_stream) {
    for (const auto& [_, other] : s.streams)
      if (other->waits) wait_for(other->last);
  } else if (stream.waits) {
    wait_for(s.default_stream.last);
  }
  return stream.last = work;
}

void finish_default() { finish(put(state().default_stream, {})); }

}  // namespace fake_device
