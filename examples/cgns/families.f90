! Families: a wing with a flap, the boundary condition of its surfaces, the file with its geometry,
! and the zone that belongs to it.
program families
  use cgns
  implicit none
  character(*), parameter :: path = "families.cgns"
  call write_file()
  call print_file()

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  subroutine write_file()
    integer(cgsize_t) :: sizes(3, 3)
    integer :: file, base, zone, family, condition, geometry, part, ier
    sizes = reshape([9, 5, 5, 8, 4, 4, 0, 0, 0], [3, 3])
    call cg_open_f(path, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Aircraft", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Around the wing", sizes, Structured, zone, ier)
    call check(ier)

    ! A family holds what surfaces or zones of one kind have in common.
    call cg_family_write_f(file, base, "Wing", family, ier)
    call check(ier)
    call cg_fambc_write_f(file, base, family, "Skin", BCWallViscous, condition, ier)
    call check(ier)
    call cg_geo_write_f(file, base, family, "Shape", "wing.igs", "NASA-IGES", geometry, ier)
    call check(ier)
    call cg_part_write_f(file, base, family, geometry, "Upper side", part, ier)
    call check(ier)

    ! Families may be nested; a path leads to the inner ones.
    call cg_family_write_f(file, base, "/Aircraft/Wing/Flap", family, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Wing", 0, "Flap", 0, "end")
    call check(ier)
    call cg_node_fambc_write_f("Hinge", BCWallInviscid, condition, ier)
    call check(ier)

    ! The zone belongs to two families.
    call cg_goto_f(file, base, ier, "Zone_t", zone, "end")
    call check(ier)
    call cg_famname_write_f("Wing", ier)
    call check(ier)
    call cg_multifam_write_f("Moves with", "Aircraft/Wing/Flap", ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  subroutine print_file()
    integer :: file, count, conditions, geometries, parts, others, i, k, ier
    integer(cgenum_t) :: type
    character(32) :: name, format
    character(660) :: family, shape
    call cg_open_f(path, CG_MODE_READ, file, ier)
    call check(ier)
    call cg_nfamilies_f(file, 1, count, ier)
    call check(ier)
    do i = 1, count
      call cg_family_read_f(file, 1, i, name, conditions, geometries, ier)
      call check(ier)
      print *, "family ", trim(name)
      do k = 1, conditions
        call cg_fambc_read_f(file, 1, i, k, name, type, ier)
        call check(ier)
        print *, "  condition ", trim(name), ": ", trim(BCTypeName(type))
      end do
      do k = 1, geometries
        call cg_geo_read_f(file, 1, i, k, name, shape, format, parts, ier)
        call check(ier)
        print *, "  geometry ", trim(name), ": ", trim(shape), " as ", trim(format), ",", parts, &
          "part"
      end do
    end do
    call cg_goto_f(file, 1, ier, "Zone_t", 1, "end")
    call check(ier)
    call cg_famname_read_f(family, ier)
    call check(ier)
    if (family /= "Wing") error stop "the zone belongs to another family"
    call cg_nmultifam_f(others, ier)
    call check(ier)
    do i = 1, others
      call cg_multifam_read_f(i, name, family, ier)
      call check(ier)
      print *, "the zone also belongs to ", trim(name), ": ", trim(family)
    end do
    if (family /= "Aircraft/Wing/Flap") error stop "another second family"
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine print_file

end program families
