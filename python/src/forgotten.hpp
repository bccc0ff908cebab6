#pragma once

/// True if the program is ending and leaves this thread behind.
bool is_left_behind();
