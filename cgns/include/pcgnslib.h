#ifndef PCGNSLIB_H
#define PCGNSLIB_H

/* Made by tools/cgns_tables.py from cgns/functions.toml: change that. */

#ifndef ONECAST_CGNS_ANY_MPI
#include <mpi.h>
#endif

#include "cgnslib.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CGP_INDEPENDENT = 0, CGP_COLLECTIVE = 1 } CGNS_ENUMT(PIOmode_t);

/* --- file and mode */

#ifndef ONECAST_CGNS_ANY_MPI
CGNSDLL int cgp_mpi_comm(MPI_Comm mpicomm);
CGNSDLL int cgp_mpi_info(MPI_Info info);
#endif
CGNSDLL int cgp_pio_mode(CGNS_ENUMT(PIOmode_t) mode);
CGNSDLL int cgp_open(const char* filename, int mode, int* fn);
CGNSDLL int cgp_close(int fn);
CGNSDLL void cgp_error_exit(void);

/* --- coordinates */

CGNSDLL int cgp_coord_write(int fn, int B, int Z, CGNS_ENUMT(DataType_t) type,
                            const char* coordname, int* C);
CGNSDLL int cgp_coord_write_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                 const cgsize_t* rmax, const void* coord_array);
CGNSDLL int cgp_coord_general_write_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                         const cgsize_t* rmax, CGNS_ENUMT(DataType_t) m_type,
                                         int m_numdim, const cgsize_t* m_arg_dimvals,
                                         const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                         const void* coords);
CGNSDLL int cgp_coord_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                const cgsize_t* rmax, void* coord_array);
CGNSDLL int cgp_coord_general_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                        const cgsize_t* rmax, CGNS_ENUMT(DataType_t) m_type,
                                        int m_numdim, const cgsize_t* m_arg_dimvals,
                                        const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                        void* coords);
CGNSDLL int cgp_coord_multi_read_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                                      const cgsize_t* rmax, int nsets, void** buf);
CGNSDLL int cgp_coord_multi_write_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                                       const cgsize_t* rmax, int nsets, const void** buf);

/* --- elements */

CGNSDLL int cgp_section_write(int fn, int B, int Z, const char* sectionname,
                              CGNS_ENUMT(ElementType_t) type, cgsize_t start, cgsize_t end,
                              int nbndry, int* S);
CGNSDLL int cgp_elements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                    const cgsize_t* elements);
CGNSDLL int cgp_elements_read_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                   cgsize_t* elements);
CGNSDLL int cgp_poly_section_write(int fn, int B, int Z, const char* sectionname,
                                   CGNS_ENUMT(ElementType_t) type, cgsize_t start, cgsize_t end,
                                   cgsize_t maxoffset, int nbndry, int* S);
CGNSDLL int cgp_poly_elements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                         const cgsize_t* elements, const cgsize_t* offsets);
CGNSDLL int cgp_poly_elements_read_data_offsets(int fn, int B, int Z, int S, cgsize_t start,
                                                cgsize_t end, cgsize_t* offsets);
CGNSDLL int cgp_poly_elements_read_data_elements(int fn, int B, int Z, int S, cgsize_t start,
                                                 cgsize_t end, const cgsize_t* offsets,
                                                 cgsize_t* elements);
CGNSDLL int cgp_parent_data_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                  const cgsize_t* parent_data);
CGNSDLL int cgp_parentelements_read_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                         cgsize_t* parentelements);
CGNSDLL int cgp_parentelements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                          cgsize_t* parentelements);

/* --- fields */

CGNSDLL int cgp_field_write(int fn, int B, int Z, int S, CGNS_ENUMT(DataType_t) type,
                            const char* fieldname, int* F);
CGNSDLL int cgp_field_write_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                 const cgsize_t* rmax, const void* data);
CGNSDLL int cgp_field_general_write_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                         const cgsize_t* rmax, CGNS_ENUMT(DataType_t) m_type,
                                         int m_numdim, const cgsize_t* m_arg_dimvals,
                                         const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                         const void* data);
CGNSDLL int cgp_field_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                const cgsize_t* rmax, void* data);
CGNSDLL int cgp_field_general_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                        const cgsize_t* rmax, CGNS_ENUMT(DataType_t) m_type,
                                        int m_numdim, const cgsize_t* m_arg_dimvals,
                                        const cgsize_t* m_rmin, const cgsize_t* m_rmax, void* data);
