"""Where the command is, seen from this folder. This file is that of the build folder; another one is
installed."""

COMMAND = "../../sim/cli/nocturne"
