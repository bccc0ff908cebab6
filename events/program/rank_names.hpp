#pragma once

#include <string>

namespace onecast::events {

/// True if the text contains {rank}, which stands for the number of the rank.
bool names_rank(const std::string& text);
std::string with_rank(std::string text, int rank);

}  // namespace onecast::events
