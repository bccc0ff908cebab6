// Complex numbers: the compound that HDF5 before 2.0 reads, and the class that newer versions have.

#include <complex>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using ComplexNumbers = std::vector<std::complex<double>>;

class ComplexInC : public CapiTest {
 protected:
  static onecast_type_class class_of(const onecast_object* dataset) {
    const auto type =
        made_by<onecast_type>([&](auto out) { return onecast_dataset_get_type(dataset, out); });
    onecast_type_class found = ONECAST_CLASS_TIME;
    EXPECT_DONE(onecast_type_get_class(type.get(), &found));
    return found;
  }
  static Owned<onecast_type> native(const onecast_type* base) {
    return made_by<onecast_type>([&](auto out) { return onecast_type_complex(base, out); });
  }
  void write(const char* name, const onecast_type* type, const onecast_type* memory_type) {
    const auto made = dataset(name, type, {2});
    EXPECT_DONE(onecast_dataset_write(made.get(), nullptr, memory_type, numbers.data(),
                                      numbers.size() * sizeof numbers[0]));
    const onecast_dataspace pair = onecast_dataspace_array(1, std::vector<std::uint64_t>{2}.data());
    EXPECT_DONE(onecast_attribute_set(made.get(), "same", memory_type, &pair, numbers.data(),
                                      numbers.size() * sizeof numbers[0]));
  }
  void expect_read(const char* name, const onecast_type* memory_type) {
    const auto from = open(name);
    EXPECT_EQ(read<ComplexNumbers::value_type>(from.get(), 2, memory_type), numbers);
    ComplexNumbers found(2);
    EXPECT_DONE(onecast_attribute_read(from.get(), "same", memory_type, found.data(),
                                       found.size() * sizeof found[0]));
    EXPECT_EQ(found, numbers);
  }
  void create_again(onecast_profile profile) {
    root.reset();
    ASSERT_DONE(onecast_file_close(&file));
    onecast_file_options options;
    ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
    options.profile = profile;
    ASSERT_DONE(onecast_file_create(path().c_str(), &options, &file));
    root = root_of(file);
  }

  ComplexNumbers numbers{{1, 2}, {-3, 4.5}};
};

TEST_F(ComplexInC, EveryVersionOfHdf5ReadsTheNativeTypes) {
  for (const onecast_profile profile : {ONECAST_PROFILE_COMPATIBLE, ONECAST_PROFILE_LATEST}) {
    create_again(profile);
    const auto asked = native(ONECAST_DOUBLE);
    write("z", ONECAST_COMPLEX128, ONECAST_COMPLEX128);
    write("z32", ONECAST_COMPLEX64, asked.get());
    reopen();
    EXPECT_EQ(class_of(open("z").get()), ONECAST_CLASS_COMPOUND);
    EXPECT_EQ(class_of(open("z32").get()), ONECAST_CLASS_COMPOUND);
    for (const char* name : {"z", "z32"})
      for (const onecast_type* type :
           {ONECAST_COMPLEX128, const_cast<const onecast_type*>(asked.get())})
        expect_read(name, type);
  }
}

TEST_F(ComplexInC, TheClassOfHdf5_2IsOfProfileLatest) {
  for (const onecast_profile profile : {ONECAST_PROFILE_COMPATIBLE, ONECAST_PROFILE_LATEST}) {
    create_again(profile);
    const auto asked = native(ONECAST_DOUBLE);
    const std::uint32_t two = 2;
    const auto array = made_by<onecast_type>(
        [&](auto out) { return onecast_type_array(asked.get(), 1, &two, out); });
    const onecast_member member = {"pair", 0, array.get()};
    const auto nested =
        made_by<onecast_type>([&](auto out) { return onecast_type_compound(32, 1, &member, out); });
    write("z", asked.get(), ONECAST_COMPLEX128);
    dataset("nested", nested.get(), {1});
    EXPECT_DONE(onecast_group_create_datatype(root.get(), "type", asked.get(), nullptr));
    onecast_dataset_options of_type = options();
    const auto type = open("type");
    of_type.committed_type = type.get();
    dataset("of type", asked.get(), {2}, &of_type);
    reopen();
    const bool is_latest = profile == ONECAST_PROFILE_LATEST;
    const auto expected = is_latest ? ONECAST_CLASS_COMPLEX : ONECAST_CLASS_COMPOUND;
    EXPECT_EQ(class_of(open("z").get()), expected);
    EXPECT_EQ(class_of(open("of type").get()), expected);
    expect_read("z", asked.get());
    expect_read("z", ONECAST_COMPLEX128);
    char* words = nullptr;
    const auto found = made_by<onecast_type>(
        [&](auto out) { return onecast_dataset_get_type(open("nested").get(), out); });
    EXPECT_DONE(onecast_type_describe(found.get(), &words));
    EXPECT_EQ(std::string(words).find("complex") != std::string::npos, is_latest) << words;
    onecast_free(words);
  }
}

TEST_F(ComplexInC, OtherNamesMeanTheSame) {
  struct Pair {
    double real, imaginary;
  };
  const onecast_member members[] = {ONECAST_MEMBER(Pair, real, ONECAST_DOUBLE),
                                    ONECAST_MEMBER(Pair, imaginary, ONECAST_DOUBLE)};
  const auto type = made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(sizeof(Pair), 2, members, out); });
  write("z", type.get(), ONECAST_COMPLEX128);
  expect_read("z", ONECAST_COMPLEX128);
  expect_read("z", native(ONECAST_DOUBLE).get());
}

}  // namespace
}  // namespace onecast::test
