#pragma once

// Made by tools/cgns_tables.py from cgns/labels.toml: change that.

#include <array>
#include <cstdint>

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

using enum Label;

inline constexpr auto kCGNSBase = children(
    many(Zone, ParticleZone, Family, IntegralData, Descriptor, UserDefinedData),
    single(BaseIterativeData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(SimulationType, "SimulationType"),
    one(ConvergenceHistory, "GlobalConvergenceHistory"), one(FlowEquationSet, "FlowEquationSet"),
    one(ParticleEquationSet, "ParticleEquationSet"), one(ReferenceState, "ReferenceState"),
    one(Gravity, "Gravity"), one(Axisymmetry, "Axisymmetry"),
    one(RotatingCoordinates, "RotatingCoordinates"));
inline constexpr auto kZone = children(
    many(GridCoordinates, DiscreteData, Elements, FlowSolution, RigidGridMotion,
         ArbitraryGridMotion, IntegralData, AdditionalFamilyName, ZoneGridConnectivity,
         ZoneSubRegion, Descriptor, UserDefinedData),
    single(ZoneIterativeData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(ZoneBC, "ZoneBC"), one(Ordinal, "Ordinal"),
    one(ReferenceState, "ReferenceState"), one(FamilyName, "FamilyName"),
    one(FlowEquationSet, "FlowEquationSet"), one(ConvergenceHistory, "ZoneConvergenceHistory"),
    one(RotatingCoordinates, "RotatingCoordinates"), required(ZoneType, "ZoneType"));
inline constexpr auto kParticleZone =
    children(many(ParticleCoordinates, ParticleSolution, IntegralData, AdditionalFamilyName,
                  Descriptor, UserDefinedData),
             single(ParticleIterativeData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(ReferenceState, "ReferenceState"),
             one(FamilyName, "FamilyName"), one(ParticleEquationSet, "ParticleEquationSet"));
inline constexpr auto kZoneSubRegion = children(
    many(DataArray, AdditionalFamilyName, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(FamilyName, "FamilyName"),
    one(GridLocation, "GridLocation"), one(Rind, "Rind"), required(IndexArray, "PointList"),
    required(IndexRange, "PointRange"), required(Descriptor, "BCRegionName"),
    required(Descriptor, "GridConnectivityRegionName"));
inline constexpr auto kGridCoordinates =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(Rind, "Rind"));
inline constexpr std::array kHeldByGridCoordinates{HeldRow{"", "R4 R8"}};
inline constexpr auto kParticleCoordinates =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleCoordinates{HeldRow{"", "R4 R8", "particles"}};
inline constexpr auto kBCData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr auto kGasModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByGasModel{HeldRow{"", "", "1"}};
inline constexpr auto kViscosityModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByViscosityModel{HeldRow{"", "", "1"}};
inline constexpr auto kThermalConductivityModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByThermalConductivityModel{HeldRow{"", "", "1"}};
inline constexpr auto kTurbulenceClosure =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByTurbulenceClosure{HeldRow{"", "", "1"}};
inline constexpr auto kThermalRelaxationModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByThermalRelaxationModel{HeldRow{"", "", "1"}};
inline constexpr auto kChemicalKineticsModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByChemicalKineticsModel{HeldRow{"", "", "1"}};
inline constexpr auto kEMElectricFieldModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByEMElectricFieldModel{HeldRow{"", "", "1"}};
inline constexpr auto kEMMagneticFieldModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByEMMagneticFieldModel{HeldRow{"", "", "1"}};
inline constexpr auto kEMConductivityModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByEMConductivityModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticleCollisionModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleCollisionModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticleBreakupModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleBreakupModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticleForceModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleForceModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticleWallInteractionModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleWallInteractionModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticlePhaseChangeModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticlePhaseChangeModel{HeldRow{"", "", "1"}};
inline constexpr auto kIntegralData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr auto kRigidGridMotion =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByRigidGridMotion{
    HeldRow{"OriginLocation", "R4 R8", "phys_dim 2", "", true},
    HeldRow{"RigidRotationAngle", "R4 R8", "phys_dim"},
    HeldRow{"RigidRotationRate", "R4 R8", "phys_dim"},
    HeldRow{"RigidVelocity", "R4 R8", "phys_dim"}};
inline constexpr auto kBaseIterativeData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByBaseIterativeData{
    HeldRow{"TimeValues", "R4 R8", "steps"},
    HeldRow{"IterationValues", "I4", "steps"},
    HeldRow{"NumberOfZones", "I4", "steps"},
    HeldRow{"NumberOfFamilies", "I4", "steps"},
    HeldRow{"ZonePointers", "C1", "32 zones steps"},
    HeldRow{"FamilyPointers", "C1", "32 families steps"}};
inline constexpr auto kZoneIterativeData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByZoneIterativeData{
    HeldRow{"RigidGridMotionPointers", "C1", "32 steps"},
    HeldRow{"ArbitraryGridMotionPointers", "C1", "32 steps"},
    HeldRow{"GridCoordinatesPointers", "C1", "32 steps"},
    HeldRow{"FlowSolutionPointers", "C1", "32 steps"},
    HeldRow{"ZoneGridConnectivityPointers", "C1", "32 steps"},
    HeldRow{"ZoneSubRegionPointers", "C1", "32 steps"}};
inline constexpr auto kDataArray = children(
    many(Descriptor), one(DataClass, "DataClass"), one(DimensionalUnits, "DimensionalUnits"),
    one(DimensionalExponents, "DimensionalExponents"), one(DataConversion, "DataConversion"));
inline constexpr auto kFlowSolution =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
             one(IndexRange, "PointRange"), one(GridLocation, "GridLocation"), one(Rind, "Rind"));
inline constexpr std::array kHeldByFlowSolution{HeldRow{"", "I4 I8 R4 R8 X4 X8"}};
inline constexpr auto kDiscreteData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
             one(IndexRange, "PointRange"), one(GridLocation, "GridLocation"), one(Rind, "Rind"));
inline constexpr std::array kHeldByDiscreteData{HeldRow{"", "I4 I8 R4 R8"}};
inline constexpr auto kParticleSolution =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
             one(IndexRange, "PointRange"));
