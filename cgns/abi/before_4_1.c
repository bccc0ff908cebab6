/* Functions that the CGNS library had before 4.1, for programs that are linked to it: they read as
 * ..._type does with the type of the node. */
#include "cgns_io.h"

int cgio_read_all_data(int cgio_num, double id, void* data);
int cgio_read_block_data(int cgio_num, double id, cgsize_t b_start, cgsize_t b_end, void* data);
int cgio_read_data(int cgio_num, double id, const cgsize_t* s_start, const cgsize_t* s_end,
                   const cgsize_t* s_stride, int m_num_dims, const cgsize_t* m_dims,
                   const cgsize_t* m_start, const cgsize_t* m_end, const cgsize_t* m_stride,
                   void* data);

int cgio_read_all_data(int cgio_num, double id, void* data) {
  char type[CGIO_MAX_DATATYPE_LENGTH + 1];
  const int status = cgio_get_data_type(cgio_num, id, type);
  return status != CGIO_ERR_NONE ? status : cgio_read_all_data_type(cgio_num, id, type, data);
}

int cgio_read_block_data(int cgio_num, double id, cgsize_t b_start, cgsize_t b_end, void* data) {
  char type[CGIO_MAX_DATATYPE_LENGTH + 1];
  const int status = cgio_get_data_type(cgio_num, id, type);
  return status != CGIO_ERR_NONE
             ? status
             : cgio_read_block_data_type(cgio_num, id, b_start, b_end, type, data);
}

int cgio_read_data(int cgio_num, double id, const cgsize_t* s_start, const cgsize_t* s_end,
                   const cgsize_t* s_stride, int m_num_dims, const cgsize_t* m_dims,
                   const cgsize_t* m_start, const cgsize_t* m_end, const cgsize_t* m_stride,
                   void* data) {
  char type[CGIO_MAX_DATATYPE_LENGTH + 1];
  const int status = cgio_get_data_type(cgio_num, id, type);
  return status != CGIO_ERR_NONE
             ? status
             : cgio_read_data_type(cgio_num, id, s_start, s_end, s_stride, type, m_num_dims, m_dims,
                                   m_start, m_end, m_stride, data);
}

/* Likewise for programs in Fortran. */
void cgio_read_all_data_f_(const int* cgio_num, const double* id, void* data, int* ier);
void cgio_read_block_data_f_(const int* cgio_num, const double* id, const cgsize_t* b_start,
                             const cgsize_t* b_end, void* data, int* ier);
void cgio_read_data_f_(const int* cgio_num, const double* id, const cgsize_t* s_start,
                       const cgsize_t* s_end, const cgsize_t* s_stride, const int* m_num_dims,
                       const cgsize_t* m_dims, const cgsize_t* m_start, const cgsize_t* m_end,
                       const cgsize_t* m_stride, void* data, int* ier);

void cgio_read_all_data_f_(const int* cgio_num, const double* id, void* data, int* ier) {
  *ier = cgio_read_all_data(*cgio_num, *id, data);
}

void cgio_read_block_data_f_(const int* cgio_num, const double* id, const cgsize_t* b_start,
                             const cgsize_t* b_end, void* data, int* ier) {
  *ier = cgio_read_block_data(*cgio_num, *id, *b_start, *b_end, data);
}

void cgio_read_data_f_(const int* cgio_num, const double* id, const cgsize_t* s_start,
                       const cgsize_t* s_end, const cgsize_t* s_stride, const int* m_num_dims,
                       const cgsize_t* m_dims, const cgsize_t* m_start, const cgsize_t* m_end,
                       const cgsize_t* m_stride, void* data, int* ier) {
  *ier = cgio_read_data(*cgio_num, *id, s_start, s_end, s_stride, *m_num_dims, m_dims, m_start,
                        m_end, m_stride, data);
}
