// Compares the plug-in's declarations of HDF5's binary interface with the headers of a version.
#include <H5VLconnector.h>
#include <H5VLconnector_passthru.h>
#include <H5VLnative.h>
#include <hdf5.h>

#include <cstddef>

#include "abi/functions.hpp"

// Constants of some versions call functions first.
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

namespace h5 = onecast_hdf5::h5;

#define SAME_SIZE(ours, theirs) \
  static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs), #theirs)
#define SAME_PLACE(ours, our_member, theirs, their_member)                    \
  static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member), \
                #theirs "." #their_member)
#define SAME_VALUE(ours, theirs) \
  static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs), #theirs)

SAME_SIZE(h5::Id, hid_t);
SAME_SIZE(h5::Status, herr_t);
SAME_SIZE(h5::Size, hsize_t);
SAME_SIZE(h5::Address, haddr_t);
SAME_SIZE(h5::IdType, H5I_type_t);
SAME_SIZE(h5::Token, H5O_token_t);

SAME_VALUE(h5::IdType::file, H5I_FILE);
SAME_VALUE(h5::IdType::group, H5I_GROUP);
SAME_VALUE(h5::IdType::datatype, H5I_DATATYPE);
SAME_VALUE(h5::IdType::dataset, H5I_DATASET);
SAME_VALUE(h5::IdType::attribute, H5I_ATTR);
SAME_VALUE(h5::IndexType::creation_order, H5_INDEX_CRT_ORDER);
SAME_VALUE(h5::IterationOrder::increasing, H5_ITER_INC);
SAME_VALUE(h5::IterationOrder::decreasing, H5_ITER_DEC);
SAME_VALUE(h5::IterationOrder::native, H5_ITER_NATIVE);
SAME_VALUE(h5::ObjectType::group, H5O_TYPE_GROUP);
SAME_VALUE(h5::ObjectType::dataset, H5O_TYPE_DATASET);
SAME_VALUE(h5::ObjectType::datatype, H5O_TYPE_NAMED_DATATYPE);
SAME_VALUE(h5::SpaceClass::scalar, H5S_SCALAR);
SAME_VALUE(h5::SpaceClass::simple, H5S_SIMPLE);
SAME_VALUE(h5::SpaceClass::null, H5S_NULL);
SAME_VALUE(h5::SelectionType::none, H5S_SEL_NONE);
SAME_VALUE(h5::SelectionType::points, H5S_SEL_POINTS);
SAME_VALUE(h5::SelectionType::hyperslabs, H5S_SEL_HYPERSLABS);
SAME_VALUE(h5::SelectionType::all, H5S_SEL_ALL);
SAME_VALUE(h5::TypeClass::string, H5T_STRING);
SAME_VALUE(h5::TypeClass::compound, H5T_COMPOUND);
SAME_VALUE(h5::TypeClass::array, H5T_ARRAY);
SAME_VALUE(h5::LayoutClass::virtual_dataset, H5D_VIRTUAL);
SAME_VALUE(h5::CloseDegree::weak, H5F_CLOSE_WEAK);
SAME_VALUE(h5::CloseDegree::semi, H5F_CLOSE_SEMI);
SAME_VALUE(h5::CloseDegree::strong, H5F_CLOSE_STRONG);
SAME_VALUE(h5::GroupStorage::symbol_table, H5G_STORAGE_TYPE_SYMBOL_TABLE);
SAME_VALUE(h5::GroupStorage::dense, H5G_STORAGE_TYPE_DENSE);
SAME_VALUE(h5::SpaceStatus::part_allocated, H5D_SPACE_STATUS_PART_ALLOCATED);
SAME_VALUE(h5::kReadWrite, H5F_ACC_RDWR);
SAME_VALUE(h5::kSwmrWrite, H5F_ACC_SWMR_WRITE);
SAME_VALUE(h5::kSwmrRead, H5F_ACC_SWMR_READ);
SAME_VALUE(h5::kObjectFile, H5F_OBJ_FILE);
SAME_VALUE(h5::kObjectDataset, H5F_OBJ_DATASET);
SAME_VALUE(h5::kObjectGroup, H5F_OBJ_GROUP);
SAME_VALUE(h5::kObjectDatatype, H5F_OBJ_DATATYPE);
SAME_VALUE(h5::kObjectAttribute, H5F_OBJ_ATTR);
SAME_VALUE(h5::kObjectLocal, H5F_OBJ_LOCAL);
SAME_VALUE(h5::kInfoBasic, H5O_INFO_BASIC);
SAME_VALUE(h5::kInfoTime, H5O_INFO_TIME);
SAME_VALUE(h5::kInfoAttributes, H5O_INFO_NUM_ATTRS);
SAME_VALUE(h5::kOrderTracked, H5P_CRT_ORDER_TRACKED);
SAME_VALUE(h5::kOrderIndexed, H5P_CRT_ORDER_INDEXED);
SAME_VALUE(h5::kHardLink, H5L_TYPE_HARD);
SAME_VALUE(h5::kSoftLink, H5L_TYPE_SOFT);
SAME_VALUE(h5::kExternalLink, H5L_TYPE_EXTERNAL);
SAME_VALUE(h5::kAllElements, H5S_ALL);
SAME_VALUE(h5::kBlockOfElements, H5S_BLOCK);
SAME_VALUE(h5::kSelectionOfList, H5S_PLIST);
SAME_VALUE(h5::kConnectorVersion, H5VL_VERSION);
SAME_VALUE(h5::kUserDefinedLinks, H5VL_CAP_FLAG_UD_LINKS);
SAME_VALUE(h5::kMapBasic | h5::kMapMore, H5VL_CAP_FLAG_MAP_BASIC | H5VL_CAP_FLAG_MAP_MORE);
SAME_VALUE(h5::kAllCapabilities, (H5VL_CAP_FLAG_FILL_VALUES << 1) - 1);

