# The WebAssembly module: built by its own preset, then tested in Node.
find_program(NODE NAMES node nodejs REQUIRED)
add_test(NAME wasm.build COMMAND sh -c "cmake --preset wasm && cmake --build build-wasm" WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME wasm COMMAND ${NODE} ${CMAKE_CURRENT_SOURCE_DIR}/wasm_test.mjs ${CMAKE_SOURCE_DIR}/build-wasm/civ.wasm)
set_tests_properties(wasm.build PROPERTIES FIXTURES_SETUP wasm PROCESSORS 2)
set_tests_properties(wasm PROPERTIES FIXTURES_REQUIRED wasm)
set_tests_properties(wasm.build wasm PROPERTIES LABELS once)
