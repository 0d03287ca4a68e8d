# The examples of docs/library.md, in the folder EXAMPLES, as others build them: with warnings of their own, and inside a shared
# library.
add_compile_options(-Wall -Wextra -Wpedantic -Werror)
add_executable(game ${EXAMPLES}/game.cc)
target_link_libraries(game PRIVATE civ::civ)
add_library(fast SHARED ${EXAMPLES}/fast.cc)
target_link_libraries(fast PRIVATE civ::civ)
