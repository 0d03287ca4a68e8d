# A synchronous standby takes over from a primary that is killed.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME failover.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target civ_store_load)
add_test(NAME failover COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/failover_test.py ${CMAKE_BINARY_DIR}/civ_store_load)
set_tests_properties(failover.build PROPERTIES FIXTURES_SETUP failover PROCESSORS 2)
set_tests_properties(failover PROPERTIES FIXTURES_REQUIRED failover)
set_tests_properties(failover.build failover PROPERTIES LABELS "once;full")
