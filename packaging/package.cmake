# The Debian package: `cmake --preset portable -DCIV_PAGE=ON && cmake --build build-portable --target package` (docs/hosting.md).
# It is the component `server`; what lies in /etc and what is Debian's stays out of a plain `cmake --install`.
set(packaging ${CMAKE_SOURCE_DIR}/packaging)
foreach(text packaging/civ.1 CHANGELOG.md)
  cmake_path(GET text FILENAME name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${text})
  execute_process(COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/${text} OUTPUT_FILE ${CMAKE_BINARY_DIR}/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()

function(civ_package_files destination)
  install(FILES ${ARGN} DESTINATION ${destination} COMPONENT server EXCLUDE_FROM_ALL)
endfunction()
civ_package_files(/etc/civ ${packaging}/civ.toml)
civ_package_files(lib/systemd/system ${packaging}/civ.service ${packaging}/civ-backup.service ${packaging}/civ-backup.timer)
civ_package_files(lib/sysusers.d ${packaging}/sysusers/civ.conf)
civ_package_files(share/man/man1 ${CMAKE_BINARY_DIR}/civ.1.gz)
civ_package_files(share/doc/civ ${packaging}/copyright ${CMAKE_BINARY_DIR}/CHANGELOG.md.gz)
if(CIV_PAGE)
  civ_package_files(share/doc/civ ${CMAKE_SOURCE_DIR}/web/dist/third-party-notices.txt.gz)
endif()
civ_package_files(share/doc/civ/examples ${packaging}/nginx.conf ${packaging}/prometheus/civ.rules.yml ${packaging}/prometheus/civ.dashboard.json)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL server)
if(CIV_PYTHON)
  # A package of its own: what learns needs no server, and a server no Python.
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(TARGETS civ_python LIBRARY DESTINATION lib/python3/dist-packages/civ COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES ${civ_python_files} DESTINATION lib/python3/dist-packages/civ COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_SOURCE_DIR}/text/en.json DESTINATION lib/python3/dist-packages/civ RENAME text.json COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES ${packaging}/copyright ${CMAKE_BINARY_DIR}/CHANGELOG.md.gz DESTINATION share/doc/python3-civ COMPONENT python EXCLUDE_FROM_ALL)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-civ)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The card game CIV for Python programs that play, search and learn
Rules, views, bots and the judge of games of CIV: Carta Impera Victoria, with
states as OpenSpiel has them, and batches of games that are stepped on all
cores into arrays of NumPy.")
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_CONTACT "the civ authors <civ@localhost>")
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME civ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CIV_NATIVE)
  # Such a program may not run elsewhere, and its package says so in its name.
  set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}+native)
endif()
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION net)
set(CPACK_COMPONENT_SERVER_DESCRIPTION "Server, bots and tools for the card game CIV
The card game of civilisation and diplomacy CIV: Carta Impera Victoria, for
two to four players: a server with the page for browsers inside it, a game in
the terminal, bots of eight levels, an arena, and the analysis of games, in
English, French, Spanish, Portuguese and Romanian.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Who brings systemd-sysusers. Machines without systemd can use the program, but have to start the server by other means.
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "nginx-light | httpd")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${packaging}/conffiles ${packaging}/postinst ${packaging}/prerm ${packaging}/postrm)
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
