#pragma once

// Made by tools/cgns_tables.py from cgns/labels.toml: change that.

#include <array>
#include <cstdint>
#include <string_view>

#include "grammar/label_row.hpp"

namespace onecast::cgns {

/// The labels, and `other` for all other texts.
enum class Label : std::uint8_t {
  other,
  CGNSBase,
  Zone,
  ParticleZone,
  ZoneSubRegion,
  GridCoordinates,
  ParticleCoordinates,
  BCData,
  GasModel,
  ViscosityModel,
  ThermalConductivityModel,
  TurbulenceClosure,
  ThermalRelaxationModel,
  ChemicalKineticsModel,
  EMElectricFieldModel,
  EMMagneticFieldModel,
  EMConductivityModel,
  ParticleCollisionModel,
  ParticleBreakupModel,
  ParticleForceModel,
  ParticleWallInteractionModel,
  ParticlePhaseChangeModel,
  IntegralData,
  RigidGridMotion,
  BaseIterativeData,
  ZoneIterativeData,
  DataArray,
  FlowSolution,
  DiscreteData,
  ParticleSolution,
  ZoneGridConnectivity,
  OversetHoles,
  GridConnectivity,
  GridConnectivity1to1,
  ZoneBC,
  BC,
  BCDataSet,
  FamilyBCDataSet,
  FlowEquationSet,
  GoverningEquations,
  TurbulenceModel,
  ParticleEquationSet,
  ParticleGoverningEquations,
  ConvergenceHistory,
  ReferenceState,
  Family,
  FamilyBC,
  GeometryReference,
  Elements,
  ArbitraryGridMotion,
  UserDefinedData,
  Gravity,
  Axisymmetry,
  RotatingCoordinates,
  BCProperty,
  WallFunction,
  Area,
  GridConnectivityProperty,
  Periodic,
  AverageInterface,
  DimensionalUnits,
  DimensionalExponents,
  Descriptor,
  DataClass,
  SimulationType,
  AdditionalFamilyName,
  Ordinal,
  FamilyName,
  ZoneType,
  ParticleIterativeData,
  GridLocation,
  Rind,
  IndexArray,
  IndexRange,
  DataConversion,
  GridConnectivityType,
  IntPerIndex,
  Int,
  IntPerPair,
  GeometryEntity,
  GeometryFile,
  GeometryFormat,
  WallFunctionType,
  AreaType,
  AverageInterfaceType,
  AdditionalUnits,
  AdditionalExponents,
  CGNSLibraryVersion,
};

namespace table {
inline constexpr std::array kCGNSBase{
    ChildRow<Label>{Label::Zone, {}, true},
    ChildRow<Label>{Label::ParticleZone, {}, true},
    ChildRow<Label>{Label::Family, {}, true},
    ChildRow<Label>{Label::IntegralData, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::BaseIterativeData, {}, false},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::SimulationType, "SimulationType", false, false},
    ChildRow<Label>{Label::ConvergenceHistory, "GlobalConvergenceHistory", false, false},
    ChildRow<Label>{Label::FlowEquationSet, "FlowEquationSet", false, false},
    ChildRow<Label>{Label::ParticleEquationSet, "ParticleEquationSet", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::Gravity, "Gravity", false, false},
    ChildRow<Label>{Label::Axisymmetry, "Axisymmetry", false, false},
    ChildRow<Label>{Label::RotatingCoordinates, "RotatingCoordinates", false, false}};
inline constexpr std::array kZone{
    ChildRow<Label>{Label::GridCoordinates, {}, true},
    ChildRow<Label>{Label::DiscreteData, {}, true},
    ChildRow<Label>{Label::Elements, {}, true},
    ChildRow<Label>{Label::FlowSolution, {}, true},
    ChildRow<Label>{Label::RigidGridMotion, {}, true},
    ChildRow<Label>{Label::ArbitraryGridMotion, {}, true},
    ChildRow<Label>{Label::IntegralData, {}, true},
    ChildRow<Label>{Label::AdditionalFamilyName, {}, true},
    ChildRow<Label>{Label::ZoneGridConnectivity, {}, true},
    ChildRow<Label>{Label::ZoneSubRegion, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::ZoneIterativeData, {}, false},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::ZoneBC, "ZoneBC", false, false},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::FamilyName, "FamilyName", false, false},
    ChildRow<Label>{Label::FlowEquationSet, "FlowEquationSet", false, false},
    ChildRow<Label>{Label::ConvergenceHistory, "ZoneConvergenceHistory", false, false},
    ChildRow<Label>{Label::RotatingCoordinates, "RotatingCoordinates", false, false},
    ChildRow<Label>{Label::ZoneType, "ZoneType", false, true}};
