# The library in other people's projects: installed, and as a part of them. Only optimised builds are meant to be installed.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  foreach(way find_package add_subdirectory)
    add_test(NAME install_${way} COMMAND ${CMAKE_COMMAND} -DWAY=${way} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_SOURCE_DIR}
             -DWORK=${CMAKE_BINARY_DIR}/install-test/${way} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/run.cmake)
    set_tests_properties(install_${way} PROPERTIES LABELS "once;full")
  endforeach()
endif()
