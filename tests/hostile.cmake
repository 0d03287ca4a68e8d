# Hostile requests, frames and commands, each with the answer that it gets.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME hostile COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_test.py $<TARGET_FILE:civ>)
set_tests_properties(hostile PROPERTIES LABELS program)