inline constexpr std::array kHeldByParticleSolution{HeldRow{"", "I4 I8 R4 R8 X4 X8"}};
inline constexpr auto kZoneGridConnectivity = children(
    many(GridConnectivity1to1, GridConnectivity, OversetHoles, Descriptor, UserDefinedData));
inline constexpr auto kOversetHoles =
    children(many(IndexRange, Descriptor, UserDefinedData), one(GridLocation, "GridLocation"),
             required(IndexArray, "PointList"));
inline constexpr std::array kHeldByOversetHoles{
    HeldRow{"GridLocation", "", "", "Vertex CellCenter"}};
inline constexpr auto kGridConnectivity =
    children(many(Descriptor, UserDefinedData), one(DataArray, "InterpolantsDonor"),
             one(GridLocation, "GridLocation"), one(Ordinal, "Ordinal"),
             one(GridConnectivityType, "GridConnectivityType"),
             one(GridConnectivityProperty, "GridConnectivityProperty"),
             required(IndexArray, "PointList"), required(IndexRange, "PointRange"),
             required(IndexArray, "PointListDonor"), required(IndexArray, "CellListDonor"));
inline constexpr std::array kHeldByGridConnectivity{HeldRow{
    "GridLocation", "", "", "Vertex CellCenter FaceCenter IFaceCenter JFaceCenter KFaceCenter"}};
inline constexpr auto kGridConnectivity1to1 = children(
    many(Descriptor, UserDefinedData), one(Ordinal, "Ordinal"),
    one(GridConnectivityProperty, "GridConnectivityProperty"), required(IndexRange, "PointRange"),
    required(IndexRange, "PointRangeDonor"), one(IntPerIndex, "Transform"));
