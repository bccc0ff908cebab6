! Communicators of the modules mpi and mpi_f08, which programs pass in the same way
program communicators
  use mpi, only: MPI_Init, MPI_Finalize, MPI_Abort, MPI_COMM_WORLD
  use onecast
  implicit none
  ! This type is like that of the module mpi_f08.
  type, bind(c) :: MPI_Comm
    integer(c_int) :: MPI_VAL
  end type MPI_Comm
  character(*), parameter :: name = "communicators.h5"
  type(c_ptr) :: file = c_null_ptr, communicator = c_null_ptr
  type(onecast_file_options) :: options
  integer :: ier
  call MPI_Init(ier)
  call check(onecast_file_options_init(options, c_sizeof(options)))
  call check(onecast_file_create_mpi(onecast_to_c(name), MPI_COMM_WORLD, options, file))
  call check(onecast_file_close(file))
  call check(onecast_file_open_mpi(onecast_to_c(name), ONECAST_READ_WRITE, &
                                   MPI_Comm(MPI_COMM_WORLD), file=file))
  call check(onecast_file_close(file))
  call check(onecast_communicator_mpi(MPI_Comm(MPI_COMM_WORLD), communicator))
  call check(onecast_file_open_on(onecast_to_c(name), ONECAST_READ_ONLY, communicator, file=file))
  call check(onecast_file_close(file))
  call onecast_communicator_close(communicator)
  call MPI_Finalize(ier)

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    integer :: ier
    if (status == ONECAST_OK) return
    print *, onecast_from_c(onecast_status_name(status)), ": ", onecast_error_text()
    call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end subroutine check

end program communicators
