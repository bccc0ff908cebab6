// Writes a small file on one process and reads it back.

#include <cstdio>
#include <numeric>
#include <onecast/onecast.hpp>
#include <vector>

int main() {
  std::vector<double> x(10);
  std::iota(x.begin(), x.end(), 0.0);

  onecast::File file = onecast::File::create("write_and_read.h5");
  onecast::Group zone = file.root().create_group("base/zone 1");  // also creates "base"
  zone.set_attribute("family", "wing");
  zone.set_attribute("cells", 9);
  zone.create_dataset("x", {x.size()}, x);
  file.close();  // writes everything

  file = onecast::File::open("write_and_read.h5");
  zone = file.root().open_group("base/zone 1");
  std::printf("family: %s\n", zone.attribute("family").read<std::string>().front().c_str());
  for (const onecast::Link& link : zone.links()) {
    const onecast::Dataset dataset = zone.open_dataset(link);
    std::printf("%s: %llu elements\n", dataset.path().c_str(),
                static_cast<unsigned long long>(dataset.element_count()));
  }
  const auto read = zone.open_dataset("x").read<double>();

  // All failures throw one class of exception.
  try {
    static_cast<void>(zone.open_dataset("y"));
    return 1;
  } catch (const onecast::Error& error) {
    std::printf("%s\n", error.what());
  }
  return read == x ? 0 : 1;
}
