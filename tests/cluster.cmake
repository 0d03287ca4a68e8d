# Several servers and a worker on PostgreSQL and Redis of the test's own, killed while people play.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME cluster COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cluster_test.py $<TARGET_FILE:civ>)
set_tests_properties(cluster PROPERTIES LABELS program)
