!> The parts of the module mpi that the Fortran examples use, for an MPI without that module.
module mpi
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private
  public :: MPI_Init, MPI_Finalize, MPI_Abort, MPI_Barrier, MPI_Comm_rank, MPI_Comm_size, &
            MPI_Comm_split

  !> MPI_Init sets it.
  integer, protected, public :: MPI_COMM_WORLD = -1

  interface
    subroutine initialise(world, ierror) bind(c, name="onecast_test_mpi_init")
      import :: c_int
      integer(c_int), intent(out) :: world, ierror
    end subroutine initialise
    subroutine MPI_Finalize(ierror) bind(c, name="onecast_test_mpi_finalize")
      import :: c_int
      integer(c_int), intent(out) :: ierror
    end subroutine MPI_Finalize
    subroutine MPI_Abort(comm, errorcode, ierror) bind(c, name="onecast_test_mpi_abort")
      import :: c_int
      integer(c_int), intent(in) :: comm, errorcode
      integer(c_int), intent(out) :: ierror
    end subroutine MPI_Abort
    subroutine MPI_Barrier(comm, ierror) bind(c, name="onecast_test_mpi_barrier")
      import :: c_int
      integer(c_int), intent(in) :: comm
      integer(c_int), intent(out) :: ierror
    end subroutine MPI_Barrier
    subroutine MPI_Comm_rank(comm, rank, ierror) bind(c, name="onecast_test_mpi_comm_rank")
      import :: c_int
      integer(c_int), intent(in) :: comm
      integer(c_int), intent(out) :: rank, ierror
    end subroutine MPI_Comm_rank
    subroutine MPI_Comm_size(comm, size, ierror) bind(c, name="onecast_test_mpi_comm_size")
      import :: c_int
      integer(c_int), intent(in) :: comm
      integer(c_int), intent(out) :: size, ierror
    end subroutine MPI_Comm_size
    subroutine MPI_Comm_split(comm, color, key, newcomm, ierror) &
      bind(c, name="onecast_test_mpi_comm_split")
      import :: c_int
      integer(c_int), intent(in) :: comm, color, key
      integer(c_int), intent(out) :: newcomm, ierror
    end subroutine MPI_Comm_split
  end interface

contains

  subroutine MPI_Init(ierror)
    integer, intent(out) :: ierror
    call initialise(MPI_COMM_WORLD, ierror)
  end subroutine MPI_Init

end module mpi
