!> The functions of onecast_mpi.h, with the names of C. They take a communicator, or an info object,
!> of Fortran: the integer of the module mpi, or the type(MPI_Comm) of mpi_f08, whose only component
!> is that integer.
module onecast_communicators
  use, intrinsic :: iso_c_binding
  use onecast_interfaces
  implicit none
  private
  public :: onecast_communicator_mpi, onecast_hints_of_info
  public :: onecast_file_create_mpi, onecast_file_open_mpi

contains

  function number_of(handle) result(number)
    type(*), intent(in), target :: handle
    integer(c_int), pointer :: first
    integer(c_int) :: number
    call c_f_pointer(c_loc(handle), first)
    number = first
  end function number_of

  function onecast_communicator_mpi(comm, communicator) result(returned)
    type(*), intent(in) :: comm
    type(c_ptr), intent(inout) :: communicator
    integer(c_int) :: returned
    returned = onecast_communicator_mpi_fortran(number_of(comm), communicator)
  end function onecast_communicator_mpi

  function onecast_file_create_mpi(path, comm, options, file) result(returned)
    character(kind=c_char), intent(in) :: path(*)
    type(*), intent(in) :: comm
    type(onecast_file_options), intent(in), optional :: options
    type(c_ptr), intent(inout) :: file
    integer(c_int) :: returned
    returned = onecast_file_create_mpi_fortran(path, number_of(comm), options, file)
  end function onecast_file_create_mpi

  function onecast_file_open_mpi(path, access, comm, options, file) result(returned)
    character(kind=c_char), intent(in) :: path(*)
    integer(c_int), intent(in) :: access
    type(*), intent(in) :: comm
    type(onecast_file_options), intent(in), optional :: options
    type(c_ptr), intent(inout) :: file
    integer(c_int) :: returned
    returned = onecast_file_open_mpi_fortran(path, access, number_of(comm), options, file)
  end function onecast_file_open_mpi

  function onecast_hints_of_info(info, count, hints) result(returned)
    type(*), intent(in) :: info
    integer(c_size_t), intent(out) :: count
    type(c_ptr), intent(out) :: hints
    integer(c_int) :: returned
    returned = onecast_hints_of_info_fortran(number_of(info), count, hints)
  end function onecast_hints_of_info

end module onecast_communicators
