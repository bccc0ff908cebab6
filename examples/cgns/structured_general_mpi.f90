! Ranks write and read a zone from larger memory: each has one ghost point around its planes, and
! numbers of another type than the file. The zone has rind.
program structured_general
  use mpi
  use cgns
  implicit none
  integer, parameter :: ni = 9, nj = 7, planes = 3, ghosts = 1 ! planes: of each rank
  integer, parameter :: mi = ni + 2*ghosts, mj = nj + 2*ghosts, mk = planes + 2*ghosts
  character(*), parameter :: name = "structured_general.cgns"

  ! The planes of a rank in the zone, and in its memory.
  type :: planes_of_rank
    integer(cgsize_t) :: low(3), high(3), memory(3), memory_low(3), memory_high(3)
  end type planes_of_rank

  real(4) :: x(mi, mj, mk), y(mi, mj, mk)
  real(8), target :: z(ni, nj, planes)
  integer :: rank, ranks, i, j, k, ier
  call MPI_Init(ier)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ier)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ier)
  call cgp_mpi_comm_f(MPI_COMM_WORLD, ier)
  call check(ier)
  call cgp_pio_mode_f(CGP_COLLECTIVE, ier)
  call check(ier)
  x = reshape([(((x_at(i, j, k, rank), i=1, mi), j=1, mj), k=1, mk)], shape(x))
  y = -x
  z = reshape([(((z_at(i, j, k, rank), i=1, ni), j=1, nj), k=1, planes)], shape(z))
  call write_file()
  if (.not. is_as_written(mod(rank + 1, ranks))) then
    print *, "rank", rank, "finds other values"
    call MPI_Abort(MPI_COMM_WORLD, 1, ier)
  end if
  call MPI_Finalize(ier)

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cgp_error_exit_f()
  end subroutine check

  pure real(4) function x_at(i, j, k, rank)
    integer, intent(in) :: i, j, k, rank
    x_at = real(i - 1 + 100*(j - 1) + 10000*(k - 1 + planes*rank), 4)
  end function x_at

  pure real(8) function z_at(i, j, k, rank)
    integer, intent(in) :: i, j, k, rank
    z_at = i - 1 + 10*(j - 1) + 100*(k - 1 + planes*rank)
  end function z_at

  pure function part_of(rank) result(part)
    integer, intent(in) :: rank
    type(planes_of_rank) :: part
    part%low = [1, 1, planes*rank + 1]
    part%high = [ni, nj, planes*(rank + 1)]
    part%memory = [mi, mj, mk]
    part%memory_low = ghosts + 1
    part%memory_high = ghosts + [ni, nj, planes]
  end function part_of

  subroutine write_file()
    character(*), parameter :: names(3) = ["CoordinateX", "CoordinateY", "CoordinateZ"]
    integer, parameter :: rind(6) = [0, 0, 0, 0, 1, 1]
    type(planes_of_rank) :: part
    integer(cgsize_t) :: sizes(3, 3)
    integer :: file, base, zone, solution, field, coordinates(3), n, ier
    part = part_of(rank)
    sizes(:, 1) = [ni, nj, planes*ranks]
    sizes(:, 2) = sizes(:, 1) - 1
    sizes(:, 3) = 0
    call cgp_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
    call check(ier)
    do n = 1, 3
      call cgp_coord_write_f(file, base, zone, RealDouble, names(n), coordinates(n), ier)
      call check(ier)
    end do
    call cgp_coord_general_write_data_f(file, base, zone, coordinates(1), part%low, part%high, &
                                        RealSingle, 3, part%memory, part%memory_low, &
                                        part%memory_high, x, ier)
    call check(ier)
    ! Two arrays in one call.
    call cgp_coord_multi_write_data_f(file, base, zone, coordinates(2:), part%low, part%high, 2, &
                                      [c_loc(z), c_loc(z)], ier)
    call check(ier)
    call cg_sol_write_f(file, base, zone, "Solution", Vertex, solution, ier)
    call check(ier)
    call cg_goto_f(file, base, ier, "Zone_t", zone, "FlowSolution_t", solution, "end")
    call check(ier)
    call cg_rind_write_f(rind, ier) ! a plane below the first and one above the last
    call check(ier)
    call cgp_field_write_f(file, base, zone, solution, RealDouble, "Pressure", field, ier)
    call check(ier)
    ! The first and the last rank also write a plane of rind.
    if (rank == 0) then
      part%low(3) = part%low(3) - 1
      part%memory_low(3) = part%memory_low(3) - 1
    end if
    if (rank == ranks - 1) then
      part%high(3) = part%high(3) + 1
      part%memory_high(3) = part%memory_high(3) + 1
    end if
    call cgp_field_general_write_data_f(file, base, zone, solution, field, part%low, part%high, &
                                        RealSingle, 3, part%memory, part%memory_low, &
                                        part%memory_high, y, ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  ! Each rank reads the planes of the next one.
  logical function is_as_written(next)
    integer, intent(in) :: next
    type(planes_of_rank) :: part
    real(4) :: found_x(mi, mj, mk), found_y(mi, mj, mk)
    real(8), target :: found_z(ni, nj, planes), other(ni, nj, planes)
    integer :: file, i, j, k, ier
    part = part_of(next)
    found_x = 0
    call cgp_open_f(name, CG_MODE_READ, file, ier)
    call check(ier)
    call cgp_coord_general_read_data_f(file, 1, 1, 1, part%low, part%high, RealSingle, 3, &
                                       part%memory, part%memory_low, part%memory_high, found_x, &
                                       ier)
    call check(ier)
    call cgp_coord_multi_read_data_f(file, 1, 1, [2, 3], part%low, part%high, 2, &
                                     [c_loc(found_z), c_loc(other)], ier)
    call check(ier)
    call cgp_field_general_read_data_f(file, 1, 1, 1, 1, part%low, part%high, RealSingle, 3, &
                                       part%memory, part%memory_low, part%memory_high, found_y, &
                                       ier)
    call check(ier)
    call cgp_close_f(file, ier)
    call check(ier)
    is_as_written = found_x(1, 1, 1) == 0 .and. all(found_z == other) ! ghost points stay unchanged
    do k = 1, planes
      do j = 1, nj
        do i = 1, ni
          if (found_x(i + ghosts, j + ghosts, k + ghosts) /= &
              x_at(i + ghosts, j + ghosts, k + ghosts, next) .or. &
              found_y(i + ghosts, j + ghosts, k + ghosts) /= &
              -x_at(i + ghosts, j + ghosts, k + ghosts, next) .or. &
              found_z(i, j, k) /= z_at(i, j, k, next)) is_as_written = .false.
        end do
      end do
    end do
  end function is_as_written

end program structured_general
