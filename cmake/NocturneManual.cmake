# The manual as a site, where Sphinx with MyST is installed: target `manual`; `cmake --install` installs it when it is built.
find_program(SPHINX_BUILD sphinx-build)
find_path(MYST_PARSER myst_parser PATHS /usr/lib/python3/dist-packages NO_DEFAULT_PATH)
find_program(DOT dot)
if(SPHINX_BUILD AND MYST_PARSER AND DOT)
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_target(manual
        COMMAND ${Python3_EXECUTABLE} docs/manual/stage.py $<TARGET_FILE:nocturne> ${PROJECT_SOURCE_DIR} ${manual}/source
        COMMAND docs/manual/figures.sh $<TARGET_FILE:nocturne> ${manual}/source/docs/figures
        COMMAND ${SPHINX_BUILD} -q -W --keep-going -E -c docs/manual -D version=${PROJECT_VERSION} -D release=${PROJECT_VERSION}
            ${manual}/source ${manual}/html
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
    add_dependencies(manual nocturne)
    install(DIRECTORY ${manual}/html/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html COMPONENT runtime OPTIONAL
        PATTERN .doctrees EXCLUDE PATTERN .buildinfo EXCLUDE)
endif()
