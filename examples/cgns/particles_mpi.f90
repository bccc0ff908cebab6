! Particles on ranks: each rank writes its part of the coordinates and of a solution, and reads that
! of the next rank. The file is the same on any number of ranks.
program particles
  use mpi
  use cgns
  implicit none
  integer, parameter :: all_particles = 1000
  character(*), parameter :: path = "particles.cgns"
  integer :: rank, ranks, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call write_file()
  call compare(mod(rank + 1, ranks))
  call MPI_Finalize(ier)

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine check

  ! The particles of a rank: first and last, counted from 1.
  subroutine part_of(rank, first, last)
    integer, intent(in) :: rank
    integer(cgsize_t), intent(out) :: first, last
    first = all_particles*rank/ranks + 1
    last = all_particles*(rank + 1)/ranks
  end subroutine part_of

  pure elemental real(8) function coordinate(direction, particle)
    integer, intent(in) :: direction
    integer(cgsize_t), intent(in) :: particle
    coordinate = 1000*(direction - 1) + real(particle, 8)
  end function coordinate

  subroutine write_file()
    character(*), parameter :: names(3) = ["CoordinateX", "CoordinateY", "CoordinateZ"]
    real(8), allocatable, target :: x(:, :), radius(:)
    integer(cgsize_t) :: first, last, i
    integer :: file, base, zone, coordinates(3), solution, field, k, ier
    call part_of(rank, first, last)
    allocate (x(first:last, 3), radius(first:last))
    do i = first, last
      x(i, :) = coordinate([1, 2, 3], i)
      radius(i) = 0.5d0/i
    end do

    ! All ranks create the nodes, with the same arguments.
    call cgp_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_particle_write_f(file, base, "Drops", int(all_particles, cgsize_t), zone, ier)
    call check(ier)
    do k = 1, 3
      call cgp_particle_coord_write_f(file, base, zone, RealDouble, names(k), coordinates(k), ier)
      call check(ier)
    end do
    call cg_particle_sol_write_f(file, base, zone, "Solution", solution, ier)
    call check(ier)
    call cgp_particle_field_write_f(file, base, zone, solution, RealDouble, "Radius", field, ier)
    call check(ier)

    ! Each rank writes its part: three arrays in one call, and one in another.
    call cgp_particle_coord_multi_write_data_f(file, base, zone, coordinates, first, last, 3, &
                                               [(c_loc(x(first, k)), k=1, 3)], ier)
    call check(ier)
    call cgp_particle_field_write_data_f(file, base, zone, solution, field, first, last, radius, &
                                         ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! The second coordinate of the particles of another rank.
  subroutine compare(other)
    integer, intent(in) :: other
    real(8), allocatable :: y(:)
    integer(cgsize_t) :: count, first, last, i
    integer :: file, ier
    character(32) :: name
    call part_of(other, first, last)
    allocate (y(first:last))
    call cgp_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_particle_read_f(file, 1, 1, name, count, ier)
    call check(ier)
    call cgp_particle_coord_read_data_f(file, 1, 1, 2, first, last, y, ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
    if (count /= all_particles .or. any(y /= coordinate(2, [(i, i=first, last)]))) &
      call MPI_Abort(MPI_COMM_WORLD, 1, ier)
    if (rank == 0) print *, trim(name), ":", count, "particles"
  end subroutine compare

end program particles
