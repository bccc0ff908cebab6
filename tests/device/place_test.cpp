// The driver tells memory of a device from memory of the process; copies and buffers work.
#include "device/place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "device/copies.hpp"
#include "device/staging.hpp"
#include "device_array.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

class DeviceMemory : public testing::Test {
 protected:
  ~DeviceMemory() override { fake().failure(nullptr, -1, 0); }
};

TEST_F(DeviceMemory, IsToldApartFromMemoryOfTheProcess) {
  const DeviceArray<int> array(1000);
  const std::vector<int> here(1000);
  EXPECT_TRUE(device::place_of(array.span().data()));
  EXPECT_TRUE(device::place_of(array.span().data() + 999));
  EXPECT_FALSE(device::place_of(here.data()));
  EXPECT_FALSE(device::place_of(nullptr));
}

TEST_F(DeviceMemory, ManagedMemoryIsMemoryOfTheProcess) {
  void* managed = fake().allocate_managed(4096);
  EXPECT_FALSE(device::place_of(managed));
  fake().free(managed);
}

TEST_F(DeviceMemory, FreedMemoryIsAnError) {
  const int* gone = DeviceArray<int>(10).span().data();
  const Error error = thrown_by([&] { static_cast<void>(device::place_of(gone)); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("neither the process nor a device"), std::string::npos);
}

TEST_F(DeviceMemory, ADriverThatIsLostLeavesMemoryOfTheProcess) {
  if (fake().is_real()) GTEST_SKIP() << "only the fake driver counts and fails";
  const std::vector<int> here(1000);
  const DeviceArray<int> array(10);
  const char* name = device::driver()->pointer_attribute.name;
  fake().failure(name, 0, 719);
  EXPECT_FALSE(device::place_of(here.data()));
  fake().failure(name, 0, 719);
  EXPECT_EQ(thrown_by([&] { static_cast<void>(device::place_of(array.span().data())); }).code(),
            ErrorCode::invalid_argument);
}

TEST_F(DeviceMemory, CopiesAreCompleteWhenTheyAreAwaited) {
  const std::vector<int> values = counted(1000);
  const DeviceArray<int> array(values.size());
  device::Copies copies(*device::place_of(array.span().data()));
  auto* bytes = reinterpret_cast<std::byte*>(array.span().data());
  copies.to_device(bytes, reinterpret_cast<const std::byte*>(values.data()), 4000);
  copies.finish();
  EXPECT_EQ(array.values(), values);
  std::vector<int> back(1000);
  copies.from_device(reinterpret_cast<std::byte*>(back.data()), bytes, 4000);
  copies.finish();
  EXPECT_EQ(back, values);
}

TEST_F(DeviceMemory, PiecesAtEqualDistancesAreOneCopy) {
  if (fake().is_real()) GTEST_SKIP() << "only the fake driver counts and fails";
  const std::vector<int> values = counted(60);
  const DeviceArray<int> array(std::vector<int>(100));
  const auto* from = reinterpret_cast<const std::byte*>(values.data());
  auto* to = reinterpret_cast<std::byte*>(array.span().data());
  fake().failure(nullptr, -1, 0);
  device::Copies copies(*device::place_of(to));
  for (std::size_t row = 0; row < 10; ++row)
    copies.to_device(to + row * 40 + 8, from + row * 24, 24);
  copies.finish();
  EXPECT_EQ(fake().calls(device::driver()->copy_rows.name), 1);
  EXPECT_EQ(fake().calls(device::driver()->to_device.name), 0);
  const std::vector<int> result = array.values();
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(result[i], i % 10 < 2 || i % 10 > 7 ? 0 : values[i / 10 * 6 + i % 10 - 2]) << i;
}

TEST_F(DeviceMemory, AdjacentPiecesAreOneCopyInEitherOrder) {
  if (fake().is_real()) GTEST_SKIP() << "only the fake driver counts and fails";
  const std::vector<int> values = counted(100);
  const DeviceArray<int> array(100);
  const auto* from = reinterpret_cast<const std::byte*>(values.data());
  auto* to = reinterpret_cast<std::byte*>(array.span().data());
  fake().failure(nullptr, -1, 0);
  device::Copies copies(*device::place_of(to));
  for (std::size_t i = 0; i < 50; ++i) copies.to_device(to + i * 4, from + i * 4, 4);
  for (std::size_t i = 100; i-- > 50;) copies.to_device(to + i * 4, from + i * 4, 4);
  copies.finish();
  EXPECT_EQ(array.values(), values);
  EXPECT_EQ(fake().calls(device::driver()->to_device.name), 51);
}

TEST_F(DeviceMemory, ABufferIsFreeWhenItsCopiesAreComplete) {
  const std::size_t parts = 7;
  const std::vector<int> values = counted(parts * 1000);
  const DeviceArray<int> array(values.size());
  auto* to = reinterpret_cast<std::byte*>(array.span().data());
  {
    device::Staging staging(*device::place_of(to), 4000);
    for (std::size_t k = 0; k < parts; ++k) {
      const auto room = staging.buffer(k);
      std::memcpy(room.data(), values.data() + k * 1000, 4000);
      staging.copies().to_device(to + k * 4000, room.data(), 4000);
      staging.begun(k);
    }
    staging.finish();
  }
  EXPECT_EQ(array.values(), values);
}

TEST_F(DeviceMemory, BuffersAreKeptForTheNextTransfer) {
  if (fake().is_real()) GTEST_SKIP() << "only the fake driver counts and fails";
  const DeviceArray<int> array(10);
  const auto place = *device::place_of(array.span().data());
  {
    const device::Staging staging(place, 3U << 20U);
  }
  const std::size_t kept = fake().registered();
  EXPECT_GE(kept, 6U << 20U);
  {
    const device::Staging first(place, 1U << 20U);
    const device::Staging second(place, 1U << 20U);
    EXPECT_GE(fake().registered(), kept + (2U << 20U));
  }
  EXPECT_LE(fake().registered(), kept);
}

}  // namespace
}  // namespace onecast::test
