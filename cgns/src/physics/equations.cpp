#include <algorithm>

#include "physics/models.hpp"

using namespace onecast::cgns;

namespace {

Node& set_here() {
  return only(position_for_reading(Label::FlowEquationSet), Label::FlowEquationSet);
}

/// The number of pairs of directions in a diffusion model, including a direction with itself.
std::size_t diffusion_size(Node& model) {
  const int dimension = nearest(model, Label::Zone) != nullptr ? index_dimension_at(model)
                                                               : cell_dimension(base_of(model));
  return static_cast<std::size_t>(dimension * (dimension + 1) / 2);
}

}  // namespace

extern "C" {

int cg_equationset_read(int* EquationDimension, int* GoverningEquationsFlag, int* GasModelFlag,
                        int* ViscosityModelFlag, int* ThermalConductivityModelFlag,
                        int* TurbulenceClosureFlag, int* TurbulenceModelFlag) {
  return guarded(__func__, [&] {
    Node& set = set_here();
    *EquationDimension = equation_dimension(set);
    *GoverningEquationsFlag = has(set, Label::GoverningEquations);
    *GasModelFlag = has(set, Label::GasModel);
    *ViscosityModelFlag = has(set, Label::ViscosityModel);
    *ThermalConductivityModelFlag = has(set, Label::ThermalConductivityModel);
    *TurbulenceClosureFlag = has(set, Label::TurbulenceClosure);
    *TurbulenceModelFlag = has(set, Label::TurbulenceModel);
  });
}

int cg_equationset_chemistry_read(int* ThermalRelaxationFlag, int* ChemicalKineticsFlag) {
  return guarded(__func__, [&] {
    Node& set = set_here();
    *ThermalRelaxationFlag = has(set, Label::ThermalRelaxationModel);
    *ChemicalKineticsFlag = has(set, Label::ChemicalKineticsModel);
  });
}

int cg_equationset_elecmagn_read(int* ElecFldModelFlag, int* MagnFldModelFlag,
                                 int* ConductivityModelFlag) {
  return guarded(__func__, [&] {
    Node& set = set_here();
    *ElecFldModelFlag = has(set, Label::EMElectricFieldModel);
    *MagnFldModelFlag = has(set, Label::EMMagneticFieldModel);
    *ConductivityModelFlag = has(set, Label::EMConductivityModel);
  });
}

int cg_equationset_write(int EquationDimension) {
  return guarded(__func__, [&] {
    create_equation_set(position_for_writing(Label::FlowEquationSet), Label::FlowEquationSet,
                        EquationDimension);
  });
}

int cg_governing_read(GoverningEquationsType_t* EquationsType) {
  return guarded(__func__, [&] {
    Node& set = position_for_reading(Label::GoverningEquations);
    *EquationsType = read_enum<GoverningEquationsType_t>(only(set, Label::GoverningEquations),
                                                         GoverningEquationsTypeName);
  });
}

int cg_governing_write(GoverningEquationsType_t Equationstype) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::GoverningEquations), Label::GoverningEquations,
                Value::text(enum_text(Equationstype, GoverningEquationsTypeName)));
  });
}

int cg_diffusion_read(int* diffusion_model) {
  return guarded(__func__, [&] {
    Node& model = position_for_reading(Label::IntPerPair);
    std::ranges::copy(
        read_numbers<std::int32_t>(only(model, Label::IntPerPair), diffusion_size(model)),
        diffusion_model);
  });
}

int cg_diffusion_write(const int* diffusion_model) {
  return guarded(__func__, [&] {
    Node& model = position_for_writing(Label::IntPerPair);
    if (diffusion_model == nullptr) throw Failure("the diffusion model is NULL");
    create_only(model, Label::IntPerPair,
                Value::numbers(std::span(diffusion_model, diffusion_size(model))));
  });
}

int cg_model_read(const char* ModelLabel, ModelType_t* ModelType) {
  return guarded(__func__, [&] {
    *ModelType = read_model<ModelType_t>(position_for_reading(Label::GasModel), ModelLabel,
                                         "ModelType", ModelTypeName);
  });
}

int cg_model_write(const char* ModelLabel, ModelType_t ModelType) {
  return guarded(__func__, [&] {
    write_model(position_for_writing(Label::GasModel), ModelLabel, ModelType, "ModelType",
                ModelTypeName);
  });
}

}  // extern "C"
