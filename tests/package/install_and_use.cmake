# Installs the build into a folder of its own, builds a project of somebody else against it, and runs that.
#   cmake -D BUILD=... -D CONSUMER=... -D FOLDER=... -D COMPILER=... -D BUILD_TYPE=... -P install_and_use.cmake
function(do)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN} failed:\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
do(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/installed)
do(${CMAKE_COMMAND} -S ${CONSUMER} -B ${FOLDER}/build -G Ninja -D CMAKE_PREFIX_PATH=${FOLDER}/installed
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE})
do(${CMAKE_COMMAND} --build ${FOLDER}/build)
do(${FOLDER}/build/consumer ${FOLDER}/installed/share/nocturne/schedules/omega8_aab.json)
if(NOT output STREQUAL "64 bytes: 7364 ns\n1024 bytes: 10724 ns\n65536 bytes: 236516 ns\n")
    message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
do(${FOLDER}/installed/bin/nocturne validate ${FOLDER}/installed/share/nocturne/schedules/octagon8_aas.json)
file(REMOVE_RECURSE ${FOLDER})
