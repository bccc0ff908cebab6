#pragma once

#include <stdexcept>
#include <unordered_map>

#include "base/namespaces.hpp"
#include "check/structure_map.hpp"
#include "pages/block_cache.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::check {

/// Thrown if structures share so many bytes that the check would take time out of all proportion.
class EndlessFile final : public std::runtime_error {
 public:
  EndlessFile() : std::runtime_error("too many structures share their bytes") {}
};

/// Notes which bytes are viewed, for which owner, and for which use.
class NotingSource final : public MetadataSource {
 public:
  NotingSource(BlockCache& inner, StructureMap& map) : inner_(inner), map_(map) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] const FileContext& file() const override { return inner_.file(); }

  /// Sets the owner of the next views.
  void set_owner(std::uint32_t owner) { owner_ = owner; }
  [[nodiscard]] std::uint32_t owner() const { return owner_; }
  void set_use(Use use) { use_ = use; }
  void set_muted(bool muted) { muted_ = muted; }
  /// The address of the last view.
  [[nodiscard]] std::uint64_t last_view() const { return last_; }
  [[nodiscard]] Use use() const { return use_; }
  [[nodiscard]] StructureMap& map() const { return map_; }
  [[nodiscard]] BlockCache& inner() const { return inner_; }

 private:
  [[nodiscard]] Family family_of(const char* title);

  BlockCache& inner_;
  StructureMap& map_;
  std::uint32_t owner_ = 0;
  Use use_ = Use::file;
  bool muted_ = false;
  std::uint64_t seen_ = 0;
  std::uint64_t last_ = 0;
  Family last_array_ = Family::fixed_array;
  std::unordered_map<const char*, Family> families_;
};

/// Changes the use in a scope.
class UseGuard {
 public:
  UseGuard(NotingSource& source, Use use) : source_(source), before_(source.use()) {
    source_.set_use(use);
  }
  UseGuard(const UseGuard&) = delete;
  UseGuard& operator=(const UseGuard&) = delete;
  ~UseGuard() { source_.set_use(before_); }

 private:
  NotingSource& source_;
  Use before_;
};

/// Suppresses notes in a scope, for bytes that are noted when their own object is checked.
class MuteGuard {
 public:
  explicit MuteGuard(NotingSource& source) : source_(source) { source_.set_muted(true); }
  MuteGuard(const MuteGuard&) = delete;
  MuteGuard& operator=(const MuteGuard&) = delete;
  ~MuteGuard() { source_.set_muted(false); }

 private:
  NotingSource& source_;
};

}  // namespace onecast::check
