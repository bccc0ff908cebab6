#include "physics/models.hpp"

using namespace onecast::cgns;

extern "C" {

int cg_particle_equationset_read(int* EquationDimension, int* ParticleGoverningEquationsFlag,
                                 int* CollisionModelFlag, int* BreakupModelFlag,
                                 int* ForceModelFlag, int* WallInteractionModelFlag,
                                 int* PhaseChangeModelFlag) {
  return guarded(__func__, [&] {
    Node& set = only(position_for_reading(Label::ParticleEquationSet), Label::ParticleEquationSet);
    *EquationDimension = equation_dimension(set);
    *ParticleGoverningEquationsFlag = has(set, Label::ParticleGoverningEquations);
    *CollisionModelFlag = has(set, Label::ParticleCollisionModel);
    *BreakupModelFlag = has(set, Label::ParticleBreakupModel);
    *ForceModelFlag = has(set, Label::ParticleForceModel);
    *WallInteractionModelFlag = has(set, Label::ParticleWallInteractionModel);
    *PhaseChangeModelFlag = has(set, Label::ParticlePhaseChangeModel);
  });
}

int cg_particle_equationset_write(int EquationDimension) {
  return guarded(__func__, [&] {
    create_equation_set(position_for_writing(Label::ParticleEquationSet),
                        Label::ParticleEquationSet, EquationDimension);
  });
}

int cg_particle_governing_read(ParticleGoverningEquationsType_t* ParticleEquationsType) {
  return guarded(__func__, [&] {
    Node& set = position_for_reading(Label::ParticleGoverningEquations);
    *ParticleEquationsType = read_enum<ParticleGoverningEquationsType_t>(
        only(set, Label::ParticleGoverningEquations), ParticleGoverningEquationsTypeName);
  });
}

int cg_particle_governing_write(ParticleGoverningEquationsType_t ParticleEquationstype) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::ParticleGoverningEquations),
                Label::ParticleGoverningEquations,
                Value::text(enum_text(ParticleEquationstype, ParticleGoverningEquationsTypeName)));
  });
}

int cg_particle_model_read(const char* ModelLabel, ParticleModelType_t* ModelType) {
  return guarded(__func__, [&] {
    *ModelType =
        read_model<ParticleModelType_t>(position_for_reading(Label::ParticleCollisionModel),
                                        ModelLabel, "ParticleModelType", ParticleModelTypeName);
  });
}

int cg_particle_model_write(const char* ModelLabel, ParticleModelType_t ModelType) {
  return guarded(__func__, [&] {
    write_model(position_for_writing(Label::ParticleCollisionModel, CG_ERROR), ModelLabel,
                ModelType, "ParticleModelType", ParticleModelTypeName);
  });
}

}  // extern "C"
