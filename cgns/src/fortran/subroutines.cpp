// Made by tools/cgns_tables.py from cgns/functions.toml: change that.
#include "cgns_io.h"
#include "cgnslib.h"
#include "fortran/texts.hpp"

using namespace onecast::cgns::fortran;

extern "C" {

void cg_is_cgns_f_(const char* filename, int* file_type, int* ier, std::size_t filename_length) {
  *ier = cg_is_cgns(Text(filename, filename_length), file_type);
}

void cg_open_f_(const char* filename, const int* mode, int* fn, int* ier,
                std::size_t filename_length) {
  *ier = cg_open(Text(filename, filename_length), *mode, fn);
}

void cg_version_f_(const int* fn, float* FileVersion, int* ier) {
  *ier = cg_version(*fn, FileVersion);
}
ONECAST_CGNS_ALSO(cg_version_f_, cg_version_f);

void cg_precision_f_(const int* fn, int* precision, int* ier) {
  *ier = cg_precision(*fn, precision);
}
ONECAST_CGNS_ALSO(cg_precision_f_, cg_precision_f);

void cg_close_f_(const int* fn, int* ier) { *ier = cg_close(*fn); }
ONECAST_CGNS_ALSO(cg_close_f_, cg_close_f);

void cg_save_as_f_(const int* fn, const char* filename, const int* file_type,
                   const int* follow_links, int* ier, std::size_t filename_length) {
  *ier = cg_save_as(*fn, Text(filename, filename_length), *file_type, *follow_links);
}

void cg_set_file_type_f_(const int* file_type, int* ier) { *ier = cg_set_file_type(*file_type); }
ONECAST_CGNS_ALSO(cg_set_file_type_f_, cg_set_file_type_f);

void cg_get_file_type_f_(const int* fn, int* file_type, int* ier) {
  *ier = cg_get_file_type(*fn, file_type);
}
ONECAST_CGNS_ALSO(cg_get_file_type_f_, cg_get_file_type_f);

void cg_root_id_f_(const int* fn, double* rootid, int* ier) { *ier = cg_root_id(*fn, rootid); }
ONECAST_CGNS_ALSO(cg_root_id_f_, cg_root_id_f);

void cg_get_cgio_f_(const int* fn, int* cgio_num, int* ier) { *ier = cg_get_cgio(*fn, cgio_num); }
ONECAST_CGNS_ALSO(cg_get_cgio_f_, cg_get_cgio_f);

void cg_set_compress_f_(const int* compress, int* ier) { *ier = cg_set_compress(*compress); }
ONECAST_CGNS_ALSO(cg_set_compress_f_, cg_set_compress_f);

void cg_get_compress_f_(int* compress, int* ier) { *ier = cg_get_compress(compress); }
ONECAST_CGNS_ALSO(cg_get_compress_f_, cg_get_compress_f);

void cg_set_path_f_(const char* path, int* ier, std::size_t path_length) {
  *ier = cg_set_path(Text(path, path_length));
}

void cg_add_path_f_(const char* path, int* ier, std::size_t path_length) {
  *ier = cg_add_path(Text(path, path_length));
}

void cg_error_exit_f_() { cg_error_exit(); }
ONECAST_CGNS_ALSO(cg_error_exit_f_, cg_error_exit_f);

void cg_error_print_f_() { cg_error_print(); }
ONECAST_CGNS_ALSO(cg_error_print_f_, cg_error_print_f);

void cg_nbases_f_(const int* fn, int* nbases, int* ier) { *ier = cg_nbases(*fn, nbases); }
ONECAST_CGNS_ALSO(cg_nbases_f_, cg_nbases_f);

void cg_base_read_f_(const int* fn, const int* B, char* basename, int* cell_dim, int* phys_dim,
                     int* ier, std::size_t basename_length) {
  *ier = cg_base_read(*fn, *B, ReadText(basename, basename_length, ier), cell_dim, phys_dim);
}

void cg_base_id_f_(const int* fn, const int* B, double* base_id, int* ier) {
  *ier = cg_base_id(*fn, *B, base_id);
}
ONECAST_CGNS_ALSO(cg_base_id_f_, cg_base_id_f);

void cg_base_write_f_(const int* fn, const char* basename, const int* cell_dim, const int* phys_dim,
                      int* B, int* ier, std::size_t basename_length) {
  *ier = cg_base_write(*fn, Name(basename, basename_length), *cell_dim, *phys_dim, B);
}

void cg_cell_dim_f_(const int* fn, const int* B, int* cell_dim, int* ier) {
  *ier = cg_cell_dim(*fn, *B, cell_dim);
}
ONECAST_CGNS_ALSO(cg_cell_dim_f_, cg_cell_dim_f);

void cg_nzones_f_(const int* fn, const int* B, int* nzones, int* ier) {
  *ier = cg_nzones(*fn, *B, nzones);
}
ONECAST_CGNS_ALSO(cg_nzones_f_, cg_nzones_f);

void cg_zone_read_f_(const int* fn, const int* B, const int* Z, char* zonename, cgsize_t* size,
                     int* ier, std::size_t zonename_length) {
  *ier = cg_zone_read(*fn, *B, *Z, ReadText(zonename, zonename_length, ier), size);
}

void cg_zone_type_f_(const int* fn, const int* B, const int* Z, ZoneType_t* type, int* ier) {
  *ier = cg_zone_type(*fn, *B, *Z, type);
}
ONECAST_CGNS_ALSO(cg_zone_type_f_, cg_zone_type_f);

void cg_zone_id_f_(const int* fn, const int* B, const int* Z, double* zone_id, int* ier) {
  *ier = cg_zone_id(*fn, *B, *Z, zone_id);
}
ONECAST_CGNS_ALSO(cg_zone_id_f_, cg_zone_id_f);

void cg_zone_write_f_(const int* fn, const int* B, const char* zonename, const cgsize_t* size,
                      const ZoneType_t* type, int* Z, int* ier, std::size_t zonename_length) {
  *ier = cg_zone_write(*fn, *B, Name(zonename, zonename_length), size, *type, Z);
}

void cg_index_dim_f_(const int* fn, const int* B, const int* Z, int* index_dim, int* ier) {
  *ier = cg_index_dim(*fn, *B, *Z, index_dim);
}
ONECAST_CGNS_ALSO(cg_index_dim_f_, cg_index_dim_f);

void cg_nfamilies_f_(const int* fn, const int* B, int* nfamilies, int* ier) {
  *ier = cg_nfamilies(*fn, *B, nfamilies);
}
ONECAST_CGNS_ALSO(cg_nfamilies_f_, cg_nfamilies_f);

void cg_family_read_f_(const int* fn, const int* B, const int* F, char* family_name, int* nboco,
                       int* ngeos, int* ier, std::size_t family_name_length) {
  *ier = cg_family_read(*fn, *B, *F, ReadText(family_name, family_name_length, ier), nboco, ngeos);
}

void cg_family_write_f_(const int* fn, const int* B, const char* family_name, int* F, int* ier,
                        std::size_t family_name_length) {
  *ier = cg_family_write(*fn, *B, Text(family_name, family_name_length), F);
}

void cg_nfamily_names_f_(const int* fn, const int* B, const int* F, int* nnames, int* ier) {
  *ier = cg_nfamily_names(*fn, *B, *F, nnames);
}
ONECAST_CGNS_ALSO(cg_nfamily_names_f_, cg_nfamily_names_f);

void cg_family_name_read_f_(const int* fn, const int* B, const int* F, const int* N, char* name,
                            char* family, int* ier, std::size_t name_length,
                            std::size_t family_length) {
  *ier = cg_family_name_read(*fn, *B, *F, *N, ReadText(name, name_length, ier),
                             ReadText(family, family_length, ier));
}

void cg_family_name_write_f_(const int* fn, const int* B, const int* F, const char* name,
                             const char* family, int* ier, std::size_t name_length,
                             std::size_t family_length) {
  *ier = cg_family_name_write(*fn, *B, *F, Name(name, name_length), Text(family, family_length));
}

void cg_fambc_read_f_(const int* fn, const int* B, const int* F, const int* BC, char* fambc_name,
                      BCType_t* bocotype, int* ier, std::size_t fambc_name_length) {
  *ier = cg_fambc_read(*fn, *B, *F, *BC, ReadText(fambc_name, fambc_name_length, ier), bocotype);
}

void cg_fambc_write_f_(const int* fn, const int* B, const int* F, const char* fambc_name,
                       const BCType_t* bocotype, int* BC, int* ier, std::size_t fambc_name_length) {
  *ier = cg_fambc_write(*fn, *B, *F, Name(fambc_name, fambc_name_length), *bocotype, BC);
}

void cg_geo_read_f_(const int* fn, const int* B, const int* F, const int* G, char* geo_name,
                    char* geo_file, char* CAD_name, int* npart, int* ier,
                    std::size_t geo_name_length, std::size_t geo_file_length,
                    std::size_t CAD_name_length) {
  *ier = cg_geo_read(*fn, *B, *F, *G, ReadText(geo_name, geo_name_length, ier),
                     AllocatedText(geo_file, geo_file_length, ier),
                     ReadText(CAD_name, CAD_name_length, ier), npart);
}

void cg_geo_write_f_(const int* fn, const int* B, const int* F, const char* geo_name,
                     const char* filename, const char* CADname, int* G, int* ier,
                     std::size_t geo_name_length, std::size_t filename_length,
                     std::size_t CADname_length) {
  *ier = cg_geo_write(*fn, *B, *F, Name(geo_name, geo_name_length), Text(filename, filename_length),
                      Text(CADname, CADname_length), G);
}

void cg_part_read_f_(const int* fn, const int* B, const int* F, const int* G, const int* P,
                     char* part_name, int* ier, std::size_t part_name_length) {
  *ier = cg_part_read(*fn, *B, *F, *G, *P, ReadText(part_name, part_name_length, ier));
}

void cg_part_write_f_(const int* fn, const int* B, const int* F, const int* G,
                      const char* part_name, int* P, int* ier, std::size_t part_name_length) {
  *ier = cg_part_write(*fn, *B, *F, *G, Name(part_name, part_name_length), P);
}

void cg_node_family_write_f_(const char* family_name, int* F, int* ier,
                             std::size_t family_name_length) {
  *ier = cg_node_family_write(Text(family_name, family_name_length), F);
}

void cg_node_nfamilies_f_(int* nfamilies, int* ier) { *ier = cg_node_nfamilies(nfamilies); }
ONECAST_CGNS_ALSO(cg_node_nfamilies_f_, cg_node_nfamilies_f);

void cg_node_family_read_f_(const int* F, char* family_name, int* nFamBC, int* nGeo, int* ier,
                            std::size_t family_name_length) {
  *ier = cg_node_family_read(*F, ReadText(family_name, family_name_length, ier), nFamBC, nGeo);
}

void cg_node_family_name_write_f_(const char* node_name, const char* family_name, int* ier,
                                  std::size_t node_name_length, std::size_t family_name_length) {
  *ier = cg_node_family_name_write(Name(node_name, node_name_length),
                                   Text(family_name, family_name_length));
}

void cg_node_nfamily_names_f_(int* nnames, int* ier) { *ier = cg_node_nfamily_names(nnames); }
ONECAST_CGNS_ALSO(cg_node_nfamily_names_f_, cg_node_nfamily_names_f);

void cg_node_family_name_read_f_(const int* N, char* node_name, char* family_name, int* ier,
                                 std::size_t node_name_length, std::size_t family_name_length) {
  *ier = cg_node_family_name_read(*N, ReadText(node_name, node_name_length, ier),
                                  ReadText(family_name, family_name_length, ier));
}

void cg_node_fambc_read_f_(const int* BC, char* fambc_name, BCType_t* bocotype, int* ier,
                           std::size_t fambc_name_length) {
  *ier = cg_node_fambc_read(*BC, ReadText(fambc_name, fambc_name_length, ier), bocotype);
}

void cg_node_fambc_write_f_(const char* fambc_name, const BCType_t* bocotype, int* BC, int* ier,
                            std::size_t fambc_name_length) {
  *ier = cg_node_fambc_write(Name(fambc_name, fambc_name_length), *bocotype, BC);
}

void cg_node_geo_read_f_(const int* G, char* geo_name, char* geo_file, char* CAD_name, int* npart,
                         int* ier, std::size_t geo_name_length, std::size_t geo_file_length,
                         std::size_t CAD_name_length) {
  *ier = cg_node_geo_read(*G, ReadText(geo_name, geo_name_length, ier),
                          AllocatedText(geo_file, geo_file_length, ier),
                          ReadText(CAD_name, CAD_name_length, ier), npart);
}

void cg_node_geo_write_f_(const char* geo_name, const char* filename, const char* CADname, int* G,
                          int* ier, std::size_t geo_name_length, std::size_t filename_length,
                          std::size_t CADname_length) {
  *ier = cg_node_geo_write(Name(geo_name, geo_name_length), Text(filename, filename_length),
                           Text(CADname, CADname_length), G);
}

void cg_node_part_read_f_(const int* G, const int* P, char* part_name, int* ier,
                          std::size_t part_name_length) {
  *ier = cg_node_part_read(*G, *P, ReadText(part_name, part_name_length, ier));
}

void cg_node_part_write_f_(const int* G, const char* part_name, int* P, int* ier,
                           std::size_t part_name_length) {
  *ier = cg_node_part_write(*G, Name(part_name, part_name_length), P);
}

void cg_famname_read_f_(char* family_name, int* ier, std::size_t family_name_length) {
  *ier = cg_famname_read(ReadText(family_name, family_name_length, ier));
}

void cg_famname_write_f_(const char* family_name, int* ier, std::size_t family_name_length) {
  *ier = cg_famname_write(Text(family_name, family_name_length));
}

void cg_nmultifam_f_(int* nfams, int* ier) { *ier = cg_nmultifam(nfams); }
ONECAST_CGNS_ALSO(cg_nmultifam_f_, cg_nmultifam_f);

void cg_multifam_read_f_(const int* N, char* name, char* family, int* ier, std::size_t name_length,
                         std::size_t family_length) {
  *ier =
      cg_multifam_read(*N, ReadText(name, name_length, ier), ReadText(family, family_length, ier));
}

void cg_multifam_write_f_(const char* name, const char* family, int* ier, std::size_t name_length,
                          std::size_t family_length) {
  *ier = cg_multifam_write(Name(name, name_length), Text(family, family_length));
}

void cg_ngrids_f_(const int* fn, const int* B, const int* Z, int* ngrids, int* ier) {
  *ier = cg_ngrids(*fn, *B, *Z, ngrids);
}
ONECAST_CGNS_ALSO(cg_ngrids_f_, cg_ngrids_f);

void cg_grid_read_f_(const int* fn, const int* B, const int* Z, const int* G, char* gridname,
                     int* ier, std::size_t gridname_length) {
  *ier = cg_grid_read(*fn, *B, *Z, *G, ReadText(gridname, gridname_length, ier));
}

void cg_grid_write_f_(const int* fn, const int* B, const int* Z, const char* zcoorname, int* G,
                      int* ier, std::size_t zcoorname_length) {
  *ier = cg_grid_write(*fn, *B, *Z, Name(zcoorname, zcoorname_length), G);
}

void cg_grid_bounding_box_read_f_(const int* fn, const int* B, const int* Z, const int* G,
                                  const DataType_t* type, void* boundingbox, int* ier) {
  *ier = cg_grid_bounding_box_read(*fn, *B, *Z, *G, *type, boundingbox);
}
ONECAST_CGNS_ALSO(cg_grid_bounding_box_read_f_, cg_grid_bounding_box_read_f);

void cg_grid_bounding_box_write_f_(const int* fn, const int* B, const int* Z, const int* G,
                                   const DataType_t* type, void* boundingbox, int* ier) {
  *ier = cg_grid_bounding_box_write(*fn, *B, *Z, *G, *type, boundingbox);
}
ONECAST_CGNS_ALSO(cg_grid_bounding_box_write_f_, cg_grid_bounding_box_write_f);

void cg_ncoords_f_(const int* fn, const int* B, const int* Z, int* ncoords, int* ier) {
  *ier = cg_ncoords(*fn, *B, *Z, ncoords);
}
ONECAST_CGNS_ALSO(cg_ncoords_f_, cg_ncoords_f);

void cg_coord_info_f_(const int* fn, const int* B, const int* Z, const int* C, DataType_t* type,
                      char* coordname, int* ier, std::size_t coordname_length) {
  *ier = cg_coord_info(*fn, *B, *Z, *C, type, ReadText(coordname, coordname_length, ier));
}

void cg_coord_read_f_(const int* fn, const int* B, const int* Z, const char* coordname,
                      const DataType_t* type, const cgsize_t* rmin, const cgsize_t* rmax,
                      void* coord, int* ier, std::size_t coordname_length) {
  *ier = cg_coord_read(*fn, *B, *Z, Name(coordname, coordname_length), *type, rmin, rmax, coord);
}

void cg_coord_general_read_f_(const int* fn, const int* B, const int* Z, const char* coordname,
                              const cgsize_t* s_rmin, const cgsize_t* s_rmax,
                              const DataType_t* m_type, const int* m_numdim,
                              const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                              const cgsize_t* m_rmax, void* coord_ptr, int* ier,
                              std::size_t coordname_length) {
  *ier = cg_coord_general_read(*fn, *B, *Z, Name(coordname, coordname_length), s_rmin, s_rmax,
                               *m_type, *m_numdim, m_dimvals, m_rmin, m_rmax, coord_ptr);
}

void cg_coord_id_f_(const int* fn, const int* B, const int* Z, const int* C, double* coord_id,
                    int* ier) {
  *ier = cg_coord_id(*fn, *B, *Z, *C, coord_id);
}
ONECAST_CGNS_ALSO(cg_coord_id_f_, cg_coord_id_f);

void cg_coord_write_f_(const int* fn, const int* B, const int* Z, const DataType_t* type,
                       const char* coordname, const void* coord_ptr, int* C, int* ier,
                       std::size_t coordname_length) {
  *ier = cg_coord_write(*fn, *B, *Z, *type, Name(coordname, coordname_length), coord_ptr, C);
}

void cg_coord_partial_write_f_(const int* fn, const int* B, const int* Z, const DataType_t* type,
                               const char* coordname, const cgsize_t* rmin, const cgsize_t* rmax,
                               const void* coord_ptr, int* C, int* ier,
                               std::size_t coordname_length) {
  *ier = cg_coord_partial_write(*fn, *B, *Z, *type, Name(coordname, coordname_length), rmin, rmax,
                                coord_ptr, C);
}

void cg_coord_general_write_f_(const int* fn, const int* B, const int* Z, const char* coordname,
                               const DataType_t* s_type, const cgsize_t* rmin, const cgsize_t* rmax,
                               const DataType_t* m_type, const int* m_numdim,
                               const cgsize_t* m_dims, const cgsize_t* m_rmin,
                               const cgsize_t* m_rmax, const void* coord_ptr, int* C, int* ier,
                               std::size_t coordname_length) {
  *ier = cg_coord_general_write(*fn, *B, *Z, Name(coordname, coordname_length), *s_type, rmin, rmax,
                                *m_type, *m_numdim, m_dims, m_rmin, m_rmax, coord_ptr, C);
}

void cg_nsections_f_(const int* fn, const int* B, const int* Z, int* nsections, int* ier) {
  *ier = cg_nsections(*fn, *B, *Z, nsections);
}
ONECAST_CGNS_ALSO(cg_nsections_f_, cg_nsections_f);

void cg_section_read_f_(const int* fn, const int* B, const int* Z, const int* S, char* SectionName,
                        ElementType_t* type, cgsize_t* start, cgsize_t* end, int* nbndry,
                        int* parent_flag, int* ier, std::size_t SectionName_length) {
  *ier = cg_section_read(*fn, *B, *Z, *S, ReadText(SectionName, SectionName_length, ier), type,
                         start, end, nbndry, parent_flag);
}

void cg_elements_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                         cgsize_t* elements, cgsize_t* parent_data, int* ier) {
  *ier = cg_elements_read(*fn, *B, *Z, *S, elements, parent_data);
}
ONECAST_CGNS_ALSO(cg_elements_read_f_, cg_elements_read_f);

