#ifndef ONECAST_CAPI_TYPE_H
#define ONECAST_CAPI_TYPE_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// The type of one element. What is created is the caller's, to be given back by
/// onecast_type_free; functions that take types copy them. Creating with wrong numbers is
/// ONECAST_INVALID_ARGUMENT. All functions here are @independent.
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
  ONECAST_NATIVE_COMPLEX64,   ///< of two floats; HDF5 reads it from version 2.0 on
  ONECAST_NATIVE_COMPLEX128,  ///< of two doubles, likewise
  ONECAST_NATIVE_STRING,      ///< of variable length, UTF-8
  ONECAST_NATIVE_REFERENCE    ///< to an object, as every HDF5 reads it
} onecast_native_type;

/// Such a type; it lives as long as the program, and is not to be freed. NULL: no such number.
ONECAST_API const onecast_type* onecast_native(onecast_native_type which);

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

/// How a string of fixed length is filled up.
typedef enum onecast_padding ONECAST_AS_INT {
  ONECAST_NULL_TERMINATED,
  ONECAST_NULL_PADDED,
  ONECAST_SPACE_PADDED  ///< as Fortran does
} onecast_padding;

typedef enum onecast_character_set ONECAST_AS_INT {
  ONECAST_ASCII,
  ONECAST_UTF8
} onecast_character_set;

/// What a reference leads to. Those from REVISED_OBJECT on are of HDF5 1.12; a type of that kind
/// may hold any of them.
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

/// The member of a C struct that has the same name: ONECAST_MEMBER(struct point, x,
/// ONECAST_DOUBLE). It calls onecast_native, so in C it is no constant: initialise automatic
/// variables with it.
#define ONECAST_MEMBER(structure, field, type) {#field, offsetof(structure, field), (type)}

/// One name of an enumeration.
typedef struct onecast_enumerator {
  const char* name;
  int64_t value;  ///< of an unsigned base: its bits
} onecast_enumerator;

/// @param size 1 to 8191 bytes
ONECAST_API onecast_status onecast_type_integer(size_t size, int is_signed,
                                                onecast_byte_order order, onecast_type** type);
/// IEEE 754. @param size 2, 4, 8 or 16 bytes
ONECAST_API onecast_status onecast_type_floating(size_t size, onecast_byte_order order,
                                                 onecast_type** type);
/// @param size bytes, at least 1, the terminator included where there is one
ONECAST_API onecast_status onecast_type_string(size_t size, onecast_padding padding,
                                               onecast_character_set set, onecast_type** type);
ONECAST_API onecast_status onecast_type_variable_string(onecast_character_set set,
                                                        onecast_type** type);
ONECAST_API onecast_status onecast_type_bitfield(size_t size, onecast_byte_order order,
                                                 onecast_type** type);
/// Bytes without a meaning. @param tag what they are, up to 255 bytes; NULL: not said
ONECAST_API onecast_status onecast_type_opaque(size_t size, const char* tag, onecast_type** type);
/// @param size bytes of one element, padding included: sizeof of the struct
ONECAST_API onecast_status onecast_type_compound(size_t size, size_t count,
                                                 const onecast_member* members,
                                                 onecast_type** type);
/// Names for values of an integer type.
ONECAST_API onecast_status onecast_type_enumeration(const onecast_type* base, size_t count,
                                                    const onecast_enumerator* enumerators,
                                                    onecast_type** type);
/// @param rank 1 to 32 @param dimensions `rank` numbers, none of them 0
ONECAST_API onecast_status onecast_type_array(const onecast_type* base, size_t rank,
                                              const uint32_t* dimensions, onecast_type** type);
/// Any number of elements; see onecast_sequence.
ONECAST_API onecast_status onecast_type_sequence(const onecast_type* base, onecast_type** type);
ONECAST_API onecast_status onecast_type_complex(const onecast_type* base, onecast_type** type);
ONECAST_API onecast_status onecast_type_reference(onecast_reference_kind kind, onecast_type** type);
ONECAST_API onecast_status onecast_type_copy(const onecast_type* from, onecast_type** type);
ONECAST_API void onecast_type_free(onecast_type** type);
/// The type as the specification's Datatype message, as a file stores it, and back. The bytes need
/// not be trusted. `*data` is given back by onecast_free(*data). Errors of decode: FORMAT,
/// UNSUPPORTED.
ONECAST_API onecast_status onecast_type_encode(const onecast_type* type, size_t* size, void** data);
ONECAST_API onecast_status onecast_type_decode(const void* data, size_t size, onecast_type** type);

// --- asking -------------------------------------------------------------------------------------
// Of a type of another class: ONECAST_INVALID_ARGUMENT.

ONECAST_API onecast_status onecast_type_get_class(const onecast_type* type,
                                                  onecast_type_class* type_class);
/// Bytes of one element.
ONECAST_API onecast_status onecast_type_get_size(const onecast_type* type, size_t* size);
/// Of integers, floating-point types, times and bitfields.
ONECAST_API onecast_status onecast_type_get_order(const onecast_type* type,
                                                  onecast_byte_order* order);
/// Of integers: 1 or 0.
ONECAST_API onecast_status onecast_type_get_signed(const onecast_type* type, int* is_signed);
/// Of strings of fixed length.
ONECAST_API onecast_status onecast_type_get_padding(const onecast_type* type,
                                                    onecast_padding* padding);
/// Of strings.
ONECAST_API onecast_status onecast_type_get_character_set(const onecast_type* type,
                                                          onecast_character_set* set);
/// Of references.
ONECAST_API onecast_status onecast_type_get_reference_kind(const onecast_type* type,
                                                           onecast_reference_kind* kind);
/// Of opaque types; lives as long as `type`.
ONECAST_API onecast_status onecast_type_get_tag(const onecast_type* type, const char** tag);
/// Of compounds and enumerations.
ONECAST_API onecast_status onecast_type_get_member_count(const onecast_type* type, size_t* count);
/// Of compounds; each of the last three may be NULL. The name lives as long as `type`, the member's
/// type is the caller's.
ONECAST_API onecast_status onecast_type_get_member(const onecast_type* type, size_t index,
                                                   const char** name, size_t* offset,
                                                   onecast_type** member);
/// Of enumerations; the name lives as long as `type`.
ONECAST_API onecast_status onecast_type_get_enumerator(const onecast_type* type, size_t index,
                                                       onecast_enumerator* enumerator);
/// Of arrays. @param dimensions room for 32 numbers, or NULL
ONECAST_API onecast_status onecast_type_get_dimensions(const onecast_type* type, size_t* rank,
                                                       uint32_t* dimensions);
/// What enumerations, sequences, arrays and complex types consist of; the caller's.
ONECAST_API onecast_status onecast_type_get_base(const onecast_type* type, onecast_type** base);
/// Do the same bytes mean the same? 1 or 0.
ONECAST_API onecast_status onecast_type_equal(const onecast_type* a, const onecast_type* b,
                                              int* equal);
/// What it is in words; to be given back by onecast_free.
ONECAST_API onecast_status onecast_type_describe(const onecast_type* type, char** text);

ONECAST_END_C

#endif
