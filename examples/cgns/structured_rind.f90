! A solution in cells with rind: one more plane of cells at both ends of the first index, which a
! solver uses for its boundary conditions. The first cell of the core has the index 1.
program structured_rind
  use cgns
  implicit none
  integer, parameter :: ni = 21, nj = 17, nk = 9 ! vertices
  character(*), parameter :: name = "structured_rind.cgns"
  real(8) :: density(0:ni, nj - 1, nk - 1) ! cells, with rind
  integer :: i, j, k
  do k = 1, nk - 1
    do j = 1, nj - 1
      do i = 0, ni
        density(i, j, k) = i + 0.01d0*(j - 1) + 0.0001d0*(k - 1)
      end do
    end do
  end do
  call write_file()
  if (.not. is_as_written()) error stop "other values are in the file"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  ! The rind is written before the fields, whose extents it changes.
  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3)
    integer :: file, base, zone, solution, field, ier
    sizes(:, 1) = [ni, nj, nk]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone  1", sizes, Structured, zone, ier)
    call check(ier)
    call cg_sol_write_f(file, base, zone, "In cells", CellCenter, solution, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "FlowSolution_t", solution, "end")
    call check(ier)
    call cg_rind_write_f([1, 1, 0, 0, 0, 0], ier)
    call check(ier)
    call cg_field_write_f(file, base, zone, solution, RealDouble, "Density", density, field, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Reads the plane of rind at the low end, and the cells of the core.
  logical function is_as_written()
    real(8) :: plane(nj - 1, nk - 1), core(ni - 1, nj - 1, nk - 1)
    integer(cgsize_t) :: low(3), high(3), extents(3)
    integer :: file, rind(6), dimensions, ier
    call cg_open_f(name, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_goto_f(file, 1, ier, "Zone_t", 1, "FlowSolution_t", 1, "end")
    call check(ier)
    call cg_rind_read_f(rind, ier)
    call check(ier)
    call cg_sol_size_f(file, 1, 1, 1, dimensions, extents, ier)
    call check(ier)
    print *, "planes of rind:", rind(:2), "; cells in the first direction:", extents(1)
    low = [0, 1, 1]
    high = [0, nj - 1, nk - 1]
    call cg_field_read_f(file, 1, 1, 1, "Density", RealDouble, low, high, plane, ier)
    call check(ier)
    low = 1
    high = [ni - 1, nj - 1, nk - 1]
    call cg_field_read_f(file, 1, 1, 1, "Density", RealDouble, low, high, core, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
    is_as_written = extents(1) == ni + 1 .and. all(plane == density(0, :, :)) .and. &
                    all(core == density(1:ni - 1, :, :))
  end function is_as_written

end program structured_rind
