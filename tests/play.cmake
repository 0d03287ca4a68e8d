# The program as people use it: games through pipes in every language, saved games, broken records.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME play COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/play_test.py $<TARGET_FILE:civ>)
set_tests_properties(play PROPERTIES LABELS program)
