#pragma once

// An older language would fail in each line of the headers, and say nothing of the reason.
#if defined(_MSVC_LANG) ? _MSVC_LANG >= 202002L : __cplusplus >= 202002L
#define ONECAST_HAS_LANGUAGE
#else
#error "The C++ headers of Onecast need C++20 (-std=c++20); onecast/onecast.h works with any C++"
#endif
