#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "onecast/events/product.hpp"

/// Each codec has a pair: compress appends to `out`; decompress returns true if `bytes` decompress
/// to exactly out.size() bytes.
namespace onecast::events {

void compress_lz4(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_lz4(Bytes bytes, std::span<std::byte> out);
void compress_zstd(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_zstd(Bytes bytes, std::span<std::byte> out);
/// The size of the frame with which `bytes` begin, 0 if it is incomplete; and the size of its
/// contents, 0 if the frame does not state it.
std::uint64_t zstd_frame_bytes(Bytes bytes);
std::uint64_t zstd_content_bytes(Bytes bytes);
/// Returns the largest size of a frame with this content size.
std::uint64_t zstd_most_bytes(std::uint64_t content);
void compress_lzma(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_lzma(Bytes bytes, std::span<std::byte> out);

}  // namespace onecast::events
