#pragma once

/// True if the program is ending on another thread, which does not wait for this one.
bool is_left_behind();
