#ifndef ONECAST_CAPI_TYPE_H
#define ONECAST_CAPI_TYPE_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// The type of one element. The caller frees types that a function creates with onecast_type_free.
/// Functions that take types copy them. Invalid arguments return ONECAST_INVALID_ARGUMENT. All
/// functions here are @independent.
typedef struct onecast_type onecast_type;

typedef enum onecast_native_type ONECAST_AS_INT {
  ONECAST_NATIVE_INT8,
  ONECAST_NATIVE_INT16,
  ONECAST_NATIVE_INT32,
  ONECAST_NATIVE_INT64,
  ONECAST_NATIVE_UINT8,
  ONECAST_NATIVE_UINT16,
  ONECAST_NATIVE_UINT32,
  ONECAST_NATIVE_UINT64,
  ONECAST_NATIVE_FLOAT16,
  ONECAST_NATIVE_FLOAT32,
  ONECAST_NATIVE_FLOAT64,
  ONECAST_NATIVE_LONG_DOUBLE,
  /// Two floats, as h5py stores complex numbers: a compound of r and i, which every version of HDF5
  /// reads. Reads and writes convert it from and to onecast_type_complex.
  ONECAST_NATIVE_COMPLEX64,
  ONECAST_NATIVE_COMPLEX128,  ///< two doubles, in the same way
  ONECAST_NATIVE_STRING,      ///< UTF-8, of variable length
  ONECAST_NATIVE_REFERENCE,   ///< to an object; every version of HDF5 reads it
  ONECAST_NATIVE_FLOAT128,    ///< IEEE 754 of 16 bytes: C's _Float128, Fortran's real(16)
  /// C's bool, as h5py stores it: an enumeration of FALSE and TRUE in 1 byte.
  ONECAST_NATIVE_BOOL,
  ONECAST_NATIVE_BOOL16,  ///< such an enumeration in 2, 4 and 8 bytes, as Fortran's logicals
  ONECAST_NATIVE_BOOL32,
  ONECAST_NATIVE_BOOL64
} onecast_native_type;

/// Returns a native type, or NULL if `which` is not one. The type is valid as long as the program
/// runs and must not be freed.
ONECAST_API const onecast_type* onecast_native(onecast_native_type which);
/// Returns the type of an ASCII string of `size` bytes that is padded with blanks like a character
/// variable of Fortran (H5T_FORTRAN_S1), or NULL if `size` is not a valid size. The type is valid
/// as long as the program runs and must not be freed.
ONECAST_API const onecast_type* onecast_native_text(size_t size);

#define ONECAST_INT8 onecast_native(ONECAST_NATIVE_INT8)
#define ONECAST_INT16 onecast_native(ONECAST_NATIVE_INT16)
#define ONECAST_INT32 onecast_native(ONECAST_NATIVE_INT32)
#define ONECAST_INT64 onecast_native(ONECAST_NATIVE_INT64)
#define ONECAST_UINT8 onecast_native(ONECAST_NATIVE_UINT8)
#define ONECAST_UINT16 onecast_native(ONECAST_NATIVE_UINT16)
#define ONECAST_UINT32 onecast_native(ONECAST_NATIVE_UINT32)
#define ONECAST_UINT64 onecast_native(ONECAST_NATIVE_UINT64)
#define ONECAST_FLOAT16 onecast_native(ONECAST_NATIVE_FLOAT16)
#define ONECAST_FLOAT onecast_native(ONECAST_NATIVE_FLOAT32)
#define ONECAST_DOUBLE onecast_native(ONECAST_NATIVE_FLOAT64)
#define ONECAST_LONG_DOUBLE onecast_native(ONECAST_NATIVE_LONG_DOUBLE)
#define ONECAST_COMPLEX64 onecast_native(ONECAST_NATIVE_COMPLEX64)
#define ONECAST_COMPLEX128 onecast_native(ONECAST_NATIVE_COMPLEX128)
#define ONECAST_STRING onecast_native(ONECAST_NATIVE_STRING)
#define ONECAST_REFERENCE onecast_native(ONECAST_NATIVE_REFERENCE)
#define ONECAST_FLOAT128 onecast_native(ONECAST_NATIVE_FLOAT128)
#define ONECAST_BOOL onecast_native(ONECAST_NATIVE_BOOL)

