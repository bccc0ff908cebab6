#pragma once

namespace onecast {

/// The interface by which programs use a device (a GPU): of NVIDIA or of AMD.
enum class DeviceApi : unsigned char { cuda, hip };

}  // namespace onecast
