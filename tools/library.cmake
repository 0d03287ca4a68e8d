# The library for other programs (docs/library.md): find_package(civ) or add_subdirectory, then link civ::civ or one of the rooms.
set(rooms rules view diplomacy notation bots guide)
list(TRANSFORM rooms PREPEND civ_ OUTPUT_VARIABLE targets)

# Also for shared libraries. Nobody replaces a function of it by another of the same name, so calls stay as quick.
set_target_properties(${targets} PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(target ${targets})
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endforeach()

add_library(civ_library INTERFACE)
add_library(civ::civ ALIAS civ_library)
set_target_properties(civ_library PROPERTIES EXPORT_NAME civ)
target_link_libraries(civ_library INTERFACE civ::guide civ::bots)

# A project that it is a part of installs what it needs by itself.
if(PROJECT_IS_TOP_LEVEL)
  install(TARGETS ${targets} civ_library EXPORT civ ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(room ${rooms})
    install(DIRECTORY civ/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/civ FILES_MATCHING PATTERN "*.h")
  endforeach()
  install(FILES civ/civ.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/civ)
  install(EXPORT civ NAMESPACE civ:: FILE civ-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/civ)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/civ-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES tools/civ-config.cmake ${PROJECT_BINARY_DIR}/civ-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/civ)
endif()
