# Prints the signature and is quickly built: for builds that are tested by nothing else.
add_executable(civ_signature EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/signature.cc)
target_link_libraries(civ_signature PRIVATE civ::bots)
