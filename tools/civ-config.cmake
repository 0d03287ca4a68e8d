include(CMakeFindDependencyMacro)
find_dependency(nlohmann_json 3.11)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/civ-targets.cmake)
