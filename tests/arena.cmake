# civ arena as people use it, and with programs that misbehave.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME arena COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/arena_test.py $<TARGET_FILE:civ>)
set_tests_properties(arena PROPERTIES LABELS program)
