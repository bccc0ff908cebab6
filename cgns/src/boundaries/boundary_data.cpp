#include "boundaries/boundary_at.hpp"

using namespace onecast::cgns;

namespace {

constexpr const char* kBoundaryProperties = "BCProperty";
constexpr std::size_t kRegionName = 32;

Node* data_of_kind(Node& dataset, BCDataType_t kind) {
  return dataset.find(kind == Dirichlet ? "DirichletData" : "NeumannData", Label::BCData);
}

void check_data_type(BCDataType_t kind) {
  if (kind != Dirichlet && kind != Neumann)
    throw Failure("data of a boundary condition are Dirichlet or Neumann, not " +
                  std::to_string(kind));
}

void create_data(Node& dataset, BCDataType_t kind) {
  create(dataset, kind == Dirichlet ? "DirichletData" : "NeumannData", Label::BCData, {});
}

void give_dataset(Node& dataset, char* name, BCType_t* type, int* has_dirichlet, int* has_neumann) {
  *type = read_enum<BCType_t>(dataset, BCTypeName);
  *has_dirichlet = data_of_kind(dataset, Dirichlet) != nullptr ? 1 : 0;
  *has_neumann = data_of_kind(dataset, Neumann) != nullptr ? 1 : 0;
  give_name(dataset, name);
}

Node& property_at(int fn, int base, int zone, int index, const char* name, Label label) {
  Node& boundary = boundary_at(for_reading(fn), base, zone, index);
  return required(required(boundary, kBoundaryProperties, Label::BCProperty), name, label);
}

/// Creates a property of the boundary condition. An existing one is replaced if the file may be
/// modified.
Node& new_boundary_property(Node& boundary, const char* name, Label label) {
  return create(require(boundary, kBoundaryProperties, Label::BCProperty), name, label, {});
}

/// Pads the name of a region with blanks to 32 characters.
std::string padded(const char* region) {
  if (region == nullptr) throw Failure("the name of the region is NULL");
  std::string text(region);
  text.resize(kRegionName, ' ');
  return text;
}

}  // namespace

extern "C" {

int cg_dataset_read(int fn, int B, int Z, int BC, int DS, char* name, BCType_t* BCType,
                    int* DirichletFlag, int* NeumannFlag) {
  return guarded(__func__, [&] {
    Node& boundary = boundary_at(for_reading(fn), B, Z, BC);
    give_dataset(child_at(boundary, Label::BCDataSet, DS), name, BCType, DirichletFlag,
                 NeumannFlag);
  });
}

int cg_dataset_write(int fn, int B, int Z, int BC, const char* name, BCType_t BCType, int* Dset) {
  return guarded(__func__, [&] {
    create(boundary_at(for_writing(fn), B, Z, BC), name, Label::BCDataSet,
           Value::text(enum_text(BCType, BCTypeName)), Dset);
  });
}

int cg_bcdata_write(int fn, int B, int Z, int BC, int Dset, BCDataType_t BCDataType) {
  return guarded(__func__, [&] {
    check_data_type(BCDataType);
    create_data(child_at(boundary_at(for_writing(fn), B, Z, BC), Label::BCDataSet, Dset),
                BCDataType);
  });
}

int cg_bcdataset_write(const char* name, BCType_t BCType, BCDataType_t BCDataType) {
  return guarded(__func__, [&] {
    Node& family = position_for_writing(Label::FamilyBCDataSet);
    check_data_type(BCDataType);
    const auto type = enum_text(BCType, BCTypeName);
    Node* dataset = family.find(checked_name(name), Label::FamilyBCDataSet);
    if (dataset == nullptr)
      dataset = &create(family, name, Label::FamilyBCDataSet, Value::text(type));
    create_data(*dataset, BCDataType);
  });
}

int cg_bcdataset_info(int* n_dataset) {
  return guarded(__func__, [&] {
    *n_dataset = count(position_in_any_mode(Label::FamilyBCDataSet), Label::FamilyBCDataSet);
  });
}

int cg_bcdataset_read(int index, char* name, BCType_t* BCType, int* DirichletFlag,
                      int* NeumannFlag) {
  return guarded(__func__, [&] {
    // A wrong position and an index that does not exist are CG_ERROR, as in the CGNS library.
    Node& family = position_for_reading(Label::FamilyBCDataSet, CG_ERROR);
    give_dataset(child_at(family, Label::FamilyBCDataSet, index), name, BCType, DirichletFlag,
                 NeumannFlag);
  });
}

int cg_bc_wallfunction_read(int fn, int B, int Z, int BC, WallFunctionType_t* WallFunctionType) {
  return guarded(__func__, [&] {
    Node& function = property_at(fn, B, Z, BC, "WallFunction", Label::WallFunction);
    *WallFunctionType = read_enum<WallFunctionType_t>(
        required(function, "WallFunctionType", Label::WallFunctionType), WallFunctionTypeName);
  });
}

int cg_bc_wallfunction_write(int fn, int B, int Z, int BC, WallFunctionType_t WallFunctionType) {
  return guarded(__func__, [&] {
    Node& boundary = boundary_at(for_writing(fn), B, Z, BC);
    const auto type = enum_text(WallFunctionType, WallFunctionTypeName);
    create(new_boundary_property(boundary, "WallFunction", Label::WallFunction), "WallFunctionType",
           Label::WallFunctionType, Value::text(type));
  });
}

int cg_bc_area_read(int fn, int B, int Z, int BC, AreaType_t* AreaType, float* SurfaceArea,
                    char* RegionName) {
  return guarded(__func__, [&] {
    Node& area = property_at(fn, B, Z, BC, "Area", Label::Area);
    const auto surface =
        read_numbers<float>(required(area, "SurfaceArea", Label::DataArray), 1).front();
    const auto region = read_text(required(area, "RegionName", Label::DataArray));
    *AreaType = read_enum<AreaType_t>(required(area, "AreaType", Label::AreaType), AreaTypeName);
    *SurfaceArea = surface;
    give_text(region.substr(0, kRegionName), RegionName);
  });
}

int cg_bc_area_write(int fn, int B, int Z, int BC, AreaType_t AreaType, float SurfaceArea,
                     const char* RegionName) {
  return guarded(__func__, [&] {
    Node& boundary = boundary_at(for_writing(fn), B, Z, BC);
    const auto type = enum_text(AreaType, AreaTypeName);
    const std::string region = padded(RegionName);
    Node& area = new_boundary_property(boundary, "Area", Label::Area);
    create(area, "AreaType", Label::AreaType, Value::text(type));
    create(area, "SurfaceArea", Label::DataArray, Value::number(SurfaceArea));
    create(area, "RegionName", Label::DataArray, Value::text(region));
  });
}

}  // extern "C"
