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
    for (const char* const name : kPredefined) {
      const h5::Id id = library.variable(name);
      if (id < 0) continue;
      if (auto type = decoded_type(library, id)) cache.predefined_.emplace_back(id, *type);
    }
  }
  return cache;
}

const onecast::Datatype* TypeCache::predefined(h5::Id type) {
  const auto found =
      std::ranges::find(predefined_, type, &std::pair<h5::Id, onecast::Datatype>::first);
  return found == predefined_.end() ? nullptr : &found->second;
}

}  // namespace onecast_hdf5
