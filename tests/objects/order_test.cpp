// The order in which links and attributes are listed
#include "onecast/objects/order.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "onecast/onecast.hpp"
#include "support/python.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

using Names = std::vector<std::string>;

Names links(const Group& group, Order order) {
  Names names;
  for (const Link& link : group.links(order)) names.emplace_back(link.name);
  for (std::size_t n = 0; n < names.size(); ++n)
    EXPECT_EQ(group.nth_link(n, order).value().name, names[n]);
  EXPECT_FALSE(group.nth_link(names.size(), order));
  return names;
}

Names attributes(const Object& object, Order order) {
  Names names;
  for (const Attribute& attribute : object.attributes(order)) names.emplace_back(attribute.name());
  EXPECT_EQ(object.attribute_count(), names.size());
  for (std::size_t n = 0; n < names.size(); ++n)
    EXPECT_EQ(object.nth_attribute(n, order).value().name(), names[n]);
  EXPECT_FALSE(object.nth_attribute(names.size(), order));
  return names;
}

/// Expects the orders of names that were created as c, a, b.
void expect_orders(const std::function<Names(Order)>& list) {
  EXPECT_EQ(list(Order::stored), (Names{"c", "a", "b"}));
  EXPECT_EQ(list(Order::creation), (Names{"c", "a", "b"}));
  EXPECT_EQ(list(Order::creation_descending), (Names{"b", "a", "c"}));
  EXPECT_EQ(list(Order::name), (Names{"a", "b", "c"}));
  EXPECT_EQ(list(Order::name_descending), (Names{"c", "b", "a"}));
}
void expect_orders_of_links(const Group& group) {
  expect_orders([&](Order order) { return links(group, order); });
}

TEST(Order, OfOwnGroups) {
  const SoundDirectory folder;
  File file = File::create(folder / "a.h5");
  Group root = file.root();
  for (const char* name : {"c", "a", "b"}) {
    root.create_group(name);
    root.set_attribute(name, 1);
  }
  EXPECT_TRUE(root.tracks_link_order());
  EXPECT_FALSE(root.tracks_attribute_order());
  expect_orders_of_links(root);
  EXPECT_EQ(attributes(root, Order::name_descending), (Names{"c", "b", "a"}));
  EXPECT_EQ(root.links(Order::name)[0].creation_order, 1U);
  EXPECT_EQ(attributes(root, Order::creation), (Names{"c", "a", "b"}));
  file.close();
  file = File::open(folder / "a.h5", Access::read_write);
  expect_orders_of_links(file.root());
  file.root().set_attribute("0", 1);
  file.root().remove_attribute("a");
  EXPECT_EQ(attributes(file.root(), Order::creation), (Names{"c", "b", "0"}));
  file.close();
}

TEST(Order, OfStockGroups) {
  ONECAST_NEEDS_H5PY();
  const TemporaryDirectory folder;
  const std::string script = folder / "write.py";
  std::ofstream(script) << R"(
import sys, h5py
with h5py.File(sys.argv[1], "w") as f:
    for name, tracked in (("tracked", True), ("not", False)):
        g = f.create_group(name, track_order=tracked)
        for member in "cab":
            g.create_group(member)
            g.attrs[member] = 1
with h5py.File(sys.argv[1], "r+", libver="latest") as f:
    g = f.create_group("dense")
    for i in range(20):
        g.attrs[str(i)] = i
)";
  const auto run = run_python(script + " " + (folder / "a.h5"));
  ASSERT_EQ(run.status, 0) << run.text;
  const File file = File::open(folder / "a.h5");
  const Group tracked = file.root().open_group("tracked");
  expect_orders_of_links(tracked);
  expect_orders([&](Order order) { return attributes(tracked, order); });
  const Group untracked = file.root().open_group("not");
  EXPECT_FALSE(untracked.tracks_link_order());
  EXPECT_FALSE(untracked.tracks_attribute_order());
  EXPECT_EQ(links(untracked, Order::stored), (Names{"a", "b", "c"}));
  EXPECT_EQ(attributes(untracked, Order::name_descending), (Names{"c", "b", "a"}));
  EXPECT_FALSE(untracked.links()[0].creation_order.has_value());
  // An object header has them in the order of creation, which the HDF5 library finds, too.
  EXPECT_EQ(attributes(untracked, Order::creation), (Names{"c", "a", "b"}));
  const Group dense = file.root().open_group("dense");
  for (const auto& call :
       std::vector<std::function<void()>>{[&] { links(untracked, Order::creation); },
                                          [&] { attributes(dense, Order::creation_descending); }}) {
    const Error error = thrown_by(call);
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(error.what()).find(": order: the order of creation is not tracked"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace onecast::test
