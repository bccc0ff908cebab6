#pragma once

#include <concepts>
#include <string>

namespace onecast {

/// The beginning of errors: a text, or an object with where(), or a function, which makes the text
/// only if there is an error. It must outlive this object.
class Where {
 public:
  // NOLINTBEGIN(google-explicit-constructor): all of them are places
  Where(const char* text)
      : object_(text),
        text_([](const void* o) -> std::string { return static_cast<const char*>(o); }) {}
  Where(const std::string& text) : Where(text.c_str()) {}
  template <class T>
    requires requires(const T& object) {
      { object.where() } -> std::convertible_to<std::string>;
    }
  Where(const T& object)
      : object_(&object),
        text_([](const void* o) -> std::string { return static_cast<const T*>(o)->where(); }) {}
  template <class F>
    requires requires(const F& function) {
      { function() } -> std::convertible_to<std::string>;
    }
  Where(const F& function)
      : object_(&function),
        text_([](const void* o) -> std::string { return (*static_cast<const F*>(o))(); }) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] std::string text() const { return text_(object_); }

 private:
  const void* object_;
  std::string (*text_)(const void*);
};

}  // namespace onecast