inline constexpr auto kZoneBC =
    children(many(BC, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(ReferenceState, "ReferenceState"));
inline constexpr auto kBC =
    children(many(AdditionalFamilyName, BCDataSet, Descriptor, UserDefinedData),
             one(DataClass, "DataClass"), one(DimensionalUnits, "DimensionalUnits"),
             one(GridLocation, "GridLocation"), one(IntPerIndex, "InwardNormalIndex"),
             one(IndexArray, "InwardNormalList"), one(ReferenceState, "ReferenceState"),
             one(FamilyName, "FamilyName"), one(Ordinal, "Ordinal"), one(BCProperty, "BCProperty"),
             required(IndexArray, "PointList"), required(IndexRange, "PointRange"),
             one(IndexArray, "ElementList"), one(IndexRange, "ElementRange"));
inline constexpr std::array kHeldByBC{HeldRow{"InwardNormalList", "R4 R8", "phys_dim points"}};
inline constexpr auto kBCDataSet = children(
    many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
    one(IndexRange, "PointRange"), one(BCData, "DirichletData"), one(BCData, "NeumannData"),
    one(ReferenceState, "ReferenceState"), one(GridLocation, "GridLocation"));
inline constexpr auto kFamilyBCDataSet = children(
    many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
    one(IndexRange, "PointRange"), one(BCData, "DirichletData"), one(BCData, "NeumannData"),
    one(ReferenceState, "ReferenceState"), one(GridLocation, "GridLocation"));
inline constexpr auto kFlowEquationSet = children(
    many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(GoverningEquations, "GoverningEquations"),
    one(GasModel, "GasModel"), one(ViscosityModel, "ViscosityModel"),
    one(ThermalRelaxationModel, "ThermalRelaxationModel"),
    one(ThermalConductivityModel, "ThermalConductivityModel"),
    one(ChemicalKineticsModel, "ChemicalKineticsModel"),
    one(EMElectricFieldModel, "EMElectricFieldModel"),
    one(EMMagneticFieldModel, "EMMagneticFieldModel"),
    one(EMConductivityModel, "EMConductivityModel"), one(TurbulenceModel, "TurbulenceModel"),
    one(TurbulenceClosure, "TurbulenceClosure"), one(Int, "EquationDimension"));
inline constexpr auto kGoverningEquations =
    children(many(Descriptor, UserDefinedData), one(IntPerPair, "DiffusionModel"));
inline constexpr auto kTurbulenceModel =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(IntPerPair, "DiffusionModel"));
inline constexpr std::array kHeldByTurbulenceModel{HeldRow{"", "", "1"}};
inline constexpr auto kParticleEquationSet = children(
    many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"),
    one(ParticleGoverningEquations, "ParticleGoverningEquations"),
    one(ParticleCollisionModel, "ParticleCollisionModel"),
    one(ParticleBreakupModel, "ParticleBreakupModel"),
    one(ParticleForceModel, "ParticleForceModel"),
    one(ParticleWallInteractionModel, "ParticleWallInteractionModel"),
    one(ParticlePhaseChangeModel, "ParticlePhaseChangeModel"), one(Int, "EquationDimension"));
inline constexpr auto kParticleGoverningEquations = children(many(Descriptor, UserDefinedData));
inline constexpr auto kConvergenceHistory =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(Descriptor, "NormDefinitions"));
inline constexpr auto kReferenceState = children(
    many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(Descriptor, "ReferenceStateDescription"));
inline constexpr std::array kHeldByReferenceState{HeldRow{"", "", "1"}};
inline constexpr auto kFamily =
    children(many(GeometryReference, FamilyBC, FamilyName, Family, Descriptor, UserDefinedData),
             one(Ordinal, "Ordinal"), one(RotatingCoordinates, "RotatingCoordinates"));
inline constexpr auto kFamilyBC = children(many(FamilyBCDataSet));
inline constexpr auto kGeometryReference =
    children(many(GeometryEntity, Descriptor, UserDefinedData),
             required(GeometryFile, "GeometryFile"), required(GeometryFormat, "GeometryFormat"));
inline constexpr auto kElements =
    children(many(Descriptor, UserDefinedData), one(DataArray, "ParentElements"),
             one(DataArray, "ParentElementsPosition"), one(DataArray, "ParentData"),
             one(Rind, "Rind"), required(IndexRange, "ElementRange"),
             required(DataArray, "ElementConnectivity"), one(DataArray, "ElementStartOffset"));
inline constexpr std::array kHeldByElements{
    HeldRow{"ElementRange", "", "2"},
    HeldRow{"Rind", "", "2"},
    HeldRow{"ElementConnectivity", "I4 I8", "n"},
    HeldRow{"ElementStartOffset", "I4 I8", "n"},
    HeldRow{"ParentElements", "I4 I8", "elements 2"},
    HeldRow{"ParentElementsPosition", "I4 I8", "elements 2"},
    HeldRow{"ParentData", "I4 I8", "elements 4"}};
