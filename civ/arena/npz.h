// Arrays for NumPy in one file: a zip archive of .npy files, stored as they are, so that they can
// be mapped into memory. Rows are added as they come; what is written so far lies in files beside.
#pragma once

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace civ {

class NpzWriter {
 public:
  explicit NpzWriter(std::string path) : path_(std::move(path)) {}
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;
  ~NpzWriter();  // what was not finished is not there

  class Column {
   public:
    // The values of one row, or of several.
    template <class T>
    void Add(std::span<const T> values) {
      rows_.write(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::streamsize>(values.size_bytes()));
      bytes_ += values.size_bytes();
    }
    template <class T>
    void Add(T value) {
      Add(std::span<const T>(&value, 1));
    }

   private:
    friend class NpzWriter;
    std::string name, type, path;
    std::vector<uint64_t> row;  // its shape
    uint64_t row_bytes = 0, bytes_ = 0;
    std::fstream rows_;
  };

  // `type` as NumPy writes it: "<f4", "|u1".
  Column& Add(std::string_view name, std::string_view type,
              std::initializer_list<uint64_t> row = {});

  // Puts the archive in its place. False, with nothing in its place, if something could not be
  // written.
  [[nodiscard]] bool Finish();

 private:
  const std::string path_;
  std::vector<std::unique_ptr<Column>> columns_;
};

}  // namespace civ
