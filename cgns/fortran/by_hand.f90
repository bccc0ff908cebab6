!> The subroutines of the module cgns that do not follow from the tables. Lines with !BOTH_KINDS are
!> needed if cgsize_t is not the kind of default integers: tools/cgns_fortran.py then uncovers them.
module onecast_cgns_by_hand
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_double_complex, c_float, &
                                         c_float_complex, c_funptr, c_int, c_int64_t, c_intptr_t, &
                                         c_loc, c_null_char, c_null_ptr, c_ptr, c_size_t
  use onecast_cgns_c
  use onecast_cgns_constants, only: cgenum_t, cgid_t, cgsize_t, &
                                    CG_CONFIG_HDF5_MPI_COMM, CG_CONFIG_RIND_CORE, CG_CONFIG_RIND_INDEX, CG_CONFIG_RIND_ZERO, &
                                    CG_MAX_GOTO_DEPTH, CG_OK, ComplexDouble, ComplexSingle, &
                                    Integer, LongInteger, RealDouble, RealSingle
  use onecast_cgns_texts
  implicit none
  private
  public :: cg_goto_f, cg_gorel_f, cg_golist
  public :: cg_configure_f, cg_set_rind_zero_f, cg_set_rind_core_f
  public :: cg_exit_on_error_f, cg_get_error_f, cg_descriptor_size_f, cg_state_size_f
  public :: cg_subreg_bcname_read_f, cg_subreg_gcname_read_f
  public :: cg_boco_normal_write_f, cg_1to1_read_global_f, cgio_children_names_f
  public :: cg_get_type

  integer, parameter :: name_room = 33

  !> The steps of a path in the form that cg_gorel takes.
  type :: path_steps
    integer :: count = 0
    logical :: is_whole = .false.
    character(128, c_char) :: labels(CG_MAX_GOTO_DEPTH) = "end"//c_null_char
    integer(c_int) :: numbers(CG_MAX_GOTO_DEPTH) = 0
  contains
    procedure :: add
  end type path_steps

  interface
    function gorel(fn, labels, numbers) bind(c, name="onecast_cgns_gorel") result(ier)
      import :: c_int, c_ptr
      integer(c_int), value :: fn
      type(c_ptr), intent(in) :: labels(*)
      integer(c_int), intent(in) :: numbers(*)
      integer(c_int) :: ier
    end function gorel

    function cg_golist(fn, B, depth, labels, numbers) bind(c, name="cg_golist") result(ier)
      import :: c_int, c_ptr
      integer(c_int), value :: fn, B, depth
      type(c_ptr), intent(in) :: labels(*)
      integer(c_int), intent(in) :: numbers(*)
      integer(c_int) :: ier
    end function cg_golist

    ! The C function takes an address; gfortran also accepts this second interface with a procedure.
    function configure_function(what, handler) bind(c, name="onecast_cgns_configure") result(ier)
      import :: c_funptr, c_int
      integer(c_int), value :: what
      type(c_funptr), value :: handler
      integer(c_int) :: ier
    end function configure_function

    function set_exit_on_error(flag) bind(c, name="onecast_cgns_exit_on_error") result(ier)
      import :: c_int
      integer(c_int), value :: flag
      integer(c_int) :: ier
    end function set_exit_on_error

    !> Returns the error, padded with blanks; if it does not fit, its middle is left out.
    subroutine give_error(errmsg, length) bind(c, name="onecast_cgns_error")
      import :: c_char, c_size_t
      character(kind=c_char), intent(out) :: errmsg(*)
      integer(c_size_t), value :: length
    end subroutine give_error
  end interface

  !> A setting: a number, the address of a value, or a procedure.
  interface cg_configure_f
    module procedure configure_by_number, configure_by_address, configure_by_procedure
  end interface cg_configure_f

  interface cg_boco_normal_write_f
    module procedure boco_normal_write
!BOTH_KINDS    module procedure boco_normal_write_of_sizes
  end interface cg_boco_normal_write_f

  !> The DataType_t of a variable.
  interface cg_get_type
    module procedure type_of_int, type_of_long_long, type_of_float, type_of_double
    module procedure type_of_complex64, type_of_complex128
  end interface cg_get_type

