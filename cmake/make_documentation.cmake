# Has nocturne write its manual pages and its completion for Bash.
#   cmake -D NOCTURNE=... -D FOLDER=... -P make_documentation.cmake
function(write_output file)
    execute_process(COMMAND ${NOCTURNE} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${FOLDER}/man ${FOLDER}/completion)
write_output(man/nocturne.1 man)
file(STRINGS ${FOLDER}/man/nocturne.1 pages REGEX "^\\.BR nocturne")
foreach(page IN LISTS pages)
    string(REGEX REPLACE "^\\.BR nocturne[\\]-([a-z]+) .*" "\\1" command "${page}")
    write_output(man/nocturne-${command}.1 man ${command})
endforeach()
write_output(completion/nocturne completion bash)
