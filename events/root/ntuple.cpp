// Reads and writes an RNTuple `Events` with a field for each product, and the fields run, lumi and
// event.
#include <TClass.h>
#include <TFile.h>
#include <fmt/format.h>

#include <ROOT/RNTuple.hxx>
#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleWriteOptions.hxx>
#include <ROOT/RNTupleWriter.hxx>
#include <array>
#include <cstring>

#include "column_source.hpp"
#include "identity_columns.hpp"
#include "model/make_error.hpp"
#include "object_holder.hpp"
#include "opened_ntuple.hpp"
#include "product_names.hpp"
#include "root_components.hpp"
#include "root_errors.hpp"
#include "root_file.hpp"

namespace onecast::events::root {
namespace {

/// One number, or a fixed count of numbers.
class NumberHolder final : public Holder {
 public:
  explicit NumberHolder(const NumberType& type, std::size_t count = 1)
      : is_bool_(type.is_bool()),
        bytes_(count * type.bytes),
        memory_(bytes_ / sizeof(double) + 1) {}
  void* object() override { return memory_.data(); }
  void from_bytes(Bytes bytes, const std::string& where) override {
    if (bytes.size() != bytes_) throw wrong_size(where, bytes.size(), fmt::to_string(bytes_));
    if (is_bool_) require_booleans(bytes, where);
    if (bytes_ != 0) std::memcpy(memory_.data(), bytes.data(), bytes_);
  }
  void to_bytes(std::vector<std::byte>& out) const override {
    out.resize(bytes_);
    if (bytes_ != 0) std::memcpy(out.data(), memory_.data(), bytes_);
  }

 private:
  bool is_bool_;
  std::size_t bytes_;
  std::vector<double> memory_;
};

constexpr std::string_view kVector = "std::vector<";
constexpr const char* kText = "std::string";

/// The fields of the identity, and their types.
constexpr std::array<std::pair<const char*, const char*>, 3> kIds{
    {{"EventID_run", "std::uint32_t"},
     {"EventID_lumi", "std::uint32_t"},
     {"EventID_event", "std::uint64_t"}}};

/// Returns the numbers of a type such as std::array<float,3>.
std::optional<NumberClass> array_of_numbers(std::string_view type) {
  constexpr std::string_view kArray = "std::array<";
  const std::size_t comma = type.find(',');
  if (!type.starts_with(kArray) || !type.ends_with('>') || comma == std::string_view::npos)
    return {};
  const auto* number = number_of_field(type.substr(kArray.size(), comma - kArray.size()));
  if (number == nullptr) return {};
  type.remove_suffix(1);
  NumberClass array{number, fmt::format("[{}]", type.substr(comma + 1))};
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  if (array.count() > kMost / number->bytes) throw format_error("{}>: more than 1 GiB", type);
  return array;
}

/// A product as a field. Without a holder, it cannot be a field.
struct Field {
  std::string name, type{};
  std::unique_ptr<Holder> holder{};
};

/// Returns the field of a product that ROOT has serialized, or else a field of its bytes.
Field field_for(const Product& product, const std::string& serializer) {
  // RNTuple separates the names of nested fields by points.
  Field field{product.name};
  std::ranges::replace(field.name, '.', '_');
  const auto numbers = numbers_of(product, serializer);
  if (numbers && !numbers->type->field.empty()) {
    const std::string number(numbers->type->field);
    if (!numbers->is_fixed()) {
      field.type = fmt::format("{}{}>", kVector, number);
      field.holder = numbers->type->make_list();
    } else {
      field.type = numbers->dimensions.empty()
                       ? number
                       : fmt::format("std::array<{},{}>", number, numbers->count());
      field.holder = std::make_unique<NumberHolder>(*numbers->type, numbers->count());
    }
    return field;
  }
  if (is_text(product, serializer)) {
    field.type = kText;
    field.holder = text_holder();
    return field;
  }
  TClass* of = serializer == kRoot ? class_named(product.class_name) : nullptr;
  if (of == nullptr || !has_dictionary(*of)) return field;
  field.type = product.class_name;
  field.holder = object_holder(*of);
  return field;
}

class NTupleOutputer final : public RootFileOutputer {
 public:
  using RootFileOutputer::RootFileOutputer;

  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events) {
      id_ = event.identity;
      for (std::size_t p = 0; p < fields_.size(); ++p)
        fields_[p].holder->from_bytes(
            product_of(event, p),
            fmt::format("{}: event {}: product {}", path(), id_.event, fields_[p].name));
      checked(path(), [&] { writer_->Fill(*entry_); });
    }
  }

