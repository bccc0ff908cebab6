// Describes the elements in a buffer.
#pragma once

#include <optional>
#include <utility>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/objects/transfer_request.hpp"
#include "onecast/types/datatype.hpp"

/// The form of elements, from Python: None for elements as they are stored, a StoredType for
/// elements to be converted from or to that type, or NewValues, which keeps values of variable
/// length.
using Form = Typed<nb::handle, "StoredType | NewValues">;

struct ElementForm {
  explicit ElementForm(nb::handle form) {
    if (form.is_none()) return;
    if (nb::isinstance<onecast::Datatype>(form))
      type = nb::cast<onecast::Datatype>(form);
    else
      values = nb::cast<const onecast::NewValues*>(form);
  }

  std::optional<onecast::Datatype> type;
  const onecast::NewValues* values = nullptr;
};

inline onecast::TransferRequest request_of(const Buffer& memory, const onecast::Selection& part,
                                           nb::handle form,
                                           std::optional<onecast::Sharing> sharing = {}) {
  ElementForm elements(form);
  return {.part = part,
          .memory_type = std::move(elements.type),
          .sharing = sharing,
          .stream = memory.stream(),
          .values = elements.values};
}
