!> Conversion of texts between Fortran, where they are padded with blanks, and C, where they end
!> with a NUL; and memory of any type. The building blocks of the subroutines of the module cgns.
module onecast_cgns_texts
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, &
                                         c_null_char, c_null_ptr, c_ptr, c_size_t
  implicit none
  private
  public :: address, release, in_c, name_in_c, give_text, give_kept, give_allocated, freed_length

  !> Room for the longest text that a function of C writes: the path of a link.
  integer, parameter, public :: text_room = 4097
  !> The longest name of a node.
  integer, parameter :: name_length = 32

  interface
    function address_in_c(memory, null_pointer) bind(c, name="onecast_cgns_address")
      import :: c_ptr
      type(*), dimension(..), intent(in) :: memory, null_pointer
      type(c_ptr) :: address_in_c
    end function address_in_c

    subroutine release_in_c(memory, given, is_changed) bind(c, name="onecast_cgns_release")
      import :: c_int, c_ptr
      type(*), dimension(..), intent(in) :: memory
      type(c_ptr), value :: given
      integer(c_int), value :: is_changed
    end subroutine release_in_c

    pure function length_of(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length_of
    end function length_of

    function free_text(text) bind(c, name="cg_free")
      import :: c_int, c_ptr
      type(c_ptr), value :: text
      integer(c_int) :: free_text
    end function free_text
  end interface

contains

  !> The address of the elements: those of the argument, or those that it points to if it is a
  !> c_ptr. A null pointer for an empty array. Only the elements of a section with gaps are copied.
  function address(memory)
    type(*), dimension(..), intent(in) :: memory
    type(c_ptr) :: address
    address = address_in_c(memory, c_null_ptr)
  end function address

  !> Ends the use of an address. is_changed: C may have written to it.
  subroutine release(memory, given, is_changed)
    type(*), dimension(..), intent(in) :: memory
    type(c_ptr), intent(in) :: given
    logical, intent(in) :: is_changed
    call release_in_c(memory, given, merge(1, 0, is_changed))
  end subroutine release

  !> Returns the text without its trailing blanks, with a NUL.
  pure function in_c(text)
    character(*), intent(in) :: text
    character(len_trim(text) + 1, kind=c_char) :: in_c
    in_c = trim(text)//c_null_char
  end function in_c

  !> Returns the name of a node. Longer names are truncated, as by the CGNS library.
  pure function name_in_c(name)
    character(*), intent(in) :: name
    character(len_trim(name(:min(len(name), name_length))) + 1, kind=c_char) :: name_in_c
    name_in_c = in_c(name(:min(len(name), name_length)))
  end function name_in_c

  !> Copies a text and truncates it if it does not fit, as the CGNS library does.
  pure subroutine give_text(given, text)
    character(kind=c_char), intent(in) :: given(:)
    character(*), intent(out) :: text
    integer :: i
    text = ""
    do i = 1, min(len(text), size(given))
      if (given(i) == c_null_char) exit
      text(i:i) = given(i)
    end do
  end subroutine give_text

  !> Copies a text that C keeps.
  subroutine give_kept(given, text)
    type(c_ptr), intent(in) :: given
    character(*), intent(out) :: text
    character(kind=c_char), pointer :: letters(:)
    text = ""
    if (.not. c_associated(given)) return
    call c_f_pointer(given, letters, [length_of(given)])
    call give_text(letters, text)
  end subroutine give_kept

  !> Copies a text that a function of C has allocated, and frees it.
  subroutine give_allocated(given, text)
    type(c_ptr), intent(in) :: given
    character(*), intent(out) :: text
    integer :: length
    call give_kept(given, text)
    length = freed_length(given)
  end subroutine give_allocated

  !> Returns the length of a text that a function of C has allocated, and frees it.
  function freed_length(given) result(length)
    type(c_ptr), intent(in) :: given
    integer :: length
    length = 0
    if (.not. c_associated(given)) return
    length = int(length_of(given))
    if (free_text(given) /= 0) error stop "cg_free"
  end function freed_length

end module onecast_cgns_texts