void cg_poly_elements_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                              cgsize_t* elements, cgsize_t* connect_offset, cgsize_t* parent_data,
                              int* ier) {
  *ier = cg_poly_elements_read(*fn, *B, *Z, *S, elements, connect_offset, parent_data);
}
ONECAST_CGNS_ALSO(cg_poly_elements_read_f_, cg_poly_elements_read_f);

void cg_section_write_f_(const int* fn, const int* B, const int* Z, const char* SectionName,
                         const ElementType_t* type, const cgsize_t* start, const cgsize_t* end,
                         const int* nbndry, const cgsize_t* elements, int* S, int* ier,
                         std::size_t SectionName_length) {
  *ier = cg_section_write(*fn, *B, *Z, Name(SectionName, SectionName_length), *type, *start, *end,
                          *nbndry, elements, S);
}

void cg_poly_section_write_f_(const int* fn, const int* B, const int* Z, const char* SectionName,
                              const ElementType_t* type, const cgsize_t* start, const cgsize_t* end,
                              const int* nbndry, const cgsize_t* elements,
                              const cgsize_t* connect_offset, int* S, int* ier,
                              std::size_t SectionName_length) {
  *ier = cg_poly_section_write(*fn, *B, *Z, Name(SectionName, SectionName_length), *type, *start,
                               *end, *nbndry, elements, connect_offset, S);
}

void cg_section_general_write_f_(const int* fn, const int* B, const int* Z, const char* SectionName,
                                 const ElementType_t* type, const DataType_t* elementDataType,
                                 const cgsize_t* start, const cgsize_t* end,
                                 const cgsize_t* elementDataSize, const int* nbndry, int* S,
                                 int* ier, std::size_t SectionName_length) {
  *ier = cg_section_general_write(*fn, *B, *Z, Name(SectionName, SectionName_length), *type,
                                  *elementDataType, *start, *end, *elementDataSize, *nbndry, S);
}

void cg_section_initialize_f_(const int* fn, const int* B, const int* Z, const int* S, int* ier) {
  *ier = cg_section_initialize(*fn, *B, *Z, *S);
}
ONECAST_CGNS_ALSO(cg_section_initialize_f_, cg_section_initialize_f);

void cg_parent_data_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                             const cgsize_t* parent_data, int* ier) {
  *ier = cg_parent_data_write(*fn, *B, *Z, *S, parent_data);
}
ONECAST_CGNS_ALSO(cg_parent_data_write_f_, cg_parent_data_write_f);

void cg_npe_f_(const ElementType_t* type, int* npe, int* ier) { *ier = cg_npe(*type, npe); }
ONECAST_CGNS_ALSO(cg_npe_f_, cg_npe_f);

void cg_elementdatasize_f_(const int* fn, const int* B, const int* Z, const int* S,
                           cgsize_t* ElementDataSize, int* ier) {
  *ier = cg_ElementDataSize(*fn, *B, *Z, *S, ElementDataSize);
}
ONECAST_CGNS_ALSO(cg_elementdatasize_f_, cg_elementdatasize_f);

void cg_section_partial_write_f_(const int* fn, const int* B, const int* Z, const char* SectionName,
                                 const ElementType_t* type, const cgsize_t* start,
                                 const cgsize_t* end, const int* nbndry, int* S, int* ier,
                                 std::size_t SectionName_length) {
  *ier = cg_section_partial_write(*fn, *B, *Z, Name(SectionName, SectionName_length), *type, *start,
                                  *end, *nbndry, S);
}

void cg_elements_partial_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                                  const cgsize_t* start, const cgsize_t* end,
                                  const cgsize_t* elements, int* ier) {
  *ier = cg_elements_partial_write(*fn, *B, *Z, *S, *start, *end, elements);
}
ONECAST_CGNS_ALSO(cg_elements_partial_write_f_, cg_elements_partial_write_f);

void cg_elements_general_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                                  const cgsize_t* start, const cgsize_t* end,
                                  const DataType_t* m_type, const void* elements, int* ier) {
  *ier = cg_elements_general_write(*fn, *B, *Z, *S, *start, *end, *m_type, elements);
}
ONECAST_CGNS_ALSO(cg_elements_general_write_f_, cg_elements_general_write_f);

void cg_poly_elements_partial_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                                       const cgsize_t* start, const cgsize_t* end,
                                       const cgsize_t* elements, const cgsize_t* connect_offset,
                                       int* ier) {
  *ier = cg_poly_elements_partial_write(*fn, *B, *Z, *S, *start, *end, elements, connect_offset);
}
ONECAST_CGNS_ALSO(cg_poly_elements_partial_write_f_, cg_poly_elements_partial_write_f);

void cg_poly_elements_general_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                                       const cgsize_t* start, const cgsize_t* end,
                                       const DataType_t* m_type, const void* elements,
                                       const void* connect_offset, int* ier) {
  *ier = cg_poly_elements_general_write(*fn, *B, *Z, *S, *start, *end, *m_type, elements,
                                        connect_offset);
}
ONECAST_CGNS_ALSO(cg_poly_elements_general_write_f_, cg_poly_elements_general_write_f);

void cg_parent_data_partial_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                                     const cgsize_t* start, const cgsize_t* end,
                                     const cgsize_t* ParentData, int* ier) {
  *ier = cg_parent_data_partial_write(*fn, *B, *Z, *S, *start, *end, ParentData);
}
ONECAST_CGNS_ALSO(cg_parent_data_partial_write_f_, cg_parent_data_partial_write_f);

void cg_elements_partial_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                                 const cgsize_t* start, const cgsize_t* end, cgsize_t* elements,
                                 cgsize_t* parent_data, int* ier) {
  *ier = cg_elements_partial_read(*fn, *B, *Z, *S, *start, *end, elements, parent_data);
}
ONECAST_CGNS_ALSO(cg_elements_partial_read_f_, cg_elements_partial_read_f);

void cg_poly_elements_partial_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                                      const cgsize_t* start, const cgsize_t* end,
                                      cgsize_t* elements, cgsize_t* connect_offset,
                                      cgsize_t* parent_data, int* ier) {
  *ier = cg_poly_elements_partial_read(*fn, *B, *Z, *S, *start, *end, elements, connect_offset,
                                       parent_data);
}
ONECAST_CGNS_ALSO(cg_poly_elements_partial_read_f_, cg_poly_elements_partial_read_f);

void cg_elements_general_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                                 const cgsize_t* start, const cgsize_t* end,
                                 const DataType_t* m_type, void* elements, int* ier) {
  *ier = cg_elements_general_read(*fn, *B, *Z, *S, *start, *end, *m_type, elements);
}
ONECAST_CGNS_ALSO(cg_elements_general_read_f_, cg_elements_general_read_f);

void cg_poly_elements_general_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                                      const cgsize_t* start, const cgsize_t* end,
                                      const DataType_t* m_type, void* elements,
                                      void* connect_offset, int* ier) {
  *ier = cg_poly_elements_general_read(*fn, *B, *Z, *S, *start, *end, *m_type, elements,
                                       connect_offset);
}
ONECAST_CGNS_ALSO(cg_poly_elements_general_read_f_, cg_poly_elements_general_read_f);