contains

  ! --- position ----------------------------------------------------------------------------------
  !> The steps are labels and indices, or names and 0, up to "end", a blank or the last argument.
  subroutine cg_goto_f(fn, B, ier, &
                       UserDataName1, i1, UserDataName2, i2, UserDataName3, i3, &
                       UserDataName4, i4, UserDataName5, i5, UserDataName6, i6, &
                       UserDataName7, i7, UserDataName8, i8, UserDataName9, i9, &
                       UserDataName10, i10, UserDataName11, i11, UserDataName12, i12, &
                       UserDataName13, i13, UserDataName14, i14, UserDataName15, i15, &
                       UserDataName16, i16, UserDataName17, i17, UserDataName18, i18, &
                       UserDataName19, i19, UserDataName20, i20, end)
    integer, intent(in) :: fn, B
    integer, intent(out) :: ier
    character(*), intent(in), optional :: &
      UserDataName1, UserDataName2, UserDataName3, UserDataName4, UserDataName5, &
      UserDataName6, UserDataName7, UserDataName8, UserDataName9, UserDataName10, &
      UserDataName11, UserDataName12, UserDataName13, UserDataName14, UserDataName15, &
      UserDataName16, UserDataName17, UserDataName18, UserDataName19, UserDataName20, end
    integer, intent(in), optional :: i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, &
      i11, i12, i13, i14, i15, i16, i17, i18, i19, i20
    type(c_ptr) :: no_labels(1)
    integer(c_int) :: no_numbers(1)
    no_labels = c_null_ptr
    no_numbers = 0
    ier = cg_golist(fn, B, 0, no_labels, no_numbers)
    if (ier /= CG_OK) return
    call cg_gorel_f(fn, ier, &
                    UserDataName1, i1, UserDataName2, i2, UserDataName3, i3, &
                    UserDataName4, i4, UserDataName5, i5, UserDataName6, i6, &
                    UserDataName7, i7, UserDataName8, i8, UserDataName9, i9, &
                    UserDataName10, i10, UserDataName11, i11, UserDataName12, i12, &
                    UserDataName13, i13, UserDataName14, i14, UserDataName15, i15, &
                    UserDataName16, i16, UserDataName17, i17, UserDataName18, i18, &
                    UserDataName19, i19, UserDataName20, i20, end)
  end subroutine cg_goto_f

  subroutine cg_gorel_f(fn, ier, &
                        UserDataName1, i1, UserDataName2, i2, UserDataName3, i3, &
                        UserDataName4, i4, UserDataName5, i5, UserDataName6, i6, &
                        UserDataName7, i7, UserDataName8, i8, UserDataName9, i9, &
                        UserDataName10, i10, UserDataName11, i11, UserDataName12, i12, &
                        UserDataName13, i13, UserDataName14, i14, UserDataName15, i15, &
                        UserDataName16, i16, UserDataName17, i17, UserDataName18, i18, &
                        UserDataName19, i19, UserDataName20, i20, end)
    integer, intent(in) :: fn
    integer, intent(out) :: ier
    character(*), intent(in), optional :: &
      UserDataName1, UserDataName2, UserDataName3, UserDataName4, UserDataName5, &
      UserDataName6, UserDataName7, UserDataName8, UserDataName9, UserDataName10, &
      UserDataName11, UserDataName12, UserDataName13, UserDataName14, UserDataName15, &
      UserDataName16, UserDataName17, UserDataName18, UserDataName19, UserDataName20, end
    integer, intent(in), optional :: i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, &
      i11, i12, i13, i14, i15, i16, i17, i18, i19, i20
    type(path_steps), target :: path
    type(c_ptr) :: labels(CG_MAX_GOTO_DEPTH)
    integer :: i
    call path%add(UserDataName1, i1)
    call path%add(UserDataName2, i2)
    call path%add(UserDataName3, i3)
    call path%add(UserDataName4, i4)
    call path%add(UserDataName5, i5)
    call path%add(UserDataName6, i6)
    call path%add(UserDataName7, i7)
    call path%add(UserDataName8, i8)
    call path%add(UserDataName9, i9)
    call path%add(UserDataName10, i10)
    call path%add(UserDataName11, i11)
    call path%add(UserDataName12, i12)
    call path%add(UserDataName13, i13)
    call path%add(UserDataName14, i14)
    call path%add(UserDataName15, i15)
    call path%add(UserDataName16, i16)
    call path%add(UserDataName17, i17)
    call path%add(UserDataName18, i18)
    call path%add(UserDataName19, i19)
    call path%add(UserDataName20, i20)
    call path%add(end, 0)
    do i = 1, CG_MAX_GOTO_DEPTH
      labels(i) = c_loc(path%labels(i))
    end do
    ier = gorel(fn, labels, path%numbers)
  end subroutine cg_gorel_f

  !> Adds a step. A label without an index is the name of a node.
  subroutine add(path, label, number)
    class(path_steps), intent(inout) :: path
    character(*), intent(in), optional :: label
    integer, intent(in), optional :: number
    if (path%is_whole) return
    path%is_whole = .true.
    if (.not. present(label) .or. path%count == CG_MAX_GOTO_DEPTH) return
    if (label == "" .or. label == "end" .or. label == "END") return
    path%is_whole = .false.
    path%count = path%count + 1
    path%labels(path%count) = label(:min(len(label), len(path%labels) - 1))
    path%labels(path%count) = in_c(path%labels(path%count))
    if (present(number)) path%numbers(path%count) = number
  end subroutine add

  ! --- settings and errors -----------------------------------------------------------------------
  subroutine configure_by_number(what, value, ier)
    integer, intent(in) :: what
    integer, intent(in), target :: value
    integer, intent(out) :: ier
    if (what == CG_CONFIG_HDF5_MPI_COMM) then
      ier = cg_configure(what, c_loc(value))
    else
      ier = cg_configure(what, transfer(int(value, c_intptr_t), c_null_ptr))
    end if
  end subroutine configure_by_number

  subroutine configure_by_address(what, value, ier)
    integer, intent(in) :: what
    type(c_ptr), value :: value
    integer, intent(out) :: ier
    ier = cg_configure(what, value)
  end subroutine configure_by_address

  subroutine configure_by_procedure(what, value, ier)
    integer, intent(in) :: what
    type(c_funptr), value :: value
    integer, intent(out) :: ier
    ier = configure_function(what, value)
  end subroutine configure_by_procedure

  !> Makes ranges count from the first rind plane.
  subroutine cg_set_rind_zero_f(ier)
    integer, intent(out) :: ier
    call configure_by_number(CG_CONFIG_RIND_INDEX, CG_CONFIG_RIND_ZERO, ier)
  end subroutine cg_set_rind_zero_f

  !> Makes ranges count from the first element inside of the rind.
  subroutine cg_set_rind_core_f(ier)
    integer, intent(out) :: ier
    call configure_by_number(CG_CONFIG_RIND_INDEX, CG_CONFIG_RIND_CORE, ier)
  end subroutine cg_set_rind_core_f

  !> With a flag other than 0, an error prints its text and ends the program.
  subroutine cg_exit_on_error_f(flag)
    integer, intent(in) :: flag
    if (set_exit_on_error(flag) /= CG_OK) error stop "cg_error_handler"
  end subroutine cg_exit_on_error_f

  subroutine cg_get_error_f(errmsg)
    character(*), intent(out) :: errmsg
    call give_error(errmsg, int(len(errmsg), c_size_t))
  end subroutine cg_get_error_f

  ! --- texts of any length -----------------------------------------------------------------------
  subroutine cg_descriptor_size_f(descr_no, descr_size, ier)
    integer, intent(in) :: descr_no
    integer, intent(out) :: descr_size, ier
    character(kind=c_char) :: name(name_room)
    type(c_ptr) :: text
    descr_size = 0
    ier = cg_descriptor_read(descr_no, name, text)
    if (ier == CG_OK) descr_size = freed_length(text)
  end subroutine cg_descriptor_size_f

  subroutine cg_state_size_f(size, ier)
    integer, intent(out) :: size, ier
    type(c_ptr) :: text
    size = 0
    ier = cg_state_read(text)
    if (ier == CG_OK) size = freed_length(text)
  end subroutine cg_state_size_f

  subroutine cg_subreg_bcname_read_f(fn, B, Z, S, bcname, ier)
    integer, intent(in) :: fn, B, Z, S
    character(*), intent(out) :: bcname
    integer, intent(out) :: ier
    character(kind=c_char), allocatable :: text(:)
    integer :: bcname_length, gcname_length
    bcname = ""
    call read_lengths(fn, B, Z, S, bcname_length, gcname_length, ier)
    if (ier /= CG_OK) return
    allocate (text(bcname_length + 1))
    ier = cg_subreg_bcname_read(fn, B, Z, S, text)
    if (ier == CG_OK) call give_text(text, bcname)
  end subroutine cg_subreg_bcname_read_f

  subroutine cg_subreg_gcname_read_f(fn, B, Z, S, gcname, ier)
    integer, intent(in) :: fn, B, Z, S
    character(*), intent(out) :: gcname
    integer, intent(out) :: ier
    character(kind=c_char), allocatable :: text(:)
    integer :: bcname_length, gcname_length
    gcname = ""
    call read_lengths(fn, B, Z, S, bcname_length, gcname_length, ier)
    if (ier /= CG_OK) return
    allocate (text(gcname_length + 1))
    ier = cg_subreg_gcname_read(fn, B, Z, S, text)
    if (ier == CG_OK) call give_text(text, gcname)
  end subroutine cg_subreg_gcname_read_f

  subroutine read_lengths(fn, B, Z, S, bcname_length, gcname_length, ier)
    integer, intent(in) :: fn, B, Z, S
    integer, intent(out) :: bcname_length, gcname_length, ier
    character(kind=c_char) :: name(name_room)
    integer(c_int) :: dimension, location, ptset_type
    integer(cgsize_t) :: npnts
    bcname_length = 0
    gcname_length = 0
    ier = cg_subreg_info(fn, B, Z, S, name, dimension, location, ptset_type, npnts, &
                         bcname_length, gcname_length)
  end subroutine read_lengths

  ! --- arrays ------------------------------------------------------------------------------------
  subroutine boco_normal_write(fn, B, Z, BC, NormalIndex, NormalListFlag, NormalDataType, &
                               NormalList, ier)
    integer, intent(in) :: fn, B, Z, BC, NormalListFlag
    integer(c_int), intent(in), target :: NormalIndex(*)
    integer(cgenum_t), intent(in) :: NormalDataType
    type(*), dimension(..), intent(in), target :: NormalList
    integer, intent(out) :: ier
    type(c_ptr) :: given
    given = address(NormalList)
    ier = cg_boco_normal_write(fn, B, Z, BC, c_loc(NormalIndex), NormalListFlag, &
                               NormalDataType, given)
    call release(NormalList, given, .false.)
  end subroutine boco_normal_write

