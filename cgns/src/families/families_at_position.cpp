#include "families/family_parts.hpp"

using namespace onecast::cgns;

namespace {

// FamilyBC_t nodes are only below families. At another position the functions return CG_ERROR, as
// in the CGNS library.
Node& family_for_reading() { return position_for_reading(Label::FamilyBC, CG_ERROR); }
Node& family_for_writing() { return position_for_writing(Label::FamilyBC, CG_ERROR); }

}  // namespace

extern "C" {

int cg_node_family_write(const char* family_name, int* F) {
  return guarded(__func__, [&] {
    create(position_for_writing(Label::Family), family_name, Label::Family, {}, F);
  });
}

int cg_node_nfamilies(int* nfamilies) {
  return guarded(__func__,
                 [&] { *nfamilies = count(position_in_any_mode(Label::Family), Label::Family); });
}

int cg_node_family_read(int F, char* family_name, int* nFamBC, int* nGeo) {
  return guarded(__func__, [&] {
    read_family(child_at_position(Label::Family, F), family_name, nFamBC, nGeo);
  });
}

int cg_node_family_name_write(const char* node_name, const char* family_name) {
  return guarded(__func__,
                 [&] { write_family_name(family_for_writing(), node_name, family_name); });
}

int cg_node_nfamily_names(int* nnames) {
  return guarded(
      __func__, [&] { *nnames = count(position_in_any_mode(Label::FamilyBC), Label::FamilyName); });
}

int cg_node_family_name_read(int N, char* node_name, char* family_name) {
  return guarded(__func__, [&] { read_further_family_name(N, node_name, family_name); });
}

int cg_node_fambc_read(int BC, char* fambc_name, BCType_t* bocotype) {
  return guarded(__func__,
                 [&] { read_family_condition(family_for_reading(), BC, fambc_name, bocotype); });
}

int cg_node_fambc_write(const char* fambc_name, BCType_t bocotype, int* BC) {
  return guarded(__func__,
                 [&] { write_family_condition(family_for_writing(), fambc_name, bocotype, BC); });
}

int cg_node_geo_read(int G, char* geo_name, char** geo_file, char* CAD_name, int* npart) {
  return guarded(__func__, [&] {
    read_geometry(family_for_reading(), G, geo_name, geo_file, CAD_name, npart);
  });
}

int cg_node_geo_write(const char* geo_name, const char* filename, const char* CADname, int* G) {
  return guarded(__func__,
                 [&] { write_geometry(family_for_writing(), geo_name, filename, CADname, G); });
}

int cg_node_part_read(int G, int P, char* part_name) {
  return guarded(__func__, [&] { read_geometry_part(family_for_reading(), G, P, part_name); });
}

int cg_node_part_write(int G, const char* part_name, int* P) {
  return guarded(__func__, [&] { write_geometry_part(family_for_writing(), G, part_name, P); });
}

}  // extern "C"
