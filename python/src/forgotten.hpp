#pragma once

/// Whether the program ends, and this thread is one that it leaves behind.
bool is_left_behind();
