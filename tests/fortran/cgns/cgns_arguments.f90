! The arguments that programs may pass to the subroutines of the module cgns, and the results
program cgns_arguments
  use, intrinsic :: iso_c_binding, only: c_associated, c_loc
  use cgns
  use onecast_cgns_texts, only: address
  implicit none
  character(*), parameter :: name = "cgns_arguments.cgns"
  integer :: file, base, zone, index, ier
  integer(cgsize_t) :: sizes(3, 3)
  sizes(:, 1) = [4, 3, 2]
  sizes(:, 2) = [3, 2, 1]
  sizes(:, 3) = 0
  call cg_open_f(name//"   ", CG_MODE_WRITE, file, ier)
  call ok(ier)
  call cg_base_write_f(file, "Base", 3, 3, base, ier)
  call ok(ier)
  call cg_zone_write_f(file, base, "Zone  ", sizes, Structured, zone, ier)
  call ok(ier)
  ! The file is closed so that the data can be read.
  call cg_close_f(file, ier)
  call ok(ier)
  call cg_open_f(name, CG_MODE_MODIFY, file, ier)
  call ok(ier)
  call memory_of_any_kind()
  call positions()
  call texts()
  call conditions()
  call interfaces()
  call cg_close_f(file, ier)
  call ok(ier)
  call errors()
  call settings()
  call nodes()

contains

  subroutine ok(ier)
    integer, intent(in) :: ier
    if (ier == CG_OK) return
    call cg_error_print_f()
    error stop "a call failed"
  end subroutine ok

  subroutine require(is_true, what)
    logical, intent(in) :: is_true
    character(*), intent(in) :: what
    if (is_true) return
    print *, "not true: ", what
    error stop 1
  end subroutine require

  ! Memory may be an array of any type and rank, a section, an element, a scalar or an address;
  ! ranges may be arrays or elements of arrays.
  subroutine memory_of_any_kind()
    real(8), target :: x(4, 3, 2), y(8, 3, 2), with_ghosts(6, 5, 4)
    real(4), allocatable :: z(:, :, :)
    integer(cgsize_t) :: low(3), high(3), dimensions(12)
    integer(cgsize_t), parameter :: one = 1
    integer(cgenum_t) :: type
    integer :: i, numbers, dimension
    character(8) :: words(3), read_words(3)
    complex(8) :: c
    character(32) :: found
    y = reshape([(real(i, 8), i=1, size(y))], shape(y))
    call cg_coord_write_f(file, base, zone, RealDouble, "X", y(::2, :, :), index, ier)
    call ok(ier)
    allocate (z(4, 3, 2))
    z = real(y(2::2, :, :), 4)
    call cg_coord_write_f(file, base, zone, cg_get_type(z), "Y", z, index, ier)
    call ok(ier)
    x = y(::2, :, :) + 1000
    call cg_coord_write_f(file, base, zone, cg_get_type(x), "Z", c_loc(x), index, ier)
    call ok(ier)
    low = 1
    high = [4, 3, 2]
    ! The values go into every second element; the others stay.
    y = -1
    call cg_coord_read_f(file, base, zone, "Z", RealDouble, low, high, y(2::2, :, :), ier)
    call ok(ier)
    call require(all(y(2::2, :, :) == x) .and. all(y(::2, :, :) == -1), "read into a section")
    x = 0
    call cg_coord_read_f(file, base, zone, "X", RealDouble, low(1), high(1), c_loc(x), ier)
    call ok(ier)
    call require(x(2, 1, 1) == 3 .and. x(1, 2, 1) == 9, "read to an address")
    call old_program(x, low, high)
    call new_program(with_ghosts)

    call cg_goto_f(file, base, ier, "end")
    call ok(ier)
    call cg_user_data_write_f("Values", ier)
    call ok(ier)
    call cg_gorel_f(file, ier, "Values", 0, "end")
    call ok(ier)
    call cg_array_write_f("number", Integer, 1, one, 42, ier)
    call ok(ier)
    words = ["one     ", "two     ", "three   "]
    call cg_array_write_f("words", Character, 2, [8_cgsize_t, 3_cgsize_t], words, ier)
    call ok(ier)
    call cg_array_write_f("complex", cg_get_type(c), 1, one, (1.5d0, -2d0), ier)
    call ok(ier)
    call cg_array_read_f(1, numbers, ier)
    call ok(ier)
    call cg_array_read_f(2, read_words, ier)
    call ok(ier)
    call cg_array_read_f(3, c, ier)
    call ok(ier)
    call require(numbers == 42 .and. all(words == read_words), "values of arrays")
    call require(c == (1.5d0, -2d0), "a complex number")
    call cg_array_info_f(2, found, type, dimension, dimensions, ier)
    call ok(ier)
    call require(found == "words" .and. type == Character .and. dimension == 2, "an array")
    call require(all(dimensions(:2) == [8, 3]), "its dimensions")
  end subroutine memory_of_any_kind

  ! Memory may be an array of assumed shape. It is not copied if it has no gaps.
  subroutine new_program(whole)
    real(8), intent(inout), target :: whole(:, :, :)
    type(c_ptr) :: here
    here = address(whole)
    call require(c_associated(here, c_loc(whole(1, 1, 1))), "no copy of an array")
    here = address(whole(:, :, 2))
    call require(c_associated(here, c_loc(whole(1, 1, 2))), "nor of a part")
    here = address(whole(:, :, 2:1))
    call require(.not. c_associated(here), "nothing of an empty array")
    whole = -1
    call to_the_file_and_back(whole(2:5, 2:4, 2:3))
    call require(all(whole(2:5, 2:4, 2:3) == 7), "into the inside of an array")
    whole(2:5, 2:4, 2:3) = -1
    call require(all(whole == -1), "not around it")
  end subroutine new_program

  subroutine to_the_file_and_back(x)
    real(8), intent(inout) :: x(:, :, :)
    integer(cgsize_t) :: low(3), high(3)
    low = 1
    high = shape(x)
    x = 7
    call cg_coord_write_f(file, base, zone, RealDouble, "W", x, index, ier)
    call ok(ier)
    x = 0
    call cg_coord_read_f(file, base, zone, "W", RealDouble, low, high, x, ier)
    call ok(ier)
  end subroutine to_the_file_and_back

  ! Memory may be an array of assumed size.
  subroutine old_program(x, low, high)
    real(8), intent(inout) :: x(*)
    integer(cgsize_t), intent(in) :: low(*), high(*)
    x(:24) = 0
    call cg_coord_read_f(file, base, zone, "Y", RealDouble, low, high, x, ier)
    call ok(ier)
    call require(x(2) == 4 .and. x(5) == 10, "read into an array of assumed size")
  end subroutine old_program

  subroutine positions()
    integer :: data
    call cg_goto_f(file, base, ier, "Zone_t", zone, "GridCoordinates_t", 1, "end")
    call ok(ier)
    call cg_narrays_f(data, ier)
    call ok(ier)
    call require(data == 4, "four coordinates")
    call cg_goto_f(file, base, ier, "Values", 0)
    call ok(ier)
    call cg_gorel_f(file, ier, "..", 0, "Zone", 0, "GridCoordinates", 0, "END")
    call ok(ier)
    call cg_gorel_f(file, ier, " ")
    call ok(ier)
    call cg_narrays_f(data, ier)
    call ok(ier)
    call require(data == 4, "a relative path")
    call cg_gopath_f(file, "/Base/Values  ", ier)
    call ok(ier)
    call cg_goto_f(file, base, ier, "Zone_t", 7, "end")
    call require(ier == CG_NODE_NOT_FOUND, "no zone 7")
    call cg_narrays_f(data, ier)
    call require(ier /= CG_OK, "no position")
  end subroutine positions

  ! Texts are padded, and cut where they do not fit.
  subroutine texts()
    character(4) :: short
    character(200) :: long
    integer :: length
    call cg_zone_read_f(file, base, zone, short(:2), sizes, ier)
    call ok(ier)
    call require(short(:2) == "Zo", "a name is cut")
    call cg_zone_read_f(file, base, zone, long, sizes, ier)
    call ok(ier)
    call require(long == "Zone", "a name is padded")
    call cg_goto_f(file, base, ier, "end")
    call ok(ier)
    call cg_descriptor_write_f("Notes", repeat("words and ", 15)//"more", ier)
    call ok(ier)
    call cg_descriptor_size_f(1, length, ier)
    call ok(ier)
    call require(length == 154, "the length of a descriptor")
    call cg_descriptor_read_f(1, short, long, ier)
    call ok(ier)
    call require(short == "Note" .and. long(150:) == " more", "a descriptor")
    call cg_state_write_f("free stream", ier)
    call ok(ier)
    call cg_state_size_f(length, ier)
    call ok(ier)
    call cg_state_read_f(long, ier)
    call ok(ier)
    call require(length == 11 .and. long == "free stream", "a state")
    call require(MassUnitsName(Kilogram) == "Kilogram", "a name of a value")
    call require(ElementTypeName(HEXA_125) == "HEXA_125", "the last type of elements")
  end subroutine texts

  ! Indices may be default integers or integer(cgsize_t).
  subroutine conditions()
    integer(cgsize_t) :: range(3, 2), normals, points
    integer(cgenum_t) :: type, form, normal_type
    integer :: condition, direction(3), sets
    character(32) :: found
    range(:, 1) = 1
    range(:, 2) = [1, 3, 2]
    call cg_boco_write_f(file, base, zone, "Wall", BCWall, PointRange, 2_cgsize_t, range, &
                         condition, ier)
    call ok(ier)
    call cg_boco_normal_write_f(file, base, zone, condition, [1, 0, 0], 0, RealDouble, 0, ier)
    call ok(ier)
    call cg_boco_info_f(file, base, zone, condition, found, type, form, points, direction, &
                        normals, normal_type, sets, ier)
    call ok(ier)
    call require(all(direction == [1, 0, 0]) .and. points == 2, "a boundary condition")
    call cg_boco_write_f(file, base, zone, "Other", BCWall, PointRange, 2_cgsize_t, range, &
                         condition, ier)
    call ok(ier)
    call cg_boco_normal_write_f(file, base, zone, condition, int([1, 0, 0], cgsize_t), 0, &
                                RealDouble, 0, ier)
    call ok(ier)
    call cg_boco_info_f(file, base, zone, condition, found, type, form, points, direction, &
                        normals, normal_type, sets, ier)
    call ok(ier)
    call require(all(direction == [1, 0, 0]) .and. type == BCWall, "indices of another kind")
    call cg_subreg_bcname_write_f(file, base, zone, "Region", 2, "Wall", index, ier)
    call ok(ier)
    call cg_subreg_bcname_read_f(file, base, zone, index, found, ier)
    call ok(ier)
    call require(found == "Wall", "the name of a boundary condition")
  end subroutine conditions

  subroutine interfaces()
    integer(cgsize_t) :: low(3, 2), high(3, 2), ranges(3, 2, 1), donor_ranges(3, 2, 1)
    integer :: other, count, transforms(3, 1)
    character(32) :: names(1), zones(1), donors(1)
    call cg_zone_write_f(file, base, "Zone 2", sizes, Structured, other, ier)
    call ok(ier)
    low = reshape([1, 1, 1, 1, 3, 2], [3, 2])
    high = reshape([4, 1, 1, 4, 3, 2], [3, 2])
    call cg_1to1_write_f(file, base, zone, "Right", "Zone 2", high, low, [1, 2, 3], index, ier)
    call ok(ier)
    call cg_1to1_write_f(file, base, other, "Left", "Zone", low, high, [1, 2, 3], index, ier)
    call ok(ier)
    call cg_n1to1_global_f(file, base, count, ier)
    call ok(ier)
    call require(count == 1, "one interface")
    call cg_1to1_read_global_f(file, base, names, zones, donors, ranges, donor_ranges, &
                               transforms, ier)
    call ok(ier)
    call require(names(1) == "Right" .and. zones(1) == "Zone" .and. donors(1) == "Zone 2", &
                 "names of the interface")
    call require(all(ranges(:, :, 1) == high) .and. all(donor_ranges(:, :, 1) == low), "ranges")
    call require(all(transforms(:, 1) == [1, 2, 3]), "a transform")
  end subroutine interfaces

  subroutine errors()
    character(120) :: text
    integer :: other
    call cg_open_f("no such file.cgns", CG_MODE_READ, other, ier)
    call require(ier == CG_ERROR, "the file is not there")
    call cg_get_error_f(text)
    call require(index_of(text, "cg_open") > 0 .and. index_of(text, "no such file") > 0, text)
    call cg_open_f(name, CG_MODE_READ, other, ier)
    call ok(ier)
    call cg_base_write_f(other, repeat("long name ", 5), 3, 3, base, ier)
    call require(ier == CG_ERROR, "the file is open for reading")
    call cg_close_f(other, ier)
    call ok(ier)
  end subroutine errors

  pure integer function index_of(text, part)
    character(*), intent(in) :: text, part
    integer :: at
    index_of = 0
    do at = 1, len(text) - len(part) + 1
      if (text(at:at + len(part) - 1) == part) index_of = at
    end do
  end function index_of

  subroutine settings()
    integer :: level
    call cg_configure_f(CG_CONFIG_COMPRESS, 3, ier)
    call ok(ier)
    call cg_get_compress_f(level, ier)
    call ok(ier)
    call require(level == 3, "a setting by its number")
    call cg_set_rind_zero_f(ier)
    call ok(ier)
    call cg_configure_f(CG_CONFIG_RIND_INDEX, c_null_ptr, ier)
    call ok(ier)
    call cg_set_rind_core_f(ier)
    call ok(ier)
  end subroutine settings

  subroutine nodes()
    integer :: number, children, count, small(3)
    real(cgid_t) :: root, base_id, zone_id
    real(cgid_t), allocatable :: ids(:)
    character(32), allocatable :: names(:)
    character(32) :: label
    integer(cgsize_t) :: dimensions(12), bytes
    integer(cgsize_t) :: values(9)
    call cgio_open_file_f(name, CGIO_MODE_READ, CGIO_FILE_HDF5, number, ier)
    call ok(ier)
    call cgio_get_root_id_f(number, root, ier)
    call ok(ier)
    call cgio_get_node_id_f(number, root, "/Base", base_id, ier)
    call ok(ier)
    call cgio_get_label_f(number, base_id, label, ier)
    call ok(ier)
    call require(label == "CGNSBase_t", "a label")
    call cgio_number_children_f(number, base_id, children, ier)
    call ok(ier)
    allocate (ids(children), names(children))
    call cgio_children_ids_f(number, base_id, 1, children, count, ids, ier)
    call ok(ier)
    call cgio_children_names_f(number, base_id, 1, children, 32, count, names, ier)
    call ok(ier)
    call require(count == children .and. any(names == "Zone 2"), "names of children")
    call cgio_get_name_f(number, ids(count), label, ier)
    call ok(ier)
    call require(label == names(count), "the name of a child")
    call cgio_get_node_id_f(number, base_id, "Zone", zone_id, ier)
    call ok(ier)
    call cgio_get_dimensions_f(number, zone_id, count, dimensions, ier)
    call ok(ier)
    call cgio_get_data_size_f(number, zone_id, bytes, ier)
    call ok(ier)
    call require(count == 2 .and. bytes == 9*storage_size(bytes)/8, "the size of a value")
    small = -1
    call cgio_get_data_size_f(number, zone_id, small(2), ier)
    call ok(ier)
    call require(all(small == [-1, int(bytes), -1]), "the size as a default integer")
    call cgio_get_data_type_f(number, zone_id, label, ier)
    call ok(ier)
    call cgio_read_all_data_type_f(number, zone_id, label, values, ier)
    call ok(ier)
    call require(all(values == reshape(sizes, [9])), "a value")
    call cgio_close_file_f(number, ier)
    call ok(ier)
  end subroutine nodes

end program cgns_arguments
