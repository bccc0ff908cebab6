#pragma once

// Made by tools/options.py from src/objects/files/file_options.toml: change that.

#include <array>
#include <string_view>
#include <tuple>

#include "onecast/objects/file_option.hpp"

/// Tables of the options for Onecast's own layers. Its functions are @independent.
namespace onecast {

constexpr std::array<std::string_view, 3> names_of(FollowExternal /*kind*/) {
  return {"nowhere", "everywhere", "folder"};
}

constexpr std::array<std::string_view, 3> names_of(FileLocking /*kind*/) {
  return {"on", "off", "best_effort"};
}

constexpr std::array<std::string_view, 4> names_of(Sharing /*kind*/) {
  return {"automatic", "trust", "verify", "serve"};
}

constexpr std::array<std::string_view, 2> names_of(Profile /*kind*/) {
  return {"compatible", "latest"};
}

constexpr std::array<std::string_view, 3> names_of(TrackOrder /*kind*/) {
  return {"nothing", "links", "links_and_attributes"};
}

constexpr std::array<std::string_view, 3> names_of(LoadPolicy /*kind*/) {
  return {"automatic", "eager", "lazy"};
}

constexpr std::array<std::string_view, 5> names_of(TransferMethod /*kind*/) {
  return {"automatic", "plain", "independent", "collective", "broadcast"};
}

constexpr std::array<std::string_view, 3> names_of(DeviceIo /*kind*/) {
  return {"automatic", "staged", "direct"};
}

/// All options of a file.
inline constexpr std::tuple kFileOptions{
    FileOption<FollowExternal>{.name = "follow_external",
                               .field = &FileOptions::follow_external,
                               .expected = "nowhere, everywhere or folder"},
    FileOption<FileLocking>{.name = "locking",
                            .field = &FileOptions::locking,
                            .expected = "on, off or best_effort",
                            .is_lasting = false},
    FileOption<bool>{
        .name = "durable", .field = &FileOptions::durable, .expected = "true or false"},
    FileOption<bool>{
        .name = "journal", .field = &FileOptions::journal, .expected = "true or false"},
    FileOption<bool>{.name = "exclusive",
                     .field = &FileOptions::exclusive,
                     .expected = "true or false",
                     .is_lasting = false},
    FileOption<bool>{.name = "follow",
                     .field = &FileOptions::follow,
                     .expected = "true or false",
                     .is_lasting = false},
    FileOption<Sharing>{.name = "sharing",
                        .field = &FileOptions::sharing,
                        .expected = "automatic, trust, verify or serve"},
    FileOption<Profile>{.name = "profile",
                        .field = &FileOptions::profile,
                        .expected = "compatible or latest",
                        .is_lasting = false},
    FileOption<TrackOrder>{.name = "track_order",
                           .field = &FileOptions::track_order,
                           .expected = "nothing, links or links_and_attributes",
                           .is_lasting = false},
    FileOption<bool>{.name = "track_times",
                     .field = &FileOptions::track_times,
                     .expected = "true or false",
                     .is_lasting = false},
    FileOption<std::uint64_t>{
        .name = "userblock_size",
        .field = &FileOptions::userblock_size,
        .expected = "0 or a power of two from 512 bytes to 18,446,744,073,709,551,615 bytes",
        .is_lasting = false,
        .range = {.least = 512, .is_power_of_two = true}},
    FileOption<std::uint64_t>{.name = "stripe_size",
                              .field = &FileOptions::stripe_size,
                              .expected = "at most 1 TiB",
                              .range = {.most = std::uint64_t{1} << 40U}},
    FileOption<std::uint32_t>{.name = "stripe_count",
                              .field = &FileOptions::stripe_count,
                              .expected = "a number",
                              .range = {.most = 4294967295}},
    FileOption<std::uint64_t>{.name = "metadata_reserve",
                              .field = &FileOptions::metadata_reserve,
                              .expected = "at most 1 TiB",
                              .is_lasting = false,
                              .range = {.most = std::uint64_t{1} << 40U}},
    FileOption<std::uint64_t>{
        .name = "page_size",
        .field = &FileOptions::page_size,
        .expected = "0 or a power of two from 4 KiB to 1 GiB",
        .range = {.least = 4096, .most = std::uint64_t{1} << 30U, .is_power_of_two = true}},
    FileOption<std::uint64_t>{.name = "compact_limit",
                              .field = &FileOptions::compact_limit,
                              .expected = "at most 64,000 bytes",
                              .range = {.most = 64000}},
    FileOption<std::optional<std::uint64_t>>{.name = "compact_total",
                                             .field = &FileOptions::compact_total,
                                             .expected = "a number of bytes"},
    FileOption<std::uint64_t>{.name = "alignment_interval",
                              .field = &FileOptions::alignment_interval,
                              .expected = "at most 1 TiB",
                              .range = {.most = std::uint64_t{1} << 40U}},
    FileOption<std::uint64_t>{.name = "alignment_threshold",
                              .field = &FileOptions::alignment_threshold,
                              .expected = "a number of bytes"},
    FileOption<LoadPolicy>{.name = "load_policy",
                           .field = &FileOptions::load_policy,
                           .expected = "automatic, eager or lazy",
                           .is_lasting = false},
    FileOption<std::uint64_t>{.name = "metadata_budget",
                              .field = &FileOptions::metadata_budget,
                              .expected = "a number of bytes",
                              .is_lasting = false},
    FileOption<std::uint32_t>{.name = "decode_threads",
                              .field = &FileOptions::decode_threads,
                              .expected = "a number",
                              .is_same = false,
                              .is_lasting = false,
                              .range = {.most = 4294967295}},
    FileOption<std::uint64_t>{.name = "chunk_cache_bytes",
                              .field = &FileOptions::chunk_cache_bytes,
                              .expected = "a number of bytes",
                              .is_same = false,
                              .is_lasting = false},
    FileOption<std::map<std::string, std::string>>{
        .name = "hints", .field = &FileOptions::hints, .expected = "names and values"},
    FileOption<bool>{.name = "mpi_io", .field = &FileOptions::mpi_io, .expected = "true or false"},
    FileOption<TransferMethod>{
        .name = "method",
        .field = &FileOptions::method,
        .expected = "automatic, plain, independent, collective or broadcast"},
    FileOption<DeviceIo>{.name = "device_io",
                         .field = &FileOptions::device_io,
                         .expected = "automatic, staged or direct",
                         .is_lasting = false},
    FileOption<std::uint64_t>{.name = "collective_buffer",
                              .field = &FileOptions::collective_buffer,
                              .expected = "0 or at least 64 KiB",
                              .range = {.least = std::uint64_t{64} << 10U}},
    FileOption<std::uint32_t>{.name = "aggregators",
                              .field = &FileOptions::aggregators,
                              .expected = "a number",
                              .range = {.most = 4294967295}},
    FileOption<std::optional<std::uint64_t>>{.name = "single_writer_stripes",
                                             .field = &FileOptions::single_writer_stripes,
                                             .expected = "a number"},
    FileOption<std::uint64_t>{.name = "small_data_limit",
                              .field = &FileOptions::small_data_limit,
                              .expected = "a number of bytes",
                              .is_lasting = false},
};

}  // namespace onecast