void cg_parent_elements_general_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                                        const cgsize_t* start, const cgsize_t* end,
                                        const DataType_t* m_type, void* parelem, int* ier) {
  *ier = cg_parent_elements_general_read(*fn, *B, *Z, *S, *start, *end, *m_type, parelem);
}
ONECAST_CGNS_ALSO(cg_parent_elements_general_read_f_, cg_parent_elements_general_read_f);

void cg_parent_elements_position_general_read_f_(const int* fn, const int* B, const int* Z,
                                                 const int* S, const cgsize_t* start,
                                                 const cgsize_t* end, const DataType_t* m_type,
                                                 void* parface, int* ier) {
  *ier = cg_parent_elements_position_general_read(*fn, *B, *Z, *S, *start, *end, *m_type, parface);
}
ONECAST_CGNS_ALSO(cg_parent_elements_position_general_read_f_,
                  cg_parent_elements_position_general_read_f);

void cg_elementpartialsize_f_(const int* fn, const int* B, const int* Z, const int* S,
                              const cgsize_t* start, const cgsize_t* end, cgsize_t* ElementDataSize,
                              int* ier) {
  *ier = cg_ElementPartialSize(*fn, *B, *Z, *S, *start, *end, ElementDataSize);
}
ONECAST_CGNS_ALSO(cg_elementpartialsize_f_, cg_elementpartialsize_f);

void cg_nsols_f_(const int* fn, const int* B, const int* Z, int* nsols, int* ier) {
  *ier = cg_nsols(*fn, *B, *Z, nsols);
}
ONECAST_CGNS_ALSO(cg_nsols_f_, cg_nsols_f);

void cg_sol_info_f_(const int* fn, const int* B, const int* Z, const int* S, char* solname,
                    GridLocation_t* location, int* ier, std::size_t solname_length) {
  *ier = cg_sol_info(*fn, *B, *Z, *S, ReadText(solname, solname_length, ier), location);
}

void cg_sol_id_f_(const int* fn, const int* B, const int* Z, const int* S, double* sol_id,
                  int* ier) {
  *ier = cg_sol_id(*fn, *B, *Z, *S, sol_id);
}
ONECAST_CGNS_ALSO(cg_sol_id_f_, cg_sol_id_f);

void cg_sol_write_f_(const int* fn, const int* B, const int* Z, const char* solname,
                     const GridLocation_t* location, int* S, int* ier, std::size_t solname_length) {
  *ier = cg_sol_write(*fn, *B, *Z, Name(solname, solname_length), *location, S);
}

void cg_sol_size_f_(const int* fn, const int* B, const int* Z, const int* S, int* data_dim,
                    cgsize_t* dim_vals, int* ier) {
  *ier = cg_sol_size(*fn, *B, *Z, *S, data_dim, dim_vals);
}
ONECAST_CGNS_ALSO(cg_sol_size_f_, cg_sol_size_f);

void cg_sol_ptset_info_f_(const int* fn, const int* B, const int* Z, const int* S,
                          PointSetType_t* ptset_type, cgsize_t* npnts, int* ier) {
  *ier = cg_sol_ptset_info(*fn, *B, *Z, *S, ptset_type, npnts);
}
ONECAST_CGNS_ALSO(cg_sol_ptset_info_f_, cg_sol_ptset_info_f);

void cg_sol_ptset_read_f_(const int* fn, const int* B, const int* Z, const int* S, cgsize_t* pnts,
                          int* ier) {
  *ier = cg_sol_ptset_read(*fn, *B, *Z, *S, pnts);
}
ONECAST_CGNS_ALSO(cg_sol_ptset_read_f_, cg_sol_ptset_read_f);

void cg_sol_ptset_write_f_(const int* fn, const int* B, const int* Z, const char* solname,
                           const GridLocation_t* location, const PointSetType_t* ptset_type,
                           const cgsize_t* npnts, const cgsize_t* pnts, int* S, int* ier,
                           std::size_t solname_length) {
  *ier = cg_sol_ptset_write(*fn, *B, *Z, Name(solname, solname_length), *location, *ptset_type,
                            *npnts, pnts, S);
}

void cg_nfields_f_(const int* fn, const int* B, const int* Z, const int* S, int* nfields,
                   int* ier) {
  *ier = cg_nfields(*fn, *B, *Z, *S, nfields);
}
ONECAST_CGNS_ALSO(cg_nfields_f_, cg_nfields_f);

void cg_field_info_f_(const int* fn, const int* B, const int* Z, const int* S, const int* F,
                      DataType_t* type, char* fieldname, int* ier, std::size_t fieldname_length) {
  *ier = cg_field_info(*fn, *B, *Z, *S, *F, type, ReadText(fieldname, fieldname_length, ier));
}

void cg_field_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                      const char* fieldname, const DataType_t* type, const cgsize_t* rmin,
                      const cgsize_t* rmax, void* field_ptr, int* ier,
                      std::size_t fieldname_length) {
  *ier = cg_field_read(*fn, *B, *Z, *S, Name(fieldname, fieldname_length), *type, rmin, rmax,
                       field_ptr);
}

void cg_field_general_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                              const char* fieldname, const cgsize_t* s_rmin, const cgsize_t* s_rmax,
                              const DataType_t* m_type, const int* m_numdim,
                              const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                              const cgsize_t* m_rmax, void* field_ptr, int* ier,
                              std::size_t fieldname_length) {
  *ier = cg_field_general_read(*fn, *B, *Z, *S, Name(fieldname, fieldname_length), s_rmin, s_rmax,
                               *m_type, *m_numdim, m_dimvals, m_rmin, m_rmax, field_ptr);
}

void cg_field_id_f_(const int* fn, const int* B, const int* Z, const int* S, const int* F,
                    double* field_id, int* ier) {
  *ier = cg_field_id(*fn, *B, *Z, *S, *F, field_id);
}
ONECAST_CGNS_ALSO(cg_field_id_f_, cg_field_id_f);

void cg_field_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                       const DataType_t* type, const char* fieldname, const void* field_ptr, int* F,
                       int* ier, std::size_t fieldname_length) {
  *ier = cg_field_write(*fn, *B, *Z, *S, *type, Name(fieldname, fieldname_length), field_ptr, F);
}

void cg_field_partial_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                               const DataType_t* type, const char* fieldname, const cgsize_t* rmin,
                               const cgsize_t* rmax, const void* field_ptr, int* F, int* ier,
                               std::size_t fieldname_length) {
  *ier = cg_field_partial_write(*fn, *B, *Z, *S, *type, Name(fieldname, fieldname_length), rmin,
                                rmax, field_ptr, F);
}

void cg_field_general_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                               const char* fieldname, const DataType_t* s_type,
                               const cgsize_t* rmin, const cgsize_t* rmax, const DataType_t* m_type,
                               const int* m_numdim, const cgsize_t* m_dims, const cgsize_t* m_rmin,
                               const cgsize_t* m_rmax, const void* field_ptr, int* F, int* ier,
                               std::size_t fieldname_length) {
  *ier = cg_field_general_write(*fn, *B, *Z, *S, Name(fieldname, fieldname_length), *s_type, rmin,
                                rmax, *m_type, *m_numdim, m_dims, m_rmin, m_rmax, field_ptr, F);
}

void cg_nsubregs_f_(const int* fn, const int* B, const int* Z, int* nsubreg, int* ier) {
  *ier = cg_nsubregs(*fn, *B, *Z, nsubreg);
}
ONECAST_CGNS_ALSO(cg_nsubregs_f_, cg_nsubregs_f);

void cg_subreg_info_f_(const int* fn, const int* B, const int* Z, const int* S, char* regname,
                       int* dimension, GridLocation_t* location, PointSetType_t* ptset_type,
                       cgsize_t* npnts, int* bcname_len, int* gcname_len, int* ier,
                       std::size_t regname_length) {
  *ier = cg_subreg_info(*fn, *B, *Z, *S, ReadText(regname, regname_length, ier), dimension,
                        location, ptset_type, npnts, bcname_len, gcname_len);
}

void cg_subreg_ptset_read_f_(const int* fn, const int* B, const int* Z, const int* S,
                             cgsize_t* pnts, int* ier) {
  *ier = cg_subreg_ptset_read(*fn, *B, *Z, *S, pnts);
}
ONECAST_CGNS_ALSO(cg_subreg_ptset_read_f_, cg_subreg_ptset_read_f);

void cg_subreg_ptset_write_f_(const int* fn, const int* B, const int* Z, const char* regname,
                              const int* dimension, const GridLocation_t* location,
                              const PointSetType_t* ptset_type, const cgsize_t* npnts,
                              const cgsize_t* pnts, int* S, int* ier, std::size_t regname_length) {
  *ier = cg_subreg_ptset_write(*fn, *B, *Z, Name(regname, regname_length), *dimension, *location,
                               *ptset_type, *npnts, pnts, S);
}

void cg_subreg_bcname_write_f_(const int* fn, const int* B, const int* Z, const char* regname,
                               const int* dimension, const char* bcname, int* S, int* ier,
                               std::size_t regname_length, std::size_t bcname_length) {
  *ier = cg_subreg_bcname_write(*fn, *B, *Z, Name(regname, regname_length), *dimension,
                                Text(bcname, bcname_length), S);
}

void cg_subreg_gcname_write_f_(const int* fn, const int* B, const int* Z, const char* regname,
                               const int* dimension, const char* gcname, int* S, int* ier,
                               std::size_t regname_length, std::size_t gcname_length) {
  *ier = cg_subreg_gcname_write(*fn, *B, *Z, Name(regname, regname_length), *dimension,
                                Text(gcname, gcname_length), S);
}

void cg_nzconns_f_(const int* fn, const int* B, const int* Z, int* nzconns, int* ier) {
  *ier = cg_nzconns(*fn, *B, *Z, nzconns);
}
ONECAST_CGNS_ALSO(cg_nzconns_f_, cg_nzconns_f);

void cg_zconn_read_f_(const int* fn, const int* B, const int* Z, const int* C, char* name, int* ier,
                      std::size_t name_length) {
  *ier = cg_zconn_read(*fn, *B, *Z, *C, ReadText(name, name_length, ier));
}

void cg_zconn_write_f_(const int* fn, const int* B, const int* Z, const char* name, int* C,
                       int* ier, std::size_t name_length) {
  *ier = cg_zconn_write(*fn, *B, *Z, Name(name, name_length), C);
}

void cg_zconn_get_f_(const int* fn, const int* B, const int* Z, int* C, int* ier) {
  *ier = cg_zconn_get(*fn, *B, *Z, C);
}
ONECAST_CGNS_ALSO(cg_zconn_get_f_, cg_zconn_get_f);

void cg_zconn_set_f_(const int* fn, const int* B, const int* Z, const int* C, int* ier) {
  *ier = cg_zconn_set(*fn, *B, *Z, *C);
}
ONECAST_CGNS_ALSO(cg_zconn_set_f_, cg_zconn_set_f);

void cg_nholes_f_(const int* fn, const int* B, const int* Z, int* nholes, int* ier) {
  *ier = cg_nholes(*fn, *B, *Z, nholes);
}
ONECAST_CGNS_ALSO(cg_nholes_f_, cg_nholes_f);

void cg_hole_info_f_(const int* fn, const int* B, const int* Z, const int* Ii, char* holename,
                     GridLocation_t* location, PointSetType_t* ptset_type, int* nptsets,
                     cgsize_t* npnts, int* ier, std::size_t holename_length) {
  *ier = cg_hole_info(*fn, *B, *Z, *Ii, ReadText(holename, holename_length, ier), location,
                      ptset_type, nptsets, npnts);
}

void cg_hole_read_f_(const int* fn, const int* B, const int* Z, const int* Ii, cgsize_t* pnts,
                     int* ier) {
  *ier = cg_hole_read(*fn, *B, *Z, *Ii, pnts);
}
ONECAST_CGNS_ALSO(cg_hole_read_f_, cg_hole_read_f);

void cg_hole_id_f_(const int* fn, const int* B, const int* Z, const int* Ii, double* hole_id,
                   int* ier) {
  *ier = cg_hole_id(*fn, *B, *Z, *Ii, hole_id);
}
ONECAST_CGNS_ALSO(cg_hole_id_f_, cg_hole_id_f);

void cg_hole_write_f_(const int* fn, const int* B, const int* Z, const char* holename,
                      const GridLocation_t* location, const PointSetType_t* ptset_type,
                      const int* nptsets, const cgsize_t* npnts, const cgsize_t* pnts, int* Ii,
                      int* ier, std::size_t holename_length) {
  *ier = cg_hole_write(*fn, *B, *Z, Name(holename, holename_length), *location, *ptset_type,
                       *nptsets, *npnts, pnts, Ii);
}

void cg_nconns_f_(const int* fn, const int* B, const int* Z, int* nconns, int* ier) {
  *ier = cg_nconns(*fn, *B, *Z, nconns);
}
ONECAST_CGNS_ALSO(cg_nconns_f_, cg_nconns_f);

void cg_conn_info_f_(const int* fn, const int* B, const int* Z, const int* Ii, char* connectname,
                     GridLocation_t* location, GridConnectivityType_t* type,
                     PointSetType_t* ptset_type, cgsize_t* npnts, char* donorname,
                     ZoneType_t* donor_zonetype, PointSetType_t* donor_ptset_type,
                     DataType_t* donor_datatype, cgsize_t* ndata_donor, int* ier,
                     std::size_t connectname_length, std::size_t donorname_length) {
  *ier = cg_conn_info(*fn, *B, *Z, *Ii, ReadText(connectname, connectname_length, ier), location,
                      type, ptset_type, npnts, ReadText(donorname, donorname_length, ier),
                      donor_zonetype, donor_ptset_type, donor_datatype, ndata_donor);
}

