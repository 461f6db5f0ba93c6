#!/usr/bin/env bash
# The style check: clang-format over every source file, and clang-tidy over the translation units of the rooms (not of tests,
# testbenches and the Python package, which the debug build has compiled with Clang's warnings) that the compile database of a configured build directory names; in a unity build that is one for each folder.
# Prints each finding and a summary; exit status 1 if there is a finding, 2 for bad use.
#
#   cmake/check_style.sh BUILD_DIRECTORY
#
# A file without findings leaves a stamp in BUILD_DIRECTORY/clang-tidy, and is analysed again when it changes, or a header
# of ours that it includes, its compile command, .clang-tidy, or the version of clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $# -ne 1 || ! -f $1/compile_commands.json ]]; then
    echo "usage: cmake/check_style.sh BUILD_DIRECTORY (configured: it has a compile_commands.json)" >&2
    exit 2
fi
format=clang-format-14
tidy=clang-tidy-14
compiler=clang++-14
for program in $format $tidy $compiler; do
    if ! command -v "$program" > /dev/null; then
        echo "check_style: $program is not installed (Debian: clang-14 clang-format-14 clang-tidy-14)" >&2
        exit 2
    fi
done

export build=$1 tidy compiler
export stamps=$build/clang-tidy
mkdir -p "$stamps"
# Headers that were compiled before the others are more than most files include, and clang-tidy goes through all of them.
sed -E 's,-Xclang -include(-pch)? -Xclang [^ "]+ ?,,g' "$build/compile_commands.json" > "$stamps/compile_commands.json"
export rooms='(models|schedules|sim)'

# What the verdict on a file depends on, as one hash. System headers change with the version only: -nostdinc skips them.
fingerprint() {
    {
        $tidy --version
        cat .clang-tidy
        grep -B 2 -F "\"file\": \"$1\"" "$stamps/compile_commands.json"
        $compiler -MM -MG -nostdinc -std=c++20 -I. "$1" | tr -s '\\ ' '\n' |
            sed "s,^$PWD/,," | grep -E "^$rooms/" | sort -u | xargs cat
    } | sha256sum | cut -d ' ' -f 1
}

# Analyses one file unless that was done; its findings appear together, whatever runs beside it.
analyse() {
    local stamp findings
    stamp=$stamps/$(fingerprint "$1")
    [[ -f $stamp ]] && return 0
    echo "$1" >> "$stamps/analysed"
    # The database may be GCC's, with options that Clang does not know.
    if findings=$($tidy --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument \
        -p "$stamps" "$1" 2>&1); then
        touch "$stamp"
    else
        printf '%s\n' "$findings" | grep -vE '^([0-9]+ (warnings?|errors?)|Error while processing|Suppressed)'
        return 1
    fi
}
export -f fingerprint analyse

status=0
mapfile -t sources < <(find models schedules sim python testbenches tests -name '*.[ch]pp' | sort)
# Many files a process: starting one for each takes longer than all the formatting.
if ! findings=$(printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 64 $format --dry-run --Werror 2>&1); then
    status=1
    unformatted=$(sed -nE 's/^(.*\.[ch]pp):[0-9]+:[0-9]+: error: code should be clang-formatted.*/\1/p' <<< "$findings" | sort -u)
    # Without a name it is clang-format itself that failed.
    [[ -n $unformatted ]] && sed "s,.*,&: is not formatted; run $format -i &," <<< "$unformatted" || echo "$findings"
fi

mapfile -t analysed < <(sed -nE "s,^ *\"file\": \"($PWD/(build/[a-z]+/)?$rooms/[^\"]*)\".*,\1,p" "$build/compile_commands.json" | sort -u)
: > "$stamps/analysed"
printf '%s\n' "${analysed[@]}" | xargs -P "$(nproc)" -I{} bash -c 'analyse "$1"' _ {} || status=1

echo "check_style: ${#sources[@]} files formatted, ${#analysed[@]} translation units analysed" \
    "($(wc -l < "$stamps/analysed") of them now): $([[ $status == 0 ]] && echo 'no findings' || echo 'FINDINGS ABOVE')"
exit $status
