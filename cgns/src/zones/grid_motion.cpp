#include "api/lookup.hpp"

using namespace onecast::cgns;

extern "C" {

int cg_n_rigid_motions(int fn, int B, int Z, int* n_rigid_motions) {
  return guarded(__func__, [&] {
    *n_rigid_motions = count(zone_at(for_reading(fn), B, Z), Label::RigidGridMotion);
  });
}

int cg_rigid_motion_read(int fn, int B, int Z, int R, char* name, RigidGridMotionType_t* type) {
  return guarded(__func__, [&] {
    Node& motion = child_at(zone_at(for_reading(fn), B, Z), Label::RigidGridMotion, R);
    *type = read_enum<RigidGridMotionType_t>(motion, RigidGridMotionTypeName);
    give_name(motion, name);
  });
}

int cg_rigid_motion_write(int fn, int B, int Z, const char* name, RigidGridMotionType_t type,
                          int* R) {
  return guarded(__func__, [&] {
    create(zone_at(for_writing(fn), B, Z), name, Label::RigidGridMotion,
           Value::text(enum_text(type, RigidGridMotionTypeName)), R);
  });
}

int cg_n_arbitrary_motions(int fn, int B, int Z, int* n_arbitrary_motions) {
  return guarded(__func__, [&] {
    *n_arbitrary_motions = count(zone_at(for_reading(fn), B, Z), Label::ArbitraryGridMotion);
  });
}

int cg_arbitrary_motion_read(int fn, int B, int Z, int A, char* name,
                             ArbitraryGridMotionType_t* type) {
  return guarded(__func__, [&] {
    Node& motion = child_at(zone_at(for_reading(fn), B, Z), Label::ArbitraryGridMotion, A);
    *type = read_enum<ArbitraryGridMotionType_t>(motion, ArbitraryGridMotionTypeName);
    give_name(motion, name);
  });
}

int cg_arbitrary_motion_write(int fn, int B, int Z, const char* amotionname,
                              ArbitraryGridMotionType_t type, int* A) {
  return guarded(__func__, [&] {
    create(zone_at(for_writing(fn), B, Z), amotionname, Label::ArbitraryGridMotion,
           Value::text(enum_text(type, ArbitraryGridMotionTypeName)), A);
  });
}

}  // extern "C"
