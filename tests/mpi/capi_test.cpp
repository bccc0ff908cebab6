// The C API on several ranks: wrong arguments on one rank make no rank wait.
#include "capi/capi_test.hpp"

#include <fmt/format.h>

#include <numeric>

#include "onecast/onecast_mpi.h"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class CapiOnRanks : public ParallelTest {
 protected:
  static constexpr std::uint64_t kPerRank = 10;

  void create() {
    ASSERT_DONE(onecast_file_create_mpi(path().c_str(), MPI_COMM_WORLD, nullptr, &file));
    root = root_of(file);
  }
  void reopen() {
    close();
    ASSERT_DONE(
        onecast_file_open_mpi(path().c_str(), ONECAST_READ_ONLY, MPI_COMM_WORLD, nullptr, &file));
    root = root_of(file);
  }
  void close() {
    root.reset();
    EXPECT_DONE(onecast_file_close(&file));
  }
  Owned<onecast_object> dataset(const char* name, const onecast_type* type,
                                std::uint64_t count) const {
    const onecast_dataspace space = onecast_dataspace_array(1, &count);
    return made_by<onecast_object>([&](auto out) {
      return onecast_dataset_create(root.get(), name, type, &space, nullptr, out);
    });
  }
  Owned<onecast_object> open(const std::string& name) const {
    return made_by<onecast_object>(
        [&](auto out) { return onecast_dataset_open(root.get(), name.c_str(), out); });
  }
  std::uint64_t all() const { return kPerRank * static_cast<std::uint64_t>(size()); }
  std::uint64_t first() const { return kPerRank * static_cast<std::uint64_t>(rank()); }
  std::vector<double> mine() const {
    std::vector<double> values(kPerRank);
    std::iota(values.begin(), values.end(), static_cast<double>(first()));
    return values;
  }

  onecast_file* file = nullptr;
  Owned<onecast_object> root;
};

TEST_F(CapiOnRanks, EachItsPart) {
  create();
  int found_rank = -1;
  int found_size = -1;
  EXPECT_DONE(onecast_file_get_ranks(file, &found_rank, &found_size));
  EXPECT_EQ(found_rank, rank());
  EXPECT_EQ(found_size, size());
  EXPECT_DONE(onecast_attribute_set_text(root.get(), "title", "the same on all"));
  const auto x = dataset("x", ONECAST_DOUBLE, all());
  const std::uint64_t start = first();
  const std::uint64_t count = kPerRank;
  const onecast_selection part = onecast_selection_box(1, &start, &count);
  EXPECT_DONE(onecast_dataset_write_all(x.get(), &part, ONECAST_DOUBLE, mine().data(), 80));
  const auto equal = dataset("equal", ONECAST_INT32, 2);
  const std::int32_t two[] = {1, 2};
  EXPECT_DONE(onecast_dataset_write_equal(equal.get(), nullptr, nullptr, two, sizeof two));
  reopen();
  std::vector<double> read(all());
  EXPECT_DONE(onecast_dataset_read_all(open("x").get(), nullptr, nullptr, read.data(),
                                       read.size() * sizeof(double)));
  std::vector<double> expected(all());
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_EQ(read, expected);
  const onecast_selection nothing = onecast_selection_none();
  EXPECT_DONE(onecast_dataset_read_all(open("x").get(), rank() == 0 ? &part : &nothing, nullptr,
                                       read.data(), rank() == 0 ? 80 : 0));
  close();
}

TEST_F(CapiOnRanks, SharingIsAnOptionOfTheFile) {
  onecast_file_options options;
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  options.sharing = ONECAST_SHARING_VERIFY;
  ASSERT_DONE(onecast_file_create_mpi(path().c_str(), MPI_COMM_WORLD, &options, &file));
  root = root_of(file);
  const auto x = dataset("x", ONECAST_DOUBLE, all());
  const std::uint64_t start = first();
  const std::uint64_t count = kPerRank;
  const onecast_selection part = onecast_selection_box(1, &start, &count);
  std::vector<double> values(all());
  const onecast_status status =
      onecast_dataset_read_all(x.get(), &part, nullptr, values.data(), 80);
  EXPECT_EQ(status, size() > 1 ? ONECAST_DIVERGED : ONECAST_OK);
  EXPECT_FAILS(onecast_dataset_read_all(x.get(), nullptr, nullptr,
                                        rank() == 0 ? nullptr : values.data(), all() * 8),
               ONECAST_INVALID_ARGUMENT, "out is NULL");
  close();
}

