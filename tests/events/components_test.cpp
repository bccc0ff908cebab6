#include <gtest/gtest.h>

#include "components/spec.hpp"
#include "onecast/base/error.hpp"
#include "onecast/events/component.hpp"
#include "support/thrown_by.hpp"

namespace onecast::events {
namespace {

TEST(SpecTest, HasANameAFileAndOptions) {
  const Spec spec = parse_spec("PDS=a::b.pds:level=3:flag:text=x=y");
  EXPECT_EQ(spec.name, "PDS");
  EXPECT_EQ(spec.file, "a:b.pds");
  EXPECT_TRUE(spec.has_file);
  EXPECT_EQ(spec.options, (std::map<std::string, std::string>{
                              {"flag", "true"}, {"level", "3"}, {"text", "x=y"}}));
  EXPECT_FALSE(parse_spec("Empty").has_file);
  for (const char* wrong : {"", "=file", ":a=1", "A:=1", "A:a=1:a=2", "A:"})
    EXPECT_THROW(parse_spec(wrong), Error) << wrong;
}

using Kind = OptionInfo::Kind;
const std::vector<OptionInfo> kKnown{
    {.name = "flag", .kind = Kind::flag, .otherwise = "false"},
    {.name = "number", .kind = Kind::number, .otherwise = "7"},
    {.name = "decimal", .kind = Kind::decimal, .otherwise = "0.5"},
    {.name = "size", .kind = Kind::size, .otherwise = "64k"},
    {.name = "choice", .kind = Kind::choice, .otherwise = "a", .choices = {"a", "b"}}};

TEST(OptionsTest, HaveDefaults) {
  const Options options("Component", kKnown, {});
  EXPECT_FALSE(options.flag("flag"));
  EXPECT_EQ(options.number("number"), 7U);
  EXPECT_EQ(options.decimal("decimal"), 0.5);
  EXPECT_EQ(options.number("size"), 65536U);
  EXPECT_EQ(options.text("choice"), "a");
  EXPECT_FALSE(options.is_given("number"));
}

TEST(OptionsTest, AreChecked) {
  const auto given = [](const std::string& name, const std::string& text) {
    return Options("Component", kKnown, {{name, text}});
  };
  EXPECT_EQ(given("size", "3M").number("size"), 3U << 20U);
  EXPECT_EQ(given("number", "18446744073709551615").number("number"), ~std::uint64_t{0});
  EXPECT_TRUE(given("number", "7").is_given("number"));
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"flag", "yes"},    {"number", "-1"}, {"number", "18446744073709551616"},
      {"number", ""},     {"number", "1k"}, {"decimal", "-1"},
      {"decimal", "nan"}, {"size", "k"},    {"size", "20000000000G"},
      {"choice", "c"},    {"unknown", "1"}};
  for (const auto& [name, text] : wrong) {
    const std::string said = test::thrown_by([&] { given(name, text); }).what();
    EXPECT_EQ(said.find("Component: " + name + ": "), 0U) << said;
  }
}

std::chrono::microseconds wait(const std::string& waiter, std::uint64_t entry, std::size_t product,
                               std::size_t bytes) {
  return standard_components().waiter(waiter)->wait(entry, product, bytes);
}

TEST(WaiterTest, WaitsAsItsOptionsSay) {
  using std::chrono::microseconds;
  EXPECT_EQ(wait("Scale:per_byte=0.5", 3, 2, 1000), microseconds(500));
  EXPECT_EQ(wait("Scale:per_byte=0.5", 3, 2, 0), microseconds(0));
  // The waiter delays an event once, not at each product.
  const std::string uneven = "Uneven:time=20:every=3:factor=5";
  EXPECT_EQ(wait(uneven, 6, 0, 9), microseconds(100));
  EXPECT_EQ(wait(uneven, 7, 0, 9), microseconds(20));
  EXPECT_EQ(wait(uneven, 6, 1, 9), microseconds(0));
  EXPECT_THROW(wait("Uneven:every=0", 0, 0, 0), Error);
  EXPECT_THROW(wait("Sleep=/no/such/list", 0, 0, 0), Error);
}

/// Returns the products of an event, one behind the other.
std::vector<std::byte> serialized(Source& source, std::uint64_t entry) {
  const auto cursor = source.cursor();
  std::vector<std::byte> all;
  if (!cursor->go_to(entry)) return all;
  cursor->prepare();
  for (std::size_t p = 0; p < source.products().size(); ++p) {
    const std::size_t size = cursor->fetch(p);
    const Bytes bytes = cursor->serialized(p);
    EXPECT_EQ(size, bytes.size());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

TEST(TestProductsTest, AreSerializedAlikeForEqualOptions) {
  const Registry registry = standard_components();
  const std::string options = "TestProducts:events=3:products=4:size=100:spread=0";
  const auto one = registry.source(options);
  const auto same = registry.source(options);
  const auto other = registry.source(options + ":seed=2");
  EXPECT_EQ(one->products().serializer, "raw");
  EXPECT_EQ(serialized(*one, 1).size(), 400U);
  EXPECT_EQ(serialized(*one, 1), serialized(*same, 1));
  EXPECT_NE(serialized(*one, 1), serialized(*one, 2));
  EXPECT_NE(serialized(*one, 1), serialized(*other, 1));
  EXPECT_TRUE(serialized(*one, 3).empty());
}

TEST(WithProductsTest, KeepsTheOrderThatIsGiven) {
  const Registry registry = standard_components();
  const std::string options = "TestProducts:events=3:products=4:size=100:spread=0";
  const auto whole = serialized(*registry.source(options), 1);
  const auto some = with_products(registry.source(options), {"product02", "product00"});
  const auto found = serialized(*some, 1);
  ASSERT_EQ(found.size(), 200U);
  EXPECT_TRUE(std::equal(found.begin(), found.begin() + 100, whole.begin() + 200));
  EXPECT_TRUE(std::equal(found.begin() + 100, found.end(), whole.begin()));
  EXPECT_THROW(with_products(registry.source(options), {"x"}), Error);
}

TEST(WithProductsTest, ReadsAheadAsTheSourceDoes) {
  class Ahead final : public Source {
   public:
    const ProductList& products() const override { return list_; }
    std::unique_ptr<Cursor> cursor() override { return {}; }
    bool could_read_ahead() override { return true; }
    std::function<void()> read_ahead() override {
      return [] {};
    }

   private:
    ProductList list_{"raw", {{"a", "A"}}};
  };
  const auto some = with_products(std::make_unique<Ahead>(), {"a"});
  EXPECT_TRUE(some->could_read_ahead());
  EXPECT_TRUE(some->read_ahead());
}

}  // namespace
}  // namespace onecast::events
