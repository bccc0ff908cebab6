#pragma once

#include "api/array_family.hpp"

/// Zones of particles, for cg_particle_ and cgp_particle_ functions. Their arrays have one
/// dimension.
namespace onecast::cgns {

Node& particles_at(OpenFile& file, int base, int particles);
std::uint64_t particle_count(Node& particles);
/// Where coordinates lie: ParticleCoordinates, which is created for writing. For reading, Failure
/// (node not found) if there is none.
ArrayHolder particle_grid_for_writing(int fn, int base, int particles);
Node& particle_grid(OpenFile& file, int base, int particles);
Node& particle_solution_at(OpenFile& file, int base, int particles, int solution);
/// A solution has a value for each particle, or for those of its points.
ArrayHolder particle_fields(OpenFile& file, int base, int particles, int solution);

}  // namespace onecast::cgns