TEST_F(CapiOnRanks, HintsOfAnInfoObject) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_Info_set(info, "romio_cb_write", "enable");
  MPI_Info_set(info, "e10_cache", "enable");
  onecast_file_options options;
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  onecast_hint* hints = nullptr;
  ASSERT_DONE(onecast_hints_of_info(info, &options.hint_count, &hints));
  EXPECT_EQ(options.hint_count, 3U);
  onecast_free(hints);
  ASSERT_DONE(onecast_hints_of_info_fortran(MPI_Info_c2f(info), &options.hint_count, &hints));
  MPI_Info_free(&info);
  options.hints = hints;
  ASSERT_DONE(onecast_file_create_mpi(path().c_str(), MPI_COMM_WORLD, &options, &file));
  onecast_free(hints);
  root = root_of(file);
  std::size_t count = 0;
  char** names = nullptr;
  ASSERT_DONE(onecast_file_unused_hints(file, &count, &names));
  ASSERT_EQ(count, 1U);
  EXPECT_STREQ(names[0], "e10_cache");
  onecast_free(names);
  const auto x = dataset("x", ONECAST_DOUBLE, 1000 * all());
  const std::uint64_t start = 1000 * static_cast<std::uint64_t>(rank());
  const std::uint64_t length = 1000;
  const onecast_selection part = onecast_selection_box(1, &start, &length);
  const std::vector<double> values(length);
  EXPECT_DONE(onecast_dataset_write_all(x.get(), &part, ONECAST_DOUBLE, values.data(), 8000));
  char* text = nullptr;
  ASSERT_DONE(onecast_file_explain(file, &text));
  if (size() > 1) {
    EXPECT_NE(std::string(text).find("by 1 aggregator"), std::string::npos) << text;
  }
  onecast_free(text);
  ASSERT_DONE(onecast_hints_of_info(MPI_INFO_NULL, &count, &hints));
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(hints, nullptr);
  close();
}

TEST_F(CapiOnRanks, SharingIsAnOptionOfACall) {
  create();
  const auto x = dataset("x", ONECAST_DOUBLE, all());
  std::vector<double> values(all(), 1.5);
  const std::size_t size_of_all = values.size() * sizeof(double);
  const auto with = [](onecast_sharing sharing) {
    onecast_selection part{};
    part.sharing = sharing;
    return part;
  };
  const onecast_selection verify = with(ONECAST_SHARING_VERIFY);
  const onecast_selection trust = with(ONECAST_SHARING_TRUST);
  const onecast_selection wrong = with(static_cast<onecast_sharing>(4));
  EXPECT_DONE(onecast_dataset_write_equal(x.get(), &verify, nullptr, values.data(), size_of_all));
  std::vector<double> read(all());
  EXPECT_DONE(onecast_dataset_read_all(x.get(), &trust, nullptr, read.data(), size_of_all));
  EXPECT_EQ(read, values);
  const std::uint64_t start = first();
  const std::uint64_t count = kPerRank;
  onecast_selection part = onecast_selection_box(1, &start, &count);
  part.sharing = ONECAST_SHARING_VERIFY;
  const onecast_status diverged = size() > 1 ? ONECAST_DIVERGED : ONECAST_OK;
  EXPECT_EQ(onecast_dataset_read_all(x.get(), &part, nullptr, read.data(), 80), diverged);
  values[0] = rank();
  EXPECT_EQ(onecast_dataset_write_equal(x.get(), &verify, nullptr, values.data(), size_of_all),
            diverged);
  // A rank with a wrong argument takes part in sharing as the others do, and all get its reason.
  const bool is_wrong = rank() == last();
  EXPECT_FAILS(onecast_dataset_read_all(x.get(), &verify, nullptr, is_wrong ? nullptr : read.data(),
                                        size_of_all),
               ONECAST_INVALID_ARGUMENT, "out is NULL");
  EXPECT_FAILS(onecast_dataset_read_all(x.get(), &wrong, nullptr, read.data(), size_of_all),
               ONECAST_INVALID_ARGUMENT, "sharing: 4");
  close();
}

