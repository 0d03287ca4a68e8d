# civ serve over real sockets, with clients that misbehave.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME serve COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/serve_test.py $<TARGET_FILE:civ> $<BOOL:${CIV_PAGE}>)
set_tests_properties(serve PROPERTIES LABELS program)
