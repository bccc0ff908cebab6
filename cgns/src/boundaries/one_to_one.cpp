#include <algorithm>
#include <cstdlib>
#include <functional>
#include <unordered_map>

#include "api/locations.hpp"
#include "boundaries/interfaces_of.hpp"

using namespace onecast::cgns;

namespace {

/// An interface between two ranges of points.
struct OneToOne {
  std::vector<cgsize_t> range;
  std::vector<cgsize_t> donor_range;
  std::vector<int> transform;

  bool operator==(const OneToOne&) const = default;
};

std::vector<int> transform_of(Node& interface, int dimensions) {
  const auto size = static_cast<std::size_t>(dimensions);
  if (Node* transform = interface.find("Transform"))
    return read_numbers<std::int32_t>(*transform, size);
  std::vector<int> none(size);
  for (std::size_t i = 0; i < size; ++i) none[i] = static_cast<int>(i) + 1;
  return none;
}

OneToOne read_interface(Node& interface, int dimensions) {
  const auto size = 2 * static_cast<std::size_t>(dimensions);
  return {read_numbers<cgsize_t>(required(interface, "PointRange", Label::IndexRange), size),
          read_numbers<cgsize_t>(required(interface, "PointRangeDonor", Label::IndexRange), size),
          transform_of(interface, dimensions)};
}

void give_interface(const OneToOne& read, cgsize_t* range, cgsize_t* donor_range, int* transform) {
  std::ranges::copy(read.range, range);
  std::ranges::copy(read.donor_range, donor_range);
  std::ranges::copy(read.transform, transform);
}

cgsize_t distance(const cgsize_t* range, int dimension, int dimensions) {
  return std::abs(range[dimension] - range[dimension + dimensions]);
}

/// Throws Failure unless the range lies in the zone and has as many points as the donor's range in
/// the directions that the transform pairs.
void check_interface(Node& zone, const cgsize_t* range, const cgsize_t* donor_range,
                     const int* transform) {
  if (range == nullptr || donor_range == nullptr || transform == nullptr)
    throw Failure("a range or the transform is NULL");
  const Dims vertices = dims_at(zone, Vertex);
  const auto dimensions = static_cast<int>(vertices.size());
  const auto in = [](int i) { return " of dimension " + std::to_string(i + 1); };
  for (int i = 0; i < dimensions; ++i) {
    const auto most = static_cast<cgsize_t>(vertices[static_cast<std::size_t>(i)]);
    const auto [low, high] = std::minmax(range[i], range[i + dimensions]);
    if (low < 1 || high > most)
      throw failure("the range ", range[i], "..", range[i + dimensions], in(i),
                    " is not within 1..", most);
    const int paired = std::abs(transform[i]);
    if (paired > dimensions)
      throw failure("the transform ", transform[i], in(i), " is not within ", -dimensions, "..",
                    dimensions);
    if (paired != 0 &&
        distance(range, i, dimensions) != distance(donor_range, paired - 1, dimensions))
      throw Failure("the range" + in(i) + " and the donor range" + in(paired - 1) +
                    " have not as many points");
  }
}

/// Visits each interface between two ranges in a base once, although both of its zones may have it.
void for_each_interface(OpenFile& file, Node& base,
                        const std::function<void(Node& interface, Node& donor)>& visit) {
  std::unordered_map<const Node*, std::size_t> order;
  for (const Node* zone : base.children(Label::Zone)) order.emplace(zone, order.size());
  for (Node* zone : base.children(Label::Zone)) {
    Node* active = active_set(file, *zone);
    if (active == nullptr) continue;
    std::vector<OneToOne>
        within;  // interfaces within this zone whose other side has not been visited yet
    for (Node* interface : active->children(Label::GridConnectivity1to1)) {
      Node& donor = donor_of(*interface);
      if (donor.parent() == &base && order.at(&donor) < order.at(zone)) continue;
      if (&donor == zone) {
        OneToOne read = read_interface(*interface, index_dimension(*zone));
        read.transform.clear();
        const auto other = std::ranges::find(within, OneToOne{read.donor_range, read.range, {}});
        if (other != within.end()) {
          within.erase(other);
          continue;
        }
        within.push_back(std::move(read));
      }
      visit(*interface, donor);
    }
  }
}

Node& one_to_one_at(OpenFile& file, int base, int zone, int index) {
  return in_active(file, base, zone, Label::GridConnectivity1to1, index);
}

}  // namespace

extern "C" {

int cg_n1to1(int fn, int B, int Z, int* n1to1) {
  return guarded(__func__, [&] {
    *n1to1 = count_in_active(for_reading(fn), B, Z, Label::GridConnectivity1to1);
  });
}

int cg_1to1_read(int fn, int B, int Z, int Ii, char* connectname, char* donorname, cgsize_t* range,
                 cgsize_t* donor_range, int* transform) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& interface = one_to_one_at(file, B, Z, Ii);
    if (range == nullptr || donor_range == nullptr)
      throw Failure("there is no room for the ranges");
    const OneToOne read = read_interface(interface, index_dimension(zone_at(file, B, Z)));
    give_text(donor_name(interface), donorname);
    give_name(interface, connectname);
    give_interface(read, range, donor_range, transform);
  });
}

int cg_1to1_id(int fn, int B, int Z, int Ii, double* one21_id) {
  return guarded(
      __func__, [&] { *one21_id = session().ids.id_of(one_to_one_at(for_reading(fn), B, Z, Ii)); });
}

int cg_1to1_write(int fn, int B, int Z, const char* connectname, const char* donorname,
                  const cgsize_t* range, const cgsize_t* donor_range, const int* transform,
                  int* Ii) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    Node& zone = zone_at(file, B, Z);
    const std::string donor = checked_donor(donorname);
    checked_name(connectname);
    check_interface(zone, range, donor_range, transform);
    const int dimensions = index_dimension(zone);
    Node& interface = create(active_set_for_writing(file, zone), connectname,
                             Label::GridConnectivity1to1, Value::text(donor), Ii);
    create(interface, "Transform", Label::IntPerIndex,
           Value::numbers(std::span(transform, static_cast<std::size_t>(dimensions))));
    write_indices(interface, "PointRange", Label::IndexRange, dimensions, 2, range);
    write_indices(interface, "PointRangeDonor", Label::IndexRange, dimensions, 2, donor_range);
  });
}

int cg_n1to1_global(int fn, int B, int* n1to1_global) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    int found = 0;
    for_each_interface(file, base_at(file, B), [&](Node&, Node&) { ++found; });
    *n1to1_global = found;
  });
}

int cg_1to1_read_global(int fn, int B, char** connectname, char** zonename, char** donorname,
                        cgsize_t** range, cgsize_t** donor_range, int** transform) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    std::size_t at = 0;
    for_each_interface(file, base_at(file, B), [&](Node& interface, Node&) {
      Node& zone = *interface.parent()->parent();
      if (zone_type(zone) != Structured)
        throw Failure(interface.path() + " is in a zone that is not structured");
      give_interface(read_interface(interface, index_dimension(zone)), range[at], donor_range[at],
                     transform[at]);
      give_name(interface, connectname[at]);
      give_name(zone, zonename[at]);
      give_text(donor_name(interface), donorname[at]);
      ++at;
    });
  });
}

}  // extern "C"