inline constexpr std::array kParticleZone{
    ChildRow<Label>{Label::ParticleCoordinates, {}, true},
    ChildRow<Label>{Label::ParticleSolution, {}, true},
    ChildRow<Label>{Label::IntegralData, {}, true},
    ChildRow<Label>{Label::AdditionalFamilyName, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::ParticleIterativeData, {}, false},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::FamilyName, "FamilyName", false, false},
    ChildRow<Label>{Label::ParticleEquationSet, "ParticleEquationSet", false, false}};
inline constexpr std::array kZoneSubRegion{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::AdditionalFamilyName, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::FamilyName, "FamilyName", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, true},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, true},
    ChildRow<Label>{Label::Descriptor, "BCRegionName", false, true},
    ChildRow<Label>{Label::Descriptor, "GridConnectivityRegionName", false, true}};
inline constexpr std::array kGridCoordinates{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false}};
inline constexpr std::array kHeldByGridCoordinates{HeldRow{"", "R4 R8", "", "", false}};
inline constexpr std::array kParticleCoordinates{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleCoordinates{
    HeldRow{"", "R4 R8", "particles", "", false}};
inline constexpr std::array kBCData{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kGasModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByGasModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kViscosityModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByViscosityModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kThermalConductivityModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByThermalConductivityModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kTurbulenceClosure{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByTurbulenceClosure{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kThermalRelaxationModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByThermalRelaxationModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kChemicalKineticsModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByChemicalKineticsModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kEMElectricFieldModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByEMElectricFieldModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kEMMagneticFieldModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByEMMagneticFieldModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kEMConductivityModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByEMConductivityModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticleCollisionModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleCollisionModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticleBreakupModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleBreakupModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticleForceModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleForceModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticleWallInteractionModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleWallInteractionModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticlePhaseChangeModel{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticlePhaseChangeModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kIntegralData{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kRigidGridMotion{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByRigidGridMotion{
    HeldRow{"OriginLocation", "R4 R8", "phys_dim 2", "", true},
    HeldRow{"RigidRotationAngle", "R4 R8", "phys_dim", "", false},
    HeldRow{"RigidRotationRate", "R4 R8", "phys_dim", "", false},
    HeldRow{"RigidVelocity", "R4 R8", "phys_dim", "", false}};
inline constexpr std::array kBaseIterativeData{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByBaseIterativeData{
    HeldRow{"TimeValues", "R4 R8", "steps", "", false},
    HeldRow{"IterationValues", "I4", "steps", "", false},
    HeldRow{"NumberOfZones", "I4", "steps", "", false},
    HeldRow{"NumberOfFamilies", "I4", "steps", "", false},
    HeldRow{"ZonePointers", "C1", "32 zones steps", "", false},
    HeldRow{"FamilyPointers", "C1", "32 families steps", "", false}};
inline constexpr std::array kZoneIterativeData{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByZoneIterativeData{
    HeldRow{"RigidGridMotionPointers", "C1", "32 steps", "", false},
    HeldRow{"ArbitraryGridMotionPointers", "C1", "32 steps", "", false},
    HeldRow{"GridCoordinatesPointers", "C1", "32 steps", "", false},
    HeldRow{"FlowSolutionPointers", "C1", "32 steps", "", false},
    HeldRow{"ZoneGridConnectivityPointers", "C1", "32 steps", "", false},
    HeldRow{"ZoneSubRegionPointers", "C1", "32 steps", "", false}};
inline constexpr std::array kDataArray{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::DimensionalExponents, "DimensionalExponents", false, false},
    ChildRow<Label>{Label::DataConversion, "DataConversion", false, false}};
inline constexpr std::array kFlowSolution{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false}};
inline constexpr std::array kHeldByFlowSolution{HeldRow{"", "I4 I8 R4 R8 X4 X8", "", "", false}};
inline constexpr std::array kDiscreteData{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false}};
inline constexpr std::array kHeldByDiscreteData{HeldRow{"", "I4 I8 R4 R8", "", "", false}};
inline constexpr std::array kParticleSolution{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false}};
inline constexpr std::array kHeldByParticleSolution{
    HeldRow{"", "I4 I8 R4 R8 X4 X8", "", "", false}};
inline constexpr std::array kZoneGridConnectivity{
    ChildRow<Label>{Label::GridConnectivity1to1, {}, true},
    ChildRow<Label>{Label::GridConnectivity, {}, true},
    ChildRow<Label>{Label::OversetHoles, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true}};
inline constexpr std::array kOversetHoles{
    ChildRow<Label>{Label::IndexRange, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, true}};
inline constexpr std::array kHeldByOversetHoles{
    HeldRow{"GridLocation", "", "", "Vertex CellCenter", false}};
inline constexpr std::array kGridConnectivity{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataArray, "InterpolantsDonor", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false},
    ChildRow<Label>{Label::GridConnectivityType, "GridConnectivityType", false, false},
    ChildRow<Label>{Label::GridConnectivityProperty, "GridConnectivityProperty", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, true},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, true},
    ChildRow<Label>{Label::IndexArray, "PointListDonor", false, true},
    ChildRow<Label>{Label::IndexArray, "CellListDonor", false, true}};
inline constexpr std::array kHeldByGridConnectivity{
    HeldRow{"GridLocation", "", "",
            "Vertex CellCenter FaceCenter IFaceCenter JFaceCenter KFaceCenter", false}};
inline constexpr std::array kGridConnectivity1to1{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false},
    ChildRow<Label>{Label::GridConnectivityProperty, "GridConnectivityProperty", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, true},
    ChildRow<Label>{Label::IndexRange, "PointRangeDonor", false, true},
    ChildRow<Label>{Label::IntPerIndex, "Transform", false, false}};
inline constexpr std::array kZoneBC{
    ChildRow<Label>{Label::BC, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false}};
inline constexpr std::array kBC{
    ChildRow<Label>{Label::AdditionalFamilyName, {}, true},
    ChildRow<Label>{Label::BCDataSet, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::IntPerIndex, "InwardNormalIndex", false, false},
    ChildRow<Label>{Label::IndexArray, "InwardNormalList", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::FamilyName, "FamilyName", false, false},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false},
    ChildRow<Label>{Label::BCProperty, "BCProperty", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, true},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, true},
    ChildRow<Label>{Label::IndexArray, "ElementList", false, false},
    ChildRow<Label>{Label::IndexRange, "ElementRange", false, false}};
