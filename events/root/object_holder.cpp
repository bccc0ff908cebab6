#include "object_holder.hpp"

#include <TBufferFile.h>
#include <TClass.h>
#include <TEmulatedCollectionProxy.h>

#include "model/make_error.hpp"
#include "root_errors.hpp"

namespace onecast::events::root {
namespace {

class ObjectHolder final : public Holder {
 public:
  explicit ObjectHolder(TClass& of) : class_(of), object_(of.New()) {
    if (object_ == nullptr)
      throw unsupported_error("{}: ROOT cannot make such an object", of.GetName());
  }
  ~ObjectHolder() override { class_.Destructor(object_); }
  ObjectHolder(const ObjectHolder&) = delete;
  ObjectHolder& operator=(const ObjectHolder&) = delete;

  void* object() override { return object_; }

  void from_bytes(Bytes bytes, const std::string& where) override {
    checked(where, [&] {
      // The buffer only reads, and takes no ownership.
      TBufferFile buffer(TBuffer::kRead, static_cast<Int_t>(bytes.size()),
                         const_cast<std::byte*>(bytes.data()), kFALSE);
      class_.Streamer(object_, buffer);
      if (buffer.Length() != static_cast<Int_t>(bytes.size()))
        throw format_error("{}: {} bytes of {} are an object of {}", where, buffer.Length(),
                           bytes.size(), class_.GetName());
    });
  }

  void to_bytes(std::vector<std::byte>& out) const override {
    TBufferFile buffer(TBuffer::kWrite);
    class_.Streamer(object_, buffer);
    const auto* bytes = reinterpret_cast<const std::byte*>(buffer.Buffer());
    out.assign(bytes, bytes + buffer.Length());
  }

 private:
  TClass& class_;
  void* object_;
};

class TextHolder final : public Holder {
 public:
  void* object() override { return &text_; }
  void from_bytes(Bytes bytes, const std::string&) override {
    text_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void to_bytes(std::vector<std::byte>& out) const override {
    const Bytes bytes = std::as_bytes(std::span(text_));
    out.assign(bytes.begin(), bytes.end());
  }

 private:
  std::string text_;
};

/// True if ROOT knows the layout of such an object in memory. Of a collection of classes that only
/// the file describes, it knows just the elements.
bool is_known(TClass& of) {
  if (TVirtualCollectionProxy* collection = of.GetCollectionProxy())
    return collection->GetValueClass() == nullptr || is_known(*collection->GetValueClass());
  return of.GetState() >= TClass::kEmulated;
}

}  // namespace

TClass* class_named(const std::string& name) {
  TClass* of = TClass::GetClass(name.c_str(), kTRUE, kTRUE);
  return of != nullptr && is_known(*of) ? of : nullptr;
}

bool has_dictionary(TClass& of) {
  if (of.GetCollectionProxy() != nullptr)
    return dynamic_cast<TEmulatedCollectionProxy*>(of.GetCollectionProxy()) == nullptr;
  return of.HasDictionary();
}

std::unique_ptr<Holder> object_holder(TClass& of) { return std::make_unique<ObjectHolder>(of); }
std::unique_ptr<Holder> text_holder() { return std::make_unique<TextHolder>(); }

}  // namespace onecast::events::root
