#include "api/single_nodes.hpp"

using namespace onecast::cgns;

extern "C" {

int cg_simulation_type_read(int fn, int B, SimulationType_t* type) {
  return guarded(__func__, [&] {
    Node* node = single(base_at(for_reading(fn), B), Label::SimulationType);
    *type = node == nullptr ? SimulationTypeNull
                            : read_enum<SimulationType_t>(*node, SimulationTypeName);
  });
}

int cg_simulation_type_write(int fn, int B, SimulationType_t type) {
  return guarded(__func__, [&] {
    create_only(base_at(for_writing(fn), B), Label::SimulationType,
                Value::text(enum_text(type, SimulationTypeName)));
  });
}

int cg_biter_read(int fn, int B, char* bitername, int* nsteps) {
  return guarded(__func__, [&] {
    Node& node = only(base_at(for_reading(fn), B), Label::BaseIterativeData);
    *nsteps = read_numbers<std::int32_t>(node, 1)[0];
    give_name(node, bitername);
  });
}

int cg_biter_write(int fn, int B, const char* bitername, int nsteps) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_writing(fn), B);
    if (nsteps < 1) throw failure("the number of steps is ", nsteps, ", not 1 or more");
    create_only(base, Label::BaseIterativeData, Value::number(nsteps), bitername);
  });
}

int cg_ziter_read(int fn, int B, int Z, char* zitername) {
  return guarded(__func__, [&] {
    give_name(only(zone_at(for_reading(fn), B, Z), Label::ZoneIterativeData), zitername);
  });
}

int cg_ziter_write(int fn, int B, int Z, const char* zitername) {
  return guarded(__func__, [&] {
    create_only(zone_at(for_writing(fn), B, Z), Label::ZoneIterativeData, {}, zitername);
  });
}

int cg_piter_read(int fn, int B, int P, char* pitername) {
  return guarded(__func__, [&] {
    Node& particles = child_at(base_at(for_reading(fn), B), Label::ParticleZone, P);
    give_name(only(particles, Label::ParticleIterativeData), pitername);
  });
}

int cg_piter_write(int fn, int B, int P, const char* pitername) {
  return guarded(__func__, [&] {
    Node& particles = child_at(base_at(for_writing(fn), B), Label::ParticleZone, P);
    create_only(particles, Label::ParticleIterativeData, {}, pitername);
  });
}

}  // extern "C"