inline constexpr std::array kHeldByBC{
    HeldRow{"InwardNormalList", "R4 R8", "phys_dim points", "", false}};
inline constexpr std::array kBCDataSet{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false},
    ChildRow<Label>{Label::BCData, "DirichletData", false, false},
    ChildRow<Label>{Label::BCData, "NeumannData", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false}};
inline constexpr std::array kFamilyBCDataSet{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false},
    ChildRow<Label>{Label::BCData, "DirichletData", false, false},
    ChildRow<Label>{Label::BCData, "NeumannData", false, false},
    ChildRow<Label>{Label::ReferenceState, "ReferenceState", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false}};
inline constexpr std::array kFlowEquationSet{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::GoverningEquations, "GoverningEquations", false, false},
    ChildRow<Label>{Label::GasModel, "GasModel", false, false},
    ChildRow<Label>{Label::ViscosityModel, "ViscosityModel", false, false},
    ChildRow<Label>{Label::ThermalRelaxationModel, "ThermalRelaxationModel", false, false},
    ChildRow<Label>{Label::ThermalConductivityModel, "ThermalConductivityModel", false, false},
    ChildRow<Label>{Label::ChemicalKineticsModel, "ChemicalKineticsModel", false, false},
    ChildRow<Label>{Label::EMElectricFieldModel, "EMElectricFieldModel", false, false},
    ChildRow<Label>{Label::EMMagneticFieldModel, "EMMagneticFieldModel", false, false},
    ChildRow<Label>{Label::EMConductivityModel, "EMConductivityModel", false, false},
    ChildRow<Label>{Label::TurbulenceModel, "TurbulenceModel", false, false},
    ChildRow<Label>{Label::TurbulenceClosure, "TurbulenceClosure", false, false},
    ChildRow<Label>{Label::Int, "EquationDimension", false, false}};
