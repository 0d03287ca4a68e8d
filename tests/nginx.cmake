# nginx in front of the server.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME nginx COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/nginx_test.py $<TARGET_FILE:civ> ${CMAKE_SOURCE_DIR}/packaging/nginx.conf)
set_tests_properties(nginx PROPERTIES LABELS once SKIP_RETURN_CODE 77)
