#include "hdf5/hdf5.hpp"
#include "onecast/events/component.hpp"
#include "pds/pds.hpp"
#include "synthetic/synthetic.hpp"

namespace onecast::events {

Registry standard_components() {
  Registry registry;
  registry.add(empty_source());
  registry.add(test_products_source());
  registry.add(replay_source());
  registry.add(pds::pds_source());
  registry.add(hdf5::hdf5_source());
  registry.add(dummy_outputer());
  registry.add(text_dump_outputer());
  registry.add(serialize_outputer());
  registry.add(pds::pds_outputer());
  for (OutputerInfo& outputer : hdf5::hdf5_outputers()) registry.add(std::move(outputer));
  registry.add(hdf5::columnar_outputer());
  registry.add(scale_waiter());
  registry.add(sleep_waiter());
  registry.add(uneven_waiter());
  return registry;
}

}  // namespace onecast::events
