# What a deal must be, by a script that shares nothing with the program.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME fair-deal COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fair_deal_test.py)
set_tests_properties(fair-deal PROPERTIES LABELS once)
