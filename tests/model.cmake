# The rules written a second time, in Python, against the first: see tests/model/differential.py.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME model.conformance COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/model/test_model.py)
set(games 120)
if(CIV_SANITIZE)
  set(games 40)  # one for each configuration
endif()
add_test(NAME model.differential COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/model/differential.py --civ $<TARGET_FILE:civ> --games ${games} --seed 1)