inline constexpr auto kArbitraryGridMotion =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), one(GridLocation, "GridLocation"),
             one(Rind, "Rind"));
inline constexpr std::array kHeldByArbitraryGridMotion{HeldRow{"", "R4 R8"}};
inline constexpr auto kUserDefinedData = children(
    many(DataArray, AdditionalFamilyName, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), one(IndexArray, "PointList"),
    one(IndexRange, "PointRange"), one(GridLocation, "GridLocation"), one(FamilyName, "FamilyName"),
    one(Ordinal, "Ordinal"));
inline constexpr auto kGravity =
    children(many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), required(DataArray, "GravityVector"));
inline constexpr std::array kHeldByGravity{HeldRow{"GravityVector", "R4", "phys_dim"}};
inline constexpr auto kAxisymmetry = children(
    many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
    one(DimensionalUnits, "DimensionalUnits"), required(DataArray, "AxisymmetryReferencePoint"),
    required(DataArray, "AxisymmetryAxisVector"));
inline constexpr std::array kHeldByAxisymmetry{
    HeldRow{"AxisymmetryReferencePoint", "R4", "2"}, HeldRow{"AxisymmetryAxisVector", "R4", "2"},
    HeldRow{"AxisymmetryAngle", "R4", "1"}, HeldRow{"CoordinateNames", "C1", "32 2"}};
inline constexpr auto kRotatingCoordinates =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), required(DataArray, "RotationCenter"),
             required(DataArray, "RotationRateVector"));
inline constexpr std::array kHeldByRotatingCoordinates{
    HeldRow{"RotationCenter", "R4", "phys_dim"}, HeldRow{"RotationRateVector", "R4", "phys_dim"}};
inline constexpr auto kBCProperty = children(many(Descriptor, UserDefinedData),
                                             one(WallFunction, "WallFunction"), one(Area, "Area"));
inline constexpr auto kWallFunction =
    children(many(Descriptor, UserDefinedData), required(WallFunctionType, "WallFunctionType"));
inline constexpr auto kArea =
    children(many(Descriptor, UserDefinedData), required(AreaType, "AreaType"),
             required(DataArray, "SurfaceArea"), required(DataArray, "RegionName"));
inline constexpr std::array kHeldByArea{HeldRow{"SurfaceArea", "R4", "1"},
                                        HeldRow{"RegionName", "C1", "32"}};
inline constexpr auto kGridConnectivityProperty =
    children(many(Descriptor, UserDefinedData), one(Periodic, "Periodic"),
             one(AverageInterface, "AverageInterface"));
