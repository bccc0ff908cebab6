! Polyhedra: two neighbouring cells that consist of faces, which consist of vertices.
program polyhedra
  use cgns
  implicit none
  integer, parameter :: vertices = 12, faces = 11, cells = 2
  integer(cgsize_t), parameter :: first_face = 1, last_face = faces, first_cell = faces + 1, &
                                  last_cell = faces + cells
  character(*), parameter :: path = "polyhedra.cgns"
  integer(cgsize_t) :: size, faces_of_cell(6), offsets(2), no_parents(1)
  integer :: file, ier
  call write_mesh()
  call cg_open_f(path, CG_MODE_READ, file, ier)
  call check(ier)

  ! Reads the second cell alone: first its number of faces, then the faces.
  call cg_ElementPartialSize_f(file, 1, 1, 2, last_cell, last_cell, size, ier)
  call check(ier)
  if (size /= 6) error stop "the second cell has six faces"
  call cg_poly_elements_partial_read_f(file, 1, 1, 2, last_cell, last_cell, faces_of_cell, &
                                       offsets, no_parents, ier)
  call check(ier)
  print *, "the second cell has", offsets(2) - offsets(1), "faces:", faces_of_cell
  call cg_close_f(file, ier)
  call check(ier)
  if (faces_of_cell(1) /= -2 .or. faces_of_cell(6) /= 11) error stop "the cell has other faces"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_mesh()
    ! Three squares at x = 0, 1 and 2: vertices 1 to 4, 5 to 8, 9 to 12.
    real(8), parameter :: x(12) = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    real(8), parameter :: y(12) = [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0]
    real(8), parameter :: z(12) = [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]
    ! The squares, then the faces around the first cell and those around the second.
    integer(cgsize_t), parameter :: nodes(4*faces) = [ &
                                    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &
                                    1, 2, 6, 5, 2, 3, 7, 6, 3, 4, 8, 7, 4, 1, 5, 8, &
                                    5, 6, 10, 9, 6, 7, 11, 10, 7, 8, 12, 11, 8, 5, 9, 12]
    ! The cells follow the faces: elements 12 and 13. A negative number means that the normal of the
    ! face points into the cell.
    integer(cgsize_t), parameter :: faces_of_cells(12) = [-1, 2, 4, 5, 6, 7, -2, 3, 8, 9, 10, 11]
    integer(cgsize_t), parameter :: cell_offsets(3) = [0, 6, 12]
    ! The first cell of each face, then the second cell of each face, which is 0 if there is none.
    ! Then the positions of the faces in these cells.
    integer(cgsize_t), parameter :: parents(4*faces) = [ &
                                    12, 12, 13, 12, 12, 12, 12, 13, 13, 13, 13, &
                                    0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, &
                                    1, 2, 2, 3, 4, 5, 6, 3, 4, 5, 6, &
                                    0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    integer(cgsize_t), parameter :: sizes(3) = [vertices, cells, 0]
    integer(cgsize_t) :: face_offsets(faces + 1)
    integer :: base, zone, index, section, n, ier
    face_offsets = [(4*n, n=0, faces)]
    call cg_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Unstructured, zone, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateX", x, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateY", y, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateZ", z, index, ier)
    call check(ier)
    call cg_poly_section_write_f(file, base, zone, "Faces", NGON_n, first_face, last_face, 0, &
                                 nodes, face_offsets, section, ier)
    call check(ier)
    call cg_parent_data_write_f(file, base, zone, section, parents, ier)
    call check(ier)
    call cg_poly_section_write_f(file, base, zone, "Cells", NFACE_n, first_cell, last_cell, 0, &
                                 faces_of_cells, cell_offsets, section, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_mesh

end program polyhedra
