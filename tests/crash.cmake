# Nothing that was acknowledged is lost when the server is killed, or when the disk refuses.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME crash COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/crash_test.py $<TARGET_FILE:civ> $<TARGET_FILE:civ_forgetful>)
set_tests_properties(crash PROPERTIES LABELS program)
