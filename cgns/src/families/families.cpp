#include "families/family_parts.hpp"

using namespace onecast::cgns;

namespace {

Node& family_at(OpenFile& file, int base, int family) {
  return child_at(base_at(file, base), Label::Family, family);
}

/// Creates the missing families of a path "/Base/Family/Family".
Node& create_family_tree(Node& base, std::string_view path, int* index) {
  std::vector<std::string> names;
  check_family_path(path);
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (end != 0) names.push_back(checked_name(std::string(path.substr(0, end)).c_str()));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  if (names.size() < 2 || names.front() != base.name())
    throw Failure("the path of a family begins with its base, /" + base.name());
  if (names.size() > CG_MAX_GOTO_DEPTH + 1) throw Failure("the path is more than 20 deep");
  Node* parent = &base;
  for (std::size_t i = 1; i + 1 < names.size(); ++i) {
    Node* family = parent->find(names[i], Label::Family);
    parent = family != nullptr ? family : &create(*parent, names[i].c_str(), Label::Family, {});
  }
  return create(*parent, names.back().c_str(), Label::Family, {}, index);
}

}  // namespace

extern "C" {

int cg_nfamilies(int fn, int B, int* nfamilies) {
  return guarded(__func__, [&] { *nfamilies = count(base_at(for_reading(fn), B), Label::Family); });
}

int cg_family_read(int fn, int B, int F, char* family_name, int* nboco, int* ngeos) {
  return guarded(__func__,
                 [&] { read_family(family_at(for_reading(fn), B, F), family_name, nboco, ngeos); });
}

int cg_family_write(int fn, int B, const char* family_name, int* F) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_writing(fn), B);
    if (family_name != nullptr && *family_name == '/')
      create_family_tree(base, family_name, F);
    else
      create(base, family_name, Label::Family, {}, F);
  });
}

int cg_nfamily_names(int fn, int B, int F, int* nnames) {
  return guarded(__func__,
                 [&] { *nnames = count(family_at(for_reading(fn), B, F), Label::FamilyName); });
}

int cg_family_name_read(int fn, int B, int F, int N, char* name, char* family) {
  return guarded(__func__,
                 [&] { read_family_name(family_at(for_reading(fn), B, F), N, name, family); });
}

int cg_family_name_write(int fn, int B, int F, const char* name, const char* family) {
  return guarded(__func__,
                 [&] { write_family_name(family_at(for_writing(fn), B, F), name, family); });
}

int cg_fambc_read(int fn, int B, int F, int BC, char* fambc_name, BCType_t* bocotype) {
  return guarded(__func__, [&] {
    read_family_condition(family_at(for_reading(fn), B, F), BC, fambc_name, bocotype);
  });
}

int cg_fambc_write(int fn, int B, int F, const char* fambc_name, BCType_t bocotype, int* BC) {
  return guarded(__func__, [&] {
    write_family_condition(family_at(for_writing(fn), B, F), fambc_name, bocotype, BC);
  });
}

int cg_geo_read(int fn, int B, int F, int G, char* geo_name, char** geo_file, char* CAD_name,
                int* npart) {
  return guarded(__func__, [&] {
    read_geometry(family_at(for_reading(fn), B, F), G, geo_name, geo_file, CAD_name, npart);
  });
}

int cg_geo_write(int fn, int B, int F, const char* geo_name, const char* filename,
                 const char* CADname, int* G) {
  return guarded(__func__, [&] {
    write_geometry(family_at(for_writing(fn), B, F), geo_name, filename, CADname, G);
  });
}

int cg_part_read(int fn, int B, int F, int G, int P, char* part_name) {
  return guarded(__func__,
                 [&] { read_geometry_part(family_at(for_reading(fn), B, F), G, P, part_name); });
}

int cg_part_write(int fn, int B, int F, int G, const char* part_name, int* P) {
  return guarded(__func__,
                 [&] { write_geometry_part(family_at(for_writing(fn), B, F), G, part_name, P); });
}

}  // extern "C"
