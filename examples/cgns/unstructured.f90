! A mesh of hexahedra with quadrilaterals at its bottom and top, which have parents.
program unstructured_mesh
  use cgns
  implicit none
  integer, parameter :: ni = 5, nj = 4, nk = 3 ! vertices in each direction
  integer, parameter :: vertices = ni*nj*nk
  integer, parameter :: bottom_cells = (ni - 1)*(nj - 1), cells = bottom_cells*(nk - 1)
  integer(cgsize_t), parameter :: one = 1
  character(*), parameter :: path = "unstructured.cgns"
  call write_mesh()
  call read_mesh()

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  pure integer(cgsize_t) function number_of(i, j, k)
    integer, intent(in) :: i, j, k
    number_of = i + ni*(j - 1 + nj*(k - 1))
  end function number_of

  ! The corners of a cell: the four below, then the four above them.
  pure function corners(i, j, k)
    integer, intent(in) :: i, j, k
    integer(cgsize_t) :: corners(8)
    integer :: above
    do above = 0, 1
      corners(1 + 4*above) = number_of(i, j, k + above)
      corners(2 + 4*above) = number_of(i + 1, j, k + above)
      corners(3 + 4*above) = number_of(i + 1, j + 1, k + above)
      corners(4 + 4*above) = number_of(i, j + 1, k + above)
    end do
  end function corners

  subroutine write_coordinates(file, base, zone)
    integer, intent(in) :: file, base, zone
    real(8), dimension(ni, nj, nk) :: x, y, z
    integer :: i, j, k, index, ier
    do k = 1, nk
      do j = 1, nj
        do i = 1, ni
          x(i, j, k) = i - 1
          y(i, j, k) = j - 1
          z(i, j, k) = k - 1
        end do
      end do
    end do
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateX", x, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateY", y, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateZ", z, index, ier)
    call check(ier)
  end subroutine write_coordinates

  ! Faces of the cells in a layer. `face` is 1 (below) or 6 (above), as the faces of HEXA_8 are
  ! numbered. Elements of a section follow those of the one before.
  subroutine write_boundary(file, base, zone, name, start, layer, face)
    integer, intent(in) :: file, base, zone, layer, face
    character(*), intent(in) :: name
    integer(cgsize_t), intent(in) :: start
    integer(cgsize_t) :: nodes(4, bottom_cells), parents(bottom_cells, 4), cell(8)
    integer :: i, j, n, section, ier
    parents = 0
    do j = 1, nj - 1
      do i = 1, ni - 1
        n = i + (ni - 1)*(j - 1)
        cell = corners(i, j, layer)
        nodes(:, n) = cell(5:)
        if (face == 1) nodes(:, n) = cell([1, 4, 3, 2])
        parents(n, 1) = n + bottom_cells*(layer - 1) ! the cell; there is no second one
        parents(n, 3) = face ! its face; there is no second one
      end do
    end do
    call cg_section_write_f(file, base, zone, name, QUAD_4, start, start + bottom_cells - 1, 0, &
                            nodes, section, ier)
    call check(ier)
    call cg_parent_data_write_f(file, base, zone, section, parents, ier)
    call check(ier)
  end subroutine write_boundary

  subroutine write_mesh()
    integer(cgsize_t) :: sizes(3), nodes(8, ni - 1, nj - 1, nk - 1)
    integer :: file, base, zone, section, i, j, k, ier
    sizes = [vertices, cells, 0]
    do k = 1, nk - 1
      do j = 1, nj - 1
        do i = 1, ni - 1
          nodes(:, i, j, k) = corners(i, j, k)
        end do
      end do
    end do
    call cg_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Unstructured, zone, ier)
    call check(ier)
    call write_coordinates(file, base, zone)
    call cg_section_write_f(file, base, zone, "Cells", HEXA_8, one, int(cells, cgsize_t), 0, &
                            nodes, section, ier)
    call check(ier)
    call write_boundary(file, base, zone, "Bottom", cells + one, 1, 1)
    call write_boundary(file, base, zone, "Top", cells + bottom_cells + one, nk - 1, 6)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_mesh

  subroutine read_mesh()
    integer(cgsize_t) :: start, end, last, corner(4), parent(4)
    integer(cgenum_t) :: type
    integer :: file, sections, section, last_boundary, has_parents, nodes, ier
    character(32) :: name
    call cg_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_nsections_f(file, 1, 1, sections, ier)
    call check(ier)
    do section = 1, sections
      call cg_section_read_f(file, 1, 1, section, name, type, start, end, last_boundary, &
                             has_parents, ier)
      call check(ier)
      call cg_npe_f(type, nodes, ier)
      call check(ier)
      print *, trim(name), ": ", trim(ElementTypeName(type)), start, "to", end, ",", nodes, &
        "nodes each, parents:", has_parents
    end do
    if (sections /= 3) error stop "there are three sections"

    ! Reads the last element of the top alone.
    last = cells + 2*bottom_cells
    call cg_elements_partial_read_f(file, 1, 1, 3, last, last, corner, parent, ier)
    call check(ier)
    if (corner(3) /= vertices) error stop "the third corner of the last face is the last vertex"
    if (parent(1) /= cells .or. parent(3) /= 6) error stop "it is the face above the last cell"
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine read_mesh

end program unstructured_mesh
