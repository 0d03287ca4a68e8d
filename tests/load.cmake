# bench/load.cc itself: it must notice what it is there to notice.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME load.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target civ_load)
add_test(NAME load COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/load_test.py $<TARGET_FILE:civ> ${CMAKE_BINARY_DIR}/civ_load)
set_tests_properties(load.build PROPERTIES FIXTURES_SETUP load PROCESSORS 2)
set_tests_properties(load PROPERTIES FIXTURES_REQUIRED load)
set_tests_properties(load.build load PROPERTIES LABELS "once;full")
