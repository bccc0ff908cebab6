// Made by tools/cgns_tables.py from cgns/functions.toml: change that.
#include "fortran/texts.hpp"
#include "parallel/parallel_session.hpp"
#include "pcgnslib.h"

using namespace onecast::cgns;
using namespace onecast::cgns::fortran;

extern "C" {

void cgp_mpi_comm_f_(const int* mpicomm, int* ier) { *ier = cgp_mpi_comm_of_fortran(*mpicomm); }
ONECAST_CGNS_ALSO(cgp_mpi_comm_f_, cgp_mpi_comm_f);

void cgp_mpi_info_f_(const int* info, int* ier) { *ier = cgp_mpi_info_of_fortran(*info); }
ONECAST_CGNS_ALSO(cgp_mpi_info_f_, cgp_mpi_info_f);

void cgp_pio_mode_f_(const PIOmode_t* mode, int* ier) { *ier = cgp_pio_mode(*mode); }
ONECAST_CGNS_ALSO(cgp_pio_mode_f_, cgp_pio_mode_f);

void cgp_open_f_(const char* filename, const int* mode, int* fn, int* ier,
                 std::size_t filename_length) {
  *ier = cgp_open(Text(filename, filename_length), *mode, fn);
}

void cgp_close_f_(const int* fn, int* ier) { *ier = cgp_close(*fn); }
ONECAST_CGNS_ALSO(cgp_close_f_, cgp_close_f);

void cgp_error_exit_f_() { cgp_error_exit(); }
ONECAST_CGNS_ALSO(cgp_error_exit_f_, cgp_error_exit_f);

void cgp_coord_write_f_(const int* fn, const int* B, const int* Z, const DataType_t* type,
                        const char* coordname, int* C, int* ier, std::size_t coordname_length) {
  *ier = cgp_coord_write(*fn, *B, *Z, *type, Name(coordname, coordname_length), C);
}

void cgp_coord_write_data_f_(const int* fn, const int* B, const int* Z, const int* C,
                             const cgsize_t* rmin, const cgsize_t* rmax, const void* coord_array,
                             int* ier) {
  *ier = cgp_coord_write_data(*fn, *B, *Z, *C, rmin, rmax, coord_array);
}
ONECAST_CGNS_ALSO(cgp_coord_write_data_f_, cgp_coord_write_data_f);

void cgp_coord_general_write_data_f_(const int* fn, const int* B, const int* Z, const int* C,
                                     const cgsize_t* rmin, const cgsize_t* rmax,
                                     const DataType_t* m_type, const int* m_numdim,
                                     const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                     const cgsize_t* m_rmax, const void* coords, int* ier) {
  *ier = cgp_coord_general_write_data(*fn, *B, *Z, *C, rmin, rmax, *m_type, *m_numdim,
                                      m_arg_dimvals, m_rmin, m_rmax, coords);
}
ONECAST_CGNS_ALSO(cgp_coord_general_write_data_f_, cgp_coord_general_write_data_f);

void cgp_coord_read_data_f_(const int* fn, const int* B, const int* Z, const int* C,
                            const cgsize_t* rmin, const cgsize_t* rmax, void* coord_array,
                            int* ier) {
  *ier = cgp_coord_read_data(*fn, *B, *Z, *C, rmin, rmax, coord_array);
}
ONECAST_CGNS_ALSO(cgp_coord_read_data_f_, cgp_coord_read_data_f);

void cgp_coord_general_read_data_f_(const int* fn, const int* B, const int* Z, const int* C,
                                    const cgsize_t* rmin, const cgsize_t* rmax,
                                    const DataType_t* m_type, const int* m_numdim,
                                    const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                    const cgsize_t* m_rmax, void* coords, int* ier) {
  *ier = cgp_coord_general_read_data(*fn, *B, *Z, *C, rmin, rmax, *m_type, *m_numdim, m_arg_dimvals,
                                     m_rmin, m_rmax, coords);
}
ONECAST_CGNS_ALSO(cgp_coord_general_read_data_f_, cgp_coord_general_read_data_f);

void cgp_coord_multi_read_data_f_(const int* fn, const int* B, const int* Z, int* C,
                                  const cgsize_t* rmin, const cgsize_t* rmax, const int* nsets,
                                  void** buf, int* ier) {
  *ier = cgp_coord_multi_read_data(*fn, *B, *Z, C, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_coord_multi_read_data_f_, cgp_coord_multi_read_data_f);

void cgp_coord_multi_write_data_f_(const int* fn, const int* B, const int* Z, int* C,
                                   const cgsize_t* rmin, const cgsize_t* rmax, const int* nsets,
                                   const void** buf, int* ier) {
  *ier = cgp_coord_multi_write_data(*fn, *B, *Z, C, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_coord_multi_write_data_f_, cgp_coord_multi_write_data_f);

void cgp_section_write_f_(const int* fn, const int* B, const int* Z, const char* sectionname,
                          const ElementType_t* type, const cgsize_t* start, const cgsize_t* end,
                          const int* nbndry, int* S, int* ier, std::size_t sectionname_length) {
  *ier = cgp_section_write(*fn, *B, *Z, Name(sectionname, sectionname_length), *type, *start, *end,
                           *nbndry, S);
}

void cgp_elements_write_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                const cgsize_t* start, const cgsize_t* end,
                                const cgsize_t* elements, int* ier) {
  *ier = cgp_elements_write_data(*fn, *B, *Z, *S, *start, *end, elements);
}
ONECAST_CGNS_ALSO(cgp_elements_write_data_f_, cgp_elements_write_data_f);

void cgp_elements_read_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                               const cgsize_t* start, const cgsize_t* end, cgsize_t* elements,
                               int* ier) {
  *ier = cgp_elements_read_data(*fn, *B, *Z, *S, *start, *end, elements);
}
ONECAST_CGNS_ALSO(cgp_elements_read_data_f_, cgp_elements_read_data_f);

void cgp_poly_section_write_f_(const int* fn, const int* B, const int* Z, const char* sectionname,
                               const ElementType_t* type, const cgsize_t* start,
                               const cgsize_t* end, const cgsize_t* maxoffset, const int* nbndry,
                               int* S, int* ier, std::size_t sectionname_length) {
  *ier = cgp_poly_section_write(*fn, *B, *Z, Name(sectionname, sectionname_length), *type, *start,
                                *end, *maxoffset, *nbndry, S);
}

void cgp_poly_elements_write_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                     const cgsize_t* start, const cgsize_t* end,
                                     const cgsize_t* elements, const cgsize_t* offsets, int* ier) {
  *ier = cgp_poly_elements_write_data(*fn, *B, *Z, *S, *start, *end, elements, offsets);
}
ONECAST_CGNS_ALSO(cgp_poly_elements_write_data_f_, cgp_poly_elements_write_data_f);

