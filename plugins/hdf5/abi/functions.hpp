#pragma once

#include <sys/types.h>

#include <tuple>
#include <type_traits>

#include "abi/connector.hpp"

/// The functions of HDF5 that the plug-in calls, as types. A libhdf5 gives their addresses by name.
namespace onecast_hdf5::h5 {

/// The function that calls a callback of a connector takes the connector, too: behind the object,
/// and behind the location if there is one.
template <class Callback>
struct CallOf;
template <class R, class O, class... Rest>
struct CallOf<R (*)(O, const Location*, Rest...) noexcept> {
  using Type = R(O, const Location*, Id, Rest...);
};
template <class R, class O, class... Rest>
  requires(!std::is_same_v<std::tuple_element_t<0, std::tuple<Rest..., void>>, const Location*>)
struct CallOf<R (*)(O, Rest...) noexcept> {
  using Type = R(O, Id, Rest...);
};
template <auto Member>
struct CalledMember;
template <class Calls, class Callback, Callback Calls::* Member>
struct CalledMember<Member> {
  using Type = typename CallOf<Callback>::Type;
};
template <auto Member>
using Call = typename CalledMember<Member>::Type;

using DatasetRead = Status(std::size_t, void*[], Id, Id[], Id[], Id[], Id, void*[], void**);
using DatasetWrite = Status(std::size_t, void*[], Id, Id[], Id[], Id[], Id, const void*[], void**);
using LinkCreation = Status(LinkCreate*, void*, const Location*, Id, Id, Id, Id, void**);
using LinkTransfer = Status(void*, const Location*, void*, const Location*, Id, Id, Id, Id, void**);
using ObjectCopy = Status(void*, const Location*, const char*, void*, const Location*, const char*,
                          Id, Id, Id, Id, void**);
using FindConversion = AnyFunction(Id, Id, void**);
using TokenText = Status(void*, IdType, Id, const Token*, char**);
using TokenOfText = Status(void*, IdType, Id, const char*, Token*);

}  // namespace onecast_hdf5::h5