void cg_conn_read_f_(const int* fn, const int* B, const int* Z, const int* Ii, cgsize_t* pnts,
                     const DataType_t* donor_datatype, cgsize_t* donor_data, int* ier) {
  *ier = cg_conn_read(*fn, *B, *Z, *Ii, pnts, *donor_datatype, donor_data);
}
ONECAST_CGNS_ALSO(cg_conn_read_f_, cg_conn_read_f);

void cg_conn_id_f_(const int* fn, const int* B, const int* Z, const int* Ii, double* conn_id,
                   int* ier) {
  *ier = cg_conn_id(*fn, *B, *Z, *Ii, conn_id);
}
ONECAST_CGNS_ALSO(cg_conn_id_f_, cg_conn_id_f);

void cg_conn_write_f_(const int* fn, const int* B, const int* Z, const char* connectname,
                      const GridLocation_t* location, const GridConnectivityType_t* type,
                      const PointSetType_t* ptset_type, const cgsize_t* npnts, const cgsize_t* pnts,
                      const char* donorname, const ZoneType_t* donor_zonetype,
                      const PointSetType_t* donor_ptset_type, const DataType_t* donor_datatype,
                      const cgsize_t* ndata_donor, const cgsize_t* donor_data, int* Ii, int* ier,
                      std::size_t connectname_length, std::size_t donorname_length) {
  *ier =
      cg_conn_write(*fn, *B, *Z, Name(connectname, connectname_length), *location, *type,
                    *ptset_type, *npnts, pnts, Text(donorname, donorname_length), *donor_zonetype,
                    *donor_ptset_type, *donor_datatype, *ndata_donor, donor_data, Ii);
}

void cg_conn_write_short_f_(const int* fn, const int* B, const int* Z, const char* connectname,
                            const GridLocation_t* location, const GridConnectivityType_t* type,
                            const PointSetType_t* ptset_type, const cgsize_t* npnts,
                            const cgsize_t* pnts, const char* donorname, int* Ii, int* ier,
                            std::size_t connectname_length, std::size_t donorname_length) {
  *ier = cg_conn_write_short(*fn, *B, *Z, Name(connectname, connectname_length), *location, *type,
                             *ptset_type, *npnts, pnts, Text(donorname, donorname_length), Ii);
}

void cg_conn_read_short_f_(const int* fn, const int* B, const int* Z, const int* Ii, cgsize_t* pnts,
                           int* ier) {
  *ier = cg_conn_read_short(*fn, *B, *Z, *Ii, pnts);
}
ONECAST_CGNS_ALSO(cg_conn_read_short_f_, cg_conn_read_short_f);

void cg_n1to1_f_(const int* fn, const int* B, const int* Z, int* n1to1, int* ier) {
  *ier = cg_n1to1(*fn, *B, *Z, n1to1);
}
ONECAST_CGNS_ALSO(cg_n1to1_f_, cg_n1to1_f);

void cg_1to1_read_f_(const int* fn, const int* B, const int* Z, const int* Ii, char* connectname,
                     char* donorname, cgsize_t* range, cgsize_t* donor_range, int* transform,
                     int* ier, std::size_t connectname_length, std::size_t donorname_length) {
  *ier = cg_1to1_read(*fn, *B, *Z, *Ii, ReadText(connectname, connectname_length, ier),
                      ReadText(donorname, donorname_length, ier), range, donor_range, transform);
}

void cg_1to1_id_f_(const int* fn, const int* B, const int* Z, const int* Ii, double* one21_id,
                   int* ier) {
  *ier = cg_1to1_id(*fn, *B, *Z, *Ii, one21_id);
}
ONECAST_CGNS_ALSO(cg_1to1_id_f_, cg_1to1_id_f);

void cg_1to1_write_f_(const int* fn, const int* B, const int* Z, const char* connectname,
                      const char* donorname, const cgsize_t* range, const cgsize_t* donor_range,
                      const int* transform, int* Ii, int* ier, std::size_t connectname_length,
                      std::size_t donorname_length) {
  *ier = cg_1to1_write(*fn, *B, *Z, Name(connectname, connectname_length),
                       Text(donorname, donorname_length), range, donor_range, transform, Ii);
}

void cg_n1to1_global_f_(const int* fn, const int* B, int* n1to1_global, int* ier) {
  *ier = cg_n1to1_global(*fn, *B, n1to1_global);
}
ONECAST_CGNS_ALSO(cg_n1to1_global_f_, cg_n1to1_global_f);

void cg_conn_periodic_read_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                              float* RotationCenter, float* RotationAngle, float* Translation,
                              int* ier) {
  *ier = cg_conn_periodic_read(*fn, *B, *Z, *Ii, RotationCenter, RotationAngle, Translation);
}
ONECAST_CGNS_ALSO(cg_conn_periodic_read_f_, cg_conn_periodic_read_f);

void cg_conn_periodic_write_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                               const float* RotationCenter, const float* RotationAngle,
                               const float* Translation, int* ier) {
  *ier = cg_conn_periodic_write(*fn, *B, *Z, *Ii, RotationCenter, RotationAngle, Translation);
}
ONECAST_CGNS_ALSO(cg_conn_periodic_write_f_, cg_conn_periodic_write_f);

void cg_1to1_periodic_write_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                               const float* RotationCenter, const float* RotationAngle,
                               const float* Translation, int* ier) {
  *ier = cg_1to1_periodic_write(*fn, *B, *Z, *Ii, RotationCenter, RotationAngle, Translation);
}
ONECAST_CGNS_ALSO(cg_1to1_periodic_write_f_, cg_1to1_periodic_write_f);

void cg_1to1_periodic_read_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                              float* RotationCenter, float* RotationAngle, float* Translation,
                              int* ier) {
  *ier = cg_1to1_periodic_read(*fn, *B, *Z, *Ii, RotationCenter, RotationAngle, Translation);
}
ONECAST_CGNS_ALSO(cg_1to1_periodic_read_f_, cg_1to1_periodic_read_f);

void cg_conn_average_read_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                             AverageInterfaceType_t* AverageInterfaceType, int* ier) {
  *ier = cg_conn_average_read(*fn, *B, *Z, *Ii, AverageInterfaceType);
}
ONECAST_CGNS_ALSO(cg_conn_average_read_f_, cg_conn_average_read_f);

void cg_conn_average_write_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                              const AverageInterfaceType_t* AverageInterfaceType, int* ier) {
  *ier = cg_conn_average_write(*fn, *B, *Z, *Ii, *AverageInterfaceType);
}
ONECAST_CGNS_ALSO(cg_conn_average_write_f_, cg_conn_average_write_f);

void cg_1to1_average_write_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                              const AverageInterfaceType_t* AverageInterfaceType, int* ier) {
  *ier = cg_1to1_average_write(*fn, *B, *Z, *Ii, *AverageInterfaceType);
}
ONECAST_CGNS_ALSO(cg_1to1_average_write_f_, cg_1to1_average_write_f);

void cg_1to1_average_read_f_(const int* fn, const int* B, const int* Z, const int* Ii,
                             AverageInterfaceType_t* AverageInterfaceType, int* ier) {
  *ier = cg_1to1_average_read(*fn, *B, *Z, *Ii, AverageInterfaceType);
}
ONECAST_CGNS_ALSO(cg_1to1_average_read_f_, cg_1to1_average_read_f);

void cg_nbocos_f_(const int* fn, const int* B, const int* Z, int* nbocos, int* ier) {
  *ier = cg_nbocos(*fn, *B, *Z, nbocos);
}
ONECAST_CGNS_ALSO(cg_nbocos_f_, cg_nbocos_f);

void cg_boco_info_f_(const int* fn, const int* B, const int* Z, const int* BC, char* boconame,
                     BCType_t* bocotype, PointSetType_t* ptset_type, cgsize_t* npnts,
                     int* NormalIndex, cgsize_t* NormalListSize, DataType_t* NormalDataType,
                     int* ndataset, int* ier, std::size_t boconame_length) {
  *ier = cg_boco_info(*fn, *B, *Z, *BC, ReadText(boconame, boconame_length, ier), bocotype,
                      ptset_type, npnts, NormalIndex, NormalListSize, NormalDataType, ndataset);
}

void cg_boco_read_f_(const int* fn, const int* B, const int* Z, const int* BC, cgsize_t* pnts,
                     void* NormalList, int* ier) {
  *ier = cg_boco_read(*fn, *B, *Z, *BC, pnts, NormalList);
}
ONECAST_CGNS_ALSO(cg_boco_read_f_, cg_boco_read_f);

void cg_boco_id_f_(const int* fn, const int* B, const int* Z, const int* BC, double* boco_id,
                   int* ier) {
  *ier = cg_boco_id(*fn, *B, *Z, *BC, boco_id);
}
ONECAST_CGNS_ALSO(cg_boco_id_f_, cg_boco_id_f);

void cg_boco_write_f_(const int* fn, const int* B, const int* Z, const char* boconame,
                      const BCType_t* bocotype, const PointSetType_t* ptset_type,
                      const cgsize_t* npnts, const cgsize_t* pnts, int* BC, int* ier,
                      std::size_t boconame_length) {
  *ier = cg_boco_write(*fn, *B, *Z, Name(boconame, boconame_length), *bocotype, *ptset_type, *npnts,
                       pnts, BC);
}

void cg_boco_gridlocation_read_f_(const int* fn, const int* B, const int* Z, const int* BC,
                                  GridLocation_t* location, int* ier) {
  *ier = cg_boco_gridlocation_read(*fn, *B, *Z, *BC, location);
}
ONECAST_CGNS_ALSO(cg_boco_gridlocation_read_f_, cg_boco_gridlocation_read_f);

void cg_boco_gridlocation_write_f_(const int* fn, const int* B, const int* Z, const int* BC,
                                   const GridLocation_t* location, int* ier) {
  *ier = cg_boco_gridlocation_write(*fn, *B, *Z, *BC, *location);
}
ONECAST_CGNS_ALSO(cg_boco_gridlocation_write_f_, cg_boco_gridlocation_write_f);

void cg_dataset_read_f_(const int* fn, const int* B, const int* Z, const int* BC, const int* DS,
                        char* name, BCType_t* BCType, int* DirichletFlag, int* NeumannFlag,
                        int* ier, std::size_t name_length) {
  *ier = cg_dataset_read(*fn, *B, *Z, *BC, *DS, ReadText(name, name_length, ier), BCType,
                         DirichletFlag, NeumannFlag);
}

void cg_dataset_write_f_(const int* fn, const int* B, const int* Z, const int* BC, const char* name,
                         const BCType_t* BCType, int* Dset, int* ier, std::size_t name_length) {
  *ier = cg_dataset_write(*fn, *B, *Z, *BC, Name(name, name_length), *BCType, Dset);
}

void cg_bcdataset_write_f_(const char* name, const BCType_t* BCType, const BCDataType_t* BCDataType,
                           int* ier, std::size_t name_length) {
  *ier = cg_bcdataset_write(Name(name, name_length), *BCType, *BCDataType);
}

void cg_bcdataset_info_f_(int* n_dataset, int* ier) { *ier = cg_bcdataset_info(n_dataset); }
ONECAST_CGNS_ALSO(cg_bcdataset_info_f_, cg_bcdataset_info_f);

void cg_bcdataset_read_f_(const int* index, char* name, BCType_t* BCType, int* DirichletFlag,
                          int* NeumannFlag, int* ier, std::size_t name_length) {
  *ier = cg_bcdataset_read(*index, ReadText(name, name_length, ier), BCType, DirichletFlag,
                           NeumannFlag);
}

void cg_bcdata_write_f_(const int* fn, const int* B, const int* Z, const int* BC, const int* Dset,
                        const BCDataType_t* BCDataType, int* ier) {
  *ier = cg_bcdata_write(*fn, *B, *Z, *BC, *Dset, *BCDataType);
}
ONECAST_CGNS_ALSO(cg_bcdata_write_f_, cg_bcdata_write_f);

void cg_bc_wallfunction_read_f_(const int* fn, const int* B, const int* Z, const int* BC,
                                WallFunctionType_t* WallFunctionType, int* ier) {
  *ier = cg_bc_wallfunction_read(*fn, *B, *Z, *BC, WallFunctionType);
}
ONECAST_CGNS_ALSO(cg_bc_wallfunction_read_f_, cg_bc_wallfunction_read_f);

void cg_bc_wallfunction_write_f_(const int* fn, const int* B, const int* Z, const int* BC,
                                 const WallFunctionType_t* WallFunctionType, int* ier) {
  *ier = cg_bc_wallfunction_write(*fn, *B, *Z, *BC, *WallFunctionType);
}
ONECAST_CGNS_ALSO(cg_bc_wallfunction_write_f_, cg_bc_wallfunction_write_f);

void cg_bc_area_read_f_(const int* fn, const int* B, const int* Z, const int* BC,
                        AreaType_t* AreaType, float* SurfaceArea, char* RegionName, int* ier,
                        std::size_t RegionName_length) {
  *ier = cg_bc_area_read(*fn, *B, *Z, *BC, AreaType, SurfaceArea,
                         ReadText(RegionName, RegionName_length, ier));
}

void cg_bc_area_write_f_(const int* fn, const int* B, const int* Z, const int* BC,
                         const AreaType_t* AreaType, const float* SurfaceArea,
                         const char* RegionName, int* ier, std::size_t RegionName_length) {
  *ier = cg_bc_area_write(*fn, *B, *Z, *BC, *AreaType, *SurfaceArea,
                          Text(RegionName, RegionName_length));
}

