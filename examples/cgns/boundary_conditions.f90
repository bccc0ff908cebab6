! Boundary conditions of a structured zone: the inflow is a range of vertices with a velocity, the
! wall a list of faces.
program boundary_conditions
  use cgns
  implicit none
  integer, parameter :: ni = 21, nj = 17, nk = 9, faces = (ni - 1)*(nk - 1)
  character(*), parameter :: name = "boundary_conditions.cgns"
  real(8) :: velocity
  integer(cgsize_t) :: points
  integer :: file, ier
  call write_file()
  call cg_open_f(name, CG_MODE_READ, file, ier)
  call check(ier)
  call read_conditions(points)
  call cg_goto_f(file, 1, ier, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", 1, "BCDataSet_t", 1, &
                 "BCData_t", Dirichlet, "end")
  call check(ier)
  call cg_array_read_f(1, velocity, ier)
  call check(ier)
  call cg_close_f(file, ier)
  call check(ier)
  if (points /= 2 + faces .or. velocity /= 12.5d0) error stop "other conditions are in the file"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3)
    integer :: base, zone, ier
    sizes(:, 1) = [ni, nj, nk]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone  1", sizes, Structured, zone, ier)
    call check(ier)
    call write_inflow(base, zone)
    call write_wall(base, zone)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Writes the inflow: the plane of vertices with the lowest first index, and one velocity for all
  ! of it.
  subroutine write_inflow(base, zone)
    integer, intent(in) :: base, zone
    integer(cgsize_t), parameter :: one = 1, two = 2
    integer(cgsize_t) :: range(3, 2)
    integer :: condition, set, ier
    range(:, 1) = 1
    range(:, 2) = [1, nj, nk]
    call cg_boco_write_f(file, base, zone, "Inflow", BCInflowSubsonic, PointRange, two, range, &
                         condition, ier)
    call check(ier)
    call cg_dataset_write_f(file, base, zone, condition, "State", BCInflowSubsonic, set, ier)
    call check(ier)
    call cg_bcdata_write_f(file, base, zone, condition, set, Dirichlet, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", condition, &
                   "BCDataSet_t", set, "BCData_t", Dirichlet, "end")
    call check(ier)
    call cg_array_write_f("VelocityX", RealDouble, 1, one, 12.5d0, ier)
    call check(ier)
  end subroutine write_inflow

  ! Writes the wall: the faces with the lowest second index, whose normals all lie in that
  ! direction.
  subroutine write_wall(base, zone)
    integer, intent(in) :: base, zone
    integer(cgsize_t) :: list(3, faces)
    integer :: condition, i, k, ier
    do k = 1, nk - 1
      do i = 1, ni - 1
        list(:, i + (ni - 1)*(k - 1)) = [i, 1, k]
      end do
    end do
    call cg_boco_write_f(file, base, zone, "Wall", BCWallViscous, PointList, &
                         int(faces, cgsize_t), list, condition, ier)
    call check(ier)
    call cg_boco_gridlocation_write_f(file, base, zone, condition, JFaceCenter, ier)
    call check(ier)
    ! Without a list of normals, the last argument before ier is ignored.
    call cg_boco_normal_write_f(file, base, zone, condition, [0, 1, 0], 0, RealDouble, 0, ier)
    call check(ier)
  end subroutine write_wall

  ! Prints the conditions and returns their number of points.
  subroutine read_conditions(points)
    integer(cgsize_t), intent(out) :: points
    integer(cgsize_t) :: count, normals
    integer(cgsize_t), allocatable :: indices(:, :)
    integer(cgenum_t) :: type, form, normal_type, location
    integer :: conditions, c, direction(3), sets, ier
    character(32) :: name
    points = 0
    call cg_nbocos_f(file, 1, 1, conditions, ier)
    call check(ier)
    do c = 1, conditions
      call cg_boco_info_f(file, 1, 1, c, name, type, form, count, direction, normals, &
                          normal_type, sets, ier)
      call check(ier)
      call cg_boco_gridlocation_read_f(file, 1, 1, c, location, ier)
      call check(ier)
      allocate (indices(3, count))
      call cg_boco_read_f(file, 1, 1, c, indices, c_null_ptr, ier)
      call check(ier)
      print *, trim(name), ": ", trim(BCTypeName(type)), ", ", trim(PointSetTypeName(form)), &
        " of", count, "at ", trim(GridLocationName(location)), ", from", indices(:, 1), &
        "; sets of data:", sets
      deallocate (indices)
      points = points + count
    end do
  end subroutine read_conditions

end program boundary_conditions
