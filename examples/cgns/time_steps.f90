! Solutions at three time steps in one file. BaseIterativeData has the times, ZoneIterativeData the
! name of the solution for each.
program time_steps
  use cgns
  implicit none
  integer, parameter :: steps = 3, vertices(3) = [4, 3, 2]
  real(8), parameter :: times(steps) = [0d0, 0.5d0, 1d0]
  character(*), parameter :: path = "time_steps.cgns"
  call write_file()
  call compare()

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  ! The pressure at all vertices, at a time.
  pure function pressure(time) result(values)
    real(8), intent(in) :: time
    real(8) :: values(4*3*2)
    integer :: i
    values = [(1 + 0.25d0*time*(i - 1), i=1, size(values))]
  end function pressure

  pure character(32) function name_of_step(step)
    integer, intent(in) :: step
    write (name_of_step, "(a,i0)") "FlowSolution", step
  end function name_of_step

  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3), dimensions(3)
    integer :: file, base, zone, index, step, ier
    character(32) :: names(steps)
    sizes(:, 1) = vertices
    sizes(:, 2) = vertices - 1
    sizes(:, 3) = 0
    call cg_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_simulation_type_write_f(file, base, TimeAccurate, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
    call check(ier)

    ! One solution for each step. Their names form a table of 32 characters each, padded with
    ! blanks.
    do step = 1, steps
      names(step) = name_of_step(step)
      call cg_sol_write_f(file, base, zone, names(step), Vertex, index, ier)
      call check(ier)
      call cg_goto_f(file, base, ier, "Zone_t", zone, "FlowSolution_t", index, "end")
      call check(ier)
      call cg_array_write_f("Pressure", RealDouble, 3, sizes(:, 1), pressure(times(step)), ier)
      call check(ier)
    end do

    call cg_biter_write_f(file, base, "TimeIterValues", steps, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "BaseIterativeData_t", 1, "end")
    call check(ier)
    dimensions = steps
    call cg_array_write_f("TimeValues", RealDouble, 1, dimensions, times, ier)
    call check(ier)

    call cg_ziter_write_f(file, base, zone, "ZoneIterativeData", ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "ZoneIterativeData_t", 1, "end")
    call check(ier)
    dimensions(1) = len(names)
    call cg_array_write_f("FlowSolutionPointers", Character, 2, dimensions, names, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  subroutine compare()
    integer :: file, found_steps, step, ier
    real(8) :: found_times(steps), values(product(vertices))
    character(32) :: name, names(steps)
    call cg_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_biter_read_f(file, 1, name, found_steps, ier)
    call check(ier)
    if (found_steps /= steps) error stop "another number of steps"
    call cg_goto_f(file, 1, ier, "BaseIterativeData_t", 1, "end")
    call check(ier)
    call cg_array_read_f(1, found_times, ier)
    call check(ier)
    call cg_goto_f(file, 1, ier, "Zone_t", 1, "ZoneIterativeData_t", 1, "end")
    call check(ier)
    call cg_array_read_f(1, names, ier)
    call check(ier)
    do step = 1, steps
      call cg_goto_f(file, 1, ier, "Zone_t", 1, trim(names(step)), 0, "end")
      call check(ier)
      call cg_array_read_f(1, values, ier)
      call check(ier)
      if (any(values /= pressure(found_times(step)))) error stop "other values are in the file"
      print *, "time", found_times(step), ": ", names(step)
    end do
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine compare

end program time_steps
