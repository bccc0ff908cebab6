! The interface of two structured zones as a list of vertices: each entry names a vertex of the zone
! and the vertex of the donor at the same place. The interface is also periodic.
program general_interface
  use cgns
  implicit none
  integer, parameter :: ni = 9, nj = 7, nk = 5, meeting = nj*nk
  integer(cgsize_t), parameter :: count = meeting
  character(*), parameter :: name = "general_interface.cgns"
  integer :: file, zone, interfaces, all_interfaces, i, ier
  logical :: is_right
  call write_file()
  call cg_open_f(name, CG_MODE_READ, file, ier)
  call check(ier)
  is_right = .true.
  all_interfaces = 0
  do zone = 1, 2
    call cg_nconns_f(file, 1, zone, interfaces, ier)
    call check(ier)
    all_interfaces = all_interfaces + interfaces
    do i = 1, interfaces
      if (.not. is_as_written(zone, i)) is_right = .false.
    end do
  end do
  call cg_close_f(file, ier)
  call check(ier)
  if (.not. is_right .or. all_interfaces /= 3) error stop "other interfaces are in the file"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  ! Lists the plane of vertices at an index of the first direction.
  pure function plane(i) result(points)
    integer, intent(in) :: i
    integer(cgsize_t) :: points(3, meeting)
    integer :: j, k
    do k = 1, nk
      do j = 1, nj
        points(:, j + nj*(k - 1)) = [i, j, k]
      end do
    end do
  end function plane

  subroutine write_interface(zone, name, i, donor, donor_i, interface)
    integer, intent(in) :: zone, i, donor_i
    character(*), intent(in) :: name, donor
    integer, intent(out) :: interface
    integer :: ier
    call cg_conn_write_f(file, 1, zone, name, Vertex, Abutting1to1, PointList, count, plane(i), &
                         donor, Structured, PointListDonor, Integer, count, plane(donor_i), &
                         interface, ier)
    call check(ier)
  end subroutine write_interface

  subroutine write_file()
    real(4), parameter :: center(3) = 0, angle(3) = 0, distance(3) = [2*(ni - 1), 0, 0]
    integer(cgsize_t) :: sizes(3, 3)
    integer :: base, left, right, interface, ier
    sizes(:, 1) = [ni, nj, nk]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone  1", sizes, Structured, left, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone  2", sizes, Structured, right, ier)
    call check(ier)
    call write_interface(left, "To zone 2", ni, "Zone  2", 1, interface)
    call write_interface(right, "To zone 1", 1, "Zone  1", ni, interface)
    call write_interface(right, "Around to zone 1", ni, "Zone  1", 1, interface)
    call cg_conn_periodic_write_f(file, base, right, interface, center, angle, distance, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! True if the donors of an interface differ from its own vertices only in the first index.
  logical function is_as_written(zone, interface)
    integer, intent(in) :: zone, interface
    integer(cgsize_t) :: own(3, meeting), others(3, meeting), points, donors
    integer(cgenum_t) :: location, kind, form, donor_zone, donor_form, type
    character(32) :: name, donor
    real(4) :: center(3), angle(3), distance(3)
    integer :: ier
    is_as_written = .false.
    call cg_conn_info_f(file, 1, zone, interface, name, location, kind, form, points, donor, &
                        donor_zone, donor_form, type, donors, ier)
    call check(ier)
    if (points /= meeting .or. donors /= meeting) return
    call cg_conn_read_f(file, 1, zone, interface, own, type, others, ier)
    call check(ier)
    print *, "zone", zone, trim(name), ": ", trim(GridConnectivityTypeName(kind)), " at", points, &
      "vertices of ", trim(donor)
    call cg_conn_periodic_read_f(file, 1, zone, interface, center, angle, distance, ier)
    if (ier == CG_OK) print *, "  further on:", distance(1)
    is_as_written = own(1, 1) + others(1, 1) == 1 + ni .and. all(own(2:, :) == others(2:, :))
  end function is_as_written

end program general_interface