SAME_SIZE(h5::AttributeInfo, H5A_info_t);
SAME_PLACE(h5::AttributeInfo, data_size, H5A_info_t, data_size);
SAME_SIZE(h5::GroupInfo, H5G_info_t);
SAME_PLACE(h5::GroupInfo, mounted, H5G_info_t, mounted);
SAME_SIZE(h5::LinkInfo, H5L_info2_t);
SAME_PLACE(h5::LinkInfo, character_set, H5L_info2_t, cset);
SAME_PLACE(h5::LinkInfo, token, H5L_info2_t, u);
SAME_SIZE(h5::ObjectInfo, H5O_info2_t);
SAME_PLACE(h5::ObjectInfo, token, H5O_info2_t, token);
SAME_PLACE(h5::ObjectInfo, link_count, H5O_info2_t, rc);
SAME_PLACE(h5::ObjectInfo, change_time, H5O_info2_t, ctime);
SAME_PLACE(h5::ObjectInfo, attributes, H5O_info2_t, num_attrs);
SAME_SIZE(h5::ObjectState, H5G_stat_t);
SAME_PLACE(h5::ObjectState, modification_time, H5G_stat_t, mtime);
SAME_PLACE(h5::ObjectState, header, H5G_stat_t, ohdr);
SAME_SIZE(h5::NativeInfo, H5O_native_info_t);
SAME_PLACE(h5::NativeInfo, header.space, H5O_native_info_t, hdr.space);
SAME_PLACE(h5::NativeInfo, header.kinds, H5O_native_info_t, hdr.mesg);
SAME_PLACE(h5::NativeInfo, attributes.heap, H5O_native_info_t, meta_size.attr.heap_size);
SAME_VALUE(h5::kNativeHeader, H5O_NATIVE_INFO_HDR);
SAME_VALUE(h5::kNativeSizes, H5O_NATIVE_INFO_META_SIZE);
SAME_SIZE(h5::ContainerInfo, H5VL_file_cont_info_t);

SAME_SIZE(h5::Location, H5VL_loc_params_t);
SAME_PLACE(h5::Location, by_index.n, H5VL_loc_params_t, loc_data.loc_by_idx.n);
SAME_PLACE(h5::Location, by_index.access, H5VL_loc_params_t, loc_data.loc_by_idx.lapl_id);
SAME_PLACE(h5::Location, by_name.access, H5VL_loc_params_t, loc_data.loc_by_name.lapl_id);
SAME_SIZE(h5::Optional, H5VL_optional_args_t);

SAME_SIZE(h5::AttributeGet, H5VL_attr_get_args_t);
SAME_PLACE(h5::AttributeGet, get_info.info, H5VL_attr_get_args_t, args.get_info.ainfo);
SAME_PLACE(h5::AttributeGet, get_name.length, H5VL_attr_get_args_t, args.get_name.attr_name_len);
SAME_VALUE(h5::AttributeGet::type, H5VL_ATTR_GET_TYPE);
SAME_VALUE(h5::AttributeGet::name, H5VL_ATTR_GET_NAME);
SAME_SIZE(h5::AttributeSpecific, H5VL_attr_specific_args_t);
SAME_PLACE(h5::AttributeSpecific, each.data, H5VL_attr_specific_args_t, args.iterate.op_data);
SAME_VALUE(h5::AttributeSpecific::iterate, H5VL_ATTR_ITER);
SAME_SIZE(h5::DatasetGet, H5VL_dataset_get_args_t);
SAME_VALUE(h5::DatasetGet::space_status, H5VL_DATASET_GET_SPACE_STATUS);
SAME_VALUE(h5::DatasetGet::type, H5VL_DATASET_GET_TYPE);
SAME_SIZE(h5::DatasetSpecific, H5VL_dataset_specific_args_t);
SAME_SIZE(h5::DatatypeGet, H5VL_datatype_get_args_t);
SAME_VALUE(h5::DatatypeGet::creation_list, H5VL_DATATYPE_GET_TCPL);
SAME_SIZE(h5::DatatypeSpecific, H5VL_datatype_specific_args_t);
SAME_SIZE(h5::FileGet, H5VL_file_get_args_t);
SAME_PLACE(h5::FileGet, get_name.length, H5VL_file_get_args_t, args.get_name.file_name_len);
SAME_PLACE(h5::FileGet, list.count, H5VL_file_get_args_t, args.get_obj_ids.count);
SAME_VALUE(h5::FileGet::intent, H5VL_FILE_GET_INTENT);
SAME_VALUE(h5::FileGet::object_ids, H5VL_FILE_GET_OBJ_IDS);
SAME_SIZE(h5::FileSpecific, H5VL_file_specific_args_t);
SAME_PLACE(h5::FileSpecific, path.accessible, H5VL_file_specific_args_t,
           args.is_accessible.accessible);
