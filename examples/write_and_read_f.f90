! Writes and reads a small file in Fortran: a group, attributes, an array, texts. Every failure
! prints its reason.
program write_and_read
  use onecast
  implicit none
  integer, parameter :: nx = 4, ny = 3
  character(*), parameter :: name = "write_and_read_f.h5"
  real(8) :: pressure(nx, ny)
  integer :: i, j
  pressure = reshape([((i + 10d0*j, i=1, nx), j=1, ny)], [nx, ny])
  call write_file()
  call read_file()

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == ONECAST_OK) return
    print *, onecast_from_c(onecast_status_name(status)), ": ", onecast_error_text()
    error stop 1
  end subroutine check

  subroutine write_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr, zone = c_null_ptr, dataset = c_null_ptr
    type(onecast_dataspace) :: space
    type(onecast_text_list), target :: sides
    ! Arguments that may be NULL in C may be omitted here.
    call check(onecast_file_create(onecast_to_c(name), file=file))
    call check(onecast_file_root(file, root))
    call check(onecast_group_create(root, onecast_to_c("base/zone 1"), zone))
    call check(onecast_attribute_set_text(zone, onecast_to_c("family"), onecast_to_c("wing")))
    call check(onecast_attribute_set(zone, onecast_to_c("mach"), onecast_type_of(0.84d0), &
                                     data=0.84d0, size=c_sizeof(0.84d0)))
    call onecast_list_to_c([character(4) :: "left", "top"], sides)
    call check(onecast_attribute_set_strings(zone, onecast_to_c("sides"), count=2_c_size_t, &
                                             texts=sides%pointers))

    ! Other programs see the dimensions in the order of C: 3 x 4.
    space = onecast_dataspace_array(2_c_size_t, onecast_c_order(shape(pressure)))
    call check(onecast_dataset_create(zone, onecast_to_c("pressure"), onecast_type_of(pressure), &
                                      space, created=dataset))
    call check(onecast_dataset_write(dataset, memory_type=onecast_type_of(pressure), &
                                     data=pressure, size=c_sizeof(pressure)))
    call onecast_object_close(dataset)
    call onecast_object_close(zone)
    call onecast_object_close(root)
    call check(onecast_file_close(file))
  end subroutine write_file

  ! Reads the second column, and the attributes of the zone.
  subroutine read_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr, dataset = c_null_ptr, zone = c_null_ptr
    type(c_ptr) :: list
    integer(c_int64_t), target :: start(2), count(2)
    integer(c_size_t) :: texts
    real(8) :: column(nx), mach
    call check(onecast_file_open(onecast_to_c(name), ONECAST_READ_ONLY, file=file))
    call check(onecast_file_root(file, root))
    call check(onecast_group_open(root, onecast_to_c("base/zone 1"), zone))
    call check(onecast_attribute_read(zone, onecast_to_c("mach"), onecast_type_of(mach), mach, &
                                      c_sizeof(mach)))
    call check(onecast_attribute_read_strings(zone, onecast_to_c("sides"), texts, list))
    print *, "mach number", mach, ", sides ", onecast_list_from_c(list, texts)
    if (any(onecast_list_from_c(list, texts) /= ["left", "top "])) error stop "other texts"
    call onecast_free(list)

    ! A part points to its numbers: they are variables, not expressions.
    start = onecast_c_order([0, 1])
    count = onecast_c_order([nx, 1])
    call check(onecast_dataset_open(zone, onecast_to_c("pressure"), dataset))
    call check(onecast_dataset_read(dataset, onecast_selection_box(2_c_size_t, start, count), &
                                    onecast_type_of(column), column, c_sizeof(column)))
    if (any(column /= pressure(:, 2)) .or. mach /= 0.84d0) error stop "other values"
    call onecast_object_close(dataset)
    call onecast_object_close(zone)
    call onecast_object_close(root)
    call check(onecast_file_close(file))
  end subroutine read_file

end program write_and_read