 private:
  void prepare(const ProductList& products) override {
    std::vector<std::string> names;
    for (const Product& product : products.products) {
      fields_.push_back(field_for(product, products.serializer));
      names.push_back(fields_.back().name);
    }
    require_names(products, names, {kIds[0].first, kIds[1].first, kIds[2].first}, path());
    model_ = ROOT::RNTupleModel::CreateBare();
    model_->SetDescription(std::string(kSerializer) + "=" + products.serializer);
    for (const auto& [name, type] : kIds)
      model_->AddField(ROOT::RFieldBase::Create(name, type).Unwrap());
    for (std::size_t p = 0; p < products.size(); ++p)
      add(fields_[p], products.products[p].class_name, products.serializer != kRoot);
  }

  void begin_events(const ProductList&) override {
    ROOT::RNTupleWriteOptions options;
    options.SetCompression(static_cast<std::uint32_t>(compression()));
    writer_ = ROOT::RNTupleWriter::Append(std::move(model_), "Events", file(), options);
    entry_ = writer_->GetModel().CreateBareEntry();
    const std::array<void*, 3> ids{&id_.run, &id_.lumi, &id_.event};
    for (std::size_t i = 0; i < ids.size(); ++i) entry_->BindRawPtr(kIds[i].first, ids[i]);
    for (const Field& field : fields_) entry_->BindRawPtr(field.name, field.holder->object());
  }

  /// @param is_noted true if the class of the product is noted beside the field
  void add(Field& field, const std::string& class_name, bool is_noted) {
    if (!field.holder) {  // as bytes
      const NumberType& bytes = *number_named("UChar_t");
      field.type = fmt::format("{}{}>", kVector, bytes.field);
      field.holder = bytes.make_list();
      is_noted = true;
    }
    auto made = ROOT::RFieldBase::Create(field.name, field.type).Unwrap();
    made->SetDescription(is_noted ? class_name : "");
    model_->AddField(std::move(made));
  }

  void before_close() override {
    entry_.reset();
    writer_.reset();
  }

  std::unique_ptr<ROOT::RNTupleModel> model_;
  std::unique_ptr<ROOT::RNTupleWriter> writer_;
  std::unique_ptr<ROOT::REntry> entry_;
  std::vector<Field> fields_;
  Identity id_;
};

class NTupleSource final : public ColumnSource {
 public:
  NTupleSource(std::unique_ptr<TFile> file, const std::string& name, const std::string& identity)
      : file_(std::move(file)), ntuple_(open_ntuple(*file_, name)) {
    const auto& described = ntuple_.descriptor();
    const std::string note = described.GetDescription();
    const std::string start = std::string(kSerializer) + "=";
    const bool has_note = note.starts_with(start);
    products_.serializer = has_note ? note.substr(start.size()) : kRoot;
    for (const auto& field : described.GetTopLevelFields()) {
      const std::string& field_name = field.GetFieldName();
      if (std::ranges::find(kIds, field_name, &decltype(kIds)::value_type::first) != kIds.end())
        continue;
      add(field_name, field.GetTypeName(), has_note ? field.GetFieldDescription() : "");
    }
    find_identity(identity);
  }

  std::optional<std::uint64_t> size() const override {
    return ntuple_.reader ? ntuple_.reader->GetNEntries() : 0;
  }