inline constexpr std::array kGoverningEquations{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::IntPerPair, "DiffusionModel", false, false}};
inline constexpr std::array kTurbulenceModel{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IntPerPair, "DiffusionModel", false, false}};
inline constexpr std::array kHeldByTurbulenceModel{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kParticleEquationSet{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::ParticleGoverningEquations, "ParticleGoverningEquations", false, false},
    ChildRow<Label>{Label::ParticleCollisionModel, "ParticleCollisionModel", false, false},
    ChildRow<Label>{Label::ParticleBreakupModel, "ParticleBreakupModel", false, false},
    ChildRow<Label>{Label::ParticleForceModel, "ParticleForceModel", false, false},
    ChildRow<Label>{Label::ParticleWallInteractionModel, "ParticleWallInteractionModel", false,
                    false},
    ChildRow<Label>{Label::ParticlePhaseChangeModel, "ParticlePhaseChangeModel", false, false},
    ChildRow<Label>{Label::Int, "EquationDimension", false, false}};
inline constexpr std::array kParticleGoverningEquations{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true}};
inline constexpr std::array kConvergenceHistory{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::Descriptor, "NormDefinitions", false, false}};
inline constexpr std::array kReferenceState{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::Descriptor, "ReferenceStateDescription", false, false}};
inline constexpr std::array kHeldByReferenceState{HeldRow{"", "", "1", "", false}};
inline constexpr std::array kFamily{
    ChildRow<Label>{Label::GeometryReference, {}, true},
    ChildRow<Label>{Label::FamilyBC, {}, true},
    ChildRow<Label>{Label::FamilyName, {}, true},
    ChildRow<Label>{Label::Family, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false},
    ChildRow<Label>{Label::RotatingCoordinates, "RotatingCoordinates", false, false}};
inline constexpr std::array kFamilyBC{ChildRow<Label>{Label::FamilyBCDataSet, {}, true}};
inline constexpr std::array kGeometryReference{
    ChildRow<Label>{Label::GeometryEntity, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::GeometryFile, "GeometryFile", false, true},
    ChildRow<Label>{Label::GeometryFormat, "GeometryFormat", false, true}};
inline constexpr std::array kElements{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataArray, "ParentElements", false, false},
    ChildRow<Label>{Label::DataArray, "ParentElementsPosition", false, false},
    ChildRow<Label>{Label::DataArray, "ParentData", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false},
    ChildRow<Label>{Label::IndexRange, "ElementRange", false, true},
    ChildRow<Label>{Label::DataArray, "ElementConnectivity", false, true},
    ChildRow<Label>{Label::DataArray, "ElementStartOffset", false, false}};
inline constexpr std::array kHeldByElements{
    HeldRow{"ElementRange", "", "2", "", false},
    HeldRow{"Rind", "", "2", "", false},
    HeldRow{"ElementConnectivity", "I4 I8", "n", "", false},
    HeldRow{"ElementStartOffset", "I4 I8", "n", "", false},
    HeldRow{"ParentElements", "I4 I8", "elements 2", "", false},
    HeldRow{"ParentElementsPosition", "I4 I8", "elements 2", "", false},
    HeldRow{"ParentData", "I4 I8", "elements 4", "", false}};
inline constexpr std::array kArbitraryGridMotion{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::Rind, "Rind", false, false}};
inline constexpr std::array kHeldByArbitraryGridMotion{HeldRow{"", "R4 R8", "", "", false}};
inline constexpr std::array kUserDefinedData{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::AdditionalFamilyName, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::IndexArray, "PointList", false, false},
    ChildRow<Label>{Label::IndexRange, "PointRange", false, false},
    ChildRow<Label>{Label::GridLocation, "GridLocation", false, false},
    ChildRow<Label>{Label::FamilyName, "FamilyName", false, false},
    ChildRow<Label>{Label::Ordinal, "Ordinal", false, false}};
inline constexpr std::array kGravity{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::DataArray, "GravityVector", false, true}};
inline constexpr std::array kHeldByGravity{HeldRow{"GravityVector", "R4", "phys_dim", "", false}};
inline constexpr std::array kAxisymmetry{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::DataArray, "AxisymmetryReferencePoint", false, true},
    ChildRow<Label>{Label::DataArray, "AxisymmetryAxisVector", false, true}};
inline constexpr std::array kHeldByAxisymmetry{
    HeldRow{"AxisymmetryReferencePoint", "R4", "2", "", false},
    HeldRow{"AxisymmetryAxisVector", "R4", "2", "", false},
    HeldRow{"AxisymmetryAngle", "R4", "1", "", false},
    HeldRow{"CoordinateNames", "C1", "32 2", "", false}};
