// Made by tools/cgns_tables.py from cgns/enums.toml: change that.

#include "api/enum_names.hpp"

#include "cgnslib.h"

extern "C" {

const char* MassUnitsName[NofValidMassUnits] = {"Null", "UserDefined", "Kilogram",
                                                "Gram", "Slug",        "PoundMass"};
const char* cg_MassUnitsName(MassUnits_t type) {
  return cg_get_name(NofValidMassUnits, MassUnitsName, type);
}

const char* LengthUnitsName[NofValidLengthUnits] = {
    "Null", "UserDefined", "Meter", "Centimeter", "Millimeter", "Foot", "Inch"};
const char* cg_LengthUnitsName(LengthUnits_t type) {
  return cg_get_name(NofValidLengthUnits, LengthUnitsName, type);
}

const char* TimeUnitsName[NofValidTimeUnits] = {"Null", "UserDefined", "Second"};
const char* cg_TimeUnitsName(TimeUnits_t type) {
  return cg_get_name(NofValidTimeUnits, TimeUnitsName, type);
}

const char* TemperatureUnitsName[NofValidTemperatureUnits] = {
    "Null", "UserDefined", "Kelvin", "Celsius", "Rankine", "Fahrenheit"};
const char* cg_TemperatureUnitsName(TemperatureUnits_t type) {
  return cg_get_name(NofValidTemperatureUnits, TemperatureUnitsName, type);
}

const char* AngleUnitsName[NofValidAngleUnits] = {"Null", "UserDefined", "Degree", "Radian"};
const char* cg_AngleUnitsName(AngleUnits_t type) {
  return cg_get_name(NofValidAngleUnits, AngleUnitsName, type);
}

const char* ElectricCurrentUnitsName[NofValidElectricCurrentUnits] = {
    "Null", "UserDefined", "Ampere", "Abampere", "Statampere", "Edison", "a.u."};
const char* cg_ElectricCurrentUnitsName(ElectricCurrentUnits_t type) {
  return cg_get_name(NofValidElectricCurrentUnits, ElectricCurrentUnitsName, type);
}

const char* SubstanceAmountUnitsName[NofValidSubstanceAmountUnits] = {
    "Null", "UserDefined", "Mole", "Entities", "StandardCubicFoot", "StandardCubicMeter"};
const char* cg_SubstanceAmountUnitsName(SubstanceAmountUnits_t type) {
  return cg_get_name(NofValidSubstanceAmountUnits, SubstanceAmountUnitsName, type);
}

const char* LuminousIntensityUnitsName[NofValidLuminousIntensityUnits] = {
    "Null", "UserDefined", "Candela", "Candle", "Carcel", "Hefner", "Violle"};
const char* cg_LuminousIntensityUnitsName(LuminousIntensityUnits_t type) {
  return cg_get_name(NofValidLuminousIntensityUnits, LuminousIntensityUnitsName, type);
}

const char* DataClassName[NofValidDataClass] = {"Null",
                                                "UserDefined",
                                                "Dimensional",
                                                "NormalizedByDimensional",
                                                "NormalizedByUnknownDimensional",
                                                "NondimensionalParameter",
                                                "DimensionlessConstant"};
const char* cg_DataClassName(DataClass_t type) {
  return cg_get_name(NofValidDataClass, DataClassName, type);
}

const char* GridLocationName[NofValidGridLocation] = {"Null",        "UserDefined", "Vertex",
                                                      "CellCenter",  "FaceCenter",  "IFaceCenter",
                                                      "JFaceCenter", "KFaceCenter", "EdgeCenter"};
const char* cg_GridLocationName(GridLocation_t type) {
  return cg_get_name(NofValidGridLocation, GridLocationName, type);
}

const char* BCDataTypeName[NofValidBCDataTypes] = {"Null", "UserDefined", "Dirichlet", "Neumann"};
const char* cg_BCDataTypeName(BCDataType_t type) {
  return cg_get_name(NofValidBCDataTypes, BCDataTypeName, type);
}

const char* GridConnectivityTypeName[NofValidGridConnectivityTypes] = {
    "Null", "UserDefined", "Overset", "Abutting", "Abutting1to1"};
const char* cg_GridConnectivityTypeName(GridConnectivityType_t type) {
  return cg_get_name(NofValidGridConnectivityTypes, GridConnectivityTypeName, type);
}

const char* PointSetTypeName[NofValidPointSetTypes] = {
    "Null",           "UserDefined", "PointList",
    "PointListDonor", "PointRange",  "PointRangeDonor",
    "ElementRange",   "ElementList", "CellListDonor"};
const char* cg_PointSetTypeName(PointSetType_t type) {
  return cg_get_name(NofValidPointSetTypes, PointSetTypeName, type);
}

const char* GoverningEquationsTypeName[NofValidGoverningEquationsTypes] = {
    "Null",
    "UserDefined",
    "FullPotential",
    "Euler",
    "NSLaminar",
    "NSTurbulent",
    "NSLaminarIncompressible",
    "NSTurbulentIncompressible",
    "LatticeBoltzmann"};
const char* cg_GoverningEquationsTypeName(GoverningEquationsType_t type) {
  return cg_get_name(NofValidGoverningEquationsTypes, GoverningEquationsTypeName, type);
}

const char* ModelTypeName[NofValidModelTypes] = {"Null",
                                                 "UserDefined",
                                                 "Ideal",
                                                 "VanderWaals",
                                                 "Constant",
                                                 "PowerLaw",
                                                 "SutherlandLaw",
                                                 "ConstantPrandtl",
                                                 "EddyViscosity",
                                                 "ReynoldsStress",
                                                 "ReynoldsStressAlgebraic",
                                                 "Algebraic_BaldwinLomax",
                                                 "Algebraic_CebeciSmith",
                                                 "HalfEquation_JohnsonKing",
                                                 "OneEquation_BaldwinBarth",
                                                 "OneEquation_SpalartAllmaras",
                                                 "TwoEquation_JonesLaunder",
                                                 "TwoEquation_MenterSST",
                                                 "TwoEquation_Wilcox",
                                                 "CaloricallyPerfect",
                                                 "ThermallyPerfect",
                                                 "ConstantDensity",
                                                 "RedlichKwong",
                                                 "Frozen",
                                                 "ThermalEquilib",
                                                 "ThermalNonequilib",
                                                 "ChemicalEquilibCurveFit",
                                                 "ChemicalEquilibMinimization",
                                                 "ChemicalNonequilib",
                                                 "EMElectricField",
                                                 "EMMagneticField",
                                                 "EMConductivity",
                                                 "Voltage",
                                                 "Interpolated",
                                                 "Equilibrium_LinRessler",
                                                 "Chemistry_LinRessler"};
const char* cg_ModelTypeName(ModelType_t type) {
  return cg_get_name(NofValidModelTypes, ModelTypeName, type);
}

const char* ParticleGoverningEquationsTypeName[NofValidParticleGoverningEquationsTypes] = {
    "Null", "UserDefined", "DEM", "DSMC", "SPH"};
const char* cg_ParticleGoverningEquationsTypeName(ParticleGoverningEquationsType_t type) {
  return cg_get_name(NofValidParticleGoverningEquationsTypes, ParticleGoverningEquationsTypeName,
                     type);
}

const char* ParticleModelTypeName[NofValidParticleModelTypes] = {"Null",
                                                                 "UserDefined",
                                                                 "Linear",
                                                                 "NonLinear",
                                                                 "HardSphere",
                                                                 "SoftSphere",
                                                                 "LinearSpringDashpot",
                                                                 "Pair",
                                                                 "HertzMindlin",
                                                                 "HertzKuwabaraKono",
                                                                 "ORourke",
                                                                 "Stochastic",
                                                                 "NonStochastic",
                                                                 "NTC",
                                                                 "KelvinHelmholtz",
                                                                 "KelvinHelmholtzACT",
                                                                 "RayleighTaylor",
                                                                 "KelvinHelmholtzRayleighTaylor",
                                                                 "ReitzKHRT",
                                                                 "TAB",
                                                                 "ETAB",
                                                                 "LISA",
                                                                 "SHF",
                                                                 "PilchErdman",
                                                                 "ReitzDiwakar",
                                                                 "Sphere",
                                                                 "NonSphere",
                                                                 "Tracer",
                                                                 "BeetstraVanDerHoefKuipers",
                                                                 "Ergun",
                                                                 "CliftGrace",
                                                                 "Gidaspow",
                                                                 "HaiderLevenspiel",
                                                                 "PlessisMasliyah",
                                                                 "SyamlalOBrien",
                                                                 "SaffmanMei",
                                                                 "TennetiGargSubramaniam",
                                                                 "Tomiyama",
                                                                 "Stokes",
                                                                 "StokesCunningham",
                                                                 "WenYu",
                                                                 "BaiGosman",
                                                                 "Kunkhe",
                                                                 "Boil",
                                                                 "Condense",
                                                                 "Flash",
                                                                 "Nucleate",
                                                                 "Chiang",
                                                                 "Frossling",
                                                                 "FuchsKnudsen"};
const char* cg_ParticleModelTypeName(ParticleModelType_t type) {
  return cg_get_name(NofValidParticleModelTypes, ParticleModelTypeName, type);
}

const char* BCTypeName[NofValidBCTypes] = {"Null",
                                           "UserDefined",
                                           "BCAxisymmetricWedge",
                                           "BCDegenerateLine",
                                           "BCDegeneratePoint",
                                           "BCDirichlet",
                                           "BCExtrapolate",
                                           "BCFarfield",
                                           "BCGeneral",
                                           "BCInflow",
                                           "BCInflowSubsonic",
                                           "BCInflowSupersonic",
                                           "BCNeumann",
                                           "BCOutflow",
                                           "BCOutflowSubsonic",
                                           "BCOutflowSupersonic",
                                           "BCSymmetryPlane",
                                           "BCSymmetryPolar",
                                           "BCTunnelInflow",
                                           "BCTunnelOutflow",
                                           "BCWall",
                                           "BCWallInviscid",
                                           "BCWallViscous",
                                           "BCWallViscousHeatFlux",
                                           "BCWallViscousIsothermal",
                                           "FamilySpecified"};
const char* cg_BCTypeName(BCType_t type) { return cg_get_name(NofValidBCTypes, BCTypeName, type); }

const char* DataTypeName[NofValidDataTypes] = {"Null",        "UserDefined",   "Integer",
                                               "RealSingle",  "RealDouble",    "Character",
                                               "LongInteger", "ComplexSingle", "ComplexDouble"};
const char* cg_DataTypeName(DataType_t type) {
  return cg_get_name(NofValidDataTypes, DataTypeName, type);
}

const char* ElementTypeName[NofValidElementTypes] = {
    "Null",     "UserDefined", "NODE",     "BAR_2",    "BAR_3",    "TRI_3",    "TRI_6",
    "QUAD_4",   "QUAD_8",      "QUAD_9",   "TETRA_4",  "TETRA_10", "PYRA_5",   "PYRA_14",
    "PENTA_6",  "PENTA_15",    "PENTA_18", "HEXA_8",   "HEXA_20",  "HEXA_27",  "MIXED",
    "PYRA_13",  "NGON_n",      "NFACE_n",  "BAR_4",    "TRI_9",    "TRI_10",   "QUAD_12",
    "QUAD_16",  "TETRA_16",    "TETRA_20", "PYRA_21",  "PYRA_29",  "PYRA_30",  "PENTA_24",
    "PENTA_38", "PENTA_40",    "HEXA_32",  "HEXA_56",  "HEXA_64",  "BAR_5",    "TRI_12",
    "TRI_15",   "QUAD_P4_16",  "QUAD_25",  "TETRA_22", "TETRA_34", "TETRA_35", "PYRA_P4_29",
    "PYRA_50",  "PYRA_55",     "PENTA_33", "PENTA_66", "PENTA_75", "HEXA_44",  "HEXA_98",
    "HEXA_125"};
const char* cg_ElementTypeName(ElementType_t type) {
  return cg_get_name(NofValidElementTypes, ElementTypeName, type);
}

const char* ZoneTypeName[NofValidZoneTypes] = {"Null", "UserDefined", "Structured", "Unstructured"};
const char* cg_ZoneTypeName(ZoneType_t type) {
  return cg_get_name(NofValidZoneTypes, ZoneTypeName, type);
}

const char* RigidGridMotionTypeName[NofValidRigidGridMotionTypes] = {
    "Null", "UserDefined", "ConstantRate", "VariableRate"};
const char* cg_RigidGridMotionTypeName(RigidGridMotionType_t type) {
  return cg_get_name(NofValidRigidGridMotionTypes, RigidGridMotionTypeName, type);
}

const char* ArbitraryGridMotionTypeName[NofValidArbitraryGridMotionTypes] = {
    "Null", "UserDefined", "NonDeformingGrid", "DeformingGrid"};
const char* cg_ArbitraryGridMotionTypeName(ArbitraryGridMotionType_t type) {
  return cg_get_name(NofValidArbitraryGridMotionTypes, ArbitraryGridMotionTypeName, type);
}

const char* SimulationTypeName[NofValidSimulationTypes] = {"Null", "UserDefined", "TimeAccurate",
                                                           "NonTimeAccurate"};
const char* cg_SimulationTypeName(SimulationType_t type) {
  return cg_get_name(NofValidSimulationTypes, SimulationTypeName, type);
}

const char* WallFunctionTypeName[NofValidWallFunctionTypes] = {"Null", "UserDefined", "Generic"};
const char* cg_WallFunctionTypeName(WallFunctionType_t type) {
  return cg_get_name(NofValidWallFunctionTypes, WallFunctionTypeName, type);
}

const char* AreaTypeName[NofValidAreaTypes] = {"Null", "UserDefined", "BleedArea", "CaptureArea"};
const char* cg_AreaTypeName(AreaType_t type) {
  return cg_get_name(NofValidAreaTypes, AreaTypeName, type);
}

const char* AverageInterfaceTypeName[NofValidAverageInterfaceTypes] = {
    "Null",          "UserDefined", "AverageAll", "AverageCircumferential",
    "AverageRadial", "AverageI",    "AverageJ",   "AverageK"};
const char* cg_AverageInterfaceTypeName(AverageInterfaceType_t type) {
  return cg_get_name(NofValidAverageInterfaceTypes, AverageInterfaceTypeName, type);
}

}  // extern "C"

