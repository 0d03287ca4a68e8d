# civ backup as people use it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME backup COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/backup_test.py $<TARGET_FILE:civ>)
set_tests_properties(backup PROPERTIES LABELS program)
