# The page inside the program. With CIV_PAGE=ON a build of the program also makes whatever of this has changed:
# the engine in WebAssembly (build-wasm/), the packages of the page (web/node_modules/), the page (web/dist/), and the files that embed it.
# These steps use the terminal, so that Ninja says what it does when it begins; ./play passes that on.
set(embedded ${CMAKE_BINARY_DIR}/page.cc ${CMAKE_BINARY_DIR}/page.S)
set(page_manifest "")
if(CIV_PAGE)
  set(wasm ${CMAKE_SOURCE_DIR}/build-wasm/civ.wasm ${CMAKE_SOURCE_DIR}/build-wasm/bots.wasm)
  set(engine "")
  foreach(room civ/rules civ/view civ/diplomacy civ/notation civ/bots civ/guide civ/analysis bindings/wasm)
    list(APPEND engine ${room}/*.h ${room}/*.cc)
  endforeach()
  file(GLOB engine CONFIGURE_DEPENDS ${engine} civ/bots/weights/*.net bindings/wasm/*.cmake bindings/wasm/CMakeLists.txt)
  add_custom_command(
    OUTPUT ${wasm}
    COMMAND ${CMAKE_COMMAND} --preset wasm
    COMMAND ${CMAKE_COMMAND} --build build-wasm
    DEPENDS ${engine}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Building the engine for the browser"
    USES_TERMINAL VERBATIM)

  # Not `npm ci`, which wants packages for all other platforms in the lock file. With --no-save the lock file decides all the same.
  set(packages ${CMAKE_SOURCE_DIR}/web/node_modules/.civ-packages)
  add_custom_command(
    OUTPUT ${packages}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/npm install --no-save --no-audit --no-fund
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS web/package.json web/package-lock.json
    COMMENT "Fetching the packages of the page"
    USES_TERMINAL VERBATIM)
  add_custom_target(civ_page_packages DEPENDS ${packages})

  file(GLOB_RECURSE page CONFIGURE_DEPENDS web/src/* web/public/* web/tools/*)
  file(GLOB page_settings CONFIGURE_DEPENDS web/*.html web/*.js web/*.ts bindings/wasm/*.mjs text/*.json text/*/*.json tools/packages.txt)
  list(FILTER page EXCLUDE REGEX "/web/src/text/keys\\.d\\.ts$")  # made by the build itself
  set(page_manifest ${CMAKE_SOURCE_DIR}/web/dist/.files)
  add_custom_command(
    OUTPUT ${page_manifest}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/npm run build
    DEPENDS ${page} ${page_settings} ${packages} ${wasm}
    COMMENT "Building the page"
    USES_TERMINAL VERBATIM)
endif()

add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_BINARY_DIR}/page -DMANIFEST=${page_manifest} -P ${CMAKE_SOURCE_DIR}/tools/embed-page.cmake
  DEPENDS ${page_manifest} ${CMAKE_SOURCE_DIR}/tools/embed-page.cmake
  VERBATIM)
# A library of its own, which only programs wait for: nothing else is compiled later because of the page.
enable_language(ASM)
add_library(civ_page STATIC ${embedded})
target_include_directories(civ_page PRIVATE ${CMAKE_SOURCE_DIR})
