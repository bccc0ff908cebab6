#include "capi_test.hpp"

namespace onecast::test {
namespace {

class DimensionScale : public CapiTest {
 protected:
  std::string label(onecast_object* of, size_t dimension) {
    char* text = nullptr;
    EXPECT_DONE(onecast_dimension_get_label(of, dimension, &text));
    const std::string found = text == nullptr ? "NULL" : text;
    onecast_free(text);
    return found;
  }
  size_t count(onecast_object* of, size_t dimension) {
    size_t scales = 99;
    EXPECT_DONE(onecast_scale_get_count(of, dimension, &scales));
    return scales;
  }
};

TEST_F(DimensionScale, AttachAndDetach) {
  const auto data = dataset("data", ONECAST_INT32, {2, 3});
  const auto x = dataset("x", ONECAST_INT32, {3});
  int is = -1;
  EXPECT_DONE(onecast_scale_check(x.get(), &is));
  EXPECT_EQ(is, 0);
  EXPECT_DONE(onecast_scale_make(x.get(), "length"));
  EXPECT_DONE(onecast_scale_check(x.get(), &is));
  EXPECT_EQ(is, 1);
  char* name = nullptr;
  EXPECT_DONE(onecast_scale_get_name(x.get(), &name));
  EXPECT_STREQ(name, "length");
  onecast_free(name);

  EXPECT_EQ(count(data.get(), 1), 0U);
  EXPECT_DONE(onecast_scale_attach(data.get(), 1, x.get()));
  EXPECT_DONE(onecast_scale_attach(data.get(), 1, x.get()));
  EXPECT_EQ(count(data.get(), 1), 1U);
  EXPECT_EQ(count(data.get(), 0), 0U);
  EXPECT_DONE(onecast_scale_is_attached(data.get(), 1, x.get(), &is));
  EXPECT_EQ(is, 1);
  const auto found =
      made_by<onecast_object>([&](auto out) { return onecast_scale_open(data.get(), 1, 0, out); });
  EXPECT_DONE(onecast_object_same(found.get(), x.get(), &is));
  EXPECT_EQ(is, 1);
  onecast_object* none = nullptr;
  EXPECT_FAILS(onecast_scale_open(data.get(), 1, 1, &none), ONECAST_INVALID_ARGUMENT, "1 scales");

  EXPECT_DONE(onecast_scale_detach(data.get(), 1, x.get()));
  EXPECT_EQ(count(data.get(), 1), 0U);
  EXPECT_FAILS(onecast_scale_detach(data.get(), 1, x.get()), ONECAST_NOT_FOUND, "not one of");
}

TEST_F(DimensionScale, LabelsAndErrors) {
  const auto data = dataset("data", ONECAST_INT32, {2, 3});
  const auto x = dataset("x", ONECAST_INT32, {3});
  EXPECT_DONE(onecast_dimension_set_label(data.get(), 1, "x"));
  EXPECT_EQ(label(data.get(), 0), "");
  EXPECT_EQ(label(data.get(), 1), "x");
  EXPECT_FAILS(onecast_dimension_set_label(data.get(), 2, "y"), ONECAST_INVALID_ARGUMENT, "0 to 1");
  EXPECT_FAILS(onecast_scale_attach(data.get(), 0, data.get()), ONECAST_INVALID_ARGUMENT, "scale");
  EXPECT_DONE(onecast_scale_attach(data.get(), 0, x.get()));
  EXPECT_FAILS(onecast_scale_attach(x.get(), 0, data.get()), ONECAST_INVALID_ARGUMENT, "scale");
  EXPECT_FAILS(onecast_scale_make(data.get(), nullptr), ONECAST_INVALID_ARGUMENT, "has scales");
}

TEST_F(DimensionScale, NothingWhereSomethingIsNeeded) {
  const auto data = dataset("data", ONECAST_INT32, {2});
  EXPECT_FAILS(onecast_scale_check(data.get(), nullptr), ONECAST_INVALID_ARGUMENT, "NULL");
  EXPECT_FAILS(onecast_scale_get_count(nullptr, 0, nullptr), ONECAST_INVALID_ARGUMENT, "NULL");
  EXPECT_FAILS(onecast_dimension_set_label(data.get(), 0, nullptr), ONECAST_INVALID_ARGUMENT,
               "NULL");
}

TEST_F(DimensionScale, GroupsThatTrackOrders) {
  onecast_group_options how = group_options();
  how.link_order = 0;
  how.attribute_order = 1;
  const auto g = made_by<onecast_object>(
      [&](auto out) { return onecast_group_create_with(root.get(), "g", &how, out); });
  dataset("g/b", ONECAST_INT32, {2});
  dataset("g/a", ONECAST_INT32, {2});
  size_t links = 0;
  onecast_link* list = nullptr;
  EXPECT_FAILS(onecast_group_list(g.get(), ONECAST_ORDER_CREATION, &links, &list),
               ONECAST_INVALID_ARGUMENT, "not tracked");
}

}  // namespace
}  // namespace onecast::test
