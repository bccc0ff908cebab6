!> The module that programs use: the C interface, and helpers for calling it.
module onecast
  use onecast_communicators
  use onecast_helpers
  use onecast_interfaces
  implicit none
end module onecast