void cg_ndiscrete_f_(const int* fn, const int* B, const int* Z, int* ndiscrete, int* ier) {
  *ier = cg_ndiscrete(*fn, *B, *Z, ndiscrete);
}
ONECAST_CGNS_ALSO(cg_ndiscrete_f_, cg_ndiscrete_f);

void cg_discrete_read_f_(const int* fn, const int* B, const int* Z, const int* D,
                         char* discrete_name, int* ier, std::size_t discrete_name_length) {
  *ier = cg_discrete_read(*fn, *B, *Z, *D, ReadText(discrete_name, discrete_name_length, ier));
}

void cg_discrete_write_f_(const int* fn, const int* B, const int* Z, const char* discrete_name,
                          int* D, int* ier, std::size_t discrete_name_length) {
  *ier = cg_discrete_write(*fn, *B, *Z, Name(discrete_name, discrete_name_length), D);
}

void cg_discrete_size_f_(const int* fn, const int* B, const int* Z, const int* D, int* data_dim,
                         cgsize_t* dim_vals, int* ier) {
  *ier = cg_discrete_size(*fn, *B, *Z, *D, data_dim, dim_vals);
}
ONECAST_CGNS_ALSO(cg_discrete_size_f_, cg_discrete_size_f);

void cg_discrete_ptset_info_f_(const int* fn, const int* B, const int* Z, const int* D,
                               PointSetType_t* ptset_type, cgsize_t* npnts, int* ier) {
  *ier = cg_discrete_ptset_info(*fn, *B, *Z, *D, ptset_type, npnts);
}
ONECAST_CGNS_ALSO(cg_discrete_ptset_info_f_, cg_discrete_ptset_info_f);

void cg_discrete_ptset_read_f_(const int* fn, const int* B, const int* Z, const int* D,
                               cgsize_t* pnts, int* ier) {
  *ier = cg_discrete_ptset_read(*fn, *B, *Z, *D, pnts);
}
ONECAST_CGNS_ALSO(cg_discrete_ptset_read_f_, cg_discrete_ptset_read_f);

void cg_discrete_ptset_write_f_(const int* fn, const int* B, const int* Z,
                                const char* discrete_name, const GridLocation_t* location,
                                const PointSetType_t* ptset_type, const cgsize_t* npnts,
                                const cgsize_t* pnts, int* D, int* ier,
                                std::size_t discrete_name_length) {
  *ier = cg_discrete_ptset_write(*fn, *B, *Z, Name(discrete_name, discrete_name_length), *location,
                                 *ptset_type, *npnts, pnts, D);
}

void cg_n_rigid_motions_f_(const int* fn, const int* B, const int* Z, int* n_rigid_motions,
                           int* ier) {
  *ier = cg_n_rigid_motions(*fn, *B, *Z, n_rigid_motions);
}
ONECAST_CGNS_ALSO(cg_n_rigid_motions_f_, cg_n_rigid_motions_f);

void cg_rigid_motion_read_f_(const int* fn, const int* B, const int* Z, const int* R, char* name,
                             RigidGridMotionType_t* type, int* ier, std::size_t name_length) {
  *ier = cg_rigid_motion_read(*fn, *B, *Z, *R, ReadText(name, name_length, ier), type);
}

void cg_rigid_motion_write_f_(const int* fn, const int* B, const int* Z, const char* name,
                              const RigidGridMotionType_t* type, int* R, int* ier,
                              std::size_t name_length) {
  *ier = cg_rigid_motion_write(*fn, *B, *Z, Name(name, name_length), *type, R);
}

void cg_n_arbitrary_motions_f_(const int* fn, const int* B, const int* Z, int* n_arbitrary_motions,
                               int* ier) {
  *ier = cg_n_arbitrary_motions(*fn, *B, *Z, n_arbitrary_motions);
}
ONECAST_CGNS_ALSO(cg_n_arbitrary_motions_f_, cg_n_arbitrary_motions_f);

void cg_arbitrary_motion_read_f_(const int* fn, const int* B, const int* Z, const int* A,
                                 char* name, ArbitraryGridMotionType_t* type, int* ier,
                                 std::size_t name_length) {
  *ier = cg_arbitrary_motion_read(*fn, *B, *Z, *A, ReadText(name, name_length, ier), type);
}

void cg_arbitrary_motion_write_f_(const int* fn, const int* B, const int* Z,
                                  const char* amotionname, const ArbitraryGridMotionType_t* type,
                                  int* A, int* ier, std::size_t amotionname_length) {
  *ier = cg_arbitrary_motion_write(*fn, *B, *Z, Name(amotionname, amotionname_length), *type, A);
}

void cg_simulation_type_read_f_(const int* fn, const int* B, SimulationType_t* type, int* ier) {
  *ier = cg_simulation_type_read(*fn, *B, type);
}
ONECAST_CGNS_ALSO(cg_simulation_type_read_f_, cg_simulation_type_read_f);

void cg_simulation_type_write_f_(const int* fn, const int* B, const SimulationType_t* type,
                                 int* ier) {
  *ier = cg_simulation_type_write(*fn, *B, *type);
}
ONECAST_CGNS_ALSO(cg_simulation_type_write_f_, cg_simulation_type_write_f);

void cg_biter_read_f_(const int* fn, const int* B, char* bitername, int* nsteps, int* ier,
                      std::size_t bitername_length) {
  *ier = cg_biter_read(*fn, *B, ReadText(bitername, bitername_length, ier), nsteps);
}

void cg_biter_write_f_(const int* fn, const int* B, const char* bitername, const int* nsteps,
                       int* ier, std::size_t bitername_length) {
  *ier = cg_biter_write(*fn, *B, Name(bitername, bitername_length), *nsteps);
}

void cg_ziter_read_f_(const int* fn, const int* B, const int* Z, char* zitername, int* ier,
                      std::size_t zitername_length) {
  *ier = cg_ziter_read(*fn, *B, *Z, ReadText(zitername, zitername_length, ier));
}

void cg_ziter_write_f_(const int* fn, const int* B, const int* Z, const char* zitername, int* ier,
                       std::size_t zitername_length) {
  *ier = cg_ziter_write(*fn, *B, *Z, Name(zitername, zitername_length));
}

void cg_piter_read_f_(const int* fn, const int* B, const int* P, char* pitername, int* ier,
                      std::size_t pitername_length) {
  *ier = cg_piter_read(*fn, *B, *P, ReadText(pitername, pitername_length, ier));
}

void cg_piter_write_f_(const int* fn, const int* B, const int* P, const char* pitername, int* ier,
                       std::size_t pitername_length) {
  *ier = cg_piter_write(*fn, *B, *P, Name(pitername, pitername_length));
}

void cg_gravity_read_f_(const int* fn, const int* B, float* gravity_vector, int* ier) {
  *ier = cg_gravity_read(*fn, *B, gravity_vector);
}
ONECAST_CGNS_ALSO(cg_gravity_read_f_, cg_gravity_read_f);

void cg_gravity_write_f_(const int* fn, const int* B, const float* gravity_vector, int* ier) {
  *ier = cg_gravity_write(*fn, *B, gravity_vector);
}
ONECAST_CGNS_ALSO(cg_gravity_write_f_, cg_gravity_write_f);

void cg_axisym_read_f_(const int* fn, const int* B, float* ref_point, float* axis, int* ier) {
  *ier = cg_axisym_read(*fn, *B, ref_point, axis);
}
ONECAST_CGNS_ALSO(cg_axisym_read_f_, cg_axisym_read_f);

void cg_axisym_write_f_(const int* fn, const int* B, const float* ref_point, const float* axis,
                        int* ier) {
  *ier = cg_axisym_write(*fn, *B, ref_point, axis);
}
ONECAST_CGNS_ALSO(cg_axisym_write_f_, cg_axisym_write_f);

void cg_rotating_read_f_(float* rot_rate, float* rot_center, int* ier) {
  *ier = cg_rotating_read(rot_rate, rot_center);
}
ONECAST_CGNS_ALSO(cg_rotating_read_f_, cg_rotating_read_f);

void cg_rotating_write_f_(const float* rot_rate, const float* rot_center, int* ier) {
  *ier = cg_rotating_write(rot_rate, rot_center);
}
ONECAST_CGNS_ALSO(cg_rotating_write_f_, cg_rotating_write_f);

void cg_nparticle_zones_f_(const int* fn, const int* B, int* nparticlezones, int* ier) {
  *ier = cg_nparticle_zones(*fn, *B, nparticlezones);
}
ONECAST_CGNS_ALSO(cg_nparticle_zones_f_, cg_nparticle_zones_f);

void cg_particle_id_f_(const int* fn, const int* B, const int* P, double* particle_id, int* ier) {
  *ier = cg_particle_id(*fn, *B, *P, particle_id);
}
ONECAST_CGNS_ALSO(cg_particle_id_f_, cg_particle_id_f);

void cg_particle_read_f_(const int* fn, const int* B, const int* P, char* particlename,
                         cgsize_t* size, int* ier, std::size_t particlename_length) {
  *ier = cg_particle_read(*fn, *B, *P, ReadText(particlename, particlename_length, ier), size);
}

void cg_particle_write_f_(const int* fn, const int* B, const char* particlename,
                          const cgsize_t* size, int* P, int* ier, std::size_t particlename_length) {
  *ier = cg_particle_write(*fn, *B, Name(particlename, particlename_length), *size, P);
}

void cg_particle_ncoord_nodes_f_(const int* fn, const int* B, const int* P, int* ncoord_nodes,
                                 int* ier) {
  *ier = cg_particle_ncoord_nodes(*fn, *B, *P, ncoord_nodes);
}
ONECAST_CGNS_ALSO(cg_particle_ncoord_nodes_f_, cg_particle_ncoord_nodes_f);

void cg_particle_coord_node_read_f_(const int* fn, const int* B, const int* P, const int* C,
                                    char* name, int* ier, std::size_t name_length) {
  *ier = cg_particle_coord_node_read(*fn, *B, *P, *C, ReadText(name, name_length, ier));
}

void cg_particle_coord_node_write_f_(const int* fn, const int* B, const int* P, const char* name,
                                     int* C, int* ier, std::size_t name_length) {
  *ier = cg_particle_coord_node_write(*fn, *B, *P, Name(name, name_length), C);
}

void cg_particle_bounding_box_read_f_(const int* fn, const int* B, const int* P, const int* C,
                                      const DataType_t* datatype, void* boundingbox, int* ier) {
  *ier = cg_particle_bounding_box_read(*fn, *B, *P, *C, *datatype, boundingbox);
}
ONECAST_CGNS_ALSO(cg_particle_bounding_box_read_f_, cg_particle_bounding_box_read_f);

void cg_particle_bounding_box_write_f_(const int* fn, const int* B, const int* P, const int* C,
                                       const DataType_t* datatype, void* boundingbox, int* ier) {
  *ier = cg_particle_bounding_box_write(*fn, *B, *P, *C, *datatype, boundingbox);
}
ONECAST_CGNS_ALSO(cg_particle_bounding_box_write_f_, cg_particle_bounding_box_write_f);

void cg_particle_ncoords_f_(const int* fn, const int* B, const int* P, int* ncoords, int* ier) {
  *ier = cg_particle_ncoords(*fn, *B, *P, ncoords);
}
ONECAST_CGNS_ALSO(cg_particle_ncoords_f_, cg_particle_ncoords_f);

void cg_particle_coord_info_f_(const int* fn, const int* B, const int* P, const int* C,
                               DataType_t* type, char* coordname, int* ier,
                               std::size_t coordname_length) {
  *ier = cg_particle_coord_info(*fn, *B, *P, *C, type, ReadText(coordname, coordname_length, ier));
}

void cg_particle_coord_read_f_(const int* fn, const int* B, const int* P, const char* coordname,
                               const DataType_t* type, const cgsize_t* rmin, const cgsize_t* rmax,
                               void* coord, int* ier, std::size_t coordname_length) {
  *ier = cg_particle_coord_read(*fn, *B, *P, Name(coordname, coordname_length), *type, rmin, rmax,
                                coord);
}

void cg_particle_coord_general_read_f_(const int* fn, const int* B, const int* P,
                                       const char* coordname, const cgsize_t* s_rmin,
                                       const cgsize_t* s_rmax, const DataType_t* m_type,
                                       const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                                       const cgsize_t* m_rmax, void* coord_ptr, int* ier,
                                       std::size_t coordname_length) {
  *ier = cg_particle_coord_general_read(*fn, *B, *P, Name(coordname, coordname_length), s_rmin,
                                        s_rmax, *m_type, m_dimvals, m_rmin, m_rmax, coord_ptr);
}

void cg_particle_coord_id_f_(const int* fn, const int* B, const int* P, const int* C,
                             double* coord_id, int* ier) {
  *ier = cg_particle_coord_id(*fn, *B, *P, *C, coord_id);
}
ONECAST_CGNS_ALSO(cg_particle_coord_id_f_, cg_particle_coord_id_f);

void cg_particle_coord_write_f_(const int* fn, const int* B, const int* P, const DataType_t* type,
                                const char* coordname, const void* coord_ptr, int* C, int* ier,
                                std::size_t coordname_length) {
  *ier =
      cg_particle_coord_write(*fn, *B, *P, *type, Name(coordname, coordname_length), coord_ptr, C);
}

void cg_particle_coord_partial_write_f_(const int* fn, const int* B, const int* P,
                                        const DataType_t* type, const char* coordname,
                                        const cgsize_t* rmin, const cgsize_t* rmax,
                                        const void* coord_ptr, int* C, int* ier,
                                        std::size_t coordname_length) {
  *ier = cg_particle_coord_partial_write(*fn, *B, *P, *type, Name(coordname, coordname_length),
                                         rmin, rmax, coord_ptr, C);
}

