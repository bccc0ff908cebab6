// Single links, and everything below a group

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using Paths = std::vector<std::string>;

struct Seen {
  Paths paths{};
  std::size_t most = 100;
};

int note_object(void* user, const char* path, const onecast_object* object) {
  auto& seen = *static_cast<Seen*>(user);
  onecast_object_kind kind = ONECAST_NO_OBJECT;
  EXPECT_DONE(onecast_object_get_kind(object, &kind));
  seen.paths.push_back(path + std::string(kind == ONECAST_GROUP ? "/" : ""));
  return seen.paths.size() == seen.most ? 42 : 0;
}

int note_link(void* user, const onecast_link* link) {
  auto& seen = *static_cast<Seen*>(user);
  seen.paths.push_back(link->name + std::string(link->kind == ONECAST_LINK_HARD ? "" : " -> ") +
                       (link->target != nullptr ? link->target : ""));
  return seen.paths.size() == seen.most ? -1 : 0;
}

class VisitInC : public CapiTest {
 protected:
  void SetUp() override {
    CapiTest::SetUp();
    const auto inner = group("b/inner");
    dataset("b/inner/x", ONECAST_INT32, {2});
    dataset("a", ONECAST_INT32, {2});
    // Each object has one more name, and one path leads back to a group above.
    EXPECT_DONE(onecast_group_create_hard_link(inner.get(), "up", open("b").get()));
    EXPECT_DONE(onecast_group_create_hard_link(root.get(), "z", open("a").get()));
    EXPECT_DONE(onecast_group_create_soft_link(root.get(), "soft", "/b/inner"));
    EXPECT_DONE(onecast_group_create_external_link(root.get(), "out", "other.h5", "/there"));
  }
};

TEST_F(VisitInC, EachObjectOnce) {
  Seen seen;
  int result = -1;
  EXPECT_DONE(onecast_group_visit(root.get(), ONECAST_ORDER_NAME, note_object, &seen, &result));
  EXPECT_EQ(result, 0);
  EXPECT_EQ(seen.paths, (Paths{"./", "a", "b/", "b/inner/", "b/inner/x"}));
  seen = {{}, 2};
  EXPECT_DONE(
      onecast_group_visit(open("b").get(), ONECAST_ORDER_NAME, note_object, &seen, &result));
  EXPECT_EQ(result, 42);
  EXPECT_EQ(seen.paths, (Paths{"./", "inner/"}));
  EXPECT_FAILS(
      onecast_group_visit(root.get(), static_cast<onecast_order>(17), note_object, &seen, nullptr),
      ONECAST_INVALID_ARGUMENT, "order");
}

TEST_F(VisitInC, EachLink) {
  Seen seen;
  int result = -1;
  EXPECT_DONE(onecast_group_visit_links(root.get(), ONECAST_ORDER_NAME, note_link, &seen, &result));
  EXPECT_EQ(result, 0);
  EXPECT_EQ(seen.paths, (Paths{"a", "b", "b/inner", "b/inner/up", "b/inner/x", "out -> /there",
                               "soft -> /b/inner", "z"}));
  seen = {{}, 3};
  EXPECT_DONE(onecast_group_visit_links(root.get(), ONECAST_ORDER_NAME, note_link, &seen, &result));
  EXPECT_EQ(result, -1);
  EXPECT_EQ(seen.paths.size(), 3U);
}

TEST_F(VisitInC, OneLink) {
  onecast_link* link = nullptr;
  ASSERT_DONE(onecast_group_get_link(root.get(), "/b/inner/x", &link));
  EXPECT_STREQ(link->name, "x");
  EXPECT_EQ(link->kind, ONECAST_LINK_HARD);
  EXPECT_EQ(link->target, nullptr);
  onecast_free(link);
  ASSERT_DONE(onecast_group_get_link(open("b").get(), "/out/", &link));
  EXPECT_EQ(link->kind, ONECAST_LINK_EXTERNAL);
  EXPECT_STREQ(link->target, "/there");
  EXPECT_STREQ(link->target_file, "other.h5");
  onecast_free(link);
  ASSERT_DONE(onecast_group_get_link(root.get(), "soft", &link));
  EXPECT_STREQ(link->target, "/b/inner");
  onecast_free(link);
  for (const char* missing : {"nothing", "/", "", "b/nothing", "no group/x"}) {
    EXPECT_FAILS(onecast_group_get_link(root.get(), missing, &link), ONECAST_NOT_FOUND, "");
    EXPECT_EQ(link, nullptr);
  }
}

}  // namespace
}  // namespace onecast::test
