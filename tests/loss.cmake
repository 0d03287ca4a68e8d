# Nothing that was acknowledged is lost when servers, workers, Redis and PostgreSQL are killed, and what is between them is cut.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME loss COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/loss_test.py $<TARGET_FILE:civ>)
set_tests_properties(loss PROPERTIES LABELS "once;full")
