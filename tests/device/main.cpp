#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("ONECAST_DEVICE_DRIVER", ONECAST_FAKE_DRIVER, 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
