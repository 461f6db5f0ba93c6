#!/bin/sh
# with_compiler.sh THIS FOR_THAT COMMAND...: runs the command, with this compiler wherever it names that one.
this=$1
that=$2
shift 2
previous=
for argument; do
    shift
    [ "$argument" != "$that" ] || argument=$this
    # Clang would read an old precompiled header, perhaps of the other compiler, instead of making it again.
    case "$previous $argument" in "-o "*.gch) rm -f "$argument" ;; esac
    previous=$argument
    set -- "$@" "$argument"
done
exec "$@"
