!> Texts, the order of dimensions and native types, for programs that use the module onecast.
module onecast_helpers
  use, intrinsic :: iso_c_binding
  use onecast_interfaces
  implicit none
  private
  public :: onecast_to_c, onecast_from_c, onecast_list_from_c, onecast_error_text
  public :: onecast_c_order, onecast_type_of

  !> The lengths of dimensions in the order of C: the last one of Fortran first.
  interface onecast_c_order
    module procedure c_order_of_int32, c_order_of_int64
  end interface onecast_c_order

  !> The native type of a variable of any rank. It must not be freed.
  interface onecast_type_of
    module procedure type_of_int8, type_of_int16, type_of_int32, type_of_int64
    module procedure type_of_float, type_of_double
    module procedure type_of_complex64, type_of_complex128
  end interface onecast_type_of

  interface
    pure function length_of(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length_of
    end function length_of
  end interface

contains

  !> The text as C takes it: without trailing blanks, and with a NUL.
  pure function onecast_to_c(text) result(in_c)
    character(*), intent(in) :: text
    character(len_trim(text) + 1, kind=c_char) :: in_c
    in_c = trim(text)//c_null_char
  end function onecast_to_c

  !> A text of C; it is copied, and not freed. Empty for a null pointer.
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

  !> A list of texts, each padded to the longest; the list is not freed.
  function onecast_list_from_c(list, count) result(copies)
    type(c_ptr), intent(in) :: list
    integer(c_size_t), intent(in) :: count
    character(:), allocatable :: copies(:)
    type(c_ptr), pointer :: texts(:)
    integer :: i, longest
    ! A list of none may be a null pointer.
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

  !> What went wrong in the last call of this thread that failed.
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

end module onecast_helpers
