#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <map>
#include <stdexcept>

namespace onecast::lab {

const char* const kUsage =
    "usage: onecast_lab [OPTION VALUE]... MOUNTPOINT...\n"
    "Serves one emulated striped file system at every mount point, each a client node.\n"
    "Prints 'ready' and goes on until SIGTERM or SIGINT.\n"
    "  --osts N            object storage targets (4)\n"
    "  --stripe-size SIZE  of files that ask for nothing (1M)\n"
    "  --stripe-count N    likewise; 0 is all OSTs (0)\n"
    "  --first-ost N       likewise; without it in turn\n"
    "  --rpc-size SIZE     of the largest RPC (1M)\n"
    "  --max-dirty SIZE    unwritten bytes that a client keeps of one object (32M)\n"
    "  --readahead 0|1     sequential reads fetch to the end of the RPC (1)\n"
    "  --sync 0|1          each write is sent at once and waited for, as with mount -o sync (0)\n"
    "  --latency US        round trip of an RPC (0)\n"
    "  --ost-service US    an OST's time for one RPC, without its bytes (0)\n"
    "  --mds-service US    the metadata server's time for one operation (0)\n"
    "  --bandwidth MIB     per second of one OST; 0 is no limit (0)\n"
    "  --strict-layout 0|1 a file has its layout from creation on, unless it was created\n"
    "                      with O_LOV_DELAY_CREATE or mknod (0)\n"
    "  --store DIRECTORY   keep the objects there, not in memory\n";

namespace {

constexpr std::uint64_t kMaxOsts = 1000;
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxTime = 60'000'000;

std::uint64_t number(const std::string& name, const std::string& text, std::uint64_t least,
                     std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const std::map<std::string, std::uint64_t> units = {
      {"", 1}, {"k", 1 << 10}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}};
  const auto found = units.find(unit);
  if (error == std::errc() && found != units.end() && value <= most / found->second &&
      value * found->second >= least) {
    return value * found->second;
  }
  throw std::invalid_argument(
      fmt::format("{} {}: not a number from {} to {}", name, text, least, most));
}

std::uint64_t size_option(const std::string& name, const std::string& text) {
  const std::uint64_t size = number(name, text, kStripeAlignment, kMaxSize);
  if (size % kStripeAlignment != 0) {
    throw std::invalid_argument(
        fmt::format("{} {}: not a multiple of {}", name, text, kStripeAlignment));
  }
  return size;
}

std::chrono::microseconds time_option(const std::string& name, const std::string& text) {
  return std::chrono::microseconds(number(name, text, 0, kMaxTime));
}

using Setter = std::function<void(Options&, const std::string& name, const std::string& value)>;

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> kAll = {
      {"--osts",
       [](Options& to, auto& name, auto& value) {
         to.server.model.osts = static_cast<std::uint32_t>(number(name, value, 1, kMaxOsts));
       }},
      {"--stripe-size",
       [](Options& to, auto& name, auto& value) {
         to.server.striping.stripe_size = static_cast<std::uint32_t>(size_option(name, value));
       }},
      {"--stripe-count",
       [](Options& to, auto& name, auto& value) {
         to.server.striping.stripe_count =
             static_cast<std::uint16_t>(number(name, value, 0, kMaxOsts));
       }},
      {"--first-ost",
       [](Options& to, auto& name, auto& value) {
         to.server.striping.first_ost =
             static_cast<std::uint16_t>(number(name, value, 0, kMaxOsts - 1));
       }},
      {"--rpc-size", [](Options& to, auto& name,
                        auto& value) { to.server.model.rpc_size = size_option(name, value); }},
      {"--max-dirty",
       [](Options& to, auto& name, auto& value) {
         to.server.model.max_dirty = number(name, value, 0, kMaxSize);
       }},
      {"--readahead",
       [](Options& to, auto& name, auto& value) {
         to.server.model.readahead = number(name, value, 0, 1) == 1;
       }},
      {"--sync", [](Options& to, auto& name,
                    auto& value) { to.server.model.sync = number(name, value, 0, 1) == 1; }},
      {"--latency", [](Options& to, auto& name,
                       auto& value) { to.server.model.latency = time_option(name, value); }},
      {"--ost-service",
       [](Options& to, auto& name, auto& value) {
         to.server.model.ost_service = time_option(name, value);
       }},
      {"--mds-service",
       [](Options& to, auto& name, auto& value) {
         to.server.model.mds_service = time_option(name, value);
       }},
      {"--bandwidth",
       [](Options& to, auto& name, auto& value) {
         to.server.model.bandwidth =
             static_cast<double>(number(name, value, 0, kMaxSize)) * (1 << 20);
       }},
      {"--strict-layout",
       [](Options& to, auto& name, auto& value) {
         to.server.strict_layout = number(name, value, 0, 1) == 1;
       }},
      {"--store", [](Options& to, auto&, auto& value) { to.server.store = value; }},
  };
  return kAll;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  options.server.striping.stripe_size = 1 << 20;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help") {
      options.help = true;
      return options;
    }
    if (!name.starts_with("--")) {
      options.mounts.push_back(name);
      continue;
    }
    const auto setter = setters().find(name);
    if (setter == setters().end()) throw std::invalid_argument(name + ": no such option");
    if (++i == arguments.size()) throw std::invalid_argument(name + ": its value is missing");
    setter->second(options, name, arguments[i]);
  }
  const StripeRequest& striping = options.server.striping;
  if (options.mounts.empty()) throw std::invalid_argument("no mount point");
  if (striping.first_ost != kAnyOst && striping.first_ost >= options.server.model.osts) {
    throw std::invalid_argument("--first-ost: there are not so many OSTs");
  }
  options.server.model.clients = static_cast<std::uint32_t>(options.mounts.size());
  return options;
}

}  // namespace onecast::lab
