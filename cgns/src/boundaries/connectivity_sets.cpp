#include "boundaries/interfaces_of.hpp"

using namespace onecast::cgns;

namespace onecast::cgns {

int active_set_index(OpenFile& file, Node& zone) {
  const int sets = count(zone, Label::ZoneGridConnectivity);
  if (sets == 0) return 0;
  const auto found = file.active_connectivity.find(&zone);
  return found == file.active_connectivity.end() || found->second > sets ? 1 : found->second;
}

void set_active(OpenFile& file, Node& zone, int index) { file.active_connectivity[&zone] = index; }

Node* active_set(OpenFile& file, Node& zone) {
  const int index = active_set_index(file, zone);
  return index == 0 ? nullptr : &child_at(zone, Label::ZoneGridConnectivity, index);
}

Node& active_set_for_writing(OpenFile& file, Node& zone) {
  if (Node* active = active_set(file, zone)) return *active;
  return create(zone, "ZoneGridConnectivity", Label::ZoneGridConnectivity, {});
}

int count_in_active(OpenFile& file, int base, int zone, Label kind) {
  Node* active = active_set(file, zone_at(file, base, zone));
  return active == nullptr ? 0 : count(*active, kind);
}

Node& in_active(OpenFile& file, int base, int zone_index, Label kind, int index) {
  Node& zone = zone_at(file, base, zone_index);
  Node* active = active_set(file, zone);
  if (active == nullptr)
    throw Failure(zone.path() + " has no ZoneGridConnectivity_t", Failure::kNodeNotFound);
  return child_at(*active, kind, index);
}

std::string checked_donor(const char* name) {
  if (name == nullptr) throw Failure("the name of the donor zone is NULL");
  const std::string_view text = name;
  const auto slash = text.find('/');
  const auto zone = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (slash != std::string_view::npos) checked_name(std::string(text.substr(0, slash)).c_str());
  checked_name(std::string(zone).c_str());
  return std::string(text);
}

std::string donor_name(Node& interface) {
  std::string name = read_text(interface);
  if (name.size() > 2 * kLongestName + 1)
    throw Failure(interface.path() + ": the name of the donor zone has more than 65 characters");
  return name;
}

Node& donor_of(Node& interface) {
  Node& base = *interface.parent()->parent()->parent();
  const std::string donor = donor_name(interface);
  std::string_view zone = donor;
  Node* in = &base;
  if (const auto slash = zone.find('/'); slash != std::string_view::npos) {
    in = base.parent()->find(trimmed(zone.substr(0, slash)), Label::CGNSBase);
    zone.remove_prefix(slash + 1);
  }
  zone = trimmed(zone);
  Node* found = in == nullptr ? nullptr : in->find(zone, Label::Zone);
  if (found == nullptr)
    throw Failure(interface.path() + ": there is no donor zone '" + donor + "'");
  return *found;
}

}  // namespace onecast::cgns

extern "C" {

int cg_nzconns(int fn, int B, int Z, int* nzconns) {
  return guarded(__func__, [&] {
    *nzconns = count(zone_at(for_reading(fn), B, Z), Label::ZoneGridConnectivity);
  });
}

int cg_zconn_read(int fn, int B, int Z, int C, char* name) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& zone = zone_at(file, B, Z);
    give_name(child_at(zone, Label::ZoneGridConnectivity, C), name);
    set_active(file, zone, C);
  });
}

int cg_zconn_write(int fn, int B, int Z, const char* name, int* C) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    Node& zone = zone_at(file, B, Z);
    const int index = index_of(create(zone, name, Label::ZoneGridConnectivity, {}));
    set_active(file, zone, index);
    *C = index;
  });
}

int cg_zconn_get(int fn, int B, int Z, int* C) {
  return guarded(__func__, [&] {
    OpenFile& file = opened(fn);
    Node& zone = zone_at(file, B, Z);
    *C = active_set_index(file, zone);
    if (*C == 0) throw Failure(zone.path() + " has no ZoneGridConnectivity_t", CG_NODE_NOT_FOUND);
  });
}

int cg_zconn_set(int fn, int B, int Z, int C) {
  return guarded(__func__, [&] {
    OpenFile& file = opened(fn);
    Node& zone = zone_at(file, B, Z);
    child_at(zone, Label::ZoneGridConnectivity, C);
    set_active(file, zone, C);
  });
}

}  // extern "C"