void cg_particle_coord_general_write_f_(const int* fn, const int* B, const int* P,
                                        const char* coordname, const DataType_t* s_type,
                                        const cgsize_t* rmin, const cgsize_t* rmax,
                                        const DataType_t* m_type, const cgsize_t* m_dims,
                                        const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                        const void* coord_ptr, int* C, int* ier,
                                        std::size_t coordname_length) {
  *ier = cg_particle_coord_general_write(*fn, *B, *P, Name(coordname, coordname_length), *s_type,
                                         rmin, rmax, *m_type, m_dims, m_rmin, m_rmax, coord_ptr, C);
}

void cg_particle_nsols_f_(const int* fn, const int* B, const int* P, int* nsols, int* ier) {
  *ier = cg_particle_nsols(*fn, *B, *P, nsols);
}
ONECAST_CGNS_ALSO(cg_particle_nsols_f_, cg_particle_nsols_f);

void cg_particle_sol_info_f_(const int* fn, const int* B, const int* P, const int* S, char* solname,
                             int* ier, std::size_t solname_length) {
  *ier = cg_particle_sol_info(*fn, *B, *P, *S, ReadText(solname, solname_length, ier));
}

void cg_particle_sol_id_f_(const int* fn, const int* B, const int* P, const int* S, double* sol_id,
                           int* ier) {
  *ier = cg_particle_sol_id(*fn, *B, *P, *S, sol_id);
}
ONECAST_CGNS_ALSO(cg_particle_sol_id_f_, cg_particle_sol_id_f);

void cg_particle_sol_write_f_(const int* fn, const int* B, const int* P, const char* solname,
                              int* S, int* ier, std::size_t solname_length) {
  *ier = cg_particle_sol_write(*fn, *B, *P, Name(solname, solname_length), S);
}

void cg_particle_sol_size_f_(const int* fn, const int* B, const int* P, const int* S,
                             cgsize_t* size, int* ier) {
  *ier = cg_particle_sol_size(*fn, *B, *P, *S, size);
}
ONECAST_CGNS_ALSO(cg_particle_sol_size_f_, cg_particle_sol_size_f);

void cg_particle_sol_ptset_info_f_(const int* fn, const int* B, const int* P, const int* S,
                                   PointSetType_t* ptset_type, cgsize_t* npnts, int* ier) {
  *ier = cg_particle_sol_ptset_info(*fn, *B, *P, *S, ptset_type, npnts);
}
ONECAST_CGNS_ALSO(cg_particle_sol_ptset_info_f_, cg_particle_sol_ptset_info_f);

void cg_particle_sol_ptset_read_f_(const int* fn, const int* B, const int* P, const int* S,
                                   cgsize_t* pnts, int* ier) {
  *ier = cg_particle_sol_ptset_read(*fn, *B, *P, *S, pnts);
}
ONECAST_CGNS_ALSO(cg_particle_sol_ptset_read_f_, cg_particle_sol_ptset_read_f);

void cg_particle_sol_ptset_write_f_(const int* fn, const int* B, const int* P, const char* solname,
                                    const PointSetType_t* ptset_type, const cgsize_t* npnts,
                                    const cgsize_t* pnts, int* S, int* ier,
                                    std::size_t solname_length) {
  *ier = cg_particle_sol_ptset_write(*fn, *B, *P, Name(solname, solname_length), *ptset_type,
                                     *npnts, pnts, S);
}

void cg_particle_nfields_f_(const int* fn, const int* B, const int* P, const int* S, int* nfields,
                            int* ier) {
  *ier = cg_particle_nfields(*fn, *B, *P, *S, nfields);
}
ONECAST_CGNS_ALSO(cg_particle_nfields_f_, cg_particle_nfields_f);

void cg_particle_field_info_f_(const int* fn, const int* B, const int* P, const int* S,
                               const int* F, DataType_t* type, char* fieldname, int* ier,
                               std::size_t fieldname_length) {
  *ier =
      cg_particle_field_info(*fn, *B, *P, *S, *F, type, ReadText(fieldname, fieldname_length, ier));
}

void cg_particle_field_read_f_(const int* fn, const int* B, const int* P, const int* S,
                               const char* fieldname, const DataType_t* type, const cgsize_t* rmin,
                               const cgsize_t* rmax, void* field_ptr, int* ier,
                               std::size_t fieldname_length) {
  *ier = cg_particle_field_read(*fn, *B, *P, *S, Name(fieldname, fieldname_length), *type, rmin,
                                rmax, field_ptr);
}

void cg_particle_field_general_read_f_(const int* fn, const int* B, const int* P, const int* S,
                                       const char* fieldname, const cgsize_t* s_rmin,
                                       const cgsize_t* s_rmax, const DataType_t* m_type,
                                       const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                                       const cgsize_t* m_rmax, void* field_ptr, int* ier,
                                       std::size_t fieldname_length) {
  *ier = cg_particle_field_general_read(*fn, *B, *P, *S, Name(fieldname, fieldname_length), s_rmin,
                                        s_rmax, *m_type, m_dimvals, m_rmin, m_rmax, field_ptr);
}

void cg_particle_field_id_f_(const int* fn, const int* B, const int* P, const int* S, const int* F,
                             double* field_id, int* ier) {
  *ier = cg_particle_field_id(*fn, *B, *P, *S, *F, field_id);
}
ONECAST_CGNS_ALSO(cg_particle_field_id_f_, cg_particle_field_id_f);

void cg_particle_field_write_f_(const int* fn, const int* B, const int* P, const int* S,
                                const DataType_t* type, const char* fieldname,
                                const void* field_ptr, int* F, int* ier,
                                std::size_t fieldname_length) {
  *ier = cg_particle_field_write(*fn, *B, *P, *S, *type, Name(fieldname, fieldname_length),
                                 field_ptr, F);
}

void cg_particle_field_partial_write_f_(const int* fn, const int* B, const int* P, const int* S,
                                        const DataType_t* type, const char* fieldname,
                                        const cgsize_t* rmin, const cgsize_t* rmax,
                                        const void* field_ptr, int* F, int* ier,
                                        std::size_t fieldname_length) {
  *ier = cg_particle_field_partial_write(*fn, *B, *P, *S, *type, Name(fieldname, fieldname_length),
                                         rmin, rmax, field_ptr, F);
}

void cg_particle_field_general_write_f_(const int* fn, const int* B, const int* P, const int* S,
                                        const char* fieldname, const DataType_t* s_type,
                                        const cgsize_t* rmin, const cgsize_t* rmax,
                                        const DataType_t* m_type, const cgsize_t* m_dims,
                                        const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                        const void* field_ptr, int* F, int* ier,
                                        std::size_t fieldname_length) {
  *ier =
      cg_particle_field_general_write(*fn, *B, *P, *S, Name(fieldname, fieldname_length), *s_type,
                                      rmin, rmax, *m_type, m_dims, m_rmin, m_rmax, field_ptr, F);
}

void cg_particle_equationset_read_f_(int* EquationDimension, int* ParticleGoverningEquationsFlag,
                                     int* CollisionModelFlag, int* BreakupModelFlag,
                                     int* ForceModelFlag, int* WallInteractionModelFlag,
                                     int* PhaseChangeModelFlag, int* ier) {
  *ier = cg_particle_equationset_read(EquationDimension, ParticleGoverningEquationsFlag,
                                      CollisionModelFlag, BreakupModelFlag, ForceModelFlag,
                                      WallInteractionModelFlag, PhaseChangeModelFlag);
}
ONECAST_CGNS_ALSO(cg_particle_equationset_read_f_, cg_particle_equationset_read_f);

void cg_particle_equationset_write_f_(const int* EquationDimension, int* ier) {
  *ier = cg_particle_equationset_write(*EquationDimension);
}
ONECAST_CGNS_ALSO(cg_particle_equationset_write_f_, cg_particle_equationset_write_f);

void cg_particle_governing_read_f_(ParticleGoverningEquationsType_t* ParticleEquationsType,
                                   int* ier) {
  *ier = cg_particle_governing_read(ParticleEquationsType);
}
ONECAST_CGNS_ALSO(cg_particle_governing_read_f_, cg_particle_governing_read_f);

void cg_particle_governing_write_f_(const ParticleGoverningEquationsType_t* ParticleEquationstype,
                                    int* ier) {
  *ier = cg_particle_governing_write(*ParticleEquationstype);
}
ONECAST_CGNS_ALSO(cg_particle_governing_write_f_, cg_particle_governing_write_f);

void cg_particle_model_read_f_(const char* ModelLabel, ParticleModelType_t* ModelType, int* ier,
                               std::size_t ModelLabel_length) {
  *ier = cg_particle_model_read(Text(ModelLabel, ModelLabel_length), ModelType);
}

void cg_particle_model_write_f_(const char* ModelLabel, const ParticleModelType_t* ModelType,
                                int* ier, std::size_t ModelLabel_length) {
  *ier = cg_particle_model_write(Text(ModelLabel, ModelLabel_length), *ModelType);
}

void cg_gopath_f_(const int* fn, const char* path, int* ier, std::size_t path_length) {
  *ier = cg_gopath(*fn, Text(path, path_length));
}

void cg_equationset_read_f_(int* EquationDimension, int* GoverningEquationsFlag, int* GasModelFlag,
                            int* ViscosityModelFlag, int* ThermalConductivityModelFlag,
                            int* TurbulenceClosureFlag, int* TurbulenceModelFlag, int* ier) {
  *ier = cg_equationset_read(EquationDimension, GoverningEquationsFlag, GasModelFlag,
                             ViscosityModelFlag, ThermalConductivityModelFlag,
                             TurbulenceClosureFlag, TurbulenceModelFlag);
}
ONECAST_CGNS_ALSO(cg_equationset_read_f_, cg_equationset_read_f);

void cg_equationset_chemistry_read_f_(int* ThermalRelaxationFlag, int* ChemicalKineticsFlag,
                                      int* ier) {
  *ier = cg_equationset_chemistry_read(ThermalRelaxationFlag, ChemicalKineticsFlag);
}
ONECAST_CGNS_ALSO(cg_equationset_chemistry_read_f_, cg_equationset_chemistry_read_f);

void cg_equationset_elecmagn_read_f_(int* ElecFldModelFlag, int* MagnFldModelFlag,
                                     int* ConductivityModelFlag, int* ier) {
  *ier = cg_equationset_elecmagn_read(ElecFldModelFlag, MagnFldModelFlag, ConductivityModelFlag);
}
ONECAST_CGNS_ALSO(cg_equationset_elecmagn_read_f_, cg_equationset_elecmagn_read_f);

void cg_equationset_write_f_(const int* EquationDimension, int* ier) {
  *ier = cg_equationset_write(*EquationDimension);
}
ONECAST_CGNS_ALSO(cg_equationset_write_f_, cg_equationset_write_f);

void cg_governing_read_f_(GoverningEquationsType_t* EquationsType, int* ier) {
  *ier = cg_governing_read(EquationsType);
}
ONECAST_CGNS_ALSO(cg_governing_read_f_, cg_governing_read_f);

void cg_governing_write_f_(const GoverningEquationsType_t* Equationstype, int* ier) {
  *ier = cg_governing_write(*Equationstype);
}
ONECAST_CGNS_ALSO(cg_governing_write_f_, cg_governing_write_f);

void cg_diffusion_read_f_(int* diffusion_model, int* ier) {
  *ier = cg_diffusion_read(diffusion_model);
}
ONECAST_CGNS_ALSO(cg_diffusion_read_f_, cg_diffusion_read_f);

void cg_diffusion_write_f_(const int* diffusion_model, int* ier) {
  *ier = cg_diffusion_write(diffusion_model);
}
ONECAST_CGNS_ALSO(cg_diffusion_write_f_, cg_diffusion_write_f);

void cg_model_read_f_(const char* ModelLabel, ModelType_t* ModelType, int* ier,
                      std::size_t ModelLabel_length) {
  *ier = cg_model_read(Text(ModelLabel, ModelLabel_length), ModelType);
}

void cg_model_write_f_(const char* ModelLabel, const ModelType_t* ModelType, int* ier,
                       std::size_t ModelLabel_length) {
  *ier = cg_model_write(Text(ModelLabel, ModelLabel_length), *ModelType);
}

void cg_narrays_f_(int* narrays, int* ier) { *ier = cg_narrays(narrays); }
ONECAST_CGNS_ALSO(cg_narrays_f_, cg_narrays_f);

void cg_array_info_f_(const int* A, char* ArrayName, DataType_t* DataType, int* DataDimension,
                      cgsize_t* DimensionVector, int* ier, std::size_t ArrayName_length) {
  *ier = cg_array_info(*A, ReadText(ArrayName, ArrayName_length, ier), DataType, DataDimension,
                       DimensionVector);
}

void cg_array_read_f_(const int* A, void* Data, int* ier) { *ier = cg_array_read(*A, Data); }
ONECAST_CGNS_ALSO(cg_array_read_f_, cg_array_read_f);

void cg_array_read_as_f_(const int* A, const DataType_t* type, void* Data, int* ier) {
  *ier = cg_array_read_as(*A, *type, Data);
}
ONECAST_CGNS_ALSO(cg_array_read_as_f_, cg_array_read_as_f);

void cg_array_general_read_f_(const int* A, const cgsize_t* s_rmin, const cgsize_t* s_rmax,
                              const DataType_t* m_type, const int* m_numdim,
                              const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                              const cgsize_t* m_rmax, void* data, int* ier) {
  *ier = cg_array_general_read(*A, s_rmin, s_rmax, *m_type, *m_numdim, m_dimvals, m_rmin, m_rmax,
                               data);
}
ONECAST_CGNS_ALSO(cg_array_general_read_f_, cg_array_general_read_f);

