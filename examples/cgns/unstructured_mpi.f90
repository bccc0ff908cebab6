! All ranks write a mesh of hexahedra: each has a layer of cells. The first rank has the bottom, the
! last one the top, and the others have nothing to write there.
program unstructured_on_ranks
  use mpi
  use cgns
  implicit none
  integer, parameter :: ni = 5, nj = 4 ! vertices in a layer
  integer, parameter :: vertices = ni*nj, cells = (ni - 1)*(nj - 1) ! of each rank
  character(*), parameter :: path = "unstructured_mpi.cgns"
  integer(cgsize_t) :: cell, nodes(8)
  integer :: rank, ranks, file, next, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call write_mesh()

  ! Each rank reads the last cell of the next rank.
  next = mod(rank + 1, ranks)
  cell = cells*(next + 1)
  call cgp_open_f(path, CG_MODE_READ, file, ier)
  call check(ier)
  call cgp_elements_read_data_f(file, 1, 1, 1, cell, cell, nodes, ier)
  call check(ier)
  call cgp_close_f(file, ier)
  call check(ier)
  if (nodes(7) /= vertices*(next + 2)) call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  if (rank == 0) print *, ranks, "ranks wrote", cells, "cells each"
  call MPI_Finalize(ier)

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine check

  pure integer(cgsize_t) function number_of(i, j, k)
    integer, intent(in) :: i, j, k
    number_of = i + ni*(j - 1 + nj*(k - 1))
  end function number_of

  ! The four corners of a cell in a layer of vertices.
  pure function corners(i, j, k)
    integer, intent(in) :: i, j, k
    integer(cgsize_t) :: corners(4)
    corners = [number_of(i, j, k), number_of(i + 1, j, k), number_of(i + 1, j + 1, k), number_of(i, j + 1, k)]
  end function corners

  ! Each rank has the vertices below its cells; the last one also those above.
  subroutine write_coordinates(zone)
    integer, intent(in) :: zone
    character(*), parameter :: names(3) = ["CoordinateX", "CoordinateY", "CoordinateZ"]
    real(8) :: values(ni, nj, 2)
    integer(cgsize_t) :: first, last
    integer :: layers, direction, coordinate, i, j, k, ier
    layers = merge(2, 1, rank == ranks - 1)
    first = 1 + vertices*rank
    last = first + vertices*layers - 1
    do direction = 1, 3
      do k = 1, 2
        do j = 1, nj
          do i = 1, ni
            values(i, j, k) = merge(i - 1, merge(j - 1, rank + k - 1, direction == 2), &
                                    direction == 1)
          end do
        end do
      end do
      call cgp_coord_write_f(file, 1, zone, RealDouble, names(direction), coordinate, ier)
      call check(ier)
      call cgp_coord_write_data_f(file, 1, zone, coordinate, first, last, values, ier)
      call check(ier)
    end do
  end subroutine write_coordinates

  ! Writes a section that has all its elements on one rank. The others pass empty arrays.
  subroutine write_boundary(zone, name, start, layer, is_mine, face)
    integer, intent(in) :: zone, layer, face
    character(*), intent(in) :: name
    integer(cgsize_t), intent(in) :: start
    logical, intent(in) :: is_mine
    integer(cgsize_t) :: nodes(4, cells), parents(cells, 4), end
    integer :: section, own, i, j, n, ier
    parents = 0
    do j = 1, nj - 1
      do i = 1, ni - 1
        n = i + (ni - 1)*(j - 1)
        nodes(:, n) = corners(i, j, merge(layer + 1, layer, face == 6))
        if (face == 1) nodes(:, n) = nodes([1, 4, 3, 2], n)
        parents(n, 1) = n + cells*(layer - 1)
        parents(n, 3) = face
      end do
    end do
    end = start + cells - 1
    own = merge(cells, 0, is_mine)
    call cgp_section_write_f(file, 1, zone, name, QUAD_4, start, end, 0, section, ier)
    call check(ier)
    call cgp_elements_write_data_f(file, 1, zone, section, start, end, nodes(:, :own), ier)
    call check(ier)
    call cgp_parent_data_write_f(file, 1, zone, section, start, end, parents(:own, :), ier)
    call check(ier)
  end subroutine write_boundary

  subroutine write_mesh()
    integer(cgsize_t) :: sizes(3), first, last, nodes(8, ni - 1, nj - 1)
    integer(cgsize_t), parameter :: one = 1
    integer :: base, zone, section, i, j, ier
    sizes = [vertices*(ranks + 1), cells*ranks, 0]
    call cgp_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Unstructured, zone, ier)
    call check(ier)
    call write_coordinates(zone)
    do j = 1, nj - 1
      do i = 1, ni - 1
        nodes(:4, i, j) = corners(i, j, rank + 1)
        nodes(5:, i, j) = corners(i, j, rank + 2)
      end do
    end do
    first = 1 + cells*rank
    last = cells*(rank + 1)
    call cgp_section_write_f(file, base, zone, "Cells", HEXA_8, one, sizes(2), 0, section, ier)
    call check(ier)
    call cgp_elements_write_data_f(file, base, zone, section, first, last, nodes, ier)
    call check(ier)
    call write_boundary(zone, "Bottom", sizes(2) + 1, 1, rank == 0, 1)
    call write_boundary(zone, "Top", sizes(2) + cells + 1, ranks, rank == ranks - 1, 6)
    call cgp_close_f(file, ier)
    call check(ier)
  end subroutine write_mesh

end program unstructured_on_ranks
