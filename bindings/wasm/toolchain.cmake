# clang for WebAssembly with the C and C++ libraries that Debian packages for it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# The newer name of the target, wasm32-wasip1, would not find the packaged libraries; hence -Wno-deprecated.
set(CMAKE_CXX_FLAGS_INIT "-Wno-deprecated -fno-exceptions -fno-rtti -DJSON_NOEXCEPTION -msimd128")
