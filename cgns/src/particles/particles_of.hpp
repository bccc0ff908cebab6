#pragma once

#include "api/array_family.hpp"

/// Zones of particles, for cg_particle_ and cgp_particle_ functions. Their arrays are
/// one-dimensional.
namespace onecast::cgns {

Node& particles_at(OpenFile& file, int base, int particles);
std::uint64_t particle_count(Node& particles);
/// The holder of coordinates: ParticleCoordinates. The first function creates it if it is missing;
/// the second throws Failure (node not found).
ArrayHolder particle_grid_for_writing(int fn, int base, int particles);
Node& particle_grid(OpenFile& file, int base, int particles);
Node& particle_solution_at(OpenFile& file, int base, int particles, int solution);
/// The holder of fields of a solution, which has a value for each particle, or for each of its
/// points.
ArrayHolder particle_fields(OpenFile& file, int base, int particles, int solution);

}  // namespace onecast::cgns