 private:
  using View = ROOT::RNTupleView<void>;
  /// @param noted the class of the product, if the field does not tell it
  void add(const std::string& name, const std::string& type, const std::string& noted) {
    Product product{name, type};
    std::unique_ptr<Holder> holder;
    const bool is_vector = type.starts_with(kVector) && type.ends_with('>');
    if (const NumberType* number = number_of_field(type)) {
      product.class_name = number->name;
      holder = std::make_unique<NumberHolder>(*number);
    } else if (const NumberType* inner =
                   is_vector ? number_of_field(std::string_view(type).substr(
                                   kVector.size(), type.size() - kVector.size() - 1))
                             : nullptr) {
      product.class_name = std::string(inner->name) + "[]";
      holder = inner->make_list();
    } else if (const auto array = array_of_numbers(type)) {
      product.class_name = fmt::format("{}{}", array->type->name, array->dimensions);
      holder = std::make_unique<NumberHolder>(*array->type, array->count());
    } else if (type == kText && products_.serializer == kRaw) {
      holder = text_holder();
    } else if (TClass* of = type.empty() ? nullptr : class_named(type)) {
      holder = object_holder(*of);
    } else {
      return leave_out(file_->GetName(), "field " + name,
                       type.empty() ? "it has no class" : "ROOT cannot load the class " + type);
    }
    if (!noted.empty()) product.class_name = noted;
    if (ntuple_.reader) views_.push_back(ntuple_.reader->GetView(name, holder->object(), type));
    products_.products.push_back(std::move(product));
    fields_.push_back(std::move(holder));
  }

  void find_identity(const std::string& given) {
    const auto& described = ntuple_.descriptor();
    const auto as_field = [](std::string name) {
      if (name.starts_with("EventID.")) name[7] = '_';
      return name;
    };
    identity_ = identity_columns(
        given,
        [&](const std::string& name) -> std::optional<ColumnKind> {
          const auto found = described.FindFieldId(as_field(name));
          if (found == ROOT::kInvalidDescriptorId) return {};
          const auto& field = described.GetFieldDescriptor(found);
          if (!is_once(field)) return ColumnKind{nullptr, "elements of a list"};
          return ColumnKind{number_of_field(field.GetTypeName()), field.GetTypeName()};
        },
        file_->GetName());
    for (std::size_t i = 0; ntuple_.reader && i < identity_.size(); ++i) {
      const auto& [name, type, most] = identity_[i];
      if (name.empty()) continue;
      ids_[i] = std::make_unique<NumberHolder>(*type);
      id_views_.push_back(ntuple_.reader->GetView(as_field(name), ids_[i]->object(), type->field));
    }
  }

  /// True if the field exists once for each entry. Fields in a list do not.
  bool is_once(const ROOT::RFieldDescriptor& field) {
    const auto& described = ntuple_.descriptor();
    for (auto above = field.GetParentId(); above != described.GetFieldZeroId();) {
      const auto& parent = described.GetFieldDescriptor(above);
      if (parent.GetStructure() != ROOT::ENTupleStructure::kRecord || parent.GetNRepetitions() != 0)
        return false;
      above = parent.GetParentId();
    }
    return true;
  }

  Identity read(std::uint64_t entry, ProductBytes& bytes) override {
    for (std::size_t p = 0; p < fields_.size(); ++p) {
      if (!is_selected(p)) continue;
      checked(fmt::format("{}: entry {}: field {}", file_->GetName(), entry,
                          products_.products[p].name),
              [&] {
                views_[p](entry);
                fields_[p]->to_bytes(bytes[p]);
              });
    }
    for (View& view : id_views_)
      checked(fmt::format("{}: entry {}", file_->GetName(), entry), [&] { view(entry); });
    return identity_of(identity_, file_->GetName(), entry, [&](std::size_t i) {
      return number_at(ids_[i]->object(), *identity_[i].type);
    });
  }

  std::unique_ptr<TFile> file_;
  OpenedNTuple ntuple_;
  std::vector<std::unique_ptr<Holder>> fields_;
  IdentityColumns identity_;
  std::array<std::unique_ptr<Holder>, 3> ids_;
  std::vector<View> views_, id_views_;
};

}  // namespace

std::unique_ptr<Source> ntuple_source(std::unique_ptr<TFile> file, const std::string& name,
                                      const std::string& identity) {
  return std::make_unique<NTupleSource>(std::move(file), name, identity);
}

OutputerInfo ntuple_outputer() {
  return {.name = "RNTuple",
          .description = "a ROOT file: an RNTuple with a field for each product",
          .file = FileUse::required,
          .options = root_compression_options(),
          .make = [](const Request& request) { return std::make_unique<NTupleOutputer>(request); }};
}

}  // namespace onecast::events::root