TEST_F(CapiOnRanks, TextsOfAll) {
  create();
  const auto x = dataset("x", ONECAST_STRING, static_cast<std::uint64_t>(size()));
  const std::string text = "of rank " + std::to_string(rank());
  const char* const texts[] = {text.c_str()};
  const auto start = static_cast<std::uint64_t>(rank());
  const std::uint64_t one = 1;
  const onecast_selection part = onecast_selection_box(1, &start, &one);
  EXPECT_DONE(onecast_dataset_write_all_strings(x.get(), &part, 1, texts));
  reopen();
  std::size_t count = 0;
  char** found = nullptr;
  EXPECT_DONE(onecast_dataset_read_strings(open("x").get(), nullptr, &count, &found));
  ASSERT_EQ(count, static_cast<std::size_t>(size()));
  for (int r = 0; r < size(); ++r) EXPECT_EQ(found[r], "of rank " + std::to_string(r));
  onecast_free(found);
  EXPECT_DONE(onecast_dataset_read_all_strings(open("x").get(), nullptr, &count, &found));
  ASSERT_EQ(count, static_cast<std::size_t>(size()));
  for (int r = 0; r < size(); ++r) EXPECT_EQ(found[r], "of rank " + std::to_string(r));
  onecast_free(found);
  EXPECT_DONE(onecast_dataset_read_all_strings(open("x").get(), &part, &count, &found));
  ASSERT_EQ(count, 1U);
  EXPECT_EQ(found[0], text);
  onecast_free(found);
  close();
}

TEST_F(CapiOnRanks, PaddingThatDiffersIsNoDifference) {
  create();
  const onecast_member members[] = {{"a", 0, ONECAST_INT8}, {"b", 4, ONECAST_INT32}};
  const auto type =
      made_by<onecast_type>([&](auto out) { return onecast_type_compound(8, 2, members, out); });
  const auto padding = static_cast<unsigned char>(rank());
  const unsigned char value[8] = {1, padding, padding, padding, 2, 0, 0, 0};
  EXPECT_DONE(onecast_attribute_set(root.get(), "a", type.get(), nullptr, value, sizeof value));
  const auto x = dataset("x", type.get(), 1);
  EXPECT_DONE(onecast_dataset_write_equal(x.get(), nullptr, nullptr, value, sizeof value));
  EXPECT_DONE(onecast_file_flush(file));
  close();
}

TEST_F(CapiOnRanks, EachItsObjects) {
  create();
  EXPECT_DONE(onecast_file_independent_begin(file));
  const std::string name = "parts/" + std::to_string(rank());
  const auto x = dataset(name.c_str(), ONECAST_DOUBLE, kPerRank);
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, ONECAST_DOUBLE, mine().data(), 80));
  EXPECT_DONE(onecast_file_independent_end(file));
  EXPECT_DONE(onecast_file_flush(file));
  const std::string last = "parts/" + std::to_string(size() - 1);
  std::vector<double> read(kPerRank);
  EXPECT_DONE(onecast_dataset_read(open(last).get(), nullptr, nullptr, read.data(), 80));
  EXPECT_EQ(read[0], static_cast<double>(all() - kPerRank));
  close();
}

