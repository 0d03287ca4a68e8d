# civ serve over real sockets, with clients that misbehave; and the page inside it, if there is one.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME serve COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/serve_test.py $<TARGET_FILE:civ>)
add_test(NAME serve.page COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/serve_test.py $<TARGET_FILE:civ> $<IF:$<BOOL:${CIV_PAGE}>,page,no-page>)
set_tests_properties(serve PROPERTIES LABELS program)
set_tests_properties(serve.page PROPERTIES LABELS "program;page")
