#pragma once

#include <utility>

#include "base/namespaces.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/objects/datatype_message.hpp"
#include "format/objects/extension_messages.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/link_message.hpp"
#include "format/objects/object_header.hpp"
#include "format/objects/object_messages.hpp"
#include "format/objects/page_list_message.hpp"

namespace onecast::format {

/// The record of each type of message. NIL messages have none.
#define ONECAST_MESSAGE_RECORDS(MESSAGE)                     \
  MESSAGE(dataspace, DataspaceMessage)                       \
  MESSAGE(link_info, LinkInfoMessage)                        \
  MESSAGE(datatype, DatatypeMessage)                         \
  MESSAGE(old_fill_value, OldFillValueMessage)               \
  MESSAGE(fill_value, FillValueMessage)                      \
  MESSAGE(link, LinkMessage)                                 \
  MESSAGE(external_data_files, ExternalDataFilesMessage)     \
  MESSAGE(data_layout, DataLayoutMessage)                    \
  MESSAGE(bogus, BogusMessage)                               \
  MESSAGE(group_info, GroupInfoMessage)                      \
  MESSAGE(filter_pipeline, FilterPipelineMessage)            \
  MESSAGE(attribute, AttributeMessage)                       \
  MESSAGE(comment, CommentMessage)                           \
  MESSAGE(old_modification_time, OldModificationTimeMessage) \
  MESSAGE(shared_message_table, SharedMessageTableMessage)   \
  MESSAGE(continuation, ContinuationMessage)                 \
  MESSAGE(symbol_table, SymbolTableMessage)                  \
  MESSAGE(modification_time, ModificationTimeMessage)        \
  MESSAGE(btree_k_values, BTreeKValuesMessage)               \
  MESSAGE(driver_info, DriverInfoMessage)                    \
  MESSAGE(attribute_info, AttributeInfoMessage)              \
  MESSAGE(reference_count, ReferenceCountMessage)            \
  MESSAGE(file_space_info, FileSpaceInfoMessage)             \
  MESSAGE(cache_image, CacheImageMessage)                    \
  MESSAGE(page_list, PageListMessage)

/// Calls `use.template operator()<Record>()` for the record of this type. Returns false if there is
/// none.
template <class F>
bool with_record_of(MessageType type, F&& use) {
  switch (type) {
#define ONECAST_USE_RECORD(TYPE, RECORD)                \
  case MessageType::TYPE:                               \
    std::forward<F>(use).template operator()<RECORD>(); \
    return true;
    ONECAST_MESSAGE_RECORDS(ONECAST_USE_RECORD)
#undef ONECAST_USE_RECORD
    case MessageType::nil:
      break;
  }
  return false;
}

/// Returns true if Onecast understands messages of this type. Bogus messages are those that no
/// library understands.
inline bool is_understood(MessageType type) {
  return type == MessageType::nil ||
         (type != MessageType::bogus && with_record_of(type, []<class Record> {}));
}

}  // namespace onecast::format
