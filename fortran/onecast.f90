!> What programs use: the C interface, and what makes it short to call.
module onecast
  use onecast_communicators
  use onecast_helpers
  use onecast_interfaces
  implicit none
end module onecast
