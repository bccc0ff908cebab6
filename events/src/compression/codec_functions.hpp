#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "onecast/events/product.hpp"

/// One pair for each codec: compress appends to `out`; decompress returns whether `bytes` are the
/// compressed form of exactly as many bytes as `out` has.
namespace onecast::events {

void compress_lz4(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_lz4(Bytes bytes, std::span<std::byte> out);
void compress_zstd(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_zstd(Bytes bytes, std::span<std::byte> out);
/// The frame with which `bytes` begin: its own size, 0 if it is not whole; the size of its
/// contents, 0 if it does not say so.
std::uint64_t zstd_frame_bytes(Bytes bytes);
std::uint64_t zstd_content_bytes(Bytes bytes);
/// Bytes that a frame of so many can have at most.
std::uint64_t zstd_most_bytes(std::uint64_t content);
void compress_lzma(int level, Bytes bytes, std::vector<std::byte>& out);
bool decompress_lzma(Bytes bytes, std::span<std::byte> out);

}  // namespace onecast::events
