! All ranks write a row of polyhedra: each has one cell, the face on its left and the faces around
! it.
program polyhedra_on_ranks
  use mpi
  use cgns
  implicit none
  integer, parameter :: faces = 5 ! of each rank; the last one also has the face at the end
  integer(cgsize_t), parameter :: one = 1
  character(*), parameter :: path = "polyhedra_mpi.cgns"
  integer :: rank, ranks, file, base, zone, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call cgp_open_f(path, CG_MODE_WRITE, file, ier)
  call check(ier)
  call cg_base_write_f(file, "Base", 3, 3, base, ier)
  call check(ier)
  call cg_zone_write_f(file, base, "Row", int([4*(ranks + 1), ranks, 0], cgsize_t), Unstructured, &
                       zone, ier)
  call check(ier)
  call write_coordinates()
  call write_faces()
  call write_cells()
  call cgp_close_f(file, ier)
  call check(ier)
  call read_next(mod(rank + 1, ranks))
  if (rank == 0) print *, ranks, "ranks wrote one cell each"
  call MPI_Finalize(ier)

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine check

  subroutine write_coordinates()
    character(*), parameter :: names(3) = ["CoordinateX", "CoordinateY", "CoordinateZ"]
    real(8) :: values(8, 3)
    integer(cgsize_t) :: first, last
    integer :: direction, coordinate, ier
    first = 1 + 4*rank
    last = first + merge(7, 3, rank == ranks - 1)
    values(:, 1) = rank + [0, 0, 0, 0, 1, 1, 1, 1]
    values(:, 2) = [0, 1, 1, 0, 0, 1, 1, 0]
    values(:, 3) = [0, 0, 1, 1, 0, 0, 1, 1]
    do direction = 1, 3
      call cgp_coord_write_f(file, base, zone, RealDouble, names(direction), coordinate, ier)
      call check(ier)
      call cgp_coord_write_data_f(file, base, zone, coordinate, first, last, &
                                  values(:, direction), ier)
      call check(ier)
    end do
  end subroutine write_coordinates

  ! Offsets refer to the whole section: from the beginning of the rank's first element to the end of
  ! its last one, where the next rank begins. Here all faces have four nodes. If that differs,
  ! MPI_Exscan over the ranks' sums gives the first offset.
  subroutine write_faces()
    integer(cgsize_t) :: all, first, nodes(4*(faces + 1)), offsets(faces + 2)
    integer :: count, section, n, ier
    all = faces*ranks + 1
    first = 1 + faces*rank
    count = merge(faces + 1, faces, rank == ranks - 1)
    nodes = 4*rank + [1, 2, 3, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 4, 8, 7, 4, 1, 5, 8, 5, 6, 7, 8]
    offsets = [(4*(first - 1 + n), n=0, faces + 1)]
    call cgp_poly_section_write_f(file, base, zone, "Faces", NGON_n, one, all, 4*all, 0, section, &
                                  ier)
    call check(ier)
    call cgp_poly_elements_write_data_f(file, base, zone, section, first, first + count - 1, &
                                        nodes, offsets, ier)
    call check(ier)
  end subroutine write_faces

  ! The cells follow the faces. A negative number means that the normal of the face points into the
  ! cell.
  subroutine write_cells()
    integer(cgsize_t) :: before, cell, faces_of_cell(6), offsets(2)
    integer :: section, ier
    before = faces*ranks + 1
    cell = before + rank + 1
    faces_of_cell = faces*rank + [1, 2, 3, 4, 5, 6]
    faces_of_cell(1) = -faces_of_cell(1)
    offsets = 6*[rank, rank + 1]
    call cgp_poly_section_write_f(file, base, zone, "Cells", NFACE_n, before + 1, before + ranks, &
                                  int(6*ranks, cgsize_t), 0, section, ier)
    call check(ier)
    call cgp_poly_elements_write_data_f(file, base, zone, section, cell, cell, faces_of_cell, &
                                        offsets, ier)
    call check(ier)
  end subroutine write_cells

  ! Reads the cell of another rank: first the offsets of its faces, then the faces.
  subroutine read_next(other)
    integer, intent(in) :: other
    integer(cgsize_t) :: cell, offsets(2), faces_of_cell(6)
    integer :: ier
    cell = faces*ranks + 2 + other
    call cgp_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cgp_poly_elements_read_data_offsets_f(file, 1, 1, 2, cell, cell, offsets, ier)
    call check(ier)
    if (offsets(2) - offsets(1) /= 6) call MPI_Abort(MPI_COMM_WORLD, 1, ier)
    call cgp_poly_elements_read_data_elements_f(file, 1, 1, 2, cell, cell, offsets, &
                                                faces_of_cell, ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
    if (faces_of_cell(6) /= faces*(other + 1) + 1) call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end subroutine read_next

end program polyhedra_on_ranks
