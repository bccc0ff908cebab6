! Each rank writes its slab of an array, all ranks create attributes, and each rank reads a slab.
program slabs
  use mpi
  use onecast
  implicit none
  integer, parameter :: nx = 6, ny = 4, own = 3 ! planes of each rank
  character(*), parameter :: name = "slabs.h5"
  integer :: rank, ranks, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call write_file()
  call read_file()
  call MPI_Finalize(ier)

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    integer :: ier
    if (status == ONECAST_OK) return
    print *, onecast_from_c(onecast_status_name(status)), ": ", onecast_error_text()
    call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end subroutine check

  pure real(8) function value_at(i, j, k)
    integer, intent(in) :: i, j, k
    value_at = i + 100*j + 10000d0*k
  end function value_at

  ! The planes of a rank, as a part of the array. Dimensions are in the order of C: the last one
  ! first. The part points to the numbers, which the caller keeps.
  function planes_of(rank, start, count) result(part)
    integer, intent(in) :: rank
    integer(c_int64_t), intent(out), target :: start(3), count(3)
    type(onecast_selection) :: part
    start = onecast_c_order([0, 0, own*rank])
    count = onecast_c_order([nx, ny, own])
    part = onecast_selection_box(3_c_size_t, start, count)
  end function planes_of

  subroutine write_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr, x = c_null_ptr
    type(onecast_file_options) :: options
    type(onecast_dataspace) :: space
    integer(c_int64_t), target :: start(3), count(3)
    real(8) :: planes(nx, ny, own)
    integer :: i, j, k
    planes = reshape([(((value_at(i, j, own*rank + k), i=1, nx), j=1, ny), k=1, own)], &
                     shape(planes))
    call check(onecast_file_options_init(options, c_sizeof(options)))
    options%durable = 1
    call check(onecast_file_create_mpi(onecast_to_c(name), MPI_COMM_WORLD, options, file))
    call check(onecast_file_root(file, root))

    ! All ranks create the objects; these calls send no messages.
    space = onecast_dataspace_array(3_c_size_t, onecast_c_order([nx, ny, own*ranks]))
    call check(onecast_dataset_create(root, onecast_to_c("zone/x"), onecast_type_of(planes), &
                                      space, created=x))
    call check(onecast_attribute_set_text(x, onecast_to_c("unit"), onecast_to_c("m")))
    call check(onecast_attribute_set(x, onecast_to_c("step"), onecast_type_of(ranks), data=42, &
                                     size=c_sizeof(ranks)))

    ! Each rank writes its planes, in one collective call.
    call check(onecast_dataset_write_all(x, planes_of(rank, start, count), &
                                         onecast_type_of(planes), planes, c_sizeof(planes)))
    call onecast_object_close(x)
    call onecast_object_close(root)
    call check(onecast_file_close(file))
  end subroutine write_file

  ! Reads the planes of the next rank, and the attributes.
  subroutine read_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr, x = c_null_ptr, list, texts
    integer(c_int64_t), target :: start(3), count(3)
    integer(c_size_t) :: attributes, values
    real(8) :: found(nx, ny, own)
    integer :: next, step, i, j, k
    next = mod(rank + 1, ranks)
    call check(onecast_file_open_mpi(onecast_to_c(name), ONECAST_READ_ONLY, MPI_COMM_WORLD, &
                                     file=file))
    call check(onecast_file_root(file, root))
    call check(onecast_dataset_open(root, onecast_to_c("zone/x"), x))
    call check(onecast_attribute_list(x, ONECAST_ORDER_NAME, attributes, list))
    call check(onecast_attribute_read_strings(x, onecast_to_c("unit"), values, texts))
    call check(onecast_attribute_read(x, onecast_to_c("step"), onecast_type_of(step), step, &
                                      c_sizeof(step)))
    if (rank == 0) print *, "attributes: ", onecast_list_from_c(list, attributes), ", unit: ", &
      onecast_list_from_c(texts, values), ", step: ", step
    if (any(onecast_list_from_c(list, attributes) /= ["step", "unit"]) .or. step /= 42) &
      error stop "other attributes are in the file"
    call onecast_free(list)
    call onecast_free(texts)
    call check(onecast_dataset_read_all(x, planes_of(next, start, count), onecast_type_of(found), &
                                        found, c_sizeof(found)))
    call onecast_object_close(x)
    call onecast_object_close(root)
    call check(onecast_file_close(file))
    do k = 1, own
      do j = 1, ny
        do i = 1, nx
          if (found(i, j, k) /= value_at(i, j, own*next + k)) error stop "other values are there"
        end do
      end do
    end do
  end subroutine read_file

end program slabs
