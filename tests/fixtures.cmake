# Databases and records of older versions, opened by this one.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME fixtures COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fixtures_test.py $<TARGET_FILE:civ>)
set_tests_properties(fixtures PROPERTIES LABELS program)
