// NULL is refused, with an error that says so, wherever a value is needed. Functions that release
// handles accept it.

#include "capi_test.hpp"

namespace onecast::test {
namespace {

#define EXPECT_REFUSED(call) EXPECT_FAILS(call, ONECAST_INVALID_ARGUMENT, "NULL")

TEST(Null, GivingBackNothing) {
  onecast_free(nullptr);
  onecast_file_abandon(nullptr, nullptr);
  onecast_object_close(nullptr);
  onecast_type_free(nullptr);
  onecast_reference_free(nullptr);
  onecast_object* object = nullptr;
  onecast_object_close(&object);
  onecast_type* type = nullptr;
  onecast_type_free(&type);
  onecast_reference* reference = nullptr;
  onecast_reference_free(&reference);
  onecast_set* selection = nullptr;
  onecast_set_free(&selection);
  onecast_set_free(nullptr);
}

TEST(Null, Selections) {
  onecast_set* made = nullptr;
  EXPECT_REFUSED(onecast_set_combine(ONECAST_UNION, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_set_complement(nullptr, 1, nullptr, &made));
  EXPECT_REFUSED(onecast_set_boxes(1, 1, nullptr, &made));
  EXPECT_REFUSED(onecast_set_count(nullptr, nullptr));
  EXPECT_REFUSED(onecast_set_get_boxes(nullptr, nullptr, nullptr, nullptr));
}

TEST(Null, Files) {
  onecast_file* file = nullptr;
  onecast_object* object = nullptr;
  EXPECT_REFUSED(onecast_file_options_init(nullptr, sizeof(onecast_file_options)));
  EXPECT_REFUSED(onecast_file_create(nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_create("a.h5", nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_open(nullptr, ONECAST_READ_ONLY, nullptr, &file));
  EXPECT_REFUSED(onecast_file_open("a.h5", ONECAST_READ_ONLY, nullptr, nullptr));
  onecast_communicator* communicator = nullptr;
  onecast_random_access_file bytes = {};
  bytes.size = sizeof bytes;
  onecast_communicator_close(nullptr);
  onecast_communicator_close(&communicator);
  EXPECT_REFUSED(onecast_communicator_create(nullptr, &communicator));
  EXPECT_REFUSED(onecast_file_create_on("a.h5", nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_open_on("a.h5", ONECAST_READ_ONLY, nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_create_in(nullptr, nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_create_in(&bytes, nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_create_in(&bytes, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_open_in(nullptr, ONECAST_READ_ONLY, nullptr, nullptr, &file));
  EXPECT_REFUSED(onecast_file_close(nullptr));
  EXPECT_REFUSED(onecast_file_flush(nullptr));
  EXPECT_REFUSED(onecast_file_root(nullptr, &object));
  EXPECT_REFUSED(onecast_file_path(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_get_access(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_get_profile(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_get_ranks(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_start_swmr(nullptr));
  EXPECT_REFUSED(onecast_file_is_swmr(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_refresh(nullptr));
  EXPECT_REFUSED(onecast_object_refresh(nullptr));
  EXPECT_REFUSED(onecast_file_independent_begin(nullptr));
  EXPECT_REFUSED(onecast_file_independent_end(nullptr));
  EXPECT_REFUSED(onecast_file_prefetch_all(nullptr, "/", 1));
  EXPECT_REFUSED(onecast_file_adopt(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_explain(nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_unused_hints(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_file_recover(nullptr, ONECAST_LOCKING_ON, nullptr));
  EXPECT_REFUSED(onecast_file_io_stats(nullptr, nullptr, sizeof(onecast_io_stats)));
  EXPECT_REFUSED(onecast_file_metadata_report(nullptr, nullptr, sizeof(onecast_metadata_report)));
}

TEST(Null, Objects) {
  EXPECT_REFUSED(onecast_object_get_kind(nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_get_path(nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_same(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_get_file(nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_get_comment(nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_get_modification_time(nullptr, nullptr));
  EXPECT_REFUSED(onecast_object_open(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_open(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_contains(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_get_kind_of(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_list(nullptr, ONECAST_ORDER_STORED, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_get_link_count(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_anonymous(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_anonymous_datatype(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_require(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_datatype(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_datatype_get_type(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_soft_link(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_external_link(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_hard_link(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_move(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_move_into(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_create_user_defined_link(nullptr, nullptr, 65, nullptr, 0));
  EXPECT_REFUSED(onecast_group_get_nth_link(nullptr, 0, ONECAST_ORDER_NAME, nullptr));
  EXPECT_REFUSED(onecast_object_change_link_count(nullptr, 1));
  EXPECT_REFUSED(onecast_object_get_link_count(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_remove(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_copy(nullptr, nullptr, nullptr, nullptr));
}

TEST(Null, Attributes) {
  EXPECT_REFUSED(onecast_attribute_set(nullptr, nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_attribute_set_committed(nullptr, nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_attribute_set_text(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_set_strings(nullptr, nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_attribute_remove(nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_rename(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_read_structs(nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_set_structs(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
  EXPECT_REFUSED(onecast_attribute_read_sequences(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_set_sequences(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
  EXPECT_REFUSED(onecast_object_set_comment(nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_get_link(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_visit(nullptr, ONECAST_ORDER_NAME, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_group_visit_links(nullptr, ONECAST_ORDER_NAME, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_exists(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_get_count(nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_get_nth_name(nullptr, 0, ONECAST_ORDER_NAME, nullptr));
  EXPECT_REFUSED(onecast_dataset_set_prefixes(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_list_external(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_list(nullptr, ONECAST_ORDER_STORED, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_get_type(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_get_space(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_read(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_attribute_read_strings(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_read_references(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_attribute_set_references(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
}

TEST(Null, Datasets) {
  EXPECT_REFUSED(onecast_dataset_options_init(nullptr, sizeof(onecast_dataset_options)));
  EXPECT_REFUSED(onecast_dataset_create(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_create_anonymous(nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_open(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_type(nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_space(nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_layout(nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_chunk(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_list_filters(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_fill(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_fill_value(nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_get_storage_size(nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_read(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_read_all(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_read_all_strings(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_write_all(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_write_equal(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_REFUSED(onecast_dataset_resize(nullptr, 0, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_strings(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_strings(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_all_strings(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_equal_strings(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_sequences(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_sequences(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_all_sequences(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_references(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_references(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_equal_references(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_list_chunks(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_find_chunk(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_chunk(nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_chunk(nullptr, nullptr, nullptr, 1, 0));
  EXPECT_REFUSED(onecast_dataset_read_all_references(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_all_references(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_all_sequences(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_equal_sequences(nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_read_all_structs(nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_equal_structs(nullptr, nullptr, nullptr, 1, nullptr));
  EXPECT_REFUSED(onecast_dataset_write_equal_async(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
}

TEST(Null, TypesAndReferences) {
  onecast_type* type = nullptr;
  EXPECT_EQ(onecast_native(static_cast<onecast_native_type>(999)), nullptr);
  EXPECT_REFUSED(onecast_type_integer(4, 1, ONECAST_LITTLE_ENDIAN, nullptr));
  EXPECT_REFUSED(onecast_type_floating(4, ONECAST_LITTLE_ENDIAN, nullptr));
  EXPECT_REFUSED(onecast_type_string(4, ONECAST_NULL_PADDED, ONECAST_ASCII, nullptr));
  EXPECT_REFUSED(onecast_type_variable_string(ONECAST_ASCII, nullptr));
  EXPECT_REFUSED(onecast_type_bitfield(4, ONECAST_LITTLE_ENDIAN, nullptr));
  EXPECT_REFUSED(onecast_type_opaque(4, nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_compound(4, 1, nullptr, &type));
  const onecast_member member = {nullptr, 0, nullptr};
  EXPECT_REFUSED(onecast_type_compound(4, 1, &member, &type));
  EXPECT_REFUSED(onecast_type_enumeration(nullptr, 0, nullptr, &type));
  const onecast_enumerator enumerator = {nullptr, 0};
  EXPECT_REFUSED(onecast_type_enumeration(ONECAST_INT8, 1, &enumerator, &type));
  EXPECT_REFUSED(onecast_type_array(nullptr, 1, nullptr, &type));
  EXPECT_REFUSED(onecast_type_sequence(nullptr, &type));
  EXPECT_REFUSED(onecast_type_complex(nullptr, &type));
  EXPECT_REFUSED(onecast_type_reference(ONECAST_REFERENCE_OBJECT, nullptr));
  EXPECT_REFUSED(onecast_type_copy(nullptr, &type));
  EXPECT_REFUSED(onecast_type_encode(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_decode(nullptr, 1, &type));
  EXPECT_REFUSED(onecast_type_get_class(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_size(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_order(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_signed(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_padding(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_character_set(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_reference_kind(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_tag(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_member_count(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_member(nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_enumerator(nullptr, 0, nullptr));
  EXPECT_REFUSED(onecast_type_get_dimensions(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_get_base(nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_equal(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_type_describe(nullptr, nullptr));
  EXPECT_EQ(type, nullptr);

  EXPECT_REFUSED(onecast_object_get_reference(nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataset_get_reference(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_reference_is_set(nullptr, nullptr));
  EXPECT_REFUSED(onecast_reference_get_kind(nullptr, nullptr));
  EXPECT_REFUSED(onecast_reference_open(nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_reference_list_blocks(nullptr, nullptr, nullptr, nullptr));
  EXPECT_REFUSED(onecast_dataspace_count(nullptr, nullptr));
}

/// After a failed call, a program that continues must find a count of zero.
TEST(Null, CountsOfCallsThatFail) {
  const auto zero_after = [](auto&& call) {
    std::size_t count = 77;
    call(&count);
    return count == 0;
  };
  char** texts = nullptr;
  onecast_link* links = nullptr;
  void* data = nullptr;
  uint64_t* numbers = nullptr;
  onecast_sequence* sequences = nullptr;
  onecast_stored_chunk* chunks = nullptr;
  onecast_dataset_filter* filters = nullptr;
  onecast_filter_parameter* parameters = nullptr;
  onecast_finding* findings = nullptr;
  onecast_reference** references = nullptr;
  uint32_t mask = 0;
  const auto order = ONECAST_ORDER_NAME;
  EXPECT_TRUE(zero_after([&](auto n) { onecast_attribute_list(nullptr, order, n, &texts); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_attribute_read_strings(nullptr, "a", n, &texts); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_attribute_read_sequences(nullptr, "a", n, &sequences); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_attribute_read_references(nullptr, "a", n, &references); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_check_file("/no/such.h5", 0, nullptr, 0, n, &findings); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_dataset_list_chunks(nullptr, n, &chunks); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_dataset_read_chunk(nullptr, nullptr, n, &data, &mask); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_dataset_list_filters(nullptr, n, &filters); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_dataset_get_chunk(nullptr, n, nullptr); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_dataset_read_strings(nullptr, nullptr, n, &texts); }));
  EXPECT_TRUE(zero_after(
      [&](auto n) { onecast_dataset_read_structs(nullptr, nullptr, nullptr, n, &data); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_scale_get_count(nullptr, 0, n); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_file_unused_hints(nullptr, n, &texts); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_filter_parameters("no such filter", &parameters, n); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_known_filters(nullptr, n); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_group_list(nullptr, order, n, &links); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_group_get_link_count(nullptr, n); }));
  EXPECT_TRUE(
      zero_after([&](auto n) { onecast_reference_list_blocks(nullptr, nullptr, n, &numbers); }));
  EXPECT_TRUE(zero_after([&](auto n) {
    std::size_t rank = 77;
    onecast_set_get_boxes(nullptr, &rank, n, &numbers);
    EXPECT_EQ(rank, 0U);
  }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_type_encode(nullptr, n, &data); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_type_get_size(nullptr, n); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_type_get_member_count(nullptr, n); }));
  EXPECT_TRUE(zero_after([&](auto n) { onecast_type_get_dimensions(nullptr, n, nullptr); }));
  uint64_t count = 77;
  onecast_set_count(nullptr, &count);
  EXPECT_EQ(count, 0U);
  count = 77;
  onecast_dataset_get_storage_size(nullptr, &count);
  EXPECT_EQ(count, 0U);
}

using NullWithHandle = CapiTest;

TEST_F(NullWithHandle, EachArgumentIsNamed) {
  const auto x = dataset("x", ONECAST_INT32, {2});
  const std::int32_t values[2] = {1, 2};
  EXPECT_FAILS(onecast_group_create(root.get(), nullptr, nullptr), ONECAST_INVALID_ARGUMENT,
               "path is NULL");
  EXPECT_FAILS(onecast_object_open(root.get(), "x", nullptr), ONECAST_INVALID_ARGUMENT,
               "object is NULL");
  EXPECT_FAILS(onecast_dataset_write(x.get(), nullptr, nullptr, nullptr, sizeof values),
               ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_FAILS(onecast_dataset_read_all(x.get(), nullptr, nullptr, nullptr, sizeof values),
               ONECAST_INVALID_ARGUMENT, "out is NULL");
  EXPECT_FAILS(onecast_dataset_write_all(x.get(), nullptr, nullptr, nullptr, sizeof values),
               ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_FAILS(onecast_attribute_set(x.get(), "a", nullptr, nullptr, values, 4),
               ONECAST_INVALID_ARGUMENT, "type is NULL");
  const char* const texts[] = {"a", nullptr};
  EXPECT_FAILS(onecast_attribute_set_strings(x.get(), "a", nullptr, 2, texts),
               ONECAST_INVALID_ARGUMENT, "one of the texts is NULL");
  onecast_selection part = onecast_selection_box(1, nullptr, nullptr);
  EXPECT_FAILS(onecast_dataset_write(x.get(), &part, nullptr, values, sizeof values),
               ONECAST_INVALID_ARGUMENT, "start is NULL");
  part = onecast_selection_points(1, 2, nullptr);
  EXPECT_FAILS(onecast_dataset_write(x.get(), &part, nullptr, values, sizeof values),
               ONECAST_INVALID_ARGUMENT, "points is NULL");
  std::size_t count = 0;
  EXPECT_FAILS(onecast_group_list(root.get(), ONECAST_ORDER_STORED, &count, nullptr),
               ONECAST_INVALID_ARGUMENT, "links is NULL");
  onecast_link* links = nullptr;
  EXPECT_FAILS(onecast_group_list(root.get(), ONECAST_ORDER_STORED, nullptr, &links),
               ONECAST_INVALID_ARGUMENT, "count is NULL");
  EXPECT_EQ(links, nullptr);
}

}  // namespace
}  // namespace onecast::test
