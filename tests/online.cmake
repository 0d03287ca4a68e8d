# What is written about the server's API, and the example that uses it, against a real server.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME api.document COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/api_document_test.py $<TARGET_FILE:civ>)
add_test(NAME online COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/online_test.py $<TARGET_FILE:civ>)
add_test(NAME games COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/games_test.py $<TARGET_FILE:civ>)
set_tests_properties(api.document online games PROPERTIES LABELS program)