TEST_F(CapiOnRanks, OneRankGivesWrongArguments) {
  create();
  const auto x = dataset("x", ONECAST_DOUBLE, all());
  const auto text = dataset("text", ONECAST_STRING, static_cast<std::uint64_t>(size()));
  const int wrong = size() - 1;
  const bool is_wrong = rank() == wrong;
  const std::string named = size() > 1 ? "rank " + std::to_string(wrong) : "";
  const std::uint64_t start = first();
  const std::uint64_t count = kPerRank;
  onecast_selection part = onecast_selection_box(1, &start, &count);
  std::vector<double> values = mine();
  double* given = is_wrong ? nullptr : values.data();
  const auto refused = [&](onecast_status status, const char* why) {
    EXPECT_EQ(status, ONECAST_INVALID_ARGUMENT);
    EXPECT_NE(std::string(onecast_last_error()).find(why), std::string::npos)
        << onecast_last_error();
    EXPECT_NE(std::string(onecast_last_error()).find(named), std::string::npos)
        << onecast_last_error();
  };
  refused(onecast_dataset_write_all(x.get(), &part, nullptr, given, 80), "data is NULL");
  refused(onecast_dataset_read_all(x.get(), &part, nullptr, given, 80), "out is NULL");
  if (is_wrong) part.start = nullptr;
  refused(onecast_dataset_write_all(x.get(), &part, nullptr, values.data(), 80), "start is NULL");
  refused(onecast_dataset_read_all(x.get(), &part, nullptr, values.data(), 80), "start is NULL");
  const char* const texts[] = {is_wrong ? nullptr : "a"};
  const auto row = static_cast<std::uint64_t>(rank());
  const std::uint64_t one = 1;
  const onecast_selection line = onecast_selection_box(1, &row, &one);
  refused(onecast_dataset_write_all_strings(text.get(), &line, 1, texts), "texts is NULL");
  std::size_t texts_read = 0;
  char** read = nullptr;
  refused(
      onecast_dataset_read_all_strings(text.get(), &line, is_wrong ? nullptr : &texts_read, &read),
      "count is NULL");
  EXPECT_FAILS(onecast_dataset_write_all_sequences(x.get(), nullptr, 0, nullptr),
               ONECAST_INVALID_ARGUMENT, "not sequences");

  part.start = &start;
  EXPECT_DONE(onecast_dataset_write_all(x.get(), &part, nullptr, values.data(), 80));
  close();
}

TEST_F(CapiOnRanks, OpeningFailsOnAll) {
  const bool is_wrong = rank() == size() - 1;
  const std::string name = path();
  EXPECT_FAILS(
      onecast_file_create_mpi(is_wrong ? nullptr : name.c_str(), MPI_COMM_WORLD, nullptr, &file),
      ONECAST_INVALID_ARGUMENT, "path is NULL");
  onecast_file_options options;
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  if (is_wrong) options.size = 0;
  EXPECT_FAILS(onecast_file_create_mpi(name.c_str(), MPI_COMM_WORLD, &options, &file),
               ONECAST_INVALID_ARGUMENT, "onecast_file_options_init");
  EXPECT_FAILS(onecast_file_open_mpi("missing.h5",
                                     is_wrong ? static_cast<onecast_access>(9) : ONECAST_READ_ONLY,
                                     MPI_COMM_WORLD, nullptr, &file),
               ONECAST_INVALID_ARGUMENT, "access: 9");
  EXPECT_FAILS(
      onecast_file_open_mpi("missing.h5", ONECAST_READ_ONLY, MPI_COMM_WORLD, nullptr, &file),
      ONECAST_NOT_FOUND, "missing.h5");
  if (size() > 1)
    EXPECT_FAILS(onecast_file_open_mpi(is_wrong ? "missing.h5" : "other.h5", ONECAST_READ_ONLY,
                                       MPI_COMM_WORLD, nullptr, &file),
                 ONECAST_DIVERGED, "h5");
  EXPECT_FAILS(onecast_file_open_mpi("a.h5", ONECAST_READ_ONLY, MPI_COMM_NULL, nullptr, &file),
               ONECAST_INVALID_ARGUMENT, "MPI_COMM_NULL");
  EXPECT_EQ(file, nullptr);
  barrier();
}