void cg_array_write_f_(const char* ArrayName, const DataType_t* DataType, const int* DataDimension,
                       const cgsize_t* DimensionVector, const void* Data, int* ier,
                       std::size_t ArrayName_length) {
  *ier = cg_array_write(Name(ArrayName, ArrayName_length), *DataType, *DataDimension,
                        DimensionVector, Data);
}

void cg_array_general_write_f_(const char* arrayname, const DataType_t* s_type, const int* s_numdim,
                               const cgsize_t* s_dimvals, const cgsize_t* s_rmin,
                               const cgsize_t* s_rmax, const DataType_t* m_type,
                               const int* m_numdim, const cgsize_t* m_dimvals,
                               const cgsize_t* m_rmin, const cgsize_t* m_rmax, const void* data,
                               int* ier, std::size_t arrayname_length) {
  *ier =
      cg_array_general_write(Name(arrayname, arrayname_length), *s_type, *s_numdim, s_dimvals,
                             s_rmin, s_rmax, *m_type, *m_numdim, m_dimvals, m_rmin, m_rmax, data);
}

void cg_convergence_read_f_(int* iterations, char* NormDefinitions, int* ier,
                            std::size_t NormDefinitions_length) {
  *ier =
      cg_convergence_read(iterations, AllocatedText(NormDefinitions, NormDefinitions_length, ier));
}

void cg_convergence_write_f_(const int* iterations, const char* NormDefinitions, int* ier,
                             std::size_t NormDefinitions_length) {
  *ier = cg_convergence_write(*iterations, Text(NormDefinitions, NormDefinitions_length));
}

void cg_state_read_f_(char* StateDescription, int* ier, std::size_t StateDescription_length) {
  *ier = cg_state_read(AllocatedText(StateDescription, StateDescription_length, ier));
}

void cg_state_write_f_(const char* StateDescription, int* ier,
                       std::size_t StateDescription_length) {
  *ier = cg_state_write(Text(StateDescription, StateDescription_length));
}

void cg_nuser_data_f_(int* nuser_data, int* ier) { *ier = cg_nuser_data(nuser_data); }
ONECAST_CGNS_ALSO(cg_nuser_data_f_, cg_nuser_data_f);

void cg_user_data_read_f_(const int* Index, char* user_data_name, int* ier,
                          std::size_t user_data_name_length) {
  *ier = cg_user_data_read(*Index, ReadText(user_data_name, user_data_name_length, ier));
}

void cg_user_data_write_f_(const char* user_data_name, int* ier,
                           std::size_t user_data_name_length) {
  *ier = cg_user_data_write(Name(user_data_name, user_data_name_length));
}

void cg_nintegrals_f_(int* nintegrals, int* ier) { *ier = cg_nintegrals(nintegrals); }
ONECAST_CGNS_ALSO(cg_nintegrals_f_, cg_nintegrals_f);

void cg_integral_read_f_(const int* IntegralDataIndex, char* IntegralDataName, int* ier,
                         std::size_t IntegralDataName_length) {
  *ier = cg_integral_read(*IntegralDataIndex,
                          ReadText(IntegralDataName, IntegralDataName_length, ier));
}

void cg_integral_write_f_(const char* IntegralDataName, int* ier,
                          std::size_t IntegralDataName_length) {
  *ier = cg_integral_write(Name(IntegralDataName, IntegralDataName_length));
}

void cg_rind_read_f_(int* RindData, int* ier) { *ier = cg_rind_read(RindData); }
ONECAST_CGNS_ALSO(cg_rind_read_f_, cg_rind_read_f);

void cg_rind_write_f_(const int* RindData, int* ier) { *ier = cg_rind_write(RindData); }
ONECAST_CGNS_ALSO(cg_rind_write_f_, cg_rind_write_f);

void cg_ndescriptors_f_(int* ndescriptors, int* ier) { *ier = cg_ndescriptors(ndescriptors); }
ONECAST_CGNS_ALSO(cg_ndescriptors_f_, cg_ndescriptors_f);

void cg_descriptor_read_f_(const int* descr_no, char* descr_name, char* descr_text, int* ier,
                           std::size_t descr_name_length, std::size_t descr_text_length) {
  *ier = cg_descriptor_read(*descr_no, ReadText(descr_name, descr_name_length, ier),
                            AllocatedText(descr_text, descr_text_length, ier));
}

void cg_descriptor_write_f_(const char* descr_name, const char* descr_text, int* ier,
                            std::size_t descr_name_length, std::size_t descr_text_length) {
  *ier =
      cg_descriptor_write(Name(descr_name, descr_name_length), Text(descr_text, descr_text_length));
}

void cg_nunits_f_(int* nunits, int* ier) { *ier = cg_nunits(nunits); }
ONECAST_CGNS_ALSO(cg_nunits_f_, cg_nunits_f);

void cg_units_read_f_(MassUnits_t* mass, LengthUnits_t* length, TimeUnits_t* time,
                      TemperatureUnits_t* temperature, AngleUnits_t* angle, int* ier) {
  *ier = cg_units_read(mass, length, time, temperature, angle);
}
ONECAST_CGNS_ALSO(cg_units_read_f_, cg_units_read_f);

void cg_units_write_f_(const MassUnits_t* mass, const LengthUnits_t* length,
                       const TimeUnits_t* time, const TemperatureUnits_t* temperature,
                       const AngleUnits_t* angle, int* ier) {
  *ier = cg_units_write(*mass, *length, *time, *temperature, *angle);
}
ONECAST_CGNS_ALSO(cg_units_write_f_, cg_units_write_f);

void cg_unitsfull_read_f_(MassUnits_t* mass, LengthUnits_t* length, TimeUnits_t* time,
                          TemperatureUnits_t* temperature, AngleUnits_t* angle,
                          ElectricCurrentUnits_t* current, SubstanceAmountUnits_t* amount,
                          LuminousIntensityUnits_t* intensity, int* ier) {
  *ier = cg_unitsfull_read(mass, length, time, temperature, angle, current, amount, intensity);
}
ONECAST_CGNS_ALSO(cg_unitsfull_read_f_, cg_unitsfull_read_f);

void cg_unitsfull_write_f_(const MassUnits_t* mass, const LengthUnits_t* length,
                           const TimeUnits_t* time, const TemperatureUnits_t* temperature,
                           const AngleUnits_t* angle, const ElectricCurrentUnits_t* current,
                           const SubstanceAmountUnits_t* amount,
                           const LuminousIntensityUnits_t* intensity, int* ier) {
  *ier = cg_unitsfull_write(*mass, *length, *time, *temperature, *angle, *current, *amount,
                            *intensity);
}
ONECAST_CGNS_ALSO(cg_unitsfull_write_f_, cg_unitsfull_write_f);

void cg_exponents_info_f_(DataType_t* DataType, int* ier) { *ier = cg_exponents_info(DataType); }
ONECAST_CGNS_ALSO(cg_exponents_info_f_, cg_exponents_info_f);

void cg_nexponents_f_(int* numexp, int* ier) { *ier = cg_nexponents(numexp); }
ONECAST_CGNS_ALSO(cg_nexponents_f_, cg_nexponents_f);

void cg_exponents_read_f_(void* exponents, int* ier) { *ier = cg_exponents_read(exponents); }
ONECAST_CGNS_ALSO(cg_exponents_read_f_, cg_exponents_read_f);

void cg_exponents_write_f_(const DataType_t* DataType, const void* exponents, int* ier) {
  *ier = cg_exponents_write(*DataType, exponents);
}
ONECAST_CGNS_ALSO(cg_exponents_write_f_, cg_exponents_write_f);

void cg_expfull_read_f_(void* exponents, int* ier) { *ier = cg_expfull_read(exponents); }
ONECAST_CGNS_ALSO(cg_expfull_read_f_, cg_expfull_read_f);

void cg_expfull_write_f_(const DataType_t* DataType, const void* exponents, int* ier) {
  *ier = cg_expfull_write(*DataType, exponents);
}
ONECAST_CGNS_ALSO(cg_expfull_write_f_, cg_expfull_write_f);

void cg_conversion_info_f_(DataType_t* DataType, int* ier) { *ier = cg_conversion_info(DataType); }
ONECAST_CGNS_ALSO(cg_conversion_info_f_, cg_conversion_info_f);

void cg_conversion_read_f_(void* ConversionFactors, int* ier) {
  *ier = cg_conversion_read(ConversionFactors);
}
ONECAST_CGNS_ALSO(cg_conversion_read_f_, cg_conversion_read_f);

void cg_conversion_write_f_(const DataType_t* DataType, const void* ConversionFactors, int* ier) {
  *ier = cg_conversion_write(*DataType, ConversionFactors);
}
ONECAST_CGNS_ALSO(cg_conversion_write_f_, cg_conversion_write_f);

void cg_dataclass_read_f_(DataClass_t* dataclass, int* ier) { *ier = cg_dataclass_read(dataclass); }
ONECAST_CGNS_ALSO(cg_dataclass_read_f_, cg_dataclass_read_f);

void cg_dataclass_write_f_(const DataClass_t* dataclass, int* ier) {
  *ier = cg_dataclass_write(*dataclass);
}
ONECAST_CGNS_ALSO(cg_dataclass_write_f_, cg_dataclass_write_f);

void cg_gridlocation_read_f_(GridLocation_t* GridLocation, int* ier) {
  *ier = cg_gridlocation_read(GridLocation);
}
ONECAST_CGNS_ALSO(cg_gridlocation_read_f_, cg_gridlocation_read_f);

void cg_gridlocation_write_f_(const GridLocation_t* GridLocation, int* ier) {
  *ier = cg_gridlocation_write(*GridLocation);
}
ONECAST_CGNS_ALSO(cg_gridlocation_write_f_, cg_gridlocation_write_f);

void cg_ordinal_read_f_(int* Ordinal, int* ier) { *ier = cg_ordinal_read(Ordinal); }
ONECAST_CGNS_ALSO(cg_ordinal_read_f_, cg_ordinal_read_f);

void cg_ordinal_write_f_(const int* Ordinal, int* ier) { *ier = cg_ordinal_write(*Ordinal); }
ONECAST_CGNS_ALSO(cg_ordinal_write_f_, cg_ordinal_write_f);

void cg_ptset_info_f_(PointSetType_t* ptset_type, cgsize_t* npnts, int* ier) {
  *ier = cg_ptset_info(ptset_type, npnts);
}
ONECAST_CGNS_ALSO(cg_ptset_info_f_, cg_ptset_info_f);

void cg_ptset_write_f_(const PointSetType_t* ptset_type, const cgsize_t* npnts,
                       const cgsize_t* pnts, int* ier) {
  *ier = cg_ptset_write(*ptset_type, *npnts, pnts);
}
ONECAST_CGNS_ALSO(cg_ptset_write_f_, cg_ptset_write_f);

void cg_ptset_read_f_(cgsize_t* pnts, int* ier) { *ier = cg_ptset_read(pnts); }
ONECAST_CGNS_ALSO(cg_ptset_read_f_, cg_ptset_read_f);

void cg_is_link_f_(int* path_length, int* ier) { *ier = cg_is_link(path_length); }
ONECAST_CGNS_ALSO(cg_is_link_f_, cg_is_link_f);

void cg_link_read_f_(char* filename, char* link_path, int* ier, std::size_t filename_length,
                     std::size_t link_path_length) {
  *ier = cg_link_read(AllocatedText(filename, filename_length, ier),
                      AllocatedText(link_path, link_path_length, ier));
}

void cg_link_write_f_(const char* nodename, const char* filename, const char* name_in_file,
                      int* ier, std::size_t nodename_length, std::size_t filename_length,
                      std::size_t name_in_file_length) {
  *ier = cg_link_write(Name(nodename, nodename_length), Text(filename, filename_length),
                       Text(name_in_file, name_in_file_length));
}

void cg_delete_node_f_(const char* node_name, int* ier, std::size_t node_name_length) {
  *ier = cg_delete_node(Name(node_name, node_name_length));
}

void cgio_path_add_f_(const char* path, int* ier, std::size_t path_length) {
  *ier = cgio_path_add(Text(path, path_length));
}

void cgio_path_delete_f_(const char* path, int* ier, std::size_t path_length) {
  *ier = cgio_path_delete(Text(path, path_length));
}

void cgio_find_file_f_(const char* parentfile, const char* filename, const int* file_type,
                       const int* max_path_len, char* pathname, int* ier,
                       std::size_t parentfile_length, std::size_t filename_length,
                       std::size_t pathname_length) {
  *ier = cgio_find_file(Text(parentfile, parentfile_length), Text(filename, filename_length),
                        *file_type, *max_path_len, ReadText(pathname, pathname_length, ier));
}

void cgio_is_supported_f_(const int* file_type, int* ier) { *ier = cgio_is_supported(*file_type); }
ONECAST_CGNS_ALSO(cgio_is_supported_f_, cgio_is_supported_f);

void cgio_cleanup_f_() { cgio_cleanup(); }
ONECAST_CGNS_ALSO(cgio_cleanup_f_, cgio_cleanup_f);

void cgio_check_file_f_(const char* filename, int* file_type, int* ier,
                        std::size_t filename_length) {
  *ier = cgio_check_file(Text(filename, filename_length), file_type);
}

void cgio_compute_data_size_f_(const char* data_type, const int* num_dims, const cgsize_t* dim_vals,
                               cglong_t* count, int* ier, std::size_t data_type_length) {
  *ier = cgio_compute_data_size(Text(data_type, data_type_length), *num_dims, dim_vals, count);
}

void cgio_check_dimensions_f_(const int* ndims, const cglong_t* dims, int* ier) {
  *ier = cgio_check_dimensions(*ndims, dims);
}
ONECAST_CGNS_ALSO(cgio_check_dimensions_f_, cgio_check_dimensions_f);

