#pragma once

// Made by tools/options.py from src/objects/files/file_options.toml: change that.

#include <tuple>

#include "capi/file_options.hpp"

namespace onecast::capi {

/// All options except `hints`.
inline constexpr std::tuple kOptionMembers{
    OptionMember{"follow_external", &FileOptions::follow_external,
                 &onecast_file_options::follow_external},
    OptionMember{"locking", &FileOptions::locking, &onecast_file_options::locking},
    OptionMember{"durable", &FileOptions::durable, &onecast_file_options::durable},
    OptionMember{"journal", &FileOptions::journal, &onecast_file_options::journal},
    OptionMember{"exclusive", &FileOptions::exclusive, &onecast_file_options::exclusive},
    OptionMember{"follow", &FileOptions::follow, &onecast_file_options::follow},
    OptionMember{"sharing", &FileOptions::sharing, &onecast_file_options::sharing},
    OptionMember{"profile", &FileOptions::profile, &onecast_file_options::profile},
    OptionMember{"track_order", &FileOptions::track_order, &onecast_file_options::track_order},
    OptionMember{"track_times", &FileOptions::track_times, &onecast_file_options::track_times},
    OptionMember{"userblock_size", &FileOptions::userblock_size,
                 &onecast_file_options::userblock_size},
    OptionMember{"stripe_size", &FileOptions::stripe_size, &onecast_file_options::stripe_size},
    OptionMember{"stripe_count", &FileOptions::stripe_count, &onecast_file_options::stripe_count},
    OptionMember{"metadata_reserve", &FileOptions::metadata_reserve,
                 &onecast_file_options::metadata_reserve},
    OptionMember{"page_size", &FileOptions::page_size, &onecast_file_options::page_size},
    OptionMember{"compact_limit", &FileOptions::compact_limit,
                 &onecast_file_options::compact_limit},
    OptionMember{"compact_total", &FileOptions::compact_total,
                 &onecast_file_options::compact_total},
    OptionMember{"alignment_interval", &FileOptions::alignment_interval,
                 &onecast_file_options::alignment_interval},
    OptionMember{"alignment_threshold", &FileOptions::alignment_threshold,
                 &onecast_file_options::alignment_threshold},
    OptionMember{"load_policy", &FileOptions::load_policy, &onecast_file_options::load_policy},
    OptionMember{"metadata_budget", &FileOptions::metadata_budget,
                 &onecast_file_options::metadata_budget},
    OptionMember{"decode_threads", &FileOptions::decode_threads,
                 &onecast_file_options::decode_threads},
    OptionMember{"chunk_cache_bytes", &FileOptions::chunk_cache_bytes,
                 &onecast_file_options::chunk_cache_bytes},
    OptionMember{"mpi_io", &FileOptions::mpi_io, &onecast_file_options::mpi_io},
    OptionMember{"method", &FileOptions::method, &onecast_file_options::method},
    OptionMember{"device_io", &FileOptions::device_io, &onecast_file_options::device_io},
    OptionMember{"collective_buffer", &FileOptions::collective_buffer,
                 &onecast_file_options::collective_buffer},
    OptionMember{"aggregators", &FileOptions::aggregators, &onecast_file_options::aggregators},
    OptionMember{"single_writer_stripes", &FileOptions::single_writer_stripes,
                 &onecast_file_options::single_writer_stripes},
    OptionMember{"small_data_limit", &FileOptions::small_data_limit,
                 &onecast_file_options::small_data_limit},
};

}  // namespace onecast::capi
