# What the page holds of others, against its notices.
if(CIV_PAGE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME third_party COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/third_party_test.py)
  set_tests_properties(third_party PROPERTIES LABELS "once;page")
endif()
