#!/usr/bin/env bash
# The style check: clang-format over every source file, and clang-tidy over the rooms (not over tests, testbenches and the Python
# package, which the debug build has compiled with Clang's warnings) that the compile database of a configured build directory
# names. Prints each finding and a summary; exit status 1 if there is a finding, 2 for bad use.
#
#   cmake/check_style.sh BUILD_DIRECTORY
#
# Most of clang-tidy's time is for the headers of the libraries, so the rooms of a group are analysed as one translation unit;
# names in their unnamed namespaces have to differ. A group without findings leaves a stamp in BUILD_DIRECTORY/clang-tidy, and is
# analysed again when one of its files changes, or a header of ours that they include, their compile commands, .clang-tidy, or
# the version of clang-tidy.
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
export rooms='(models|schedules|sim)'
# What is in none of these is a group by itself.
groups=(
    'models/(text|topology|routing|measures|traffic|benes|energy)'
    'models/(network|endpoints|hardware|worm|fabric)'
    'schedules/(collective|problem|schedule)'
    'schedules/(certificate|satisfiability|slots)'
    'schedules/(flows|bounds|constructions|symmetry)'
    'schedules/(chunk_(search|bounds|trees|flows|portfolio)|formats)'
    'schedules/(workers|ranks|search|evolution)'
    'schedules/(scatter|broadcast|portfolio|reschedule|design)'
    'sim/(report|result_files|evolution|simulation|execution|replay|traffic)'
    'sim/(recovery|benes|contracts|design|rtl|sweep|page)'
    'sim/cli'
)
# For each group a file that includes its translation units, and its entry in a database: the first one's command with what the
# others define and where they look for headers. Headers that were compiled before the others are left out: they are more than
# most files include, and clang-tidy goes through all of them.
rm -f "$stamps"/group_*.cpp
sed -E 's,-Xclang -include(-pch)? -Xclang [^ "]+ ?,,g' "$build/compile_commands.json" |
    awk -v groups="${groups[*]}" -v root="$PWD/" -v rooms="^(build/[a-z]+/)?$rooms/" -v folder="$(realpath "$stamps")" '
    BEGIN { count = split(groups, patterns, " ") }
    /^ *"directory": / { directory = $0 }
    /^ *"command": / { command = $0; sub(/^ *"command": "/, "", command); sub(/ -o [^ ]+ -c .*/, "", command) }
    /^ *"file": / {
        file = $0
        gsub(/^ *"file": "|",?$/, "", file)
        name = substr(file, length(root) + 1)
        if (index(file, root) != 1 || name !~ rooms) next
        sub(/^build\/[a-z]+\//, "", name)
        for (group = 1; group <= count && name !~ "^" patterns[group] "/"; group++) { }
        if (group > count) { key = name; gsub(/[^a-z_]/, "_", key) } else key = group
        source = folder "/group_" key ".cpp"
        print "#include \"" file "\"" > source
        if (!(source in commands)) { order[++units] = source; commands[source] = command; directories[source] = directory; next }
        words = split(command, word, " ")
        for (i = 2; i <= words; i++) {
            flag = word[i] == "-isystem" ? word[i] " " word[++i] : word[i]
            if (flag ~ /^-(D|I|isystem)/ && index(commands[source] " ", " " flag " ") == 0) commands[source] = commands[source] " " flag
        }
    }
    END {
        for (i = 1; i <= units; i++)
            printf "%s\n{\n%s\n  \"command\": \"%s -c %s\",\n  \"file\": \"%s\"\n}", i == 1 ? "[" : ",",
                directories[order[i]], commands[order[i]], order[i], order[i]
        print "\n]"
    }' > "$stamps/compile_commands.json"

# What the verdict on a group depends on, as one hash. System headers change with the version only: -nostdinc skips them.
fingerprint() {
    {
        $tidy --version
        cat .clang-tidy
        grep -B 2 -F "\"file\": \"$1\"" "$stamps/compile_commands.json"
        $compiler -MM -MG -nostdinc -std=c++20 -I. "$1" | tr -s '\\ ' '\n' |
            sed "s,^$PWD/,," | grep -E "^$rooms/" | sort -u | xargs cat
    } | sha256sum | cut -d ' ' -f 1
}

# Analyses one group unless that was done; its findings appear together, whatever runs beside it.
analyse() {
    local stamp findings
    stamp=$stamps/$(fingerprint "$1")
    [[ -f $stamp ]] && return 0
    echo "$1" >> "$stamps/analysed"
    # The database may be GCC's, with options that Clang does not know. What a room shadows of another one is nothing; what it
    # shadows of its own the build has said.
    if findings=$($tidy --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument \
        --extra-arg=-Wno-shadow \
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

mapfile -t analysed < <(sed -nE 's,^ *"file": "(.*)"$,\1,p' "$stamps/compile_commands.json")
: > "$stamps/analysed"
printf '%s\n' "${analysed[@]}" | xargs -P "$(nproc)" -I{} bash -c 'analyse "$1"' _ {} || status=1

echo "check_style: ${#sources[@]} files formatted, ${#analysed[@]} groups of rooms analysed" \
    "($(wc -l < "$stamps/analysed") of them now): $([[ $status == 0 ]] && echo 'no findings' || echo 'FINDINGS ABOVE')"
exit $status
