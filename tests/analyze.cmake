# civ analyze and civ hint through pipes.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME analyze COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/analyze_test.py $<TARGET_FILE:civ>)
set_tests_properties(analyze PROPERTIES LABELS program)