inline constexpr auto kPeriodic =
    children(many(Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"), required(DataArray, "RotationCenter"),
             required(DataArray, "RotationAngle"), required(DataArray, "Translation"));
inline constexpr std::array kHeldByPeriodic{HeldRow{"RotationCenter", "R4", "phys_dim"},
                                            HeldRow{"RotationAngle", "R4", "phys_dim"},
                                            HeldRow{"Translation", "R4", "phys_dim"}};
inline constexpr auto kAverageInterface = children(
    many(Descriptor, UserDefinedData), required(AverageInterfaceType, "AverageInterfaceType"));
inline constexpr auto kDimensionalUnits = children(one(AdditionalUnits, "AdditionalUnits"));
inline constexpr auto kDimensionalExponents =
    children(one(AdditionalExponents, "AdditionalExponents"));
inline constexpr auto kParticleIterativeData =
    children(many(DataArray, Descriptor, UserDefinedData), one(DataClass, "DataClass"),
             one(DimensionalUnits, "DimensionalUnits"));
inline constexpr std::array kHeldByParticleIterativeData{
    HeldRow{"ParticleSolutionPointers", "C1", "32 steps"}};
inline constexpr std::array kRows{
    LabelRow<Label>{},
    LabelRow<Label>{"CGNSBase_t", "I4", "2", "cell dimension, physical dimension", "", kCGNSBase},
    LabelRow<Label>{"Zone_t", "I4 I8", "index_dim 3", "vertices, cells, boundary vertices", "",
                    kZone},
    LabelRow<Label>{"ParticleZone_t", "I4 I8", "1", "number of particles", "", kParticleZone},
    LabelRow<Label>{"ZoneSubRegion_t", "I4", "1", "dimension", "", kZoneSubRegion, true},
    LabelRow<Label>{"GridCoordinates_t", "MT R4 R8", "phys_dim 2", "bounding box, if any", "",
                    kGridCoordinates, false, kHeldByGridCoordinates},
    LabelRow<Label>{"ParticleCoordinates_t", "MT R4 R8", "phys_dim 2", "bounding box, if any", "",
                    kParticleCoordinates, false, kHeldByParticleCoordinates},
    LabelRow<Label>{"BCData_t", "MT", "", "", "", kBCData},
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
    LabelRow<Label>{"IntegralData_t", "MT", "", "", "", kIntegralData},
    LabelRow<Label>{"RigidGridMotion_t", "C1", "n", "RigidGridMotionType", "", kRigidGridMotion,
                    false, kHeldByRigidGridMotion},
    LabelRow<Label>{"BaseIterativeData_t", "I4", "1", "steps", "", kBaseIterativeData, false,
                    kHeldByBaseIterativeData},
    LabelRow<Label>{"ZoneIterativeData_t", "MT", "", "", "", kZoneIterativeData, false,
                    kHeldByZoneIterativeData},
    LabelRow<Label>{"DataArray_t", "I4 I8 U4 U8 R4 R8 C1 X4 X8", "any", "", "", kDataArray},
    LabelRow<Label>{"FlowSolution_t", "MT", "", "", "", kFlowSolution, false, kHeldByFlowSolution},
    LabelRow<Label>{"DiscreteData_t", "MT", "", "", "", kDiscreteData, false, kHeldByDiscreteData},
    LabelRow<Label>{"ParticleSolution_t", "MT", "", "", "", kParticleSolution, false,
                    kHeldByParticleSolution},
    LabelRow<Label>{"ZoneGridConnectivity_t", "MT", "", "", "", kZoneGridConnectivity},
    LabelRow<Label>{"OversetHoles_t", "MT", "", "", "", kOversetHoles, true, kHeldByOversetHoles},
    LabelRow<Label>{"GridConnectivity_t", "C1", "n", "donor zone", "", kGridConnectivity, true,
                    kHeldByGridConnectivity},
    LabelRow<Label>{"GridConnectivity1to1_t", "C1", "n", "donor zone", "", kGridConnectivity1to1},
    LabelRow<Label>{"ZoneBC_t", "MT", "", "", "", kZoneBC},
    LabelRow<Label>{"BC_t", "C1", "n", "BCType", "", kBC, true, kHeldByBC},
    LabelRow<Label>{"BCDataSet_t", "C1", "n", "BCType", "", kBCDataSet},
    LabelRow<Label>{"FamilyBCDataSet_t", "C1", "n", "BCType", "", kFamilyBCDataSet},
    LabelRow<Label>{"FlowEquationSet_t", "MT", "", "", "", kFlowEquationSet},
    LabelRow<Label>{"GoverningEquations_t", "C1", "n", "GoverningEquationsType", "",
                    kGoverningEquations},
    LabelRow<Label>{"TurbulenceModel_t", "C1", "n", "ModelType",
                    "Algebraic_BaldwinLomax Algebraic_CebeciSmith HalfEquation_JohnsonKing "
                    "OneEquation_BaldwinBarth OneEquation_SpalartAllmaras TwoEquation_JonesLaunder "
                    "TwoEquation_MenterSST TwoEquation_Wilcox",
                    kTurbulenceModel, false, kHeldByTurbulenceModel},
    LabelRow<Label>{"ParticleEquationSet_t", "MT", "", "", "", kParticleEquationSet},
    LabelRow<Label>{"ParticleGoverningEquations_t", "C1", "n", "ParticleGoverningEquationsType", "",
                    kParticleGoverningEquations},
    LabelRow<Label>{"ConvergenceHistory_t", "I4", "1", "iterations", "", kConvergenceHistory},
    LabelRow<Label>{"ReferenceState_t", "MT", "", "", "", kReferenceState, false,
                    kHeldByReferenceState},
    LabelRow<Label>{"Family_t", "MT", "", "", "", kFamily},
    LabelRow<Label>{"FamilyBC_t", "C1", "n", "BCType", "", kFamilyBC},
    LabelRow<Label>{"GeometryReference_t", "MT", "", "", "", kGeometryReference},
    LabelRow<Label>{"Elements_t", "I4", "2", "element type, last boundary element", "", kElements,
                    false, kHeldByElements},
    LabelRow<Label>{"ArbitraryGridMotion_t", "C1", "n", "ArbitraryGridMotionType", "",
                    kArbitraryGridMotion, false, kHeldByArbitraryGridMotion},
    LabelRow<Label>{"UserDefinedData_t", "MT", "", "", "", kUserDefinedData},
    LabelRow<Label>{"Gravity_t", "MT", "", "", "", kGravity, false, kHeldByGravity},
    LabelRow<Label>{"Axisymmetry_t", "MT", "", "", "", kAxisymmetry, false, kHeldByAxisymmetry},
    LabelRow<Label>{"RotatingCoordinates_t", "MT", "", "", "", kRotatingCoordinates, false,
                    kHeldByRotatingCoordinates},
    LabelRow<Label>{"BCProperty_t", "MT", "", "", "", kBCProperty},
    LabelRow<Label>{"WallFunction_t", "MT", "", "", "", kWallFunction},
    LabelRow<Label>{"Area_t", "MT", "", "", "", kArea, false, kHeldByArea},
    LabelRow<Label>{"GridConnectivityProperty_t", "MT", "", "", "", kGridConnectivityProperty},
    LabelRow<Label>{"Periodic_t", "MT", "", "", "", kPeriodic, false, kHeldByPeriodic},
    LabelRow<Label>{"AverageInterface_t", "MT", "", "", "", kAverageInterface},
    LabelRow<Label>{"DimensionalUnits_t", "C1", "32 5",
                    "MassUnits, LengthUnits, TimeUnits, TemperatureUnits, AngleUnits", "",
                    kDimensionalUnits},
    LabelRow<Label>{"DimensionalExponents_t", "R4 R8", "5", "", "", kDimensionalExponents},
    LabelRow<Label>{"Descriptor_t", "C1", "n", "text"},
    LabelRow<Label>{"DataClass_t", "C1", "n", "DataClass"},
    LabelRow<Label>{"SimulationType_t", "C1", "n", "SimulationType"},
    LabelRow<Label>{"AdditionalFamilyName_t", "C1", "n"},
    LabelRow<Label>{"Ordinal_t", "I4", "1"},
    LabelRow<Label>{"FamilyName_t", "C1", "n"},
    LabelRow<Label>{"ZoneType_t", "C1", "n"},
    LabelRow<Label>{"ParticleIterativeData_t", "MT", "", "", "", kParticleIterativeData, false,
                    kHeldByParticleIterativeData},
    LabelRow<Label>{"GridLocation_t", "C1", "n", "GridLocation"},
    LabelRow<Label>{"Rind_t", "I4", "2*index_dim", "planes at each side"},
    LabelRow<Label>{"IndexArray_t", "I4 I8 R4 R8", "index_dim n",
                    "indices, or vectors of phys_dim"},
    LabelRow<Label>{"IndexRange_t", "I4 I8", "index_dim 2", "first and last"},
    LabelRow<Label>{"DataConversion_t", "R4 R8", "2", "scale, offset"},
    LabelRow<Label>{"GridConnectivityType_t", "C1", "n", "GridConnectivityType"},
    LabelRow<Label>{"\"int[IndexDimension]\"", "I4", "index_dim"},
    LabelRow<Label>{"\"int\"", "I4", "1"},
    LabelRow<Label>{"\"int[1+...+IndexDimension]\"", "I4", "n", "1, 3 or 6 flags"},
    LabelRow<Label>{"GeometryEntity_t", "MT"},
    LabelRow<Label>{"GeometryFile_t", "C1", "n"},
    LabelRow<Label>{"GeometryFormat_t", "C1", "n"},
    LabelRow<Label>{"WallFunctionType_t", "C1", "n", "WallFunctionType"},
    LabelRow<Label>{"AreaType_t", "C1", "n", "AreaType"},
    LabelRow<Label>{"AverageInterfaceType_t", "C1", "n", "AverageInterfaceType"},
    LabelRow<Label>{"AdditionalUnits_t", "C1", "32 3",
                    "ElectricCurrentUnits, SubstanceAmountUnits, LuminousIntensityUnits"},
    LabelRow<Label>{"AdditionalExponents_t", "R4 R8", "3"},
    LabelRow<Label>{"CGNSLibraryVersion_t", "R4", "1",
                    "version of the library that wrote the file"}};
}  // namespace table

}  // namespace onecast::cgns
