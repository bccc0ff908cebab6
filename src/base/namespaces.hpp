#pragma once

/// The namespaces of the layers. Each sees the names of the layers that it may use:
/// tools/check_layers.py compares this with the table of CMakeLists.txt.

namespace onecast {
namespace comm {}
namespace transport {
using namespace comm;
}
namespace format {}
namespace types {
using namespace format;
}
namespace space {}
namespace device {}
namespace filters {
using namespace types;
using namespace space;
}  // namespace filters
namespace structures {
using namespace format;
using namespace filters;
}  // namespace structures
namespace stripes {
using namespace transport;
}
namespace collective {
using namespace stripes;
}
namespace pages {
using namespace stripes;
using namespace structures;
using namespace format;
using namespace filters;
using namespace space;
}  // namespace pages
namespace memory {
using namespace collective;
using namespace pages;
using namespace types;
}  // namespace memory
namespace codec {
using namespace memory;
}
namespace nodes {
using namespace codec;
}
namespace files {
using namespace nodes;
}
namespace elements {
using namespace files;
using namespace device;
}  // namespace elements
namespace contiguous {
using namespace elements;
}
namespace chunks {
using namespace elements;
}
namespace any_layout {
using namespace contiguous;
using namespace chunks;
}  // namespace any_layout
namespace virtual_datasets {
using namespace any_layout;
}
namespace lifetime {
using namespace virtual_datasets;
}
namespace values {
using namespace lifetime;
}
namespace independent {
using namespace values;
}
namespace together {
using namespace values;
}
namespace flush {
using namespace together;
using namespace independent;
}  // namespace flush
namespace handles {
using namespace flush;
}
namespace create {
using namespace handles;
}
namespace copy {
using namespace create;
}
namespace check {
using namespace pages;
using namespace types;
}  // namespace check
}  // namespace onecast
