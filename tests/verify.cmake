# civ verify against the program that docs/fair-deal.md prints.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME verify COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/verify_test.py $<TARGET_FILE:civ>)
set_tests_properties(verify PROPERTIES LABELS program)