inline constexpr std::array kRotatingCoordinates{
    ChildRow<Label>{Label::DataArray, {}, true},
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::DataArray, "RotationCenter", false, true},
    ChildRow<Label>{Label::DataArray, "RotationRateVector", false, true}};
inline constexpr std::array kHeldByRotatingCoordinates{
    HeldRow{"RotationCenter", "R4", "phys_dim", "", false},
    HeldRow{"RotationRateVector", "R4", "phys_dim", "", false}};
inline constexpr std::array kBCProperty{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::WallFunction, "WallFunction", false, false},
    ChildRow<Label>{Label::Area, "Area", false, false}};
inline constexpr std::array kWallFunction{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::WallFunctionType, "WallFunctionType", false, true}};
inline constexpr std::array kArea{ChildRow<Label>{Label::Descriptor, {}, true},
                                  ChildRow<Label>{Label::UserDefinedData, {}, true},
                                  ChildRow<Label>{Label::AreaType, "AreaType", false, true},
                                  ChildRow<Label>{Label::DataArray, "SurfaceArea", false, true},
                                  ChildRow<Label>{Label::DataArray, "RegionName", false, true}};
inline constexpr std::array kHeldByArea{HeldRow{"SurfaceArea", "R4", "1", "", false},
                                        HeldRow{"RegionName", "C1", "32", "", false}};
inline constexpr std::array kGridConnectivityProperty{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::Periodic, "Periodic", false, false},
    ChildRow<Label>{Label::AverageInterface, "AverageInterface", false, false}};
inline constexpr std::array kPeriodic{
    ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false},
    ChildRow<Label>{Label::DataArray, "RotationCenter", false, true},
    ChildRow<Label>{Label::DataArray, "RotationAngle", false, true},
    ChildRow<Label>{Label::DataArray, "Translation", false, true}};
inline constexpr std::array kHeldByPeriodic{HeldRow{"RotationCenter", "R4", "phys_dim", "", false},
                                            HeldRow{"RotationAngle", "R4", "phys_dim", "", false},
                                            HeldRow{"Translation", "R4", "phys_dim", "", false}};
inline constexpr std::array kAverageInterface{
    ChildRow<Label>{Label::Descriptor, {}, true}, ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::AverageInterfaceType, "AverageInterfaceType", false, true}};
inline constexpr std::array kDimensionalUnits{
    ChildRow<Label>{Label::AdditionalUnits, "AdditionalUnits", false, false}};
inline constexpr std::array kDimensionalExponents{
    ChildRow<Label>{Label::AdditionalExponents, "AdditionalExponents", false, false}};
inline constexpr std::array kParticleIterativeData{
    ChildRow<Label>{Label::DataArray, {}, true}, ChildRow<Label>{Label::Descriptor, {}, true},
    ChildRow<Label>{Label::UserDefinedData, {}, true},
    ChildRow<Label>{Label::DataClass, "DataClass", false, false},
    ChildRow<Label>{Label::DimensionalUnits, "DimensionalUnits", false, false}};
inline constexpr std::array kHeldByParticleIterativeData{
    HeldRow{"ParticleSolutionPointers", "C1", "32 steps", "", false}};