!BOTH_KINDS  subroutine boco_normal_write_of_sizes(fn, B, Z, BC, NormalIndex, NormalListFlag, &
!BOTH_KINDS                                        NormalDataType, NormalList, ier)
!BOTH_KINDS    integer, intent(in) :: fn, B, Z, BC, NormalListFlag
!BOTH_KINDS    integer(cgsize_t), intent(in) :: NormalIndex(*)
!BOTH_KINDS    integer(cgenum_t), intent(in) :: NormalDataType
!BOTH_KINDS    type(*), dimension(..), intent(in), target :: NormalList
!BOTH_KINDS    integer, intent(out) :: ier
!BOTH_KINDS    integer(c_int) :: indices(3)
!BOTH_KINDS    integer :: dimensions
!BOTH_KINDS    ier = cg_index_dim(fn, B, Z, dimensions)
!BOTH_KINDS    if (ier /= CG_OK) return
!BOTH_KINDS    indices = 0
!BOTH_KINDS    indices(:dimensions) = int(NormalIndex(:dimensions), c_int)
!BOTH_KINDS    call boco_normal_write(fn, B, Z, BC, indices, NormalListFlag, NormalDataType, &
!BOTH_KINDS                           NormalList, ier)
!BOTH_KINDS  end subroutine boco_normal_write_of_sizes

  !> The arrays have an entry for each interface of the base: ranges of 2 * cell dimension numbers,
  !> transforms of cell dimension numbers.
  subroutine cg_1to1_read_global_f(fn, B, connectname, zonename, donorname, range, donor_range, &
                                   transform, ier)
    integer, intent(in) :: fn, B
    character(*), intent(out) :: connectname(*), zonename(*), donorname(*)
    integer(cgsize_t), intent(inout), target :: range(*), donor_range(*)
    integer(c_int), intent(inout), target :: transform(*)
    integer, intent(out) :: ier
    character(kind=c_char), allocatable, target :: names(:, :, :)
    type(c_ptr), allocatable :: pointers(:, :)
    integer :: count, dimensions, i, j
    ier = cg_cell_dim(fn, B, dimensions)
    if (ier == CG_OK) ier = cg_n1to1_global(fn, B, count)
    if (ier /= CG_OK) return
    allocate (names(name_room, count, 3), pointers(count, 6))
    do i = 1, count
      do j = 1, 3
        pointers(i, j) = c_loc(names(1, i, j))
      end do
      pointers(i, 4) = c_loc(range(2*dimensions*(i - 1) + 1))
      pointers(i, 5) = c_loc(donor_range(2*dimensions*(i - 1) + 1))
      pointers(i, 6) = c_loc(transform(dimensions*(i - 1) + 1))
    end do
    ier = cg_1to1_read_global(fn, B, pointers(:, 1), pointers(:, 2), pointers(:, 3), &
                              pointers(:, 4), pointers(:, 5), pointers(:, 6))
    if (ier /= CG_OK) return
    do i = 1, count
      call give_text(names(:, i, 1), connectname(i))
      call give_text(names(:, i, 2), zonename(i))
      call give_text(names(:, i, 3), donorname(i))
    end do
  end subroutine cg_1to1_read_global_f

  subroutine cgio_children_names_f(cgio_num, pid, start, max_ret, name_len, num_ret, names, ier)
    integer, intent(in) :: cgio_num, start, max_ret, name_len
    real(cgid_t), intent(in) :: pid
    integer, intent(out) :: num_ret
    character(*), intent(out) :: names(*)
    integer, intent(out) :: ier
    character(kind=c_char), allocatable :: given(:)
    integer :: i, room
    ! C wants room for a NUL, too.
    room = max(name_len, 0) + 1
    allocate (given(room*max(max_ret, 0)))
    num_ret = 0
    ier = cgio_children_names(cgio_num, pid, start, max_ret, room, num_ret, given)
    if (ier /= CG_OK) return
    do i = 1, num_ret
      call give_text(given(room*(i - 1) + 1:room*i), names(i))
    end do
  end subroutine cgio_children_names_f

  ! --- types of data -----------------------------------------------------------------------------
  pure function type_of_int(variable) result(type)
    integer(c_int), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = Integer
  end function type_of_int

  pure function type_of_long_long(variable) result(type)
    integer(c_int64_t), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = LongInteger
  end function type_of_long_long

  pure function type_of_float(variable) result(type)
    real(c_float), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = RealSingle
  end function type_of_float

  pure function type_of_double(variable) result(type)
    real(c_double), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = RealDouble
  end function type_of_double

  pure function type_of_complex64(variable) result(type)
    complex(c_float_complex), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = ComplexSingle
  end function type_of_complex64

  pure function type_of_complex128(variable) result(type)
    complex(c_double_complex), dimension(..), intent(in) :: variable
    integer(cgenum_t) :: type
    type = ComplexDouble
  end function type_of_complex128

end module onecast_cgns_by_hand
