! A description of the computation: the equations with their models, the history of the residuals,
! and a text.
program equations
  use cgns
  implicit none
  integer, parameter :: iterations = 20
  character(*), parameter :: name = "equations.cgns"
  character(*), parameter :: text = &
    "Grid of 8 x 8 x 8 cells."//new_line("a")//"Computed for the examples."
  integer :: file, ier
  logical :: is_right
  call write_file()
  call cg_open_f(name, CG_MODE_READ, file, ier)
  call check(ier)
  is_right = equations_are_as_written()
  is_right = history_is_as_written() .and. is_right
  is_right = text_is_as_written() .and. is_right
  call cg_close_f(file, ier)
  call check(ier)
  if (.not. is_right) error stop "other equations are in the file"

contains

  subroutine check(ier)
    integer, intent(in) :: ier
    if (ier /= CG_OK) call cg_error_exit_f()
  end subroutine check

  pure real(8) function residual(iteration)
    integer, intent(in) :: iteration
    residual = 0.5d0**(iteration - 1)
  end function residual

  ! Writes the thin-layer equations: viscous terms in the third direction only.
  subroutine write_equations(base)
    integer, intent(in) :: base
    integer(cgsize_t), parameter :: one = 1
    integer :: ier
    call cg_goto_f(file, base, ier, "end")
    call check(ier)
    call cg_equationset_write_f(3, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "FlowEquationSet_t", 1, "end")
    call check(ier)
    call cg_governing_write_f(NSTurbulent, ier)
    call check(ier)
    call cg_model_write_f("GasModel_t", Ideal, ier)
    call check(ier)
    call cg_model_write_f("ViscosityModel_t", SutherlandLaw, ier)
    call check(ier)
    call cg_model_write_f("TurbulenceModel_t", OneEquation_SpalartAllmaras, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "GoverningEquations_t", 1, "end")
    call check(ier)
    call cg_diffusion_write_f([0, 0, 1, 0, 0, 0], ier)
    call check(ier)
    call cg_gorel_f(file, ier, "..", 0, "GasModel_t", 1, "end")
    call check(ier)
    call cg_dataclass_write_f(DimensionlessConstant, ier)
    call check(ier)
    call cg_array_write_f("SpecificHeatRatio", RealSingle, 1, one, 1.4, ier)
    call check(ier)
  end subroutine write_equations

  subroutine write_history(base)
    integer, intent(in) :: base
    integer(cgsize_t), parameter :: count = iterations
    integer :: i, ier
    call cg_goto_f(file, base, ier, "end")
    call check(ier)
    call cg_convergence_write_f(iterations, "L2 norm", ier)
    call check(ier)
    call cg_gorel_f(file, ier, "ConvergenceHistory_t", 1, "end")
    call check(ier)
    call cg_array_write_f("RSDMassRMS", RealDouble, 1, count, &
                          [(residual(i), i=1, iterations)], ier)
    call check(ier)
  end subroutine write_history

  subroutine write_file()
    integer :: base, ier
    call cg_open_f(name, CG_MODE_WRITE, file, ier)
    call check(ier)
    call cg_base_write_f(file, "Base", 3, 3, base, ier)
    call check(ier)
    call write_equations(base)
    call write_history(base)
    call cg_goto_f(file, base, ier, "end")
    call check(ier)
    call cg_descriptor_write_f("Information", text, ier)
    call check(ier)
    call cg_close_f(file, ier)
    call check(ier)
  end subroutine write_file

  logical function equations_are_as_written()
    integer(cgenum_t) :: governing, turbulence
    integer :: dimension, has(6), diffusion(6), ier
    real(4) :: gamma
    call cg_goto_f(file, 1, ier, "end")
    call check(ier)
    call cg_equationset_read_f(dimension, has(1), has(2), has(3), has(4), has(5), has(6), ier)
    call check(ier)
    call cg_gorel_f(file, ier, "FlowEquationSet_t", 1, "end")
    call check(ier)
    call cg_governing_read_f(governing, ier)
    call check(ier)
    call cg_model_read_f("TurbulenceModel_t", turbulence, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "GoverningEquations_t", 1, "end")
    call check(ier)
    call cg_diffusion_read_f(diffusion, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "..", 0, "GasModel_t", 1, "end")
    call check(ier)
    call cg_array_read_f(1, gamma, ier)
    call check(ier)
    print *, trim(GoverningEquationsTypeName(governing)), " in", dimension, "dimensions, ", &
      trim(ModelTypeName(turbulence)), ", ratio of specific heats", gamma
    equations_are_as_written = dimension == 3 .and. all((has /= 0) .eqv. &
      [.true., .true., .true., .false., .false., .true.]) .and. governing == NSTurbulent .and. &
      turbulence == OneEquation_SpalartAllmaras .and. diffusion(3) == 1 .and. gamma == 1.4
  end function equations_are_as_written

  logical function history_is_as_written()
    real(8) :: values(iterations)
    character(32) :: norm
    integer :: count, ier
    call cg_goto_f(file, 1, ier, "end")
    call check(ier)
    call cg_convergence_read_f(count, norm, ier)
    call check(ier)
    call cg_gorel_f(file, ier, "ConvergenceHistory_t", 1, "end")
    call check(ier)
    call cg_array_read_f(1, values, ier)
    call check(ier)
    print *, trim(norm), " after", count, "iterations:", values(count)
    history_is_as_written = count == iterations .and. norm == "L2 norm" .and. &
      values(iterations) == residual(iterations)
  end function history_is_as_written

  logical function text_is_as_written()
    character(32) :: name
    character(len(text)) :: found
    integer :: length, ier
    call cg_goto_f(file, 1, ier, "end")
    call check(ier)
    call cg_descriptor_size_f(1, length, ier)
    call check(ier)
    call cg_descriptor_read_f(1, name, found, ier)
    call check(ier)
    print *, trim(name), ": ", found
    text_is_as_written = length == len(text) .and. found == text
  end function text_is_as_written

end program equations