std::span<const char* const> onecast::cgns::names_of_enum(std::string_view name) {
  if (name == "MassUnits") return MassUnitsName;
  if (name == "LengthUnits") return LengthUnitsName;
  if (name == "TimeUnits") return TimeUnitsName;
  if (name == "TemperatureUnits") return TemperatureUnitsName;
  if (name == "AngleUnits") return AngleUnitsName;
  if (name == "ElectricCurrentUnits") return ElectricCurrentUnitsName;
  if (name == "SubstanceAmountUnits") return SubstanceAmountUnitsName;
  if (name == "LuminousIntensityUnits") return LuminousIntensityUnitsName;
  if (name == "DataClass") return DataClassName;
  if (name == "GridLocation") return GridLocationName;
  if (name == "BCDataType") return BCDataTypeName;
  if (name == "GridConnectivityType") return GridConnectivityTypeName;
  if (name == "PointSetType") return PointSetTypeName;
  if (name == "GoverningEquationsType") return GoverningEquationsTypeName;
  if (name == "ModelType") return ModelTypeName;
  if (name == "ParticleGoverningEquationsType") return ParticleGoverningEquationsTypeName;
  if (name == "ParticleModelType") return ParticleModelTypeName;
  if (name == "BCType") return BCTypeName;
  if (name == "DataType") return DataTypeName;
  if (name == "ElementType") return ElementTypeName;
  if (name == "ZoneType") return ZoneTypeName;
  if (name == "RigidGridMotionType") return RigidGridMotionTypeName;
  if (name == "ArbitraryGridMotionType") return ArbitraryGridMotionTypeName;
  if (name == "SimulationType") return SimulationTypeName;
  if (name == "WallFunctionType") return WallFunctionTypeName;
  if (name == "AreaType") return AreaTypeName;
  if (name == "AverageInterfaceType") return AverageInterfaceTypeName;
  return {};
}
