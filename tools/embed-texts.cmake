# Writes the files of TEXTS into one C++ source, OUT, as strings by language.
set(source "// Generated from text/.\n#include \"civ/words/texts.h\"\n\nnamespace civ {\nnamespace {\n\n")
set(table "")
foreach(file ${TEXTS})
  get_filename_component(language ${file} NAME_WE)
  file(READ ${file} text)
  # Line by line, because compilers limit the length of one literal piece.
  string(REPLACE "\n" ")~\"\n    R\"~(" text "${text}")
  string(APPEND source "constexpr char k_${language}[] =\n    R\"~(${text})~\";\n\n")
  string(APPEND table "    {\"${language}\", {k_${language}, sizeof k_${language} - 1}},\n")
endforeach()
string(APPEND source "constexpr EmbeddedText kTexts[] = {\n${table}};\n\n}  // namespace\n\n")
string(APPEND source "std::span<const EmbeddedText> EmbeddedTexts() { return kTexts; }\n\n}  // namespace civ\n")
file(WRITE ${OUT} "${source}")