// X(name, type). A libhdf5 that lacks one of these is not served.
#define ONECAST_HDF5_FUNCTIONS(X)                                                           \
  X(H5VLattr_create, Call<&AttributeCalls::create>)                                         \
  X(H5VLattr_open, Call<&AttributeCalls::open>)                                             \
  X(H5VLattr_read, Call<&AttributeCalls::read>)                                             \
  X(H5VLattr_write, Call<&AttributeCalls::write>)                                           \
  X(H5VLattr_get, Call<&AttributeCalls::get>)                                               \
  X(H5VLattr_specific, Call<&AttributeCalls::specific>)                                     \
  X(H5VLattr_optional, Call<&AttributeCalls::optional>)                                     \
  X(H5VLattr_close, Call<&AttributeCalls::close>)                                           \
  X(H5VLdataset_create, Call<&DatasetCalls::create>)                                        \
  X(H5VLdataset_open, Call<&DatasetCalls::open>)                                            \
  X(H5VLdataset_read, DatasetRead)                                                          \
  X(H5VLdataset_write, DatasetWrite)                                                        \
  X(H5VLdataset_get, Call<&DatasetCalls::get>)                                              \
  X(H5VLdataset_specific, Call<&DatasetCalls::specific>)                                    \
  X(H5VLdataset_optional, Call<&DatasetCalls::optional>)                                    \
  X(H5VLdataset_close, Call<&DatasetCalls::close>)                                          \
  X(H5VLdatatype_commit, Call<&DatatypeCalls::commit>)                                      \
  X(H5VLdatatype_open, Call<&DatatypeCalls::open>)                                          \
  X(H5VLdatatype_get, Call<&DatatypeCalls::get>)                                            \
  X(H5VLdatatype_specific, Call<&DatatypeCalls::specific>)                                  \
  X(H5VLdatatype_optional, Call<&DatatypeCalls::optional>)                                  \
  X(H5VLdatatype_close, Call<&DatatypeCalls::close>)                                        \
  X(H5VLfile_create, void*(const char*, unsigned, Id, Id, Id, void**))                      \
  X(H5VLfile_open, void*(const char*, unsigned, Id, Id, void**))                            \
  X(H5VLfile_get, Call<&FileCalls::get>)                                                    \
  X(H5VLfile_specific, Call<&FileCalls::specific>)                                          \
  X(H5VLfile_optional, Call<&FileCalls::optional>)                                          \
  X(H5VLfile_close, Call<&FileCalls::close>)                                                \
  X(H5VLgroup_create, Call<&GroupCalls::create>)                                            \
  X(H5VLgroup_open, Call<&GroupCalls::open>)                                                \
  X(H5VLgroup_get, Call<&GroupCalls::get>)                                                  \
  X(H5VLgroup_specific, Call<&GroupCalls::specific>)                                        \
  X(H5VLgroup_optional, Call<&GroupCalls::optional>)                                        \
  X(H5VLgroup_close, Call<&GroupCalls::close>)                                              \
  X(H5VLlink_create, LinkCreation)                                                          \
  X(H5VLlink_copy, LinkTransfer)                                                            \
  X(H5VLlink_move, LinkTransfer)                                                            \
  X(H5VLlink_get, Call<&LinkCalls::get>)                                                    \
  X(H5VLlink_specific, Call<&LinkCalls::specific>)                                          \
  X(H5VLlink_optional, Call<&LinkCalls::optional>)                                          \
  X(H5VLobject_open, Call<&ObjectCalls::open>)                                              \
  X(H5VLobject_copy, ObjectCopy)                                                            \
  X(H5VLobject_get, Call<&ObjectCalls::get>)                                                \
  X(H5VLobject_specific, Call<&ObjectCalls::specific>)                                      \
  X(H5VLobject_optional, Call<&ObjectCalls::optional>)                                      \
  X(H5VLintrospect_get_conn_cls, Call<&IntrospectCalls::get_class>)                         \
  X(H5VLintrospect_opt_query, Call<&IntrospectCalls::query>)                                \
  X(H5VLblob_put, Call<&BlobCalls::put>)                                                    \
  X(H5VLblob_get, Call<&BlobCalls::get>)                                                    \
  X(H5VLblob_specific, Call<&BlobCalls::specific>)                                          \
  X(H5VLblob_optional, Call<&BlobCalls::optional>)                                          \
  X(H5VLtoken_cmp, Call<&TokenCalls::compare>)                                              \
  X(H5VLtoken_to_str, TokenText)                                                            \
  X(H5VLtoken_from_str, TokenOfText)                                                        \
  X(H5VLoptional, Call<&ConnectorClass::optional>)                                          \
  X(H5VLget_object, void*(void*, Id))                                                       \
  X(H5VLwrap_register, Id(void*, IdType))                                                   \
  X(H5VLobject, void*(Id))                                                                  \
  X(H5VLget_file_type, Id(void*, Id, Id))                                                   \
  X(H5VLget_connector_id_by_name, Id(const char*))                                          \
  X(H5get_libversion, Status(unsigned*, unsigned*, unsigned*))                              \
  X(H5allocate_memory, void*(std::size_t, bool))                                            \
  X(H5is_library_terminating, Status(bool*))                                                \
  X(H5Eget_num, std::ptrdiff_t(Id))                                                         \
  X(H5Eclear2, Status(Id))                                                                  \
  X(H5Eget_current_stack, Id())                                                             \
  X(H5Eset_current_stack, Status(Id))                                                       \
  X(H5Eget_auto2, Status(Id, void**, void**))                                               \
  X(H5Eset_auto2, Status(Id, void*, void*))                                                 \
  X(H5Epush2, Status(Id, const char*, const char*, unsigned, Id, Id, Id, const char*, ...)) \
  X(H5Iiterate, Status(IdType, IterateIds, void*))                                          \
  X(H5Iinc_ref, int(Id))                                                                    \
  X(H5Idec_ref, int(Id))                                                                    \
  X(H5Iget_type, IdType(Id))                                                                \
  X(H5Iis_valid, int(Id))                                                                   \
  X(H5Pcreate, Id(Id))                                                                      \
  X(H5Pcopy, Id(Id))                                                                        \
  X(H5Pclose, Status(Id))                                                                   \
  X(H5Pset_vol, Status(Id, Id, const void*))                                                \
  X(H5Pget_driver, Id(Id))                                                                  \
  X(H5Pget_vol_info, Status(Id, void**))                                                    \
  X(H5Pset_fapl_core, Status(Id, std::size_t, bool))                                        \
  X(H5Pset_file_image, Status(Id, void*, std::size_t))                                      \
  X(H5Pset_fapl_sec2, Status(Id))                                                           \
  X(H5Pget_file_locking, Status(Id, bool*, bool*))                                          \
  X(H5Pset_file_locking, Status(Id, bool, bool))                                            \
  X(H5Pget_fclose_degree, Status(Id, CloseDegree*))                                         \
  X(H5Pset_fclose_degree, Status(Id, CloseDegree))                                          \
  X(H5Pget_page_buffer_size, Status(Id, std::size_t*, unsigned*, unsigned*))                \
  X(H5Pget_evict_on_close, Status(Id, bool*))                                               \
  X(H5Pget_elink_prefix, std::ptrdiff_t(Id, char*, std::size_t))                            \
  X(H5Pget_elink_cb, Status(Id, void**, void**))                                            \
  X(H5Pget_elink_acc_flags, Status(Id, unsigned*))                                          \
  X(H5Pget_elink_fapl, Id(Id))                                                              \
  X(H5Pget_data_transform, std::ptrdiff_t(Id, char*, std::size_t))                          \
  X(H5Pget_type_conv_cb, Status(Id, void**, void**))                                        \
  X(H5Pget_edc_check, int(Id))                                                              \
  X(H5Pget_efile_prefix, std::ptrdiff_t(Id, char*, std::size_t))                            \
  X(H5Pget_virtual_prefix, std::ptrdiff_t(Id, char*, std::size_t))                          \
  X(H5Pset_efile_prefix, Status(Id, const char*))                                           \
  X(H5Pset_virtual_prefix, Status(Id, const char*))                                         \
  X(H5Pget_virtual_view, Status(Id, int*))                                                  \
  X(H5Pget_virtual_printf_gap, Status(Id, Size*))                                           \
  X(H5Pset_link_creation_order, Status(Id, unsigned))                                       \
  X(H5Pset_attr_creation_order, Status(Id, unsigned))                                       \
  X(H5Pset_link_phase_change, Status(Id, unsigned, unsigned))                               \
  X(H5Pset_attr_phase_change, Status(Id, unsigned, unsigned))                               \
  X(H5Pget_link_phase_change, Status(Id, unsigned*, unsigned*))                             \
  X(H5Pget_attr_phase_change, Status(Id, unsigned*, unsigned*))                             \
  X(H5Pset_obj_track_times, Status(Id, bool))                                               \
  X(H5Pset_char_encoding, Status(Id, int))                                                  \
  X(H5Pset_layout, Status(Id, LayoutClass))                                                 \
  X(H5Pset_chunk, Status(Id, int, const Size*))                                             \
  X(H5Pset_filter, Status(Id, int, unsigned, std::size_t, const unsigned*))                 \
  X(H5Pset_fill_value, Status(Id, Id, const void*))                                         \
  X(H5Pset_fill_time, Status(Id, int))                                                      \
  X(H5Pset_alloc_time, Status(Id, int))                                                     \
  X(H5Pget_userblock, Status(Id, Size*))                                                    \
  X(H5Pset_userblock, Status(Id, Size))                                                     \
  X(H5Pget_sizes, Status(Id, std::size_t*, std::size_t*))                                   \
  X(H5Pget_sym_k, Status(Id, unsigned*, unsigned*))                                         \
  X(H5Pget_istore_k, Status(Id, unsigned*))                                                 \
  X(H5Pget_shared_mesg_nindexes, Status(Id, unsigned*))                                     \
  X(H5Pget_file_space_strategy, Status(Id, int*, bool*, Size*))                             \
  X(H5Pget_file_space_page_size, Status(Id, Size*))                                         \
  X(H5Pget_libver_bounds, Status(Id, int*, int*))                                           \
  X(H5Pget_meta_block_size, Status(Id, Size*))                                              \
  X(H5Pget_alignment, Status(Id, Size*, Size*))                                             \
  X(H5Pget_object_flush_cb, Status(Id, void**, void**))                                     \
  X(H5Pget_link_creation_order, Status(Id, unsigned*))                                      \
  X(H5Pget_attr_creation_order, Status(Id, unsigned*))                                      \
  X(H5Pget_obj_track_times, Status(Id, bool*))                                              \
  X(H5Pget_create_intermediate_group, Status(Id, unsigned*))                                \
  X(H5Pget_layout, LayoutClass(Id))                                                         \
  X(H5Pget_chunk, int(Id, int, Size*))                                                      \
  X(H5Pget_chunk_opts, Status(Id, unsigned*))                                               \
  X(H5Pget_nfilters, int(Id))                                                               \
  X(H5Pget_filter2,                                                                         \
    int(Id, unsigned, unsigned*, std::size_t*, unsigned*, std::size_t, char*, unsigned*))   \
  X(H5Pget_fill_value, Status(Id, Id, void*))                                               \
  X(H5Pfill_value_defined, Status(Id, int*))                                                \
  X(H5Pget_fill_time, Status(Id, int*))                                                     \
  X(H5Pget_alloc_time, Status(Id, int*))                                                    \
  X(H5Pget_external_count, int(Id))                                                         \
  X(H5Pget_external, Status(Id, unsigned, std::size_t, char*, off_t*, Size*))               \
  X(H5Pget_virtual_count, Status(Id, std::size_t*))                                         \
  X(H5Pget_virtual_vspace, Id(Id, std::size_t))                                             \
  X(H5Pget_virtual_srcspace, Id(Id, std::size_t))                                           \
  X(H5Pget_virtual_filename, std::ptrdiff_t(Id, std::size_t, char*, std::size_t))           \
  X(H5Pget_virtual_dsetname, std::ptrdiff_t(Id, std::size_t, char*, std::size_t))           \
  X(H5Pget_copy_object, Status(Id, unsigned*))                                              \
  X(H5Tcommitted, int(Id))                                                                  \
  X(H5Pset_external, Status(Id, const char*, std::int64_t, Size))                           \
  X(H5Pset, Status(Id, const char*, const void*))                                           \
  X(H5Pexist, int(Id, const char*))                                                         \
  X(H5Pset_sizes, Status(Id, std::size_t, std::size_t))                                     \
  X(H5Pset_sym_k, Status(Id, unsigned, unsigned))                                           \
  X(H5Pset_istore_k, Status(Id, unsigned))                                                  \
  X(H5Pget_cache, Status(Id, int*, std::size_t*, std::size_t*, double*))                    \
  X(H5Pget_chunk_cache, Status(Id, std::size_t*, std::size_t*, double*))                    \
  X(H5Pset_chunk_cache, Status(Id, std::size_t, std::size_t, double))                       \
  X(H5Screate, Id(SpaceClass))                                                              \
  X(H5Screate_simple, Id(int, const Size*, const Size*))                                    \
  X(H5Sclose, Status(Id))                                                                   \
  X(H5Sget_simple_extent_type, SpaceClass(Id))                                              \
  X(H5Sget_simple_extent_ndims, int(Id))                                                    \
  X(H5Sget_simple_extent_dims, int(Id, Size*, Size*))                                       \
  X(H5Sget_select_type, SelectionType(Id))                                                  \
  X(H5Sget_select_npoints, std::int64_t(Id))                                                \
  X(H5Sget_select_bounds, Status(Id, Size*, Size*))                                         \
  X(H5Sis_regular_hyperslab, int(Id))                                                       \
  X(H5Sget_regular_hyperslab, Status(Id, Size*, Size*, Size*, Size*))                       \
  X(H5Sget_select_hyper_nblocks, std::int64_t(Id))                                          \
  X(H5Sget_select_hyper_blocklist, Status(Id, Size, Size, Size*))                           \
  X(H5Sget_select_elem_npoints, std::int64_t(Id))                                           \
  X(H5Sget_select_elem_pointlist, Status(Id, Size, Size, Size*))                            \
  X(H5Tencode, Status(Id, void*, std::size_t*))                                             \
  X(H5Tequal, int(Id, Id))                                                                  \
  X(H5Tfind, FindConversion)                                                                \
  X(H5Tcopy, Id(Id))                                                                        \
  X(H5Tclose, Status(Id))                                                                   \
  X(H5Tget_size, std::size_t(Id))                                                           \
  X(H5Tget_class, TypeClass(Id))                                                            \
  X(H5Tdetect_class, int(Id, TypeClass))                                                    \
  X(H5Tis_variable_str, int(Id))                                                            \
  X(H5Tconvert, Status(Id, Id, std::size_t, void*, void*, Id))                              \
  X(H5Tcommit_anon, Status(Id, Id, Id, Id))                                                 \
  X(H5Fopen, Id(const char*, unsigned, Id))                                                 \
  X(H5Fflush, Status(Id, int))                                                              \
  X(H5Fget_file_image, std::ptrdiff_t(Id, void*, std::size_t))                              \
  X(H5Fcreate, Id(const char*, unsigned, Id, Id))                                           \
  X(H5Gcreate_anon, Id(Id, Id, Id))                                                         \
  X(H5Dcreate_anon, Id(Id, Id, Id, Id, Id))                                                 \
  X(H5Acreate2, Id(Id, const char*, Id, Id, Id, Id))                                        \
  X(H5Aopen, Id(Id, const char*, Id))                                                       \
  X(H5Oopen_by_token, Id(Id, Token))                                                        \
  X(H5Dscatter, Status(NextElements, void*, Id, Id, void*))                                 \
  X(H5Dgather, Status(Id, const void*, Id, std::size_t, void*, void*, void*))

namespace onecast_hdf5::h5 {

struct Functions {
#define ONECAST_HDF5_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name;
  ONECAST_HDF5_FUNCTIONS(ONECAST_HDF5_MEMBER)
#undef ONECAST_HDF5_MEMBER
  /// H5Tdecode before 2.0, which takes no size; else null.
  Id (*decode)(const void*) = nullptr;
  /// H5Tdecode2 since 2.0; else null.
  Id (*decode_sized)(const void*, std::size_t) = nullptr;
};

/// Functions of a parallel libhdf5, and of the MPI that it uses. Handles of MPI have four or eight
/// bytes, so they are passed by their addresses.
struct ParallelFunctions {
  Status (*H5Pget_fapl_mpio)(Id access, void* communicator, void* info) = nullptr;
  Status (*H5Pget_dxpl_mpio)(Id transfer, int* mode) = nullptr;
  Status (*H5Pset_dxpl_mpio)(Id transfer, int mode) = nullptr;
  int (*MPI_Comm_free)(void* communicator) = nullptr;
  int (*MPI_Info_free)(void* info) = nullptr;
  /// False: the library is serial.
  [[nodiscard]] bool are_known() const { return MPI_Info_free != nullptr; }
};

}  // namespace onecast_hdf5::h5
