! A structured zone with two solutions: density at the vertices, pressure in the cells.
program structured_solution
  use cgns
  implicit none
  ! Vertices of the zone.
  integer, parameter :: ni = 21, nj = 17, nk = 9
  character(*), parameter :: name = "structured_solution.cgns"
  real(8) :: x(ni, nj, nk), y(ni, nj, nk), z(ni, nj, nk), density(ni, nj, nk)
  real(4) :: pressure(ni - 1, nj - 1, nk - 1)
  call compute()
  call write_file()
  if (.not. is_as_written()) error stop "other values are in the file"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine compute()
    integer :: i, j, k
    do k = 1, nk
      do j = 1, nj
        do i = 1, ni
          x(i, j, k) = i - 1
          y(i, j, k) = j - 1
          z(i, j, k) = k - 1
          density(i, j, k) = (i - 1) + 0.01d0*(j - 1) + 0.0001d0*(k - 1)
        end do
      end do
    end do
    do k = 1, nk - 1
      do j = 1, nj - 1
        do i = 1, ni - 1
          pressure(i, j, k) = real((i - 1)*(j - 1)*(k - 1), 4)
        end do
      end do
    end do
  end subroutine compute

  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3)
    integer :: file, base, zone, solution, index, ier
    sizes(:, 1) = [ni, nj, nk]
    sizes(:, 2) = [ni - 1, nj - 1, nk - 1]
    sizes(:, 3) = 0
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone  1", sizes, Structured, zone, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateX", x, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateY", y, index, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateZ", z, index, ier)
    call check(ier)
    call cg_sol_write_f(file, base, zone, "At vertices", Vertex, solution, ier)
    call check(ier)
    call cg_field_write_f(file, base, zone, solution, RealDouble, "Density", density, index, ier)
    call check(ier)
    call cg_sol_write_f(file, base, zone, "In cells", CellCenter, solution, ier)
    call check(ier)
    call cg_field_write_f(file, base, zone, solution, RealSingle, "Pressure", pressure, index, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Reads the density of one plane, and the pressure of all cells in double precision.
  logical function is_as_written()
    integer(cgsize_t) :: low(3), high(3)
    integer(cgenum_t) :: location
    integer :: file, solutions, s, ier
    real(8) :: plane(ni, nj), cells(ni - 1, nj - 1, nk - 1)
    character(32) :: solution
    call cg_open_f(name, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_nsols_f(file, 1, 1, solutions, ier)
    call check(ier)
    do s = 1, solutions
      call cg_sol_info_f(file, 1, 1, s, solution, location, ier)
      call check(ier)
      print *, trim(solution), ": ", trim(GridLocationName(location))
    end do
    low = [1, 1, nk]
    high = [ni, nj, nk]
    call cg_field_read_f(file, 1, 1, 1, "Density", RealDouble, low, high, plane, ier)
    call check(ier)
    low = 1
    high = [ni - 1, nj - 1, nk - 1]
    call cg_field_read_f(file, 1, 1, 2, "Pressure", RealDouble, low, high, cells, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
    is_as_written = solutions == 2 .and. all(plane == density(:, :, nk)) .and. &
                    all(cells == real(pressure, 8))
  end function is_as_written

end program structured_solution
