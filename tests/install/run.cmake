# cmake -DBUILD=… -DSOURCE=… -DWORK=… -P run.cmake: installs BUILD below WORK, then builds and runs the consumer in SOURCE
# with gcc and with clang. Nothing but the installed files is shared between them.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}: ${failed}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(compiler g++ clang++-22)
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/${compiler} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${compiler}
      -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK}/${compiler})
  run(${WORK}/${compiler}/consumer)
  if(NOT output MATCHES "\"winners\":\\[[0-2]")
    message(FATAL_ERROR "${compiler}: not the end of a game:\n${output}")
  endif()
  message(STATUS "${compiler}: ${output}")
endforeach()
run(${WORK}/prefix/bin/civ bench --signature)
