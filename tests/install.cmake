# The installed libraries and CMake package, used by another project. Only optimised builds are meant to be installed.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_test(NAME install COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/install
           -DWORK=${CMAKE_BINARY_DIR}/install-test -P ${CMAKE_CURRENT_SOURCE_DIR}/install/run.cmake)
  set_tests_properties(install PROPERTIES LABELS once)
endif()
