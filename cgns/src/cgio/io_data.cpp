
#include "cgio/node_data.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::cgio;

static_assert(CGIO_MAX_DIMENSIONS == kMostDimensions);

namespace {

Node& readable(int cgio_num, double id) { return node_of(file_of(cgio_num), id); }

Node& writable(int cgio_num, double id) {
  Node& node = node_of(writable_file_of(cgio_num), id);
  node.brought.reset();
  return node;
}

}  // namespace

extern "C" {

int cgio_get_data_type(int cgio_num, double id, char* data_type) {
  return numbered([&] { give(text_of(reached(readable(cgio_num, id)).type()), data_type); });
}

int cgio_get_data_size(int cgio_num, double id, cglong_t* data_size) {
  return numbered([&] {
    Node& node = reached(readable(cgio_num, id));
    const auto data = node.data();
    *given(data_size, "data_size") =
        data ? static_cast<cglong_t>(data->element_count() * size_of(node.type())) : 0;
  });
}

int cgio_get_dimensions(int cgio_num, double id, int* num_dims, cgsize_t* dims) {
  return numbered([&] {
    const Dims extents = reached(readable(cgio_num, id)).dims();
    if (!extents.empty())
      check_dimension_count(static_cast<std::int64_t>(extents.size()), kBadDimensionCount);
    *given(num_dims, "num_dims") = static_cast<int>(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (!std::in_range<cgsize_t>(extents[i]))
        throw Failure("a dimension does not fit cgsize_t: " + std::to_string(extents[i]),
                      CGIO_ERR_DIMENSIONS);
      given(dims, "dims")[i] = static_cast<cgsize_t>(extents[i]);
    }
  });
}

int cgio_read_all_data_type(int cgio_num, double id, const char* m_data_type, void* data) {
  return numbered([&] { NodeData(readable(cgio_num, id)).read(given_type(m_data_type), data); });
}

int cgio_read_block_data_type(int cgio_num, double id, cgsize_t b_start, cgsize_t b_end,
                              const char* m_data_type, void* data) {
  return numbered([&] {
    NodeData(readable(cgio_num, id), b_start, b_end).read(given_type(m_data_type), data);
  });
}

int cgio_read_data_type(int cgio_num, double id, const cgsize_t* s_start, const cgsize_t* s_end,
                        const cgsize_t* s_stride, const char* m_data_type, int m_num_dims,
                        const cgsize_t* m_dims, const cgsize_t* m_start, const cgsize_t* m_end,
                        const cgsize_t* m_stride, void* data) {
  return numbered([&] {
    NodeData(readable(cgio_num, id), {s_start, s_end, s_stride},
             {m_num_dims, m_dims, {m_start, m_end, m_stride}})
        .read(given_type(m_data_type), data);
  });
}

int cgio_set_dimensions(int cgio_num, double id, const char* data_type, int num_dims,
                        const cgsize_t* dims) {
  return numbered([&] {
    Node& node = writable(cgio_num, id);
    if (node.is_link()) throw Failure(node.path() + " is a link");
    const Value value = given_value(data_type, num_dims, dims, nullptr);
    // An existing value of this form stays.
    if (node.data() && node.type() == value.type && node.dims() == value.dims) return;
    node.tree().write_value(node, value);
  });
}

int cgio_write_all_data(int cgio_num, double id, const void* data) {
  return numbered([&] {
    NodeData all(writable(cgio_num, id));
    all.write(all.stored_type(), data);
  });
}

int cgio_write_all_data_type(int cgio_num, double id, const char* m_data_type, const void* data) {
  return numbered([&] { NodeData(writable(cgio_num, id)).write(given_type(m_data_type), data); });
}

int cgio_write_block_data(int cgio_num, double id, cgsize_t b_start, cgsize_t b_end, void* data) {
  return numbered([&] {
    NodeData block(writable(cgio_num, id), b_start, b_end);
    block.write(block.stored_type(), data);
  });
}

int cgio_write_data(int cgio_num, double id, const cgsize_t* s_start, const cgsize_t* s_end,
                    const cgsize_t* s_stride, int m_num_dims, const cgsize_t* m_dims,
                    const cgsize_t* m_start, const cgsize_t* m_end, const cgsize_t* m_stride,
                    const void* data) {
  return numbered([&] {
    NodeData part(writable(cgio_num, id), {s_start, s_end, s_stride},
                  {m_num_dims, m_dims, {m_start, m_end, m_stride}});
    part.write(part.stored_type(), data);
  });
}

int cgio_write_data_type(int cgio_num, double id, const cgsize_t* s_start, const cgsize_t* s_end,
                         const cgsize_t* s_stride, const char* m_data_type, int m_num_dims,
                         const cgsize_t* m_dims, const cgsize_t* m_start, const cgsize_t* m_end,
                         const cgsize_t* m_stride, const void* data) {
  return numbered([&] {
    NodeData(writable(cgio_num, id), {s_start, s_end, s_stride},
             {m_num_dims, m_dims, {m_start, m_end, m_stride}})
        .write(given_type(m_data_type), data);
  });
}

}  // extern "C"