void cgp_poly_elements_read_data_offsets_f_(const int* fn, const int* B, const int* Z, const int* S,
                                            const cgsize_t* start, const cgsize_t* end,
                                            cgsize_t* offsets, int* ier) {
  *ier = cgp_poly_elements_read_data_offsets(*fn, *B, *Z, *S, *start, *end, offsets);
}
ONECAST_CGNS_ALSO(cgp_poly_elements_read_data_offsets_f_, cgp_poly_elements_read_data_offsets_f);

void cgp_poly_elements_read_data_elements_f_(const int* fn, const int* B, const int* Z,
                                             const int* S, const cgsize_t* start,
                                             const cgsize_t* end, const cgsize_t* offsets,
                                             cgsize_t* elements, int* ier) {
  *ier = cgp_poly_elements_read_data_elements(*fn, *B, *Z, *S, *start, *end, offsets, elements);
}
ONECAST_CGNS_ALSO(cgp_poly_elements_read_data_elements_f_, cgp_poly_elements_read_data_elements_f);

void cgp_parent_data_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                              const cgsize_t* start, const cgsize_t* end,
                              const cgsize_t* parent_data, int* ier) {
  *ier = cgp_parent_data_write(*fn, *B, *Z, *S, *start, *end, parent_data);
}
ONECAST_CGNS_ALSO(cgp_parent_data_write_f_, cgp_parent_data_write_f);

void cgp_parentelements_read_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                     const cgsize_t* start, const cgsize_t* end,
                                     cgsize_t* parentelements, int* ier) {
  *ier = cgp_parentelements_read_data(*fn, *B, *Z, *S, *start, *end, parentelements);
}
ONECAST_CGNS_ALSO(cgp_parentelements_read_data_f_, cgp_parentelements_read_data_f);

void cgp_parentelements_write_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                      const cgsize_t* start, const cgsize_t* end,
                                      cgsize_t* parentelements, int* ier) {
  *ier = cgp_parentelements_write_data(*fn, *B, *Z, *S, *start, *end, parentelements);
}
ONECAST_CGNS_ALSO(cgp_parentelements_write_data_f_, cgp_parentelements_write_data_f);

void cgp_field_write_f_(const int* fn, const int* B, const int* Z, const int* S,
                        const DataType_t* type, const char* fieldname, int* F, int* ier,
                        std::size_t fieldname_length) {
  *ier = cgp_field_write(*fn, *B, *Z, *S, *type, Name(fieldname, fieldname_length), F);
}

void cgp_field_write_data_f_(const int* fn, const int* B, const int* Z, const int* S, const int* F,
                             const cgsize_t* rmin, const cgsize_t* rmax, const void* data,
                             int* ier) {
  *ier = cgp_field_write_data(*fn, *B, *Z, *S, *F, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_field_write_data_f_, cgp_field_write_data_f);

void cgp_field_general_write_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                     const int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                     const DataType_t* m_type, const int* m_numdim,
                                     const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                     const cgsize_t* m_rmax, const void* data, int* ier) {
  *ier = cgp_field_general_write_data(*fn, *B, *Z, *S, *F, rmin, rmax, *m_type, *m_numdim,
                                      m_arg_dimvals, m_rmin, m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_field_general_write_data_f_, cgp_field_general_write_data_f);

void cgp_field_read_data_f_(const int* fn, const int* B, const int* Z, const int* S, const int* F,
                            const cgsize_t* rmin, const cgsize_t* rmax, void* data, int* ier) {
  *ier = cgp_field_read_data(*fn, *B, *Z, *S, *F, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_field_read_data_f_, cgp_field_read_data_f);

void cgp_field_general_read_data_f_(const int* fn, const int* B, const int* Z, const int* S,
                                    const int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                    const DataType_t* m_type, const int* m_numdim,
                                    const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                    const cgsize_t* m_rmax, void* data, int* ier) {
  *ier = cgp_field_general_read_data(*fn, *B, *Z, *S, *F, rmin, rmax, *m_type, *m_numdim,
                                     m_arg_dimvals, m_rmin, m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_field_general_read_data_f_, cgp_field_general_read_data_f);

void cgp_field_multi_read_data_f_(const int* fn, const int* B, const int* Z, const int* S, int* F,
                                  const cgsize_t* rmin, const cgsize_t* rmax, const int* nsets,
                                  void** buf, int* ier) {
  *ier = cgp_field_multi_read_data(*fn, *B, *Z, *S, F, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_field_multi_read_data_f_, cgp_field_multi_read_data_f);

void cgp_field_multi_write_data_f_(const int* fn, const int* B, const int* Z, const int* S, int* F,
                                   const cgsize_t* rmin, const cgsize_t* rmax, const int* nsets,
                                   const void** buf, int* ier) {
  *ier = cgp_field_multi_write_data(*fn, *B, *Z, *S, F, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_field_multi_write_data_f_, cgp_field_multi_write_data_f);

void cgp_array_write_f_(const char* arrayname, const DataType_t* type, const int* DataDimension,
                        const cgsize_t* DimensionVector, int* A, int* ier,
                        std::size_t arrayname_length) {
  *ier =
      cgp_array_write(Name(arrayname, arrayname_length), *type, *DataDimension, DimensionVector, A);
}

void cgp_array_write_data_f_(const int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                             const void* data, int* ier) {
  *ier = cgp_array_write_data(*A, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_array_write_data_f_, cgp_array_write_data_f);

void cgp_array_general_write_data_f_(const int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                                     const DataType_t* m_type, const int* m_numdim,
                                     const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                     const cgsize_t* m_rmax, const void* data, int* ier) {
  *ier = cgp_array_general_write_data(*A, rmin, rmax, *m_type, *m_numdim, m_arg_dimvals, m_rmin,
                                      m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_array_general_write_data_f_, cgp_array_general_write_data_f);

void cgp_array_read_data_f_(const int* A, const cgsize_t* rmin, const cgsize_t* rmax, void* data,
                            int* ier) {
  *ier = cgp_array_read_data(*A, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_array_read_data_f_, cgp_array_read_data_f);

void cgp_array_general_read_data_f_(const int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                                    const DataType_t* m_type, const int* m_numdim,
                                    const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                    const cgsize_t* m_rmax, void* data, int* ier) {
  *ier = cgp_array_general_read_data(*A, rmin, rmax, *m_type, *m_numdim, m_arg_dimvals, m_rmin,
                                     m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_array_general_read_data_f_, cgp_array_general_read_data_f);

void cgp_array_multi_write_data_f_(const int* fn, int* A, const cgsize_t* rmin,
                                   const cgsize_t* rmax, const int* nsets, const void** buf,
                                   int* ier) {
  *ier = cgp_array_multi_write_data(*fn, A, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_array_multi_write_data_f_, cgp_array_multi_write_data_f);

void cgp_array_multi_read_data_f_(const int* fn, int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                                  const int* nsets, void** buf, int* ier) {
  *ier = cgp_array_multi_read_data(*fn, A, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_array_multi_read_data_f_, cgp_array_multi_read_data_f);

void cgp_ptlist_write_data_f_(const int* fn, const cgsize_t* start, const cgsize_t* end,
                              const cgsize_t* points, int* ier) {
  *ier = cgp_ptlist_write_data(*fn, *start, *end, points);
}
ONECAST_CGNS_ALSO(cgp_ptlist_write_data_f_, cgp_ptlist_write_data_f);

void cgp_ptlist_read_data_f_(const int* fn, const cgsize_t* start, const cgsize_t* end,
                             cgsize_t* points, int* ier) {
  *ier = cgp_ptlist_read_data(*fn, *start, *end, points);
}
ONECAST_CGNS_ALSO(cgp_ptlist_read_data_f_, cgp_ptlist_read_data_f);

void cgp_particle_coord_write_f_(const int* fn, const int* B, const int* P, const DataType_t* type,
                                 const char* coordname, int* C, int* ier,
                                 std::size_t coordname_length) {
  *ier = cgp_particle_coord_write(*fn, *B, *P, *type, Name(coordname, coordname_length), C);
}

void cgp_particle_coord_write_data_f_(const int* fn, const int* B, const int* P, const int* C,
                                      const cgsize_t* rmin, const cgsize_t* rmax,
                                      const void* coord_array, int* ier) {
  *ier = cgp_particle_coord_write_data(*fn, *B, *P, *C, rmin, rmax, coord_array);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_write_data_f_, cgp_particle_coord_write_data_f);

void cgp_particle_coord_general_write_data_f_(const int* fn, const int* B, const int* P,
                                              const int* C, const cgsize_t* rmin,
                                              const cgsize_t* rmax, const DataType_t* m_type,
                                              const int* m_numdim, const cgsize_t* m_arg_dimvals,
                                              const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                              const void* coords, int* ier) {
  *ier = cgp_particle_coord_general_write_data(*fn, *B, *P, *C, rmin, rmax, *m_type, *m_numdim,
                                               m_arg_dimvals, m_rmin, m_rmax, coords);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_general_write_data_f_,
                  cgp_particle_coord_general_write_data_f);

void cgp_particle_coord_read_data_f_(const int* fn, const int* B, const int* P, const int* C,
                                     const cgsize_t* rmin, const cgsize_t* rmax, void* coord_array,
                                     int* ier) {
  *ier = cgp_particle_coord_read_data(*fn, *B, *P, *C, rmin, rmax, coord_array);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_read_data_f_, cgp_particle_coord_read_data_f);

void cgp_particle_coord_general_read_data_f_(const int* fn, const int* B, const int* P,
                                             const int* C, const cgsize_t* rmin,
                                             const cgsize_t* rmax, const DataType_t* m_type,
                                             const int* m_numdim, const cgsize_t* m_arg_dimvals,
                                             const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                             void* coords, int* ier) {
  *ier = cgp_particle_coord_general_read_data(*fn, *B, *P, *C, rmin, rmax, *m_type, *m_numdim,
                                              m_arg_dimvals, m_rmin, m_rmax, coords);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_general_read_data_f_, cgp_particle_coord_general_read_data_f);

void cgp_particle_coord_multi_read_data_f_(const int* fn, const int* B, const int* P, int* C,
                                           const cgsize_t* rmin, const cgsize_t* rmax,
                                           const int* nsets, void** buf, int* ier) {
  *ier = cgp_particle_coord_multi_read_data(*fn, *B, *P, C, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_multi_read_data_f_, cgp_particle_coord_multi_read_data_f);

void cgp_particle_coord_multi_write_data_f_(const int* fn, const int* B, const int* P, int* C,
                                            const cgsize_t* rmin, const cgsize_t* rmax,
                                            const int* nsets, const void** buf, int* ier) {
  *ier = cgp_particle_coord_multi_write_data(*fn, *B, *P, C, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_particle_coord_multi_write_data_f_, cgp_particle_coord_multi_write_data_f);

void cgp_particle_field_write_f_(const int* fn, const int* B, const int* P, const int* S,
                                 const DataType_t* type, const char* fieldname, int* F, int* ier,
                                 std::size_t fieldname_length) {
  *ier = cgp_particle_field_write(*fn, *B, *P, *S, *type, Name(fieldname, fieldname_length), F);
}

void cgp_particle_field_write_data_f_(const int* fn, const int* B, const int* P, const int* S,
                                      const int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                      const void* data, int* ier) {
  *ier = cgp_particle_field_write_data(*fn, *B, *P, *S, *F, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_particle_field_write_data_f_, cgp_particle_field_write_data_f);

void cgp_particle_field_general_write_data_f_(const int* fn, const int* B, const int* P,
                                              const int* S, const int* F, const cgsize_t* rmin,
                                              const cgsize_t* rmax, const DataType_t* m_type,
                                              const int* m_numdim, const cgsize_t* m_arg_dimvals,
                                              const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                              const void* data, int* ier) {
  *ier = cgp_particle_field_general_write_data(*fn, *B, *P, *S, *F, rmin, rmax, *m_type, *m_numdim,
                                               m_arg_dimvals, m_rmin, m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_particle_field_general_write_data_f_,
                  cgp_particle_field_general_write_data_f);

void cgp_particle_field_read_data_f_(const int* fn, const int* B, const int* P, const int* S,
                                     const int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                     void* data, int* ier) {
  *ier = cgp_particle_field_read_data(*fn, *B, *P, *S, *F, rmin, rmax, data);
}
ONECAST_CGNS_ALSO(cgp_particle_field_read_data_f_, cgp_particle_field_read_data_f);

void cgp_particle_field_general_read_data_f_(const int* fn, const int* B, const int* P,
                                             const int* S, const int* F, const cgsize_t* rmin,
                                             const cgsize_t* rmax, const DataType_t* m_type,
                                             const int* m_numdim, const cgsize_t* m_arg_dimvals,
                                             const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                             void* data, int* ier) {
  *ier = cgp_particle_field_general_read_data(*fn, *B, *P, *S, *F, rmin, rmax, *m_type, *m_numdim,
                                              m_arg_dimvals, m_rmin, m_rmax, data);
}
ONECAST_CGNS_ALSO(cgp_particle_field_general_read_data_f_, cgp_particle_field_general_read_data_f);

void cgp_particle_field_multi_read_data_f_(const int* fn, const int* B, const int* P, const int* S,
                                           int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                           const int* nsets, void** buf, int* ier) {
  *ier = cgp_particle_field_multi_read_data(*fn, *B, *P, *S, F, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_particle_field_multi_read_data_f_, cgp_particle_field_multi_read_data_f);

void cgp_particle_field_multi_write_data_f_(const int* fn, const int* B, const int* P, const int* S,
                                            int* F, const cgsize_t* rmin, const cgsize_t* rmax,
                                            const int* nsets, const void** buf, int* ier) {
  *ier = cgp_particle_field_multi_write_data(*fn, *B, *P, *S, F, rmin, rmax, *nsets, buf);
}
ONECAST_CGNS_ALSO(cgp_particle_field_multi_write_data_f_, cgp_particle_field_multi_write_data_f);

}  // extern "C"
