#include "bytes.hpp"
#include "format/infra/global_heap.hpp"
#include "format/infra/local_heap.hpp"
#include "format/infra/symbol_table_node.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/objects/object_header.hpp"
#include "onecast/base/error.hpp"

/// A version that cannot be is damage; one that a later library may write is not supported.
namespace onecast::format {

/// What the bytes of a record are refused as.
template <class R>
ErrorCode refused(std::string_view digits) {
  const FileContext file{"versions.h5", 8, 8};
  const std::vector<std::byte> bytes = from_hex(digits);
  try {
    decode<R>(ByteView(bytes), Address{96}, file);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "the record was decoded";
  return ErrorCode::state;
}

TEST(Versions, RecordsOfTheOldestFilesHaveOne) {
  EXPECT_EQ(refused<SymbolTableNode>("534e4f44 00 00 0000"), ErrorCode::format);
  EXPECT_EQ(refused<SymbolTableNode>("534e4f44 02 00 0000"), ErrorCode::format);
  EXPECT_EQ(refused<LocalHeapHeader>("48454150 01 000000"), ErrorCode::format);
  EXPECT_EQ(refused<ObjectHeaderPrefixV1>("00 00 0000"), ErrorCode::format);
  EXPECT_EQ(refused<ObjectHeaderPrefixV1>("07 00 0000"), ErrorCode::format);
}

TEST(Versions, NoneIsBeforeTheFirst) {
  EXPECT_EQ(refused<GlobalHeapCollection>("47434f4c 00 000000"), ErrorCode::format);
  EXPECT_EQ(refused<ObjectHeaderPrefixV2>("4f484452 01 00"), ErrorCode::format);
  EXPECT_EQ(refused<DataspaceMessage>("00 01 00 00 00000000"), ErrorCode::format);
}

TEST(Versions, LaterOnesAreNotSupported) {
  EXPECT_EQ(refused<GlobalHeapCollection>("47434f4c 02 000000"), ErrorCode::unsupported);
  EXPECT_EQ(refused<ObjectHeaderPrefixV2>("4f484452 03 00"), ErrorCode::unsupported);
  EXPECT_EQ(refused<DataspaceMessage>("03 01 00 00 00000000"), ErrorCode::unsupported);
}

}  // namespace onecast::format
