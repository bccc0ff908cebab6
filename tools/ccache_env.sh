# Sourced by scripts that build with CMake: with ccache, sources that were compiled in any clone are
# not compiled again.
#   . tools/ccache_env.sh ROOT
# ROOT is the folder of the sources, with the build directories in ROOT/build. Sets the array
# ccache_options for CMake, which is empty without ccache.
ccache_options=()
if command -v ccache >/dev/null; then
  ccache_options=("-DCMAKE_C_COMPILER_LAUNCHER=ccache"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=$1/tools/ccache.sh")
  export CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
  # How GCC uses memory changes no object (cmake/Compiler.cmake).
  export CCACHE_IGNOREOPTIONS="--param=ggc-*"
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi
