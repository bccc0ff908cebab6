!> Replaces communicators.f90 in a build without MPI.
module onecast_communicators
  implicit none
end module onecast_communicators
