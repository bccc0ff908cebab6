#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "onecast/onecast.h"
#include "support/temporary_directory.hpp"

namespace onecast::test {

inline testing::AssertionResult is_ok(const char* text, onecast_status status) {
  if (status == ONECAST_OK) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << "\n"
                                     << onecast_status_name(status) << ": " << onecast_last_error();
}
#define EXPECT_DONE(call) EXPECT_PRED_FORMAT1(onecast::test::is_ok, call)
#define ASSERT_DONE(call) ASSERT_PRED_FORMAT1(onecast::test::is_ok, call)

/// Expects that the call fails with that status, and that the error text contains `part`.
#define EXPECT_FAILS(call, status, part)                                       \
  do {                                                                         \
    EXPECT_EQ(call, status);                                                   \
    EXPECT_EQ(onecast_last_status(), status);                                  \
    EXPECT_NE(std::string(onecast_last_error()).find(part), std::string::npos) \
        << onecast_last_error();                                               \
  } while (false)

/// Releases handles.
struct Give {
  void operator()(onecast_file* file) const { onecast_file_abandon(&file, nullptr); }
  void operator()(onecast_object* object) const { onecast_object_close(&object); }
  void operator()(onecast_type* type) const { onecast_type_free(&type); }
  void operator()(onecast_reference* reference) const { onecast_reference_free(&reference); }
  void operator()(onecast_set* selection) const { onecast_set_free(&selection); }
  void operator()(void* memory) const { onecast_free(memory); }
};
template <class T>
using Owned = std::unique_ptr<T, Give>;

/// Returns what a creating function returns. The call must succeed.
template <class T, class Call>
Owned<T> made_by(Call&& call) {
  T* made = nullptr;
  EXPECT_DONE(std::forward<Call>(call)(&made));
  return Owned<T>(made);
}

inline Owned<onecast_object> root_of(onecast_file* file) {
  return made_by<onecast_object>([&](auto out) { return onecast_file_root(file, out); });
}

/// Tests with a new file and its root group.
class CapiTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_DONE(onecast_file_create(path().c_str(), nullptr, &file));
    root = root_of(file);
  }
  void TearDown() override {
    root.reset();
    EXPECT_DONE(onecast_file_close(&file));
  }
  std::string path() const { return folder / "a.h5"; }
  /// Opens the file again to read what was written.
  void reopen(onecast_access access = ONECAST_READ_ONLY) {
    root.reset();
    ASSERT_DONE(onecast_file_close(&file));
    ASSERT_DONE(onecast_file_open(path().c_str(), access, nullptr, &file));
    root = root_of(file);
  }

  Owned<onecast_object> group(const char* name) const {
    return made_by<onecast_object>(
        [&](auto out) { return onecast_group_create(root.get(), name, out); });
  }
  Owned<onecast_object> dataset(const char* name, const onecast_type* type,
                                const std::vector<std::uint64_t>& shape,
                                const onecast_dataset_options* options = nullptr) const {
    const onecast_dataspace space = onecast_dataspace_array(shape.size(), shape.data());
    return made_by<onecast_object>([&](auto out) {
      return onecast_dataset_create(root.get(), name, type, &space, options, out);
    });
  }
  Owned<onecast_object> open(const char* name) const {
    return made_by<onecast_object>(
        [&](auto out) { return onecast_object_open(root.get(), name, out); });
  }
  static onecast_group_options group_options() {
    onecast_group_options options;
    EXPECT_DONE(onecast_group_options_init(&options, sizeof options));
    return options;
  }
  static onecast_dataset_options options() {
    onecast_dataset_options options;
    EXPECT_DONE(onecast_dataset_options_init(&options, sizeof options));
    return options;
  }
  template <class T>
  static std::vector<T> read(const onecast_object* from, std::size_t count,
                             const onecast_type* type, const onecast_selection* part = nullptr) {
    std::vector<T> values(count);
    EXPECT_DONE(onecast_dataset_read(from, part, type, values.data(), count * sizeof(T)));
    return values;
  }
  static std::vector<std::string> strings(std::size_t count, char** texts) {
    const Owned<void> owner(static_cast<void*>(texts));
    return {texts, texts + count};
  }

  TemporaryDirectory folder;
  onecast_file* file = nullptr;
  Owned<onecast_object> root;
};

}  // namespace onecast::test
