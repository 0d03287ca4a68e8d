# The API of civ serve over real sockets.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME api COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/api_test.py $<TARGET_FILE:civ>)
set_tests_properties(api PROPERTIES LABELS program)