TEST_F(CapiOnRanks, DifferentCallsAreToldByTheFlush) {
  if (size() == 1) GTEST_SKIP() << "needs ranks that differ";
  create();
  EXPECT_DONE(onecast_group_create(root.get(), rank() == 0 ? "a" : "b", nullptr));
  EXPECT_FAILS(onecast_file_flush(file), ONECAST_DIVERGED, "create group");
  root.reset();
  EXPECT_FAILS(onecast_file_close(&file), ONECAST_DIVERGED, "create group");
  EXPECT_EQ(file, nullptr);
}

TEST_F(CapiOnRanks, CommunicatorsOfFortran) {
  ASSERT_DONE(onecast_file_create_mpi_fortran(path().c_str(), MPI_Comm_c2f(MPI_COMM_WORLD), nullptr,
                                              &file));
  EXPECT_DONE(onecast_file_close(&file));
  ASSERT_DONE(onecast_file_open_mpi_fortran(path().c_str(), ONECAST_READ_WRITE,
                                            MPI_Comm_c2f(MPI_COMM_WORLD), nullptr, &file));
  root = root_of(file);
  EXPECT_DONE(onecast_group_create(root.get(), "g", nullptr));
  reopen();
  int there = 0;
  EXPECT_DONE(onecast_group_contains(root.get(), "g", &there));
  EXPECT_EQ(there, 1);
  close();
}

TEST_F(CapiOnRanks, OneCommunicatorForManyFiles) {
  onecast_communicator* ranks = nullptr;
  ASSERT_DONE(onecast_communicator_mpi(MPI_COMM_WORLD, &ranks));
  ASSERT_DONE(onecast_file_create_on(path().c_str(), ranks, nullptr, &file));
  EXPECT_DONE(onecast_file_close(&file));
  ASSERT_DONE(onecast_file_open_on(path().c_str(), ONECAST_READ_ONLY, ranks, nullptr, &file));
  EXPECT_DONE(onecast_file_close(&file));
  // Wrong arguments on one rank are an error on all.
  const std::string name = path();
  const char* wrong = rank() == last() ? nullptr : name.c_str();
  EXPECT_FAILS(onecast_file_create_on(wrong, ranks, nullptr, &file),
               size() == 1 ? ONECAST_INVALID_ARGUMENT : ONECAST_DIVERGED, "path is NULL");
  onecast_communicator_close(&ranks);
  EXPECT_EQ(ranks, nullptr);
  ASSERT_DONE(onecast_communicator_mpi_fortran(MPI_Comm_c2f(MPI_COMM_WORLD), &ranks));
  onecast_communicator_close(&ranks);
}

