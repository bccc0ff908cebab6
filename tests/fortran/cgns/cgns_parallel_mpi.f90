! Subroutines for several ranks: several arrays in one call, elements with different numbers of
! nodes, boxes in memory, point lists, a communicator of some ranks
program cgns_parallel
  use mpi
  use cgns
  implicit none
  integer, parameter :: own = 3 ! particles and cells of each rank
  integer :: rank, ranks, file, base, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call cgp_pio_mode_f(CGP_COLLECTIVE, ier)
  call ok(ier)
  call cgp_open_f("cgns_parallel.cgns", CG_MODE_WRITE, file, ier)
  call ok(ier)
  call cg_base_write_f(file, "Base", 3, 3, base, ier)
  call ok(ier)
  call write_particles()
  call write_structured()
  call write_polygons()
  call cgp_close_f(file, ier)
  call ok(ier)
  call cgp_open_f("cgns_parallel.cgns", CG_MODE_READ, file, ier)
  call ok(ier)
  call read_particles()
  call read_structured()
  call read_polygons()
  call cgp_close_f(file, ier)
  call ok(ier)
  call on_some_ranks()
  call MPI_Finalize(ier)

contains

  subroutine ok(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine ok

  subroutine require(is_true, what)
    logical, intent(in) :: is_true
    character(*), intent(in) :: what
    integer :: ier
    if (is_true) return
    print *, "rank", rank, ", not true: ", what
    call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end subroutine require

  ! Returns a number that identifies a value of a particle.
  pure real(8) function value_of(rank, direction, i)
    integer, intent(in) :: rank, direction, i
    value_of = 1000*direction + own*rank + i
  end function value_of

  subroutine write_particles()
    real(8), target :: x(own), y(own)
    integer(cgsize_t) :: first, last
    integer :: zone, solution, coordinates(2), fields(1), i, ier
    x = [(value_of(rank, 1, i), i=1, own)]
    y = [(value_of(rank, 2, i), i=1, own)]
    first = own*rank + 1
    last = own*(rank + 1)
    call cg_particle_write_f(file, base, "Drops", int(own*ranks, cgsize_t), zone, ier)
    call ok(ier)
    call cgp_particle_coord_write_f(file, base, zone, RealDouble, "X", coordinates(1), ier)
    call ok(ier)
    call cgp_particle_coord_write_f(file, base, zone, RealDouble, "Y", coordinates(2), ier)
    call ok(ier)
    call cgp_particle_coord_multi_write_data_f(file, base, zone, coordinates, first, last, 2, &
                                               [c_loc(x), c_loc(y)], ier)
    call ok(ier)
    call cg_particle_sol_write_f(file, base, zone, "Solution", solution, ier)
    call ok(ier)
    call cgp_particle_field_write_f(file, base, zone, solution, RealDouble, "R", fields(1), ier)
    call ok(ier)
    call cgp_particle_field_write_data_f(file, base, zone, solution, fields(1), first, last, &
                                         c_loc(y), ier)
    call ok(ier)
  end subroutine write_particles

  ! Each rank reads the particles of the next rank.
  subroutine read_particles()
    real(8), target :: x(own), y(own), r(own)
    integer(cgsize_t) :: first(1), last(1)
    integer :: next, i, ier
    next = mod(rank + 1, ranks)
    first = own*next + 1
    last = own*(next + 1)
    call cgp_particle_coord_multi_read_data_f(file, 1, 1, [1, 2], first, last, 2, &
                                              [c_loc(x), c_loc(y)], ier)
    call ok(ier)
    call cgp_particle_field_read_data_f(file, 1, 1, 1, 1, first, last, r, ier)
    call ok(ier)
    call require(all(x == [(value_of(next, 1, i), i=1, own)]), "first coordinates")
    call require(all(y == [(value_of(next, 2, i), i=1, own)]) .and. all(r == y), "the others")
  end subroutine read_particles

  ! Writes the middle of an array, from double to single precision.
  subroutine write_structured()
    integer(cgsize_t) :: sizes(2, 3)
    integer(cgsize_t), target :: low(2), high(2), dims(2), from(2), to(2)
    real(8), target :: box(6, own + 2), plain(4, own)
    integer :: zone, solution, field, other, i, j, ier
    sizes(:, 1) = [4, own*ranks]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    box = -1
    do j = 1, own
      do i = 1, 4
        box(i + 1, j + 1) = value_of(rank, i, j)
        plain(i, j) = -value_of(rank, i, j)
      end do
    end do
    low = [1, own*rank + 1]
    high = [4, own*(rank + 1)]
    dims = shape(box)
    from = 2
    to = [5, own + 1]
    call cg_base_write_f(file, "Plane", 2, 2, base, ier)
    call ok(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
    call ok(ier)
    call cg_sol_write_f(file, base, zone, "Solution", Vertex, solution, ier)
    call ok(ier)
    call cgp_field_write_f(file, base, zone, solution, RealSingle, "Boxes", field, ier)
    call ok(ier)
    ! All arguments are addresses here, as in other programs; below they are arrays.
    call cgp_field_general_write_data_f(file, base, zone, solution, field, c_loc(low), &
                                        c_loc(high), RealDouble, 2_cgsize_t, c_loc(dims), &
                                        c_loc(from), c_loc(to), c_loc(box), ier)
    call ok(ier)
    call cgp_field_general_write_data_f(file, base, zone, solution, field, low, high, RealDouble, &
                                        2, dims, from, to, box, ier)
    call ok(ier)
    call cgp_field_write_f(file, base, zone, solution, RealDouble, "Plain", other, ier)
    call ok(ier)
    call cgp_field_multi_write_data_f(file, base, zone, solution, [other], low, high, 1, &
                                      [c_loc(plain)], ier)
    call ok(ier)
  end subroutine write_structured

  subroutine read_structured()
    integer(cgsize_t) :: low(2), high(2)
    real(4) :: found(4, own)
    real(8) :: plain(4, own)
    integer :: next, i, j, ier
    next = mod(rank + 1, ranks)
    low = [1, own*next + 1]
    high = [4, own*(next + 1)]
    ! The number of dimensions is an integer(cgsize_t) here, as in other programs.
    call cgp_field_general_read_data_f(file, 2, 1, 1, 1, low, high, RealSingle, 2_cgsize_t, &
                                       int([4, own], cgsize_t), [1_cgsize_t, 1_cgsize_t], &
                                       int([4, own], cgsize_t), found, ier)
    call ok(ier)
    call cgp_field_read_data_f(file, 2, 1, 1, 2, low, high, plain, ier)
    call ok(ier)
    do j = 1, own
      do i = 1, 4
        call require(found(i, j) == real(value_of(next, i, j), 4), "a value out of a box")
        call require(plain(i, j) == -value_of(next, i, j), "a value of several arrays")
      end do
    end do
  end subroutine read_structured

  ! Each rank writes triangles, and its part of a list of points.
  subroutine write_polygons()
    integer(cgsize_t) :: nodes(3, own), offsets(own + 1), points(1, own), first, last
    integer :: zone, section, condition, i, ier
    call cg_zone_write_f(file, base, "Zone of polygons", int([3*own*ranks, own*ranks, 0], cgsize_t), &
                         Unstructured, zone, ier)
    call ok(ier)
    call cgp_poly_section_write_f(file, base, zone, "Triangles", NGON_n, 1_cgsize_t, &
                                  int(own*ranks, cgsize_t), int(3*own*ranks, cgsize_t), 0, &
                                  section, ier)
    call ok(ier)
    first = own*rank + 1
    last = own*(rank + 1)
    nodes = reshape([(int(3*own*rank + i, cgsize_t), i=1, 3*own)], [3, own])
    offsets = [(int(3*(own*rank + i), cgsize_t), i=0, own)]
    call cgp_poly_elements_write_data_f(file, base, zone, section, first, last, nodes, offsets, &
                                        ier)
    call ok(ier)
    call cg_boco_write_f(file, base, zone, "Wall", BCWall, PointList, int(own*ranks, cgsize_t), &
                         [(int(i, cgsize_t), i=1, own*ranks)], condition, ier)
    call ok(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", condition, &
                   "PointList", 0, "end")
    call ok(ier)
    points(1, :) = [(3*own*ranks - (first + i - 2), i=1, own)]
    call cgp_ptlist_write_data_f(file, first, last, points, ier)
    call ok(ier)
  end subroutine write_polygons

  subroutine read_polygons()
    integer(cgsize_t) :: nodes(3*own), offsets(own + 1), points(own), first, last
    integer :: next, i, ier
    next = mod(rank + 1, ranks)
    first = own*next + 1
    last = own*(next + 1)
    call cgp_poly_elements_read_data_offsets_f(file, 2, 2, 1, first, last, offsets, ier)
    call ok(ier)
    call cgp_poly_elements_read_data_elements_f(file, 2, 2, 1, first, last, offsets, nodes, ier)
    call ok(ier)
    call require(all(nodes == [(3*own*next + i, i=1, 3*own)]), "nodes of polygons")
    call cg_goto_f(file, 2, ier, "Zone_t", 2, "ZoneBC_t", 1, "BC_t", 1, "PointList", 0, "end")
    call ok(ier)
    call cgp_ptlist_read_data_f(file, first, last, points, ier)
    call ok(ier)
    call require(all(points == [(3*own*ranks - (first + i - 2), i=1, own)]), "points")
  end subroutine read_polygons

  ! Even and odd ranks each write a file of their own, without waiting for the others.
  subroutine on_some_ranks()
    integer :: some, count, ier
    character(32) :: name
    write (name, "(a,i0,a)") "some", mod(rank, 2), ".cgns"
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, some, ier)
    call cgp_mpi_comm_f(some, ier)
    call ok(ier)
    call cgp_open_f(name, CG_MODE_WRITE, file, ier)
    call ok(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call ok(ier)
    call cgp_close_f(file, ier)
    call ok(ier)
    call cgp_open_f(name, CG_MODE_READ, file, ier)
    call ok(ier)
    call cg_nbases_f(file, count, ier)
    call ok(ier)
    call require(count == 1, "one base")
    call cgp_close_f(file, ier)
    call ok(ier)
  end subroutine on_some_ranks

end program cgns_parallel
