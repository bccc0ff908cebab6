! Ranks write a structured zone together: each its planes of the coordinates and of the solution.
program parallel_solution
  use mpi
  use cgns
  implicit none
  integer, parameter :: ni = 21, nj = 17, planes = 5 ! planes of each rank
  character(*), parameter :: name = "parallel_solution.cgns"
  real(8) :: own(ni, nj, planes)
  integer :: rank, ranks, i, j, k, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call cgp_mpi_comm_f(MPI_COMM_WORLD, ier)
  call check(ier)
  do k = 1, planes
    do j = 1, nj
      do i = 1, ni
        own(i, j, k) = value_at(rank, i, j, k)
      end do
    end do
  end do
  call write_file()
  if (.not. is_as_written(mod(rank + 1, ranks))) then
    print *, "rank", rank, "finds other values"
    call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end if
  call MPI_Finalize(ier)

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine check

  pure real(8) function value_at(rank, i, j, k)
    integer, intent(in) :: rank, i, j, k
    value_at = rank + 0.001d0*(ni*(j - 1)*(i - 1) + k - 1)
  end function value_at

  ! All ranks make the calls that create nodes with the same arguments; in calls that write data
  ! each passes its part.
  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3), low(3), high(3)
    integer :: file, base, zone, coordinate, solution, field, ier
    sizes(:, 1) = [ni, nj, planes*ranks]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    low = [1, 1, planes*rank + 1]
    high = [ni, nj, planes*(rank + 1)]
    call cgp_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
    call check(ier)
    call cgp_coord_write_f(file, base, zone, RealDouble, "CoordinateX", coordinate, ier)
    call check(ier)
    call cg_sol_write_f(file, base, zone, "Solution", Vertex, solution, ier)
    call check(ier)
    call cgp_field_write_f(file, base, zone, solution, RealDouble, "Density", field, ier)
    call check(ier)
    call cgp_coord_write_data_f(file, base, zone, coordinate, low, high, own, ier)
    call check(ier)
    call cgp_field_write_data_f(file, base, zone, solution, field, low, high, own, ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Each rank reads the planes of the next one.
  logical function is_as_written(next)
    integer, intent(in) :: next
    real(8) :: found(ni, nj, planes)
    integer(cgsize_t) :: low(3), high(3)
    integer :: file, k, ier
    low = [1, 1, planes*next + 1]
    high = [ni, nj, planes*(next + 1)]
    call cgp_open_f(name, CG_MODE_READ, file, ier)
    call check(ier)
    call cgp_field_read_data_f(file, 1, 1, 1, 1, low, high, found, ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
    is_as_written = all([(found(3, 2, k) == value_at(next, 3, 2, k), k=1, planes)])
  end function is_as_written

end program parallel_solution
