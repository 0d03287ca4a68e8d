# A real Prometheus with the package's rules and dashboard, on a real server.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME prometheus COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/prometheus_test.py $<TARGET_FILE:civ> ${CMAKE_SOURCE_DIR})
set_tests_properties(prometheus PROPERTIES LABELS "once;full" SKIP_RETURN_CODE 77)
