! Elements of several types in one section: a cube with a pyramid on it, and the faces around both.
program mixed_elements
  use cgns
  implicit none
  character(*), parameter :: path = "mixed_elements.cgns"
  integer :: file, pyramids, triangles, quadrilaterals, ier
  call write_mesh()
  call cg_open_f(path, CG_MODE_READ, file, ier)
  call check(ier)
  pyramids = count_of(1, PYRA_5)
  triangles = count_of(2, TRI_3)
  quadrilaterals = count_of(2, QUAD_4)
  print *, pyramids, ElementTypeName(PYRA_5), triangles, ElementTypeName(TRI_3), quadrilaterals, &
    ElementTypeName(QUAD_4)
  call cg_close_f(file, ier)
  call check(ier)
  if (pyramids /= 1 .or. triangles /= 4 .or. quadrilaterals /= 5) error stop "other elements"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_mesh()
    ! Vertices 1 to 4 are below, 5 to 8 above, 9 is the top of the pyramid.
    real(8), parameter :: x(9) = [0d0, 1d0, 1d0, 0d0, 0d0, 1d0, 1d0, 0d0, 0.5d0]
    real(8), parameter :: y(9) = [0d0, 0d0, 1d0, 1d0, 0d0, 0d0, 1d0, 1d0, 0.5d0]
    real(8), parameter :: z(9) = [0d0, 0d0, 0d0, 0d0, 1d0, 1d0, 1d0, 1d0, 2d0]
    ! An element consists of its type and its nodes. The offsets are the beginnings of the elements,
    ! and the end.
    integer(cgsize_t), parameter :: cells(15) = [HEXA_8, 1, 2, 3, 4, 5, 6, 7, 8, &
                                                 PYRA_5, 5, 6, 7, 8, 9]
    integer(cgsize_t), parameter :: cell_offsets(3) = [0, 9, 15]
    integer(cgsize_t), parameter :: faces(41) = [ &
                                    QUAD_4, 1, 4, 3, 2, QUAD_4, 1, 2, 6, 5, QUAD_4, 2, 3, 7, 6, &
                                    QUAD_4, 3, 4, 8, 7, QUAD_4, 1, 5, 8, 4, TRI_3, 5, 6, 9, &
                                    TRI_3, 6, 7, 9, TRI_3, 7, 8, 9, TRI_3, 8, 5, 9]
    integer(cgsize_t), parameter :: face_offsets(10) = [0, 5, 10, 15, 20, 25, 29, 33, 37, 41]
    integer(cgsize_t), parameter :: sizes(3) = [9, 2, 0]
    integer(cgsize_t), parameter :: first(2) = [1, 3], last(2) = [2, 11]
    integer :: base, zone, index, ier
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
    call cg_poly_section_write_f(file, base, zone, "Cells", MIXED, first(1), last(1), 0, cells, &
                                 cell_offsets, index, ier)
    call check(ier)
    call cg_poly_section_write_f(file, base, zone, "Faces", MIXED, first(2), last(2), 0, faces, &
                                 face_offsets, index, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_mesh

  ! Counts the elements of a type in a section.
  integer function count_of(section, wanted)
    integer, intent(in) :: section
    integer(cgenum_t), intent(in) :: wanted
    integer(cgsize_t), allocatable :: entries(:), offsets(:)
    integer(cgsize_t) :: start, end, size, no_parents(1)
    integer(cgenum_t) :: type
    integer :: last_boundary, has_parents, i, ier
    character(32) :: name
    call cg_section_read_f(file, 1, 1, section, name, type, start, end, last_boundary, &
                           has_parents, ier)
    call check(ier)
    call cg_ElementDataSize_f(file, 1, 1, section, size, ier)
    call check(ier)
    allocate (entries(size), offsets(end - start + 2))
    call cg_poly_elements_read_f(file, 1, 1, section, entries, offsets, no_parents, ier)
    call check(ier)
    count_of = count([(entries(offsets(i) + 1) == wanted, i=1, int(end - start) + 1)])
  end function count_of

end program mixed_elements