TEST_F(CapiOnRanks, EveryVerbForEveryFormOfValues) {
  create();
  const auto sequence =
      made_by<onecast_type>([](auto out) { return onecast_type_sequence(ONECAST_INT32, out); });
  struct Entry {
    std::int32_t number;
    onecast_text name;
  };
  const onecast_member members[] = {ONECAST_MEMBER(Entry, number, ONECAST_INT32),
                                    ONECAST_MEMBER(Entry, name, ONECAST_STRING)};
  const auto entry = made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(sizeof(Entry), 2, members, out); });
  const auto count = static_cast<std::uint64_t>(size());
  const auto sequences = dataset("sequences", sequence.get(), count);
  const auto entries = dataset("entries", entry.get(), count);
  const auto references = dataset("references", ONECAST_REFERENCE, count);
  const auto numbers = dataset("numbers", ONECAST_INT32, count);
  const auto to_root = made_by<onecast_reference>(
      [&](auto out) { return onecast_object_get_reference(root.get(), out); });

  const std::int32_t values[] = {rank(), rank() + 1};
  const std::int32_t equal = 7;
  const onecast_sequence mine = {2, values};
  const onecast_sequence same = {1, &equal};
  const Entry my_entry = {rank(), {2, "of"}};
  const Entry same_entry = {7, {4, "same"}};
  const onecast_reference* const reference = to_root.get();
  const auto at = static_cast<std::uint64_t>(rank());
  const std::uint64_t zero = 0;
  const std::uint64_t one = 1;
  const onecast_selection part = onecast_selection_box(1, &at, &one);
  const onecast_selection head = onecast_selection_box(1, &zero, &one);
  EXPECT_DONE(onecast_dataset_write_all_sequences(sequences.get(), &part, 1, &mine));
  EXPECT_DONE(onecast_dataset_write_all_structs(entries.get(), &part, entry.get(), 1, &my_entry));
  EXPECT_DONE(onecast_dataset_write_all_references(references.get(), &part, 1, &reference));
  EXPECT_DONE(onecast_dataset_write_equal_sequences(sequences.get(), &head, 1, &same));
  EXPECT_DONE(
      onecast_dataset_write_equal_structs(entries.get(), &head, entry.get(), 1, &same_entry));
  std::vector<std::int32_t> all(static_cast<std::size_t>(size()), 5);
  onecast_pending* pending = nullptr;
  EXPECT_DONE(onecast_dataset_write_equal_async(numbers.get(), nullptr, ONECAST_INT32, all.data(),
                                                all.size() * sizeof(std::int32_t), &pending));
  EXPECT_DONE(onecast_pending_wait(&pending));
  reopen();

  std::size_t found = 0;
  onecast_sequence* read = nullptr;
  ASSERT_DONE(onecast_dataset_read_all_sequences(open("sequences").get(), nullptr, &found, &read));
  const Owned<void> owner(static_cast<void*>(read));
  ASSERT_EQ(found, count);
  for (int r = 0; r < size(); ++r)
    EXPECT_EQ(*static_cast<const std::int32_t*>(read[r].elements), r == 0 ? 7 : r);
  void* structs = nullptr;
  ASSERT_DONE(onecast_dataset_read_all_structs(open("entries").get(), nullptr, entry.get(), &found,
                                               &structs));
  const Owned<void> structs_owner(structs);
  EXPECT_STREQ(static_cast<Entry*>(structs)[0].name.text, "same");
  EXPECT_EQ(static_cast<Entry*>(structs)[size() - 1].number, size() == 1 ? 7 : size() - 1);
  onecast_reference** list = nullptr;
  ASSERT_DONE(
      onecast_dataset_read_all_references(open("references").get(), nullptr, &found, &list));
  ASSERT_EQ(found, count);
  for (std::size_t i = 0; i < found; ++i) {
    int is_set = 0;
    EXPECT_DONE(onecast_reference_is_set(list[i], &is_set));
    EXPECT_EQ(is_set, 1);
    onecast_reference_free(&list[i]);
  }
  onecast_free(list);
  // Errors of one rank are raised on all.
  const bool wrong = rank() == last();
  EXPECT_FAILS(onecast_dataset_read_all_sequences(open("sequences").get(), nullptr,
                                                  wrong ? nullptr : &found, &read),
               ONECAST_INVALID_ARGUMENT, "count is NULL");
  close();
}

TEST_F(CapiOnRanks, OneLeaves) {
  create();
  dataset("kept", ONECAST_DOUBLE, all());
  EXPECT_DONE(onecast_file_flush(file));
  dataset("lost", ONECAST_DOUBLE, all());
  const bool leaves = rank() == last() && size() > 1;
  if (leaves) {
    root.reset();
    onecast_file_abandon(&file, "it is tired");
    EXPECT_EQ(file, nullptr);
  } else if (size() > 1) {
    EXPECT_FAILS(onecast_file_flush(file), ONECAST_DIVERGED, "it is tired");
    EXPECT_NE(std::string(onecast_last_error()).find(fmt::format("rank {}", last())),
              std::string::npos);
    EXPECT_FAILS(onecast_file_flush(file), ONECAST_DIVERGED, "it is tired");
    root.reset();
    static_cast<void>(onecast_file_close(&file));
  } else {
    close();
    return;
  }
  barrier();
  ASSERT_DONE(
      onecast_file_open_mpi(path().c_str(), ONECAST_READ_ONLY, MPI_COMM_WORLD, nullptr, &file));
  root = root_of(file);
  open("kept");
  onecast_object* found = nullptr;
  EXPECT_FAILS(onecast_dataset_open(root.get(), "lost", &found), ONECAST_NOT_FOUND, "lost");
  close();
}

}  // namespace
}  // namespace onecast::test