typedef enum onecast_type_class ONECAST_AS_INT {
  ONECAST_CLASS_INTEGER,
  ONECAST_CLASS_FLOATING,
  ONECAST_CLASS_TIME,
  ONECAST_CLASS_STRING,  ///< of fixed length
  ONECAST_CLASS_BITFIELD,
  ONECAST_CLASS_OPAQUE,
  ONECAST_CLASS_COMPOUND,
  ONECAST_CLASS_REFERENCE,
  ONECAST_CLASS_ENUMERATION,
  ONECAST_CLASS_VARIABLE_STRING,  ///< a string of variable length
  ONECAST_CLASS_SEQUENCE,         ///< any other value of variable length
  ONECAST_CLASS_ARRAY,
  ONECAST_CLASS_COMPLEX
} onecast_type_class;

typedef enum onecast_byte_order ONECAST_AS_INT {
  ONECAST_LITTLE_ENDIAN,
  ONECAST_BIG_ENDIAN,
  ONECAST_VAX  ///< 16-bit words, the most significant first
} onecast_byte_order;

/// The padding of a string of fixed length.
typedef enum onecast_padding ONECAST_AS_INT {
  ONECAST_NULL_TERMINATED,
  ONECAST_NULL_PADDED,
  ONECAST_SPACE_PADDED  ///< as Fortran does
} onecast_padding;

typedef enum onecast_character_set ONECAST_AS_INT {
  ONECAST_ASCII,
  ONECAST_UTF8
} onecast_character_set;

/// The kind of a reference. The kinds from REVISED_OBJECT on are those of HDF5 1.12; a type of kind
/// REVISED_OBJECT may hold any of these.
typedef enum onecast_reference_kind ONECAST_AS_INT {
  ONECAST_REFERENCE_OBJECT,
  ONECAST_REFERENCE_REGION,
  ONECAST_REFERENCE_REVISED_OBJECT,
  ONECAST_REFERENCE_REVISED_REGION,
  ONECAST_REFERENCE_REVISED_ATTRIBUTE
} onecast_reference_kind;

/// One member of a compound type.
typedef struct onecast_member {
  const char* name;
  size_t offset;  ///< bytes from the start of the element
  const onecast_type* type;
} onecast_member;

/// A member of a compound type with the name and offset of a member of a C struct:
/// ONECAST_MEMBER(struct point, x, ONECAST_DOUBLE). The macro calls onecast_native, so in C it is
/// not a constant: use it to initialize automatic variables.
#define ONECAST_MEMBER(structure, field, type) {#field, offsetof(structure, field), (type)}

/// One name of an enumeration.
typedef struct onecast_enumerator {
  const char* name;
  int64_t value;  ///< if the base type is unsigned, the bits of the value
} onecast_enumerator;

/// @param size 1 to 8191 bytes
ONECAST_API onecast_status onecast_type_integer(size_t size, int is_signed,
                                                onecast_byte_order order, onecast_type** type);
/// Creates an IEEE 754 type. @param size 2, 4, 8 or 16 bytes
ONECAST_API onecast_status onecast_type_floating(size_t size, onecast_byte_order order,
                                                 onecast_type** type);
/// @param size bytes, at least 1, including the terminator if there is one
ONECAST_API onecast_status onecast_type_string(size_t size, onecast_padding padding,
                                               onecast_character_set set, onecast_type** type);
ONECAST_API onecast_status onecast_type_variable_string(onecast_character_set set,
                                                        onecast_type** type);
ONECAST_API onecast_status onecast_type_bitfield(size_t size, onecast_byte_order order,
                                                 onecast_type** type);
/// Creates a type of uninterpreted bytes. @param tag describes them, up to 255 bytes; NULL: no tag
ONECAST_API onecast_status onecast_type_opaque(size_t size, const char* tag, onecast_type** type);
/// @param size bytes of one element including padding: sizeof of the struct
ONECAST_API onecast_status onecast_type_compound(size_t size, size_t count,
                                                 const onecast_member* members,
                                                 onecast_type** type);
/// Creates a type that gives names to values of an integer type.
ONECAST_API onecast_status onecast_type_enumeration(const onecast_type* base, size_t count,
                                                    const onecast_enumerator* enumerators,
                                                    onecast_type** type);
