#include "civ/arena/npz.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace civ {
namespace {

constexpr auto kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t n = 0; n < table.size(); ++n) {
    uint32_t crc = n;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    table[n] = crc;
  }
  return table;
}();

uint32_t Crc(uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  for (const char byte : bytes)
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  return ~crc;
}

// Numbers as zip archives have them: the lowest byte first.
std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

std::string NpyHeader(std::string_view type, uint64_t rows, std::span<const uint64_t> row) {
  std::string shape = std::to_string(rows) + ",";
  for (const uint64_t size : row) shape += " " + std::to_string(size) + ",";
  std::string text =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  text.resize((text.size() + 10 + 64) / 64 * 64 - 11, ' ');
  return "\x93NUMPY\x01" + std::string(1, '\0') + Little(text.size() + 1, 2) + text + "\n";
}

struct Entry {
  std::string name;
  uint64_t offset, size;
  uint32_t crc;

  // What both headers of an entry have in common.
  std::string Common() const {
    return Little(45, 2) + Little(0, 2) + Little(0, 2) + Little(0, 2) + Little(0x21, 2) +
           Little(crc, 4) + Little(0xffffffff, 4) + Little(0xffffffff, 4) + Little(name.size(), 2);
  }
  // Sizes of 64 bits, and padding by which the data begin at a multiple of 64.
  std::string LocalHeader() const {
    const std::string sizes = Little(1, 2) + Little(16, 2) + Little(size, 8) + Little(size, 8);
    const uint64_t end = offset + 30 + name.size() + sizes.size() + 4;
    const uint64_t padding = (64 - end % 64) % 64;
    const std::string extra =
        sizes + Little(0xd935, 2) + Little(padding, 2) + std::string(padding, '\0');
    return "PK\3\4" + Common() + Little(extra.size(), 2) + name + extra;
  }
  std::string CentralHeader() const {
    const std::string extra =
        Little(1, 2) + Little(24, 2) + Little(size, 8) + Little(size, 8) + Little(offset, 8);
    return "PK\1\2" + Little(45, 2) + Common() + Little(extra.size(), 2) + Little(0, 2) +
           Little(0, 2) + Little(0, 2) + Little(0, 4) + Little(0xffffffff, 4) + name + extra;
  }
};

std::string EndOf(size_t entries, uint64_t begin, uint64_t size) {
  return "PK\6\6" + Little(44, 8) + Little(45, 2) + Little(45, 2) + Little(0, 4) + Little(0, 4) +
         Little(entries, 8) + Little(entries, 8) + Little(size, 8) + Little(begin, 8) +  //
         "PK\6\7" + Little(0, 4) + Little(begin + size, 8) + Little(1, 4) +              //
         "PK\5\6" + Little(0, 2) + Little(0, 2) + Little(0xffff, 2) + Little(0xffff, 2) +
         Little(0xffffffff, 4) + Little(0xffffffff, 4) + Little(0, 2);
}

}  // namespace

NpzWriter::Column& NpzWriter::Add(std::string_view name, std::string_view type,
                                  std::initializer_list<uint64_t> row) {
  auto column = std::make_unique<Column>();
  column->name = name;
  column->type = type;
  column->row = row;
  column->row_bytes = static_cast<uint64_t>(type.back() - '0');
  for (const uint64_t size : row) column->row_bytes *= size;
  column->path = path_ + "." + column->name + ".partial";
  column->rows_.open(column->path,
                     std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
  columns_.push_back(std::move(column));
  return *columns_.back();
}

NpzWriter::~NpzWriter() {
  std::error_code ignored;
  for (const auto& column : columns_) std::filesystem::remove(column->path, ignored);
  std::filesystem::remove(path_ + ".partial", ignored);
}

bool NpzWriter::Finish() {
  const std::string partial = path_ + ".partial";
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  std::vector<Entry> entries;
  std::string block(1 << 20, '\0');
  for (const auto& column : columns_) {
    const std::string header =
        NpyHeader(column->type, column->bytes_ / column->row_bytes, column->row);
    Entry entry = {column->name + ".npy", static_cast<uint64_t>(file.tellp()),
                   header.size() + column->bytes_, Crc(0, header)};
    file << entry.LocalHeader() << header;
    column->rows_.seekg(0);
    for (uint64_t left = column->bytes_; left > 0 && file && column->rows_;) {
      const uint64_t part = std::min<uint64_t>(left, block.size());
      column->rows_.read(block.data(), static_cast<std::streamsize>(part));
      entry.crc = Crc(entry.crc, std::string_view(block).substr(0, part));
      file.write(block.data(), static_cast<std::streamsize>(part));
      left -= part;
    }
    if (!column->rows_) return false;
    const auto end = file.tellp();
    file.seekp(static_cast<std::streamoff>(entry.offset));
    file << entry.LocalHeader();
    file.seekp(end);
    entries.push_back(std::move(entry));
  }
  const auto begin = static_cast<uint64_t>(file.tellp());
  for (const Entry& entry : entries) file << entry.CentralHeader();
  file << EndOf(entries.size(), begin, static_cast<uint64_t>(file.tellp()) - begin) << std::flush;
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(partial, path_, failed);
  return file && !failed;
}

}  // namespace civ
