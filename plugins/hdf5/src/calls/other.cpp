#include <charconv>
#include <cstring>
#include <utility>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/open_file.hpp"
#include "handles/old_regions.hpp"
#include "library/guarded.hpp"
#include "values/stored_elements.hpp"

namespace onecast_hdf5 {
namespace {

// --- values in the heaps of a file, which the library asks for when it converts

h5::Status blob_put(void* object, const void* bytes, std::size_t size, void* blob, void* context) {
  Handle& on = handle(object);
  return change(
      on, "value put",
      [&] {
        on.opening->put_in_heap(bytes, size, blob);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLblob_put(native, on.library.native(), bytes, size, blob,
                                            context);
      });
}

h5::Status blob_get(void* object, const void* blob, void* bytes, std::size_t size, void* context) {
  Handle& on = handle(object);
  return answer(
      on, "value get",
      [&] {
        read_values([&] { on.opening->read_heap(blob, bytes, size); });
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLblob_get(native, on.library.native(), blob, bytes, size,
                                            context);
      });
}

h5::Status blob_specific(void* object, void* blob, h5::BlobSpecific* args) {
  Handle& on = handle(object);
  return answer(
      on, "value is null",
      [&]() -> NotServed {
        // Onecast removes values when the elements that stand for them are overwritten.
        if (args->op == h5::BlobSpecific::remove) return kDone;
        constexpr std::size_t kSize = 12;
        if (args->op == h5::BlobSpecific::set_null) {
          std::memset(blob, 0, kSize);
          return kDone;
        }
        std::uint64_t address = 0;
        std::memcpy(&address, blob, sizeof address);
        *args->null = address == 0;
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLblob_specific(native, on.library.native(), blob, args);
      });
}

h5::Status blob_optional(void* object, void* blob, h5::Optional* args) {
  Handle& on = handle(object);
  return by_native(on, "value: other", [&](void* native) {
    return on.library.call.H5VLblob_optional(native, on.library.native(), blob, args);
  });
}

// --- tokens, which are addresses of object headers

std::uint64_t address_of(const h5::Token& token) {
  std::uint64_t address = 0;
  std::memcpy(&address, token.bytes, sizeof address);
  return address;
}

h5::Status token_compare(void* object, const h5::Token* a, const h5::Token* b, int* result) {
  Handle& on = handle(object);
  return answer(
      on, "token compare",
      [&]() -> NotServed {
        if (a == nullptr || b == nullptr)
          *result = (a != nullptr ? 1 : 0) - (b != nullptr ? 1 : 0);
        else
          *result = address_of(*a) < address_of(*b) ? -1 : address_of(*a) > address_of(*b) ? 1 : 0;
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLtoken_cmp(native, on.library.native(), a, b, result);
      });
}

h5::Status token_to_text(void* object, h5::IdType type, const h5::Token* token, char** text) {
  Handle& on = handle(object);
  return answer(
      on, "token to text",
      [&]() -> NotServed {
        const std::string digits = std::to_string(address_of(*token));
        *text = static_cast<char*>(on.library.call.H5allocate_memory(digits.size() + 1, false));
        if (*text == nullptr) throw std::bad_alloc();
        std::memcpy(*text, digits.c_str(), digits.size() + 1);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLtoken_to_str(native, type, on.library.native(), token, text);
      });
}

h5::Status token_of_text(void* object, h5::IdType type, const char* text, h5::Token* token) {
  Handle& on = handle(object);
  return answer(
      on, "token of text",
      [&]() -> NotServed {
        std::uint64_t address = 0;
        if (std::from_chars(text, text + std::strlen(text), address).ec != std::errc())
          return "a token that is no number";
        *token = token_of(address);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLtoken_from_str(native, type, on.library.native(), text, token);
      });
}

// --- wrapping: between objects of the library and handles

void* get_object(const void* object) {
  Handle& on = handle(object);
  if (AskingForHandles::on) {
    AskingForHandles::asked = &on;
    return &on;
  }
  const bool is_for_region = OldRegions::wants_object();
  try {
    if (is_for_region && on.type == h5::IdType::file && on.is_served() && on.opening->may_change())
      hand_over(on, "region references of HDF5 before 1.12");
    return on.shown();
  } catch (...) {
    report_current_exception(on.library, "object");
    return nullptr;
  }
}

/// The library asks for a context in each call, and wraps with it the objects that it meets. For an
/// object that Onecast serves, the context is its handle. The native library may close an object in
/// a call, and then wrap another in its place: its context is a NativeContext, whose address is
/// marked by its lowest bit.
struct NativeContext {
  Library& library;
  std::shared_ptr<const void> written;
};

void* marked(NativeContext* context) { return reinterpret_cast<char*>(context) + 1; }
NativeContext* native_context(void* context) {
  const bool is_marked = (reinterpret_cast<std::uintptr_t>(context) & 1U) != 0;
  return is_marked ? reinterpret_cast<NativeContext*>(static_cast<char*>(context) - 1) : nullptr;
}

h5::Status get_context(const void* object, void** context) {
  OldRegions::call_begins();
  Handle& on = handle(object);
  *context = on.is_served() ? &on : marked(new NativeContext{on.library, on.written});
  return 0;
}

void* wrapped(Library& library, h5::IdType type, void* native,
              const std::shared_ptr<const void>& written) {
  auto* const made = new Handle(library, type, native);
  made->written = written;
  return made;
}

void* wrap(void* object, h5::IdType type, void* context) {
  if (is_being_registered(object)) return object;
  if (const NativeContext* const in = native_context(context))
    return wrapped(in->library, type, object, in->written);
  Handle& on = handle(context);
  try {
    if (on.is_served() && type == h5::IdType::file && object == on.opening->shown_file())
      return file_handle_of(on.opening).release();
  } catch (...) {
    report_current_exception(on.library, "wrap");
    return nullptr;
  }
  return wrapped(on.library, type, object, on.written);
}

void* unwrap(void* object) {
  Handle& on = handle(object);
  if (on.is_served()) return object;
  void* const native = on.native();
  if (native != nullptr) delete &on;
  return native;
}

/// The handle may be closed by now.
h5::Status free_context(void* context) {
  OldRegions::call_ends();
  delete native_context(context);
  return 0;
}

}  // namespace

const h5::BlobCalls kBlobCalls{kGuarded<blob_put>, kGuarded<blob_get>, kGuarded<blob_specific>,
                               kGuarded<blob_optional>};
const h5::TokenCalls kTokenCalls{kGuarded<token_compare>, kGuarded<token_to_text>,
                                 kGuarded<token_of_text>};
const h5::WrapCalls kWrapCalls{kGuarded<get_object>, kGuarded<get_context>, kGuarded<wrap>,
                               kGuarded<unwrap>, kGuarded<free_context>};

h5::Status optional_call(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return by_native(on, "other", [&](void* native) {
    return on.library.call.H5VLoptional(native, on.library.native(), args, transfer, request);
  });
}

}  // namespace onecast_hdf5
