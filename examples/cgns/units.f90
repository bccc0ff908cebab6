! Units give the numbers of a file a meaning. The base has the units of the whole file; an array has
! the powers of mass, length, time, temperature and angle of its numbers.
program units
  use cgns
  implicit none
  character(*), parameter :: path = "units.cgns"
  call write_file()
  call print_file()

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3)
    integer(cgsize_t), parameter :: one = 1
    real(4), parameter :: length(5) = [0, 1, 0, 0, 0], force_per_area(5) = [1, -1, -2, 0, 0]
    real(8) :: x(3, 2, 2)
    integer :: file, base, zone, index, i, ier
    sizes = reshape([3, 2, 2, 2, 1, 1, 0, 0, 0], [3, 3])
    do i = 1, 3
      x(i, :, :) = i - 1
    end do
    call cg_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "end")
    call check(ier)
    call cg_dataclass_write_f(Dimensional, ier)
    call check(ier)
    call cg_units_write_f(Kilogram, Meter, Second, Kelvin, Degree, ier)
    call check(ier)

    ! A length: the first power of length.
    call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateX", x, index, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "GridCoordinates_t", 1, "DataArray_t", index, &
                   "end")
    call check(ier)
    call cg_exponents_write_f(RealSingle, length, ier)
    call check(ier)

    ! The free stream: a pressure in units of its own, and a dimensionless number.
    call cg_goto_f(file, base, ier, "end")
    call check(ier)
    call cg_state_write_f("free stream", ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "ReferenceState_t", 1, "end")
    call check(ier)
    call cg_array_write_f("Pressure", RealDouble, 1, one, 14.7d0, ier)
    call check(ier)
    call cg_array_write_f("Mach", RealDouble, 1, one, 0.84d0, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "Pressure", 0, "end")
    call check(ier)
    call cg_units_write_f(PoundMass, Inch, Second, Rankine, Degree, ier)
    call check(ier)
    call cg_exponents_write_f(RealSingle, force_per_area, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "..", 0, "Mach", 0, "end")
    call check(ier)
    call cg_dataclass_write_f(NondimensionalParameter, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Prints the units of the array at the current position.
  subroutine print_dimensions(name)
    character(*), intent(in) :: name
    integer(cgenum_t) :: class, mass, length, time, temperature, angle
    real(4) :: powers(5)
    integer :: ier
    print *, name
    call cg_dataclass_read_f(class, ier)
    if (ier == CG_OK) print *, "  ", trim(DataClassName(class))
    call cg_exponents_read_f(powers, ier)
    if (ier == CG_OK) print *, "  powers of mass, length, time:", powers(:3)
    call cg_units_read_f(mass, length, time, temperature, angle, ier)
    if (ier == CG_OK) print *, "  in ", trim(MassUnitsName(mass)), ", ", &
      trim(LengthUnitsName(length)), ", ", trim(TimeUnitsName(time))
  end subroutine print_dimensions

  subroutine print_file()
    integer :: file, ier
    call cg_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_goto_f(file, 1, ier, "end")
    call check(ier)
    call print_dimensions("all")
    call cg_gopath_f(file, "/Base/Zone/GridCoordinates/CoordinateX", ier)
    call check(ier)
    call print_dimensions("coordinates")
    call cg_gopath_f(file, "/Base/ReferenceState/Pressure", ier)
    call check(ier)
    call print_dimensions("pressure")
    call cg_gopath_f(file, "/Base/ReferenceState/Mach", ier)
    call check(ier)
    call print_dimensions("Mach number")
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine print_file

end program units
