! Variables of all types are written, read again, and left for h5py.
program kinds
  use onecast
  use, intrinsic :: iso_fortran_env, only: real128
  implicit none
  character(*), parameter :: name = "kinds.h5"
  character(6) :: words(2, 2)
  logical :: flags(3)
  logical(c_bool) :: small_flags(2)
  logical(8) :: large_flag
  real(real128) :: quads(2)
  complex(8) :: numbers(2)
  complex(4) :: small_number
  words = reshape([character(6) :: "one", "two", "", "twelve"], [2, 2])
  flags = [.true., .false., .true.]
  small_flags = [.false._c_bool, .true._c_bool]
  large_flag = .true._8
  quads = [1/3._real128, -tiny(1._real128)]
  numbers = [(1d0, 2d0), (-3d0, 4.5d0)]
  small_number = (0.5, -0.25)
  call write_file()
  call read_file()
  call list_texts()

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == ONECAST_OK) return
    print *, onecast_from_c(onecast_status_name(status)), ": ", onecast_error_text()
    error stop 1
  end subroutine check

  subroutine require(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    print *, what
    error stop 1
  end subroutine require

  ! Creates a dataset of that name and type with `size` bytes of `data`.
  subroutine write(root, path, type, lengths, data, size)
    type(c_ptr), intent(in) :: root, type
    character(*), intent(in) :: path
    integer, intent(in) :: lengths(:)
    type(*), intent(in) :: data(*)
    integer(c_size_t), intent(in) :: size
    type(onecast_dataspace) :: space
    type(c_ptr) :: dataset = c_null_ptr
    space = onecast_dataspace_array(ubound(lengths, 1, c_size_t), onecast_c_order(lengths))
    call check(onecast_dataset_create(root, onecast_to_c(path), type, space, created=dataset))
    call check(onecast_dataset_write(dataset, memory_type=type, data=data, size=size))
    call onecast_object_close(dataset)
  end subroutine write

  subroutine read(root, path, type, data, size)
    type(c_ptr), intent(in) :: root, type
    character(*), intent(in) :: path
    type(*) :: data(*)
    integer(c_size_t), intent(in) :: size
    type(c_ptr) :: dataset = c_null_ptr
    call check(onecast_dataset_open(root, onecast_to_c(path), dataset))
    call check(onecast_dataset_read(dataset, memory_type=type, out=data, size=size))
    call onecast_object_close(dataset)
  end subroutine read

  subroutine write_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr
    type(onecast_text_list), target :: list
    call check(onecast_file_create(onecast_to_c(name), file=file))
    call check(onecast_file_root(file, root))
    call write(root, "words", onecast_type_of(words), [2, 2], words, onecast_size_of(words))
    call write(root, "flags", onecast_type_of(flags), [3], flags, onecast_size_of(flags))
    call write(root, "small flags", onecast_type_of(small_flags), [2], small_flags, &
               onecast_size_of(small_flags))
    call write(root, "quads", onecast_type_of(quads), [2], quads, onecast_size_of(quads))
    call write(root, "numbers", onecast_type_of(numbers), [2], numbers, onecast_size_of(numbers))
    call check(onecast_attribute_set(root, onecast_to_c("word"), onecast_type_of(words), &
                                     data=words(1, 1), size=onecast_size_of(words(1, 1))))
    call check(onecast_attribute_set(root, onecast_to_c("flag"), onecast_type_of(large_flag), &
                                     data=large_flag, size=onecast_size_of(large_flag)))
    call check(onecast_attribute_set(root, onecast_to_c("number"), onecast_type_of(small_number), &
                                     data=small_number, size=onecast_size_of(small_number)))
    call onecast_list_to_c([character(9) :: "pressure", "", " of x"], list)
    call check(onecast_attribute_set_strings(root, onecast_to_c("names"), &
                                             count=size(list%pointers, kind=c_size_t), &
                                             texts=list%pointers))
    call onecast_object_close(root)
    call check(onecast_file_close(file))
  end subroutine write_file

  subroutine read_file()
    type(c_ptr) :: file = c_null_ptr, root = c_null_ptr
    character(8) :: longer(2, 2)
    logical(8) :: large_flags(3)
    logical :: flag
    real(8) :: doubles(2)
    real(real128) :: found(2)
    complex(8) :: found_numbers(2), number
    call check(onecast_file_open(onecast_to_c(name), ONECAST_READ_ONLY, file=file))
    call check(onecast_file_root(file, root))
    call read(root, "words", onecast_type_of(longer), longer, onecast_size_of(longer))
    call require(all(longer == words), "other words")
    call read(root, "flags", onecast_type_of(large_flags), large_flags, &
              onecast_size_of(large_flags))
    call require(logical(all(large_flags .eqv. flags)), "other flags")
    call read(root, "quads", onecast_type_of(found), found, onecast_size_of(found))
    call require(all(found == quads), "other quads")
    call read(root, "quads", onecast_type_of(doubles), doubles, onecast_size_of(doubles))
    call require(doubles(1) == 1/3d0, "another double")
    call read(root, "numbers", onecast_type_of(found_numbers), found_numbers, &
              onecast_size_of(found_numbers))
    call require(all(found_numbers == numbers), "other complex numbers")
    call check(onecast_attribute_read(root, onecast_to_c("number"), onecast_type_of(number), &
                                      number, onecast_size_of(number)))
    call require(number == small_number, "another complex number")
    call check(onecast_attribute_read(root, onecast_to_c("flag"), onecast_type_of(flag), flag, &
                                      onecast_size_of(flag)))
    call require(flag, "another flag")
    call onecast_object_close(root)
    call check(onecast_file_close(file))
  end subroutine read_file

  subroutine list_texts()
    type(onecast_text_list), target :: list
    integer :: parts(4, 5)
    call onecast_list_to_c([character(3) ::], list)
    call require(size(list%pointers) == 0, "a list of nothing")
    call onecast_list_to_c(["a  ", "   ", "abc"], list)
    call require(onecast_from_c(list%pointers(3)) == "abc", "another last text")
    call require(len(onecast_from_c(list%pointers(2))) == 0, "an empty text")
    call require(onecast_size_of(parts(2:3, 1:5:2)) == 24, "the size of a section")
    call require(onecast_size_of(words(1, :)) == 12, "the size of texts")
  end subroutine list_texts

end program kinds
