#include "capi/returned_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace onecast::capi {

ReturnedBlock::ReturnedBlock(std::size_t count, std::size_t entry_size, std::size_t bytes)
    : block_(nullptr), end_(nullptr) {
  if (count == 0 && bytes == 0) return;
  std::size_t size = 0;
  if (__builtin_mul_overflow(count, entry_size, &size) ||
      __builtin_add_overflow(size, bytes, &size))
    throw std::bad_alloc();
  block_ = std::malloc(size);
  if (block_ == nullptr) throw std::bad_alloc();
  end_ = static_cast<std::byte*>(block_) + count * entry_size;
}

ReturnedBlock::~ReturnedBlock() { std::free(block_); }

const void* ReturnedBlock::put(std::span<const std::byte> elements) {
  std::byte* place = end_;
  if (!elements.empty()) std::memcpy(place, elements.data(), elements.size());
  end_ += padded(elements.size());
  return place;
}

char* ReturnedBlock::put(std::string_view text) {
  char* place = reinterpret_cast<char*>(end_);
  if (!text.empty()) std::memcpy(place, text.data(), text.size());
  place[text.size()] = '\0';
  end_ += text.size() + 1;
  return place;
}

void* ReturnedBlock::release() { return std::exchange(block_, nullptr); }

char* returned_text(std::string_view text) {
  ReturnedBlock block(0, 0, text.size() + 1);
  block.put(text);
  return static_cast<char*>(block.release());
}

char** returned_texts(std::span<const std::string> texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size() + 1;
  ReturnedBlock block(texts.size(), sizeof(char*), bytes);
  for (std::size_t i = 0; i < texts.size(); ++i) block.entries<char*>()[i] = block.put(texts[i]);
  return static_cast<char**>(block.release());
}

}  // namespace onecast::capi
