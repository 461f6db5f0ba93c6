#!/bin/sh
# with_compiler.sh THIS FOR_THAT COMMAND...: runs the command, with this compiler wherever it names that one.
this=$1
that=$2
shift 2
for argument; do
    shift
    [ "$argument" != "$that" ] || argument=$this
    set -- "$@" "$argument"
done
exec "$@"