void cgio_copy_dimensions_f_(const int* ndims, const cglong_t* dims64, cgsize_t* dims, int* ier) {
  *ier = cgio_copy_dimensions(*ndims, dims64, dims);
}
ONECAST_CGNS_ALSO(cgio_copy_dimensions_f_, cgio_copy_dimensions_f);

void cgio_open_file_f_(const char* filename, const int* file_mode, const int* file_type,
                       int* cgio_num, int* ier, std::size_t filename_length) {
  *ier = cgio_open_file(Text(filename, filename_length), *file_mode, *file_type, cgio_num);
}

void cgio_close_file_f_(const int* cgio_num, int* ier) { *ier = cgio_close_file(*cgio_num); }
ONECAST_CGNS_ALSO(cgio_close_file_f_, cgio_close_file_f);

void cgio_compress_file_f_(const int* cgio_num, const char* filename, int* ier,
                           std::size_t filename_length) {
  *ier = cgio_compress_file(*cgio_num, Text(filename, filename_length));
}

void cgio_copy_file_f_(const int* cgio_num_inp, const int* cgio_num_out, const int* follow_links,
                       int* ier) {
  *ier = cgio_copy_file(*cgio_num_inp, *cgio_num_out, *follow_links);
}
ONECAST_CGNS_ALSO(cgio_copy_file_f_, cgio_copy_file_f);

void cgio_flush_to_disk_f_(const int* cgio_num, int* ier) { *ier = cgio_flush_to_disk(*cgio_num); }
ONECAST_CGNS_ALSO(cgio_flush_to_disk_f_, cgio_flush_to_disk_f);

void cgio_library_version_f_(const int* cgio_num, char* version, int* ier,
                             std::size_t version_length) {
  *ier = cgio_library_version(*cgio_num, ReadText(version, version_length, ier));
}

void cgio_file_version_f_(const int* cgio_num, char* file_version, char* creation_date,
                          char* modified_date, int* ier, std::size_t file_version_length,
                          std::size_t creation_date_length, std::size_t modified_date_length) {
  *ier = cgio_file_version(*cgio_num, ReadText(file_version, file_version_length, ier),
                           ReadText(creation_date, creation_date_length, ier),
                           ReadText(modified_date, modified_date_length, ier));
}

void cgio_get_root_id_f_(const int* cgio_num, double* rootid, int* ier) {
  *ier = cgio_get_root_id(*cgio_num, rootid);
}
ONECAST_CGNS_ALSO(cgio_get_root_id_f_, cgio_get_root_id_f);

void cgio_get_file_type_f_(const int* cgio_num, int* file_type, int* ier) {
  *ier = cgio_get_file_type(*cgio_num, file_type);
}
ONECAST_CGNS_ALSO(cgio_get_file_type_f_, cgio_get_file_type_f);

void cgio_error_code_f_(int* errcode, int* file_type) { cgio_error_code(errcode, file_type); }
ONECAST_CGNS_ALSO(cgio_error_code_f_, cgio_error_code_f);

void cgio_error_message_f_(char* error_msg, int* ier, std::size_t error_msg_length) {
  *ier = cgio_error_message(ReadText(error_msg, error_msg_length, ier));
}

void cgio_error_exit_f_(const char* msg, std::size_t msg_length) {
  cgio_error_exit(Text(msg, msg_length));
}

void cgio_error_abort_f_(const int* abort_flag) { cgio_error_abort(*abort_flag); }
ONECAST_CGNS_ALSO(cgio_error_abort_f_, cgio_error_abort_f);

void cgio_create_node_f_(const int* cgio_num, const double* pid, const char* name, double* id,
                         int* ier, std::size_t name_length) {
  *ier = cgio_create_node(*cgio_num, *pid, Text(name, name_length), id);
}

void cgio_new_node_f_(const int* cgio_num, const double* pid, const char* name, const char* label,
                      const char* data_type, const int* ndims, const cgsize_t* dims,
                      const void* data, double* id, int* ier, std::size_t name_length,
                      std::size_t label_length, std::size_t data_type_length) {
  *ier = cgio_new_node(*cgio_num, *pid, Text(name, name_length), Text(label, label_length),
                       Text(data_type, data_type_length), *ndims, dims, data, id);
}

void cgio_delete_node_f_(const int* cgio_num, const double* pid, const double* id, int* ier) {
  *ier = cgio_delete_node(*cgio_num, *pid, *id);
}
ONECAST_CGNS_ALSO(cgio_delete_node_f_, cgio_delete_node_f);

void cgio_move_node_f_(const int* cgio_num, const double* pid, const double* id,
                       const double* new_pid, int* ier) {
  *ier = cgio_move_node(*cgio_num, *pid, *id, *new_pid);
}
ONECAST_CGNS_ALSO(cgio_move_node_f_, cgio_move_node_f);

void cgio_copy_node_f_(const int* cgio_num_inp, const double* id_inp, const int* cgio_num_out,
                       const double* id_out, int* ier) {
  *ier = cgio_copy_node(*cgio_num_inp, *id_inp, *cgio_num_out, *id_out);
}
ONECAST_CGNS_ALSO(cgio_copy_node_f_, cgio_copy_node_f);

void cgio_release_id_f_(const int* cgio_num, const double* id, int* ier) {
  *ier = cgio_release_id(*cgio_num, *id);
}
ONECAST_CGNS_ALSO(cgio_release_id_f_, cgio_release_id_f);

void cgio_is_link_f_(const int* cgio_num, const double* id, int* link_len, int* ier) {
  *ier = cgio_is_link(*cgio_num, *id, link_len);
}
ONECAST_CGNS_ALSO(cgio_is_link_f_, cgio_is_link_f);

void cgio_link_size_f_(const int* cgio_num, const double* id, int* file_len, int* name_len,
                       int* ier) {
  *ier = cgio_link_size(*cgio_num, *id, file_len, name_len);
}
ONECAST_CGNS_ALSO(cgio_link_size_f_, cgio_link_size_f);

void cgio_create_link_f_(const int* cgio_num, const double* pid, const char* name,
                         const char* filename, const char* name_in_file, double* id, int* ier,
                         std::size_t name_length, std::size_t filename_length,
                         std::size_t name_in_file_length) {
  *ier = cgio_create_link(*cgio_num, *pid, Text(name, name_length), Text(filename, filename_length),
                          Text(name_in_file, name_in_file_length), id);
}

void cgio_get_link_f_(const int* cgio_num, const double* id, char* filename, char* name_in_file,
                      int* ier, std::size_t filename_length, std::size_t name_in_file_length) {
  *ier = cgio_get_link(*cgio_num, *id, ReadText(filename, filename_length, ier),
                       ReadText(name_in_file, name_in_file_length, ier));
}

void cgio_number_children_f_(const int* cgio_num, const double* id, int* num_children, int* ier) {
  *ier = cgio_number_children(*cgio_num, *id, num_children);
}
ONECAST_CGNS_ALSO(cgio_number_children_f_, cgio_number_children_f);

void cgio_children_ids_f_(const int* cgio_num, const double* pid, const int* start,
                          const int* max_ret, int* num_ret, double* ids, int* ier) {
  *ier = cgio_children_ids(*cgio_num, *pid, *start, *max_ret, num_ret, ids);
}
ONECAST_CGNS_ALSO(cgio_children_ids_f_, cgio_children_ids_f);

void cgio_get_node_id_f_(const int* cgio_num, const double* pid, const char* name, double* id,
                         int* ier, std::size_t name_length) {
  *ier = cgio_get_node_id(*cgio_num, *pid, Text(name, name_length), id);
}

void cgio_get_name_f_(const int* cgio_num, const double* id, char* name, int* ier,
                      std::size_t name_length) {
  *ier = cgio_get_name(*cgio_num, *id, ReadText(name, name_length, ier));
}

void cgio_get_label_f_(const int* cgio_num, const double* id, char* label, int* ier,
                       std::size_t label_length) {
  *ier = cgio_get_label(*cgio_num, *id, ReadText(label, label_length, ier));
}

void cgio_set_name_f_(const int* cgio_num, const double* pid, const double* id, const char* name,
                      int* ier, std::size_t name_length) {
  *ier = cgio_set_name(*cgio_num, *pid, *id, Text(name, name_length));
}

void cgio_set_label_f_(const int* cgio_num, const double* id, const char* label, int* ier,
                       std::size_t label_length) {
  *ier = cgio_set_label(*cgio_num, *id, Text(label, label_length));
}

void cgio_get_data_type_f_(const int* cgio_num, const double* id, char* data_type, int* ier,
                           std::size_t data_type_length) {
  *ier = cgio_get_data_type(*cgio_num, *id, ReadText(data_type, data_type_length, ier));
}

void cgio_get_data_size_f_(const int* cgio_num, const double* id, cglong_t* data_size, int* ier) {
  *ier = cgio_get_data_size(*cgio_num, *id, data_size);
}
ONECAST_CGNS_ALSO(cgio_get_data_size_f_, cgio_get_data_size_f);

void cgio_get_dimensions_f_(const int* cgio_num, const double* id, int* num_dims, cgsize_t* dims,
                            int* ier) {
  *ier = cgio_get_dimensions(*cgio_num, *id, num_dims, dims);
}
ONECAST_CGNS_ALSO(cgio_get_dimensions_f_, cgio_get_dimensions_f);
ONECAST_CGNS_ALSO(cgio_get_dimensions_f_, cgio_get_dimensions_f_0);
ONECAST_CGNS_ALSO(cgio_get_dimensions_f_, cgio_get_dimensions_f_1);

void cgio_read_all_data_type_f_(const int* cgio_num, const double* id, const char* m_data_type,
                                void* data, int* ier, std::size_t m_data_type_length) {
  *ier = cgio_read_all_data_type(*cgio_num, *id, Text(m_data_type, m_data_type_length), data);
}

void cgio_read_block_data_type_f_(const int* cgio_num, const double* id, const cgsize_t* b_start,
                                  const cgsize_t* b_end, const char* m_data_type, void* data,
                                  int* ier, std::size_t m_data_type_length) {
  *ier = cgio_read_block_data_type(*cgio_num, *id, *b_start, *b_end,
                                   Text(m_data_type, m_data_type_length), data);
}

void cgio_read_data_type_f_(const int* cgio_num, const double* id, const cgsize_t* s_start,
                            const cgsize_t* s_end, const cgsize_t* s_stride,
                            const char* m_data_type, const int* m_num_dims, const cgsize_t* m_dims,
                            const cgsize_t* m_start, const cgsize_t* m_end,
                            const cgsize_t* m_stride, void* data, int* ier,
                            std::size_t m_data_type_length) {
  *ier = cgio_read_data_type(*cgio_num, *id, s_start, s_end, s_stride,
                             Text(m_data_type, m_data_type_length), *m_num_dims, m_dims, m_start,
                             m_end, m_stride, data);
}

void cgio_set_dimensions_f_(const int* cgio_num, const double* id, const char* data_type,
                            const int* num_dims, const cgsize_t* dims, int* ier,
                            std::size_t data_type_length) {
  *ier = cgio_set_dimensions(*cgio_num, *id, Text(data_type, data_type_length), *num_dims, dims);
}
ONECAST_CGNS_ALSO(cgio_set_dimensions_f_, cgio_set_dimensions_f_0_);
ONECAST_CGNS_ALSO(cgio_set_dimensions_f_, cgio_set_dimensions_f_1_);

void cgio_write_all_data_f_(const int* cgio_num, const double* id, const void* data, int* ier) {
  *ier = cgio_write_all_data(*cgio_num, *id, data);
}
ONECAST_CGNS_ALSO(cgio_write_all_data_f_, cgio_write_all_data_f);

void cgio_write_all_data_type_f_(const int* cgio_num, const double* id, const char* m_data_type,
                                 const void* data, int* ier, std::size_t m_data_type_length) {
  *ier = cgio_write_all_data_type(*cgio_num, *id, Text(m_data_type, m_data_type_length), data);
}

void cgio_write_block_data_f_(const int* cgio_num, const double* id, const cgsize_t* b_start,
                              const cgsize_t* b_end, void* data, int* ier) {
  *ier = cgio_write_block_data(*cgio_num, *id, *b_start, *b_end, data);
}
ONECAST_CGNS_ALSO(cgio_write_block_data_f_, cgio_write_block_data_f);

void cgio_write_data_f_(const int* cgio_num, const double* id, const cgsize_t* s_start,
                        const cgsize_t* s_end, const cgsize_t* s_stride, const int* m_num_dims,
                        const cgsize_t* m_dims, const cgsize_t* m_start, const cgsize_t* m_end,
                        const cgsize_t* m_stride, const void* data, int* ier) {
  *ier = cgio_write_data(*cgio_num, *id, s_start, s_end, s_stride, *m_num_dims, m_dims, m_start,
                         m_end, m_stride, data);
}
ONECAST_CGNS_ALSO(cgio_write_data_f_, cgio_write_data_f);

void cgio_write_data_type_f_(const int* cgio_num, const double* id, const cgsize_t* s_start,
                             const cgsize_t* s_end, const cgsize_t* s_stride,
                             const char* m_data_type, const int* m_num_dims, const cgsize_t* m_dims,
                             const cgsize_t* m_start, const cgsize_t* m_end,
                             const cgsize_t* m_stride, const void* data, int* ier,
                             std::size_t m_data_type_length) {
  *ier = cgio_write_data_type(*cgio_num, *id, s_start, s_end, s_stride,
                              Text(m_data_type, m_data_type_length), *m_num_dims, m_dims, m_start,
                              m_end, m_stride, data);
}

}  // extern "C"
