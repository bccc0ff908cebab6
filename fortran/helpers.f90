!> Texts, the order of dimensions, native types and sizes, for programs that use the module onecast.
module onecast_helpers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real128
  use onecast_interfaces
  implicit none
  private
  public :: onecast_to_c, onecast_from_c, onecast_error_text
  public :: onecast_text_list, onecast_list_to_c, onecast_list_from_c
  public :: onecast_c_order, onecast_type_of, onecast_size_of

  !> A list of texts for C: `pointers` point to `letters`. A variable of this type has the attribute
  !> target. The pointers of a copy point to the letters of the original.
  type :: onecast_text_list
    type(c_ptr), allocatable :: pointers(:)
    character(kind=c_char), allocatable :: letters(:)
  end type onecast_text_list

  !> The lengths of dimensions in the order of C: the last one of Fortran first.
  interface onecast_c_order
    module procedure c_order_of_int32, c_order_of_int64
  end interface onecast_c_order

  !> The type of a variable of any rank. It must not be freed.
  interface onecast_type_of
    module procedure type_of_int8, type_of_int16, type_of_int32, type_of_int64
    module procedure type_of_float, type_of_double, type_of_float128
    module procedure type_of_complex64, type_of_complex128
    module procedure type_of_logical8, type_of_logical16, type_of_logical32, type_of_logical64
    module procedure type_of_text
  end interface onecast_type_of

  interface
    !> The size in bytes of a variable of any type and rank, including texts, which c_sizeof does
    !> not take.
    function onecast_size_of(variable) bind(c, name="onecast_size_of")
      import :: c_size_t
      type(*), intent(in) :: variable(..)
      integer(c_size_t) :: onecast_size_of
    end function onecast_size_of
    pure function length_of(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length_of
    end function length_of
  end interface

contains

  !> Converts a text for C: without trailing blanks, and with a NUL.
  pure function onecast_to_c(text) result(in_c)
    character(*), intent(in) :: text
    character(len_trim(text) + 1, kind=c_char) :: in_c
    in_c = trim(text)//c_null_char
  end function onecast_to_c

  !> Copies a text of C, which is not freed. Empty for a null pointer.
  function onecast_from_c(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    if (.not. c_associated(text)) then
      copy = ""
      return
    end if
    call c_f_pointer(text, letters, [length_of(text)])
    allocate (character(size(letters)) :: copy)
    do i = 1, size(letters)
      copy(i:i) = letters(i)
    end do
  end function onecast_from_c

  !> Converts texts for C: without trailing blanks, and each with a NUL.
  subroutine onecast_list_to_c(texts, list)
    character(*), intent(in) :: texts(:)
    type(onecast_text_list), intent(out), target :: list
    integer :: i, j, first
    allocate (list%pointers(size(texts)), list%letters(sum(len_trim(texts)) + size(texts)))
    first = 1
    do i = 1, size(texts)
      do j = 1, len_trim(texts(i))
        list%letters(first + j - 1) = texts(i) (j:j)
      end do
      list%letters(first + len_trim(texts(i))) = c_null_char
      list%pointers(i) = c_loc(list%letters(first))
      first = first + len_trim(texts(i)) + 1
    end do
  end subroutine onecast_list_to_c

  !> Copies a list of texts of C, each padded to the longest; the list is not freed.
  function onecast_list_from_c(list, count) result(copies)
    type(c_ptr), intent(in) :: list
    integer(c_size_t), intent(in) :: count
    character(:), allocatable :: copies(:)
    type(c_ptr), pointer :: texts(:)
    integer :: i, longest
    ! An empty list may be a null pointer.
    call c_f_pointer(list, texts, [count])
    longest = 0
    do i = 1, int(count)
      longest = max(longest, int(length_of(texts(i))))
    end do
    allocate (character(longest) :: copies(count))
    do i = 1, int(count)
      copies(i) = onecast_from_c(texts(i))
    end do
  end function onecast_list_from_c

  !> Describes the last call of this thread that failed.
  function onecast_error_text() result(text)
    character(:), allocatable :: text
    text = onecast_from_c(onecast_last_error())
  end function onecast_error_text

  pure function c_order_of_int32(lengths) result(reversed)
    integer(c_int32_t), intent(in) :: lengths(:)
    integer(c_int64_t) :: reversed(size(lengths))
    reversed = lengths(size(lengths):1:-1)
  end function c_order_of_int32

  pure function c_order_of_int64(lengths) result(reversed)
    integer(c_int64_t), intent(in) :: lengths(:)
    integer(c_int64_t) :: reversed(size(lengths))
    reversed = lengths(size(lengths):1:-1)
  end function c_order_of_int64

  function type_of_int8(variable) result(type)
    integer(c_int8_t), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_INT8)
  end function type_of_int8

  function type_of_int16(variable) result(type)
    integer(c_int16_t), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_INT16)
  end function type_of_int16

  function type_of_int32(variable) result(type)
    integer(c_int32_t), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_INT32)
  end function type_of_int32

  function type_of_int64(variable) result(type)
    integer(c_int64_t), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_INT64)
  end function type_of_int64

  function type_of_float(variable) result(type)
    real(c_float), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_FLOAT32)
  end function type_of_float

  function type_of_double(variable) result(type)
    real(c_double), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_FLOAT64)
  end function type_of_double

  function type_of_float128(variable) result(type)
    real(real128), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_FLOAT128)
  end function type_of_float128

  function type_of_complex64(variable) result(type)
    complex(c_float_complex), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_COMPLEX64)
  end function type_of_complex64

  function type_of_complex128(variable) result(type)
    complex(c_double_complex), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_COMPLEX128)
  end function type_of_complex128

  ! Kinds of logicals have no names; these are the sizes in bytes that gfortran uses.
  function type_of_logical8(variable) result(type)
    logical(1), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_BOOL)
  end function type_of_logical8

  function type_of_logical16(variable) result(type)
    logical(2), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_BOOL16)
  end function type_of_logical16

  function type_of_logical32(variable) result(type)
    logical(4), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_BOOL32)
  end function type_of_logical32

  function type_of_logical64(variable) result(type)
    logical(8), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native(ONECAST_NATIVE_BOOL64)
  end function type_of_logical64

  function type_of_text(variable) result(type)
    character(*), intent(in) :: variable(..)
    type(c_ptr) :: type
    type = onecast_native_text(len(variable, kind=c_size_t))
  end function type_of_text

end module onecast_helpers