/// @param rank 1 to 32 @param dimensions `rank` numbers, none of them 0
ONECAST_API onecast_status onecast_type_array(const onecast_type* base, size_t rank,
                                              const uint32_t* dimensions, onecast_type** type);
/// Creates the type of sequences of any number of elements; see onecast_sequence.
ONECAST_API onecast_status onecast_type_sequence(const onecast_type* base, onecast_type** type);
/// Creates a type of the class for complex numbers that HDF5 has had since version 2.0. A file of
/// profile latest stores this class, which older libraries cannot read; a file of profile
/// compatible stores a compound of r and i, as for ONECAST_COMPLEX128.
ONECAST_API onecast_status onecast_type_complex(const onecast_type* base, onecast_type** type);
ONECAST_API onecast_status onecast_type_reference(onecast_reference_kind kind, onecast_type** type);
ONECAST_API onecast_status onecast_type_copy(const onecast_type* from, onecast_type** type);
ONECAST_API void onecast_type_free(onecast_type** type);
/// Converts a type to the Datatype message of the HDF5 specification, and back. The bytes need not
/// be trusted. The caller frees `*data` with onecast_free. Errors of decode: FORMAT, UNSUPPORTED.
ONECAST_API onecast_status onecast_type_encode(const onecast_type* type, size_t* size, void** data);
ONECAST_API onecast_status onecast_type_decode(const void* data, size_t size, onecast_type** type);

// --- asking -------------------------------------------------------------------------------------
// A function that does not apply to the class of a type returns ONECAST_INVALID_ARGUMENT.

ONECAST_API onecast_status onecast_type_get_class(const onecast_type* type,
                                                  onecast_type_class* type_class);
/// Returns the size of one element in bytes.
ONECAST_API onecast_status onecast_type_get_size(const onecast_type* type, size_t* size);
/// Returns the byte order of an integer, floating-point type, time or bitfield.
ONECAST_API onecast_status onecast_type_get_order(const onecast_type* type,
                                                  onecast_byte_order* order);
/// Sets `is_signed` to 1 if an integer type is signed, else to 0.
ONECAST_API onecast_status onecast_type_get_signed(const onecast_type* type, int* is_signed);
/// Returns the padding of a string of fixed length.
ONECAST_API onecast_status onecast_type_get_padding(const onecast_type* type,
                                                    onecast_padding* padding);
/// Returns the character set of a string.
ONECAST_API onecast_status onecast_type_get_character_set(const onecast_type* type,
                                                          onecast_character_set* set);
/// Returns the kind of a reference.
ONECAST_API onecast_status onecast_type_get_reference_kind(const onecast_type* type,
                                                           onecast_reference_kind* kind);
/// Returns the tag of an opaque type. The tag is valid as long as `type`.
ONECAST_API onecast_status onecast_type_get_tag(const onecast_type* type, const char** tag);
/// Returns the number of members of a compound or an enumeration.
ONECAST_API onecast_status onecast_type_get_member_count(const onecast_type* type, size_t* count);
/// Returns a member of a compound. Each of the last three pointers may be NULL. The name is valid
/// as long as `type`; the caller frees the member's type.
ONECAST_API onecast_status onecast_type_get_member(const onecast_type* type, size_t index,
                                                   const char** name, size_t* offset,
                                                   onecast_type** member);
/// Returns a member of an enumeration. The name is valid as long as `type`.
ONECAST_API onecast_status onecast_type_get_enumerator(const onecast_type* type, size_t index,
                                                       onecast_enumerator* enumerator);
/// Returns the dimensions of an array. @param dimensions room for 32 numbers, or NULL
ONECAST_API onecast_status onecast_type_get_dimensions(const onecast_type* type, size_t* rank,
                                                       uint32_t* dimensions);
/// Returns a copy of the base type of an enumeration, sequence, array or complex type.
ONECAST_API onecast_status onecast_type_get_base(const onecast_type* type, onecast_type** base);
/// Sets `equal` to 1 if equal bytes have equal values in both types, else to 0.
ONECAST_API onecast_status onecast_type_equal(const onecast_type* a, const onecast_type* b,
                                              int* equal);
/// Describes the type in words. The caller frees the text with onecast_free.
ONECAST_API onecast_status onecast_type_describe(const onecast_type* type, char** text);

ONECAST_END_C

#endif