SAME_VALUE(h5::FileSpecific::is_equal, H5VL_FILE_IS_EQUAL);
SAME_SIZE(h5::GroupGet, H5VL_group_get_args_t);
SAME_PLACE(h5::GroupGet, get_info.info, H5VL_group_get_args_t, args.get_info.ginfo);
SAME_SIZE(h5::GroupSpecific, H5VL_group_specific_args_t);
SAME_PLACE(h5::GroupSpecific, child.file, H5VL_group_specific_args_t, args.mount.child_file);
SAME_SIZE(h5::LinkCreate, H5VL_link_create_args_t);
SAME_SIZE(h5::LinkGet, H5VL_link_get_args_t);
SAME_VALUE(h5::LinkGet::value, H5VL_LINK_GET_VAL);
SAME_SIZE(h5::LinkSpecific, H5VL_link_specific_args_t);
SAME_PLACE(h5::LinkSpecific, each.position, H5VL_link_specific_args_t, args.iterate.idx_p);
SAME_PLACE(h5::LinkSpecific, each.data, H5VL_link_specific_args_t, args.iterate.op_data);
SAME_SIZE(h5::ObjectGet, H5VL_object_get_args_t);
SAME_VALUE(h5::ObjectGet::info, H5VL_OBJECT_GET_INFO);
SAME_SIZE(h5::ObjectSpecific, H5VL_object_specific_args_t);
SAME_PLACE(h5::ObjectSpecific, each.fields, H5VL_object_specific_args_t, args.visit.fields);
SAME_VALUE(h5::ObjectSpecific::visit, H5VL_OBJECT_VISIT);
SAME_VALUE(h5::ObjectSpecific::refresh, H5VL_OBJECT_REFRESH);
SAME_SIZE(h5::BlobSpecific, H5VL_blob_specific_args_t);
SAME_VALUE(h5::BlobSpecific::is_null, H5VL_BLOB_ISNULL);

SAME_SIZE(h5::ConnectorClass, H5VL_class_t);
SAME_PLACE(h5::ConnectorClass, capabilities, H5VL_class_t, cap_flags);
SAME_PLACE(h5::ConnectorClass, info, H5VL_class_t, info_cls);
SAME_PLACE(h5::ConnectorClass, wrap, H5VL_class_t, wrap_cls);
SAME_PLACE(h5::ConnectorClass, attribute, H5VL_class_t, attr_cls);
SAME_PLACE(h5::ConnectorClass, dataset, H5VL_class_t, dataset_cls);
SAME_PLACE(h5::ConnectorClass, datatype, H5VL_class_t, datatype_cls);
SAME_PLACE(h5::ConnectorClass, file, H5VL_class_t, file_cls);
SAME_PLACE(h5::ConnectorClass, group, H5VL_class_t, group_cls);
SAME_PLACE(h5::ConnectorClass, link, H5VL_class_t, link_cls);
SAME_PLACE(h5::ConnectorClass, object, H5VL_class_t, object_cls);
SAME_PLACE(h5::ConnectorClass, introspect, H5VL_class_t, introspect_cls);
SAME_PLACE(h5::ConnectorClass, blob, H5VL_class_t, blob_cls);
SAME_PLACE(h5::ConnectorClass, token, H5VL_class_t, token_cls);
SAME_PLACE(h5::ConnectorClass, optional, H5VL_class_t, optional);

// A function of ours takes as many arguments as the library's, of the same sizes.
template <class Ours, class Theirs>
constexpr bool kSameCall = false;
template <class R, class... A, class S, class... B>
  requires(sizeof...(A) == sizeof...(B))
constexpr bool kSameCall<R(A...), S(B...)> =
    ((sizeof(A) == sizeof(B)) && ...) && sizeof(R) == sizeof(S);
template <class R, class... A, class S, class... B>
  requires(sizeof...(A) == sizeof...(B))
constexpr bool kSameCall<R(A..., ...), S(B..., ...)> =
    ((sizeof(A) == sizeof(B)) && ...) && sizeof(R) == sizeof(S);

namespace onecast_hdf5::h5 {
#define SAME_CALL(name, ...) static_assert(kSameCall<__VA_ARGS__, decltype(::name)>, #name);
ONECAST_HDF5_FUNCTIONS(SAME_CALL)
}  // namespace onecast_hdf5::h5
