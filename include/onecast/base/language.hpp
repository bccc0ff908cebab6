#pragma once

// With an older language, nearly every line of the headers would fail, and no message would give
// the reason.
#if defined(_MSVC_LANG) ? _MSVC_LANG >= 202002L : __cplusplus >= 202002L
#define ONECAST_HAS_LANGUAGE
#else
#error "The C++ headers of Onecast need C++20 (-std=c++20); onecast/onecast.h works with any C++"
#endif