CGNSDLL int cgp_field_multi_read_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                                      const cgsize_t* rmax, int nsets, void** buf);
CGNSDLL int cgp_field_multi_write_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                                       const cgsize_t* rmax, int nsets, const void** buf);

/* --- arrays and point lists, at the current position */

CGNSDLL int cgp_array_write(const char* arrayname, CGNS_ENUMT(DataType_t) type, int DataDimension,
                            const cgsize_t* DimensionVector, int* A);
CGNSDLL int cgp_array_write_data(int A, const cgsize_t* rmin, const cgsize_t* rmax,
                                 const void* data);
CGNSDLL int cgp_array_general_write_data(int A, const cgsize_t* rmin, const cgsize_t* rmax,
                                         CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                         const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                         const cgsize_t* m_rmax, const void* data);
CGNSDLL int cgp_array_read_data(int A, const cgsize_t* rmin, const cgsize_t* rmax, void* data);
CGNSDLL int cgp_array_general_read_data(int A, const cgsize_t* rmin, const cgsize_t* rmax,
                                        CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                        const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                        const cgsize_t* m_rmax, void* data);
CGNSDLL int cgp_array_multi_write_data(int fn, int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                                       int nsets, const void** buf);
CGNSDLL int cgp_array_multi_read_data(int fn, int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                                      int nsets, void** buf);
CGNSDLL int cgp_ptlist_write_data(int fn, cgsize_t start, cgsize_t end, const cgsize_t* points);
CGNSDLL int cgp_ptlist_read_data(int fn, cgsize_t start, cgsize_t end, cgsize_t* points);

/* --- particles */

CGNSDLL int cgp_particle_coord_write(int fn, int B, int P, CGNS_ENUMT(DataType_t) type,
                                     const char* coordname, int* C);
CGNSDLL int cgp_particle_coord_write_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                          const cgsize_t* rmax, const void* coord_array);
CGNSDLL int cgp_particle_coord_general_write_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                                  const cgsize_t* rmax,
                                                  CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                                  const cgsize_t* m_arg_dimvals,
                                                  const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                                  const void* coords);
CGNSDLL int cgp_particle_coord_read_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                         const cgsize_t* rmax, void* coord_array);
CGNSDLL int cgp_particle_coord_general_read_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                                 const cgsize_t* rmax,
                                                 CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                                 const cgsize_t* m_arg_dimvals,
                                                 const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                                 void* coords);
CGNSDLL int cgp_particle_coord_multi_read_data(int fn, int B, int P, int* C, const cgsize_t* rmin,
                                               const cgsize_t* rmax, int nsets, void** buf);
CGNSDLL int cgp_particle_coord_multi_write_data(int fn, int B, int P, int* C, const cgsize_t* rmin,
                                                const cgsize_t* rmax, int nsets, const void** buf);
CGNSDLL int cgp_particle_field_write(int fn, int B, int P, int S, CGNS_ENUMT(DataType_t) type,
                                     const char* fieldname, int* F);
CGNSDLL int cgp_particle_field_write_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                          const cgsize_t* rmax, const void* data);
CGNSDLL int cgp_particle_field_general_write_data(int fn, int B, int P, int S, int F,
                                                  const cgsize_t* rmin, const cgsize_t* rmax,
                                                  CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                                  const cgsize_t* m_arg_dimvals,
                                                  const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                                  const void* data);
CGNSDLL int cgp_particle_field_read_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                         const cgsize_t* rmax, void* data);
CGNSDLL int cgp_particle_field_general_read_data(int fn, int B, int P, int S, int F,
                                                 const cgsize_t* rmin, const cgsize_t* rmax,
                                                 CGNS_ENUMT(DataType_t) m_type, int m_numdim,
                                                 const cgsize_t* m_arg_dimvals,
                                                 const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                                 void* data);
CGNSDLL int cgp_particle_field_multi_read_data(int fn, int B, int P, int S, int* F,
                                               const cgsize_t* rmin, const cgsize_t* rmax,
                                               int nsets, void** buf);
CGNSDLL int cgp_particle_field_multi_write_data(int fn, int B, int P, int S, int* F,
                                                const cgsize_t* rmin, const cgsize_t* rmax,
                                                int nsets, const void** buf);

#ifdef __cplusplus
}
#endif

#endif
