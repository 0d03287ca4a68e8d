# What one server has stored goes to a database that many share.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME migrate COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/migrate_test.py $<TARGET_FILE:civ>)
set_tests_properties(migrate PROPERTIES LABELS program)
