# The Debian package. As with `install`, only optimised builds are meant to be packaged.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME package COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package_test.py ${CMAKE_BINARY_DIR})
  set_tests_properties(package PROPERTIES LABELS "once;page")
endif()
