#include "api/single_nodes.hpp"
#include "families/family_parts.hpp"

using namespace onecast::cgns;

namespace {

// Zones, boundary conditions and other nodes that belong to a family may belong to additional
// families.
Node& member_for_reading() { return position_for_reading(Label::AdditionalFamilyName); }
Node& member_for_writing() { return position_for_writing(Label::AdditionalFamilyName); }

}  // namespace

extern "C" {

int cg_famname_read(char* family_name) {
  return guarded(__func__,
                 [&] { give_family(only(member_for_reading(), Label::FamilyName), family_name); });
}

int cg_famname_write(const char* family_name) {
  return guarded(__func__, [&] {
    create_only(member_for_writing(), Label::FamilyName, family_value(family_name));
  });
}

int cg_nmultifam(int* nfams) {
  return guarded(__func__, [&] {
    *nfams = count(position_in_any_mode(Label::AdditionalFamilyName), Label::AdditionalFamilyName);
  });
}

int cg_multifam_read(int N, char* name, char* family) {
  return guarded(__func__, [&] { read_further_family_name(N, name, family); });
}

int cg_multifam_write(const char* name, const char* family) {
  return guarded(__func__, [&] { write_further_family_name(name, family); });
}

}  // extern "C"