inline constexpr std::array kRows{
    LabelRow<Label>{},
    LabelRow<Label>{
        "CGNSBase_t", "I4", "2", "cell dimension, physical dimension", "", kCGNSBase, false, {}},
    LabelRow<Label>{"Zone_t",
                    "I4 I8",
                    "index_dim 3",
                    "vertices, cells, boundary vertices",
                    "",
                    kZone,
                    false,
                    {}},
    LabelRow<Label>{
        "ParticleZone_t", "I4 I8", "1", "number of particles", "", kParticleZone, false, {}},
    LabelRow<Label>{"ZoneSubRegion_t", "I4", "1", "dimension", "", kZoneSubRegion, true, {}},
    LabelRow<Label>{"GridCoordinates_t", "MT R4 R8", "phys_dim 2", "bounding box, if any", "",
                    kGridCoordinates, false, kHeldByGridCoordinates},
    LabelRow<Label>{"ParticleCoordinates_t", "MT R4 R8", "phys_dim 2", "bounding box, if any", "",
                    kParticleCoordinates, false, kHeldByParticleCoordinates},
    LabelRow<Label>{"BCData_t", "MT", "", "", "", kBCData, false, {}},
    LabelRow<Label>{
        "GasModel_t", "C1", "n", "ModelType",
        "Ideal VanderWaals CaloricallyPerfect ThermallyPerfect ConstantDensity RedlichKwong",
        kGasModel, false, kHeldByGasModel},
    LabelRow<Label>{"ViscosityModel_t", "C1", "n", "ModelType", "Constant PowerLaw SutherlandLaw",
                    kViscosityModel, false, kHeldByViscosityModel},
    LabelRow<Label>{"ThermalConductivityModel_t", "C1", "n", "ModelType",
                    "PowerLaw SutherlandLaw ConstantPrandtl", kThermalConductivityModel, false,
                    kHeldByThermalConductivityModel},
    LabelRow<Label>{"TurbulenceClosure_t", "C1", "n", "ModelType",
                    "EddyViscosity ReynoldsStress ReynoldsStressAlgebraic", kTurbulenceClosure,
                    false, kHeldByTurbulenceClosure},
    LabelRow<Label>{"ThermalRelaxationModel_t", "C1", "n", "ModelType",
                    "Frozen ThermalEquilib ThermalNonequilib", kThermalRelaxationModel, false,
                    kHeldByThermalRelaxationModel},
    LabelRow<Label>{"ChemicalKineticsModel_t", "C1", "n", "ModelType",
                    "Frozen ChemicalEquilibCurveFit ChemicalEquilibMinimization ChemicalNonequilib",
                    kChemicalKineticsModel, false, kHeldByChemicalKineticsModel},
    LabelRow<Label>{"EMElectricFieldModel_t", "C1", "n", "ModelType",
                    "Constant Frozen Voltage Interpolated", kEMElectricFieldModel, false,
                    kHeldByEMElectricFieldModel},
    LabelRow<Label>{"EMMagneticFieldModel_t", "C1", "n", "ModelType",
                    "Constant Frozen Interpolated", kEMMagneticFieldModel, false,
                    kHeldByEMMagneticFieldModel},
    LabelRow<Label>{"EMConductivityModel_t", "C1", "n", "ModelType",
                    "Constant Frozen Equilibrium_LinRessler Chemistry_LinRessler",
                    kEMConductivityModel, false, kHeldByEMConductivityModel},
    LabelRow<Label>{"ParticleCollisionModel_t", "C1", "n", "ParticleModelType",
                    "Linear NonLinear HardSphere SoftSphere LinearSpringDashpot Pair HertzMindlin "
                    "HertzKuwabaraKono ORourke Stochastic NonStochastic NTC",
                    kParticleCollisionModel, false, kHeldByParticleCollisionModel},
    LabelRow<Label>{
        "ParticleBreakupModel_t", "C1", "n", "ParticleModelType",
        "KelvinHelmholtz KelvinHelmholtzACT RayleighTaylor KelvinHelmholtzRayleighTaylor ReitzKHRT "
        "TAB ETAB LISA SHF PilchErdman ReitzDiwakar",
        kParticleBreakupModel, false, kHeldByParticleBreakupModel},
    LabelRow<Label>{"ParticleForceModel_t", "C1", "n", "ParticleModelType",
                    "Sphere NonSphere Tracer BeetstraVanDerHoefKuipers Ergun CliftGrace Gidaspow "
                    "HaiderLevenspiel PlessisMasliyah SyamlalOBrien SaffmanMei "
                    "TennetiGargSubramaniam Tomiyama Stokes StokesCunningham WenYu",
                    kParticleForceModel, false, kHeldByParticleForceModel},
    LabelRow<Label>{"ParticleWallInteractionModel_t", "C1", "n", "ParticleModelType",
                    "Linear NonLinear HardSphere SoftSphere LinearSpringDashpot Pair HertzMindlin "
                    "HertzKuwabaraKono ORourke NTC BaiGosman Kunkhe",
                    kParticleWallInteractionModel, false, kHeldByParticleWallInteractionModel},
    LabelRow<Label>{"ParticlePhaseChangeModel_t", "C1", "n", "ParticleModelType",
                    "Boil Condense Flash Nucleate Chiang Frossling FuchsKnudsen",
                    kParticlePhaseChangeModel, false, kHeldByParticlePhaseChangeModel},
    LabelRow<Label>{"IntegralData_t", "MT", "", "", "", kIntegralData, false, {}},
    LabelRow<Label>{"RigidGridMotion_t", "C1", "n", "RigidGridMotionType", "", kRigidGridMotion,
                    false, kHeldByRigidGridMotion},
    LabelRow<Label>{"BaseIterativeData_t", "I4", "1", "steps", "", kBaseIterativeData, false,
                    kHeldByBaseIterativeData},
    LabelRow<Label>{"ZoneIterativeData_t", "MT", "", "", "", kZoneIterativeData, false,
                    kHeldByZoneIterativeData},
    LabelRow<Label>{
        "DataArray_t", "I4 I8 U4 U8 R4 R8 C1 X4 X8", "any", "", "", kDataArray, false, {}},
    LabelRow<Label>{"FlowSolution_t", "MT", "", "", "", kFlowSolution, false, kHeldByFlowSolution},
    LabelRow<Label>{"DiscreteData_t", "MT", "", "", "", kDiscreteData, false, kHeldByDiscreteData},
    LabelRow<Label>{"ParticleSolution_t", "MT", "", "", "", kParticleSolution, false,
                    kHeldByParticleSolution},
    LabelRow<Label>{"ZoneGridConnectivity_t", "MT", "", "", "", kZoneGridConnectivity, false, {}},
    LabelRow<Label>{"OversetHoles_t", "MT", "", "", "", kOversetHoles, true, kHeldByOversetHoles},
    LabelRow<Label>{"GridConnectivity_t", "C1", "n", "donor zone", "", kGridConnectivity, true,
                    kHeldByGridConnectivity},
    LabelRow<Label>{
        "GridConnectivity1to1_t", "C1", "n", "donor zone", "", kGridConnectivity1to1, false, {}},
    LabelRow<Label>{"ZoneBC_t", "MT", "", "", "", kZoneBC, false, {}},
    LabelRow<Label>{"BC_t", "C1", "n", "BCType", "", kBC, true, kHeldByBC},
    LabelRow<Label>{"BCDataSet_t", "C1", "n", "BCType", "", kBCDataSet, false, {}},
    LabelRow<Label>{"FamilyBCDataSet_t", "C1", "n", "BCType", "", kFamilyBCDataSet, false, {}},
    LabelRow<Label>{"FlowEquationSet_t", "MT", "", "", "", kFlowEquationSet, false, {}},
    LabelRow<Label>{"GoverningEquations_t",
                    "C1",
                    "n",
                    "GoverningEquationsType",
                    "",
                    kGoverningEquations,
                    false,
                    {}},
    LabelRow<Label>{"TurbulenceModel_t", "C1", "n", "ModelType",
                    "Algebraic_BaldwinLomax Algebraic_CebeciSmith HalfEquation_JohnsonKing "
                    "OneEquation_BaldwinBarth OneEquation_SpalartAllmaras TwoEquation_JonesLaunder "
                    "TwoEquation_MenterSST TwoEquation_Wilcox",
                    kTurbulenceModel, false, kHeldByTurbulenceModel},
    LabelRow<Label>{"ParticleEquationSet_t", "MT", "", "", "", kParticleEquationSet, false, {}},
    LabelRow<Label>{"ParticleGoverningEquations_t",
                    "C1",
                    "n",
                    "ParticleGoverningEquationsType",
                    "",
                    kParticleGoverningEquations,
                    false,
                    {}},
    LabelRow<Label>{
        "ConvergenceHistory_t", "I4", "1", "iterations", "", kConvergenceHistory, false, {}},
    LabelRow<Label>{"ReferenceState_t", "MT", "", "", "", kReferenceState, false,
                    kHeldByReferenceState},
    LabelRow<Label>{"Family_t", "MT", "", "", "", kFamily, false, {}},
    LabelRow<Label>{"FamilyBC_t", "C1", "n", "BCType", "", kFamilyBC, false, {}},
    LabelRow<Label>{"GeometryReference_t", "MT", "", "", "", kGeometryReference, false, {}},
    LabelRow<Label>{"Elements_t", "I4", "2", "element type, last boundary element", "", kElements,
                    false, kHeldByElements},
    LabelRow<Label>{"ArbitraryGridMotion_t", "C1", "n", "ArbitraryGridMotionType", "",
                    kArbitraryGridMotion, false, kHeldByArbitraryGridMotion},
    LabelRow<Label>{"UserDefinedData_t", "MT", "", "", "", kUserDefinedData, false, {}},
    LabelRow<Label>{"Gravity_t", "MT", "", "", "", kGravity, false, kHeldByGravity},
    LabelRow<Label>{"Axisymmetry_t", "MT", "", "", "", kAxisymmetry, false, kHeldByAxisymmetry},
    LabelRow<Label>{"RotatingCoordinates_t", "MT", "", "", "", kRotatingCoordinates, false,
                    kHeldByRotatingCoordinates},
    LabelRow<Label>{"BCProperty_t", "MT", "", "", "", kBCProperty, false, {}},
    LabelRow<Label>{"WallFunction_t", "MT", "", "", "", kWallFunction, false, {}},
    LabelRow<Label>{"Area_t", "MT", "", "", "", kArea, false, kHeldByArea},
    LabelRow<Label>{
        "GridConnectivityProperty_t", "MT", "", "", "", kGridConnectivityProperty, false, {}},
    LabelRow<Label>{"Periodic_t", "MT", "", "", "", kPeriodic, false, kHeldByPeriodic},
    LabelRow<Label>{"AverageInterface_t", "MT", "", "", "", kAverageInterface, false, {}},
    LabelRow<Label>{"DimensionalUnits_t",
                    "C1",
                    "32 5",
                    "MassUnits, LengthUnits, TimeUnits, TemperatureUnits, AngleUnits",
                    "",
                    kDimensionalUnits,
                    false,
                    {}},
    LabelRow<Label>{
        "DimensionalExponents_t", "R4 R8", "5", "", "", kDimensionalExponents, false, {}},
    LabelRow<Label>{"Descriptor_t", "C1", "n", "text", "", {}, false, {}},
    LabelRow<Label>{"DataClass_t", "C1", "n", "DataClass", "", {}, false, {}},
    LabelRow<Label>{"SimulationType_t", "C1", "n", "SimulationType", "", {}, false, {}},
    LabelRow<Label>{"AdditionalFamilyName_t", "C1", "n", "", "", {}, false, {}},
    LabelRow<Label>{"Ordinal_t", "I4", "1", "", "", {}, false, {}},
    LabelRow<Label>{"FamilyName_t", "C1", "n", "", "", {}, false, {}},
    LabelRow<Label>{"ZoneType_t", "C1", "n", "", "", {}, false, {}},
    LabelRow<Label>{"ParticleIterativeData_t", "MT", "", "", "", kParticleIterativeData, false,
                    kHeldByParticleIterativeData},
    LabelRow<Label>{"GridLocation_t", "C1", "n", "GridLocation", "", {}, false, {}},
    LabelRow<Label>{"Rind_t", "I4", "2*index_dim", "planes at each side", "", {}, false, {}},
    LabelRow<Label>{"IndexArray_t",
                    "I4 I8 R4 R8",
                    "index_dim n",
                    "indices, or vectors of phys_dim",
                    "",
                    {},
                    false,
                    {}},
    LabelRow<Label>{"IndexRange_t", "I4 I8", "index_dim 2", "first and last", "", {}, false, {}},
    LabelRow<Label>{"DataConversion_t", "R4 R8", "2", "scale, offset", "", {}, false, {}},
    LabelRow<Label>{"GridConnectivityType_t", "C1", "n", "GridConnectivityType", "", {}, false, {}},
    LabelRow<Label>{"\"int[IndexDimension]\"", "I4", "index_dim", "", "", {}, false, {}},
    LabelRow<Label>{"\"int\"", "I4", "1", "", "", {}, false, {}},
    LabelRow<Label>{
        "\"int[1+...+IndexDimension]\"", "I4", "n", "1, 3 or 6 flags", "", {}, false, {}},
    LabelRow<Label>{"GeometryEntity_t", "MT", "", "", "", {}, false, {}},
    LabelRow<Label>{"GeometryFile_t", "C1", "n", "", "", {}, false, {}},
    LabelRow<Label>{"GeometryFormat_t", "C1", "n", "", "", {}, false, {}},
    LabelRow<Label>{"WallFunctionType_t", "C1", "n", "WallFunctionType", "", {}, false, {}},
    LabelRow<Label>{"AreaType_t", "C1", "n", "AreaType", "", {}, false, {}},
    LabelRow<Label>{"AverageInterfaceType_t", "C1", "n", "AverageInterfaceType", "", {}, false, {}},
    LabelRow<Label>{"AdditionalUnits_t",
                    "C1",
                    "32 3",
                    "ElectricCurrentUnits, SubstanceAmountUnits, LuminousIntensityUnits",
                    "",
                    {},
                    false,
                    {}},
    LabelRow<Label>{"AdditionalExponents_t", "R4 R8", "3", "", "", {}, false, {}},
    LabelRow<Label>{"CGNSLibraryVersion_t",
                    "R4",
                    "1",
                    "version of the library that wrote the file",
                    "",
                    {},
                    false,
                    {}}};
}  // namespace table

}  // namespace onecast::cgns
