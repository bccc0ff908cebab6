! Two structured zones that share a plane of vertices: the plane with the highest first index of one
! zone is that with the lowest first index of the other. Each zone has the interface, with the other
! as its donor.
program one_to_one
  use cgns
  implicit none
  integer, parameter :: ni = 21, nj = 17, nk = 9
  character(*), parameter :: name = "one_to_one.cgns"
  integer :: file, once, interfaces, zone, i, ier
  logical :: is_right
  call write_file()
  call cg_open_f(name, CG_MODE_READ, file, ier)
  call check(ier)
  call cg_n1to1_global_f(file, 1, once, ier)
  call check(ier)
  is_right = once == 1
  do zone = 1, 2
    call cg_n1to1_f(file, 1, zone, interfaces, ier)
    call check(ier)
    do i = 1, interfaces
      if (.not. is_same_place(zone, i)) is_right = .false.
    end do
  end do
  call cg_close_f(file, ier)
  call check(ier)
  if (.not. is_right) error stop "the interfaces do not fit"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_zone(base, name, from, zone)
    integer, intent(in) :: base, from
    character(*), intent(in) :: name
    integer, intent(out) :: zone
    integer(cgsize_t) :: sizes(3, 3)
    real(8) :: x(ni, nj, nk)
    integer :: index, i, ier
    sizes(:, 1) = [ni, nj, nk]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    do i = 1, ni
      x(i, :, :) = from + i - 1
    end do
    call cg_zone_write_f(file, base, name, sizes, Structured, zone, ier)
    call check(ier)
    call cg_coord_write_f(file, base, zone, RealDouble, "CoordinateX", x, index, ier)
    call check(ier)
  end subroutine write_zone

  subroutine write_file()
    integer(cgsize_t) :: low(3, 2), high(3, 2)
    ! The zones have the same directions: the first is the donor's first, and so on.
    integer, parameter :: transform(3) = [1, 2, 3]
    integer :: base, left, right, index, ier
    low = reshape([1, 1, 1, 1, nj, nk], [3, 2])
    high = reshape([ni, 1, 1, ni, nj, nk], [3, 2])
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call write_zone(base, "Zone  1", 0, left)
    call write_zone(base, "Zone  2", ni - 1, right)
    call cg_1to1_write_f(file, base, left, "To zone 2", "Zone  2", high, low, transform, index, ier)
    call check(ier)
    call cg_1to1_write_f(file, base, right, "To zone 1", "Zone  1", low, high, transform, index, &
                         ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! The number of a zone.
  integer function zone_of_name(name)
    character(*), intent(in) :: name
    integer(cgsize_t) :: sizes(3, 3)
    integer :: zones, zone, ier
    character(32) :: found
    zone_of_name = 0
    call cg_nzones_f(file, 1, zones, ier)
    call check(ier)
    do zone = 1, zones
      call cg_zone_read_f(file, 1, zone, found, sizes, ier)
      call check(ier)
      if (found == name) zone_of_name = zone
    end do
  end function zone_of_name

  ! True if the vertices of an interface are at the places of those of its donor.
  logical function is_same_place(zone, interface)
    integer, intent(in) :: zone, interface
    real(8) :: own(nj, nk), others(nj, nk)
    integer(cgsize_t) :: range(3, 2), donor_range(3, 2)
    integer :: transform(3), donor_zone, ier
    character(32) :: name, donor
    call cg_1to1_read_f(file, 1, zone, interface, name, donor, range, donor_range, transform, ier)
    call check(ier)
    donor_zone = zone_of_name(donor)
    call cg_coord_read_f(file, 1, zone, "CoordinateX", RealDouble, range(:, 1), range(:, 2), own, &
                         ier)
    call check(ier)
    call cg_coord_read_f(file, 1, donor_zone, "CoordinateX", RealDouble, donor_range(:, 1), &
                         donor_range(:, 2), others, ier)
    call check(ier)
    print *, "zone", zone, ", ", trim(name), ": donor ", trim(donor), ", transform", transform
    is_same_place = all(own == others)
  end function is_same_place

end program one_to_one
