// Arrays that belong to Python.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "bindings/python/bind.h"

namespace civ {

// A C-contiguous array of somebody else's, kept in place while we hold it.
class Array {
 public:
  Array(const py::object& owner, const char* name, std::initializer_list<Py_ssize_t> shape,
        std::string_view formats, bool writable = true) {
    const int flags =
        PyBUF_ND | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(owner.ptr(), &view_, flags) != 0) {
      PyErr_Clear();
      throw py::type_error(std::string(name) + ": needs a C-contiguous" +
                           (writable ? ", writable" : "") + " array, not " +
                           std::string(py::str(py::type::of(owner))));
    }
    if (formats.find(Format()) == std::string_view::npos) {
      const std::string format(1, Format());
      PyBuffer_Release(&view_);
      throw py::type_error(std::string(name) + ": the type of its numbers must be one of \"" +
                           std::string(formats) + "\" (as in the module array), not \"" + format +
                           "\"");
    }
    if (!std::equal(shape.begin(), shape.end(), view_.shape, view_.shape + view_.ndim)) {
      std::string wanted, found;
      for (const Py_ssize_t size : shape) wanted += std::to_string(size) + ", ";
      for (int i = 0; i < view_.ndim; ++i) found += std::to_string(view_.shape[i]) + ", ";
      PyBuffer_Release(&view_);
      throw py::value_error(std::string(name) + ": its shape must be (" + wanted + "), not (" +
                            found + ")");
    }
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { PyBuffer_Release(&view_); }

  template <class T>
  T* As() const {
    return static_cast<T*>(view_.buf);
  }
  char Format() const {
    const std::string_view format = view_.format == nullptr ? "B" : view_.format;
    return format.size() == 1 ? format[0] : 'x';
  }

 private:
  Py_buffer view_{};
};

inline constexpr std::string_view kBytes = "B?", kFloats = "f", kBytesOrFloats = "Bf";
inline constexpr std::string_view kIntegers = "Bilq";

}  // namespace civ
