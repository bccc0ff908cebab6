#include "values/type_cache.hpp"

#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

constexpr const char* kPredefined[] = {
    "H5T_NATIVE_SCHAR_g", "H5T_NATIVE_UCHAR_g",  "H5T_NATIVE_SHORT_g", "H5T_NATIVE_USHORT_g",
    "H5T_NATIVE_INT_g",   "H5T_NATIVE_UINT_g",   "H5T_NATIVE_LONG_g",  "H5T_NATIVE_ULONG_g",
    "H5T_NATIVE_LLONG_g", "H5T_NATIVE_ULLONG_g", "H5T_NATIVE_FLOAT_g", "H5T_NATIVE_DOUBLE_g",
    "H5T_NATIVE_INT8_g",  "H5T_NATIVE_UINT8_g",  "H5T_NATIVE_INT16_g", "H5T_NATIVE_UINT16_g",
    "H5T_NATIVE_INT32_g", "H5T_NATIVE_UINT32_g", "H5T_NATIVE_INT64_g", "H5T_NATIVE_UINT64_g",
    "H5T_STD_I8LE_g",     "H5T_STD_U8LE_g",      "H5T_STD_I16LE_g",    "H5T_STD_U16LE_g",
    "H5T_STD_I32LE_g",    "H5T_STD_U32LE_g",     "H5T_STD_I64LE_g",    "H5T_STD_U64LE_g",
    "H5T_IEEE_F32LE_g",   "H5T_IEEE_F64LE_g"};

}  // namespace

TypeCache& TypeCache::of(Library& library) {
  // Never destroyed: libraries may call the plug-in until the process ends.
  static auto* const kAll = new std::array<TypeCache, Library::kMost>();
  TypeCache& cache = (*kAll)[library.slot()];
  if (cache.start_ != library.start()) {
    cache = TypeCache();
    cache.library_ = &library;
    cache.start_ = library.start();
    cache.take_predefined();
  }
  return cache;
}

bool TypeCache::converts(const onecast::Datatype& from, h5::Id to, std::size_t count,
                         std::byte* elements, h5::Id transfer) {
  const h5::Id id = known_id(*library_, from);
  if (id < 0) return false;
  ++converting_;
  const h5::Status status = library_->call.H5Tconvert(id, to, count, elements, nullptr, transfer);
  --converting_;
  return status >= 0;
}

/// The library gives its types ids one after the other.
void TypeCache::take_predefined() {
  std::vector<std::pair<h5::Id, onecast::Datatype>> found;
  for (const char* const name : kPredefined)
    if (const h5::Id id = library_->variable(name); id >= 0)
      if (const auto type = decoded_type(*library_, id)) found.emplace_back(id, *type);
  if (found.empty()) return;
  constexpr std::size_t kMost = 1000;
  constexpr auto kId = &std::pair<h5::Id, onecast::Datatype>::first;
  first_predefined_ = std::ranges::min(found, {}, kId).first;
  const h5::Id last = std::ranges::max(found, {}, kId).first;
  predefined_.resize(std::min(static_cast<std::size_t>(last - first_predefined_) + 1, kMost));
  for (const auto& [id, type] : found)
    if (const auto place = static_cast<std::size_t>(id - first_predefined_);
        place < predefined_.size())
      predefined_[place] = type;
}

}  // namespace onecast_hdf5
