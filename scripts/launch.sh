# What the launchers of the source tree and of a bundle share. To be sourced by bash.

# Puts something in the place of standard streams that are closed, where Java would open files of its own: what can only
# be written for the standard input, and what can only be read for the standard output, so that the command notices. Call
# this first.
keep_streams() {
    { : 3>&2; } || exec 2>/dev/null
    { : 3<&0; } 2>/dev/null || exec 0>/dev/null
    { : 3>&1; } 2>/dev/null || exec 1</dev/null
}

# Makes Java read and write the names of files as UTF-8 where the locale knows nothing but ASCII, as in an empty
# environment. Other locales stay as they are, because Java knows the names of their files.
use_utf8() {
    local euro=$'\xe2\x82\xac' before=${LC_ALL-} candidate
    # In UTF-8 these bytes are one character.
    if [ ${#euro} = 1 ]; then
        return
    fi
    case $(locale charmap 2>/dev/null || true) in
    ANSI_X3.4-1968 | US-ASCII | "") ;;
    *) return ;;
    esac
    # Some systems lack the first ones, and some have none at all.
    for candidate in C.UTF-8 en_US.UTF-8 $(locale -a 2>/dev/null | grep -i 'utf-\?8$' | head -n 1); do
        { LC_ALL=$candidate; } 2>/dev/null
        if [ ${#euro} = 1 ]; then
            export LC_ALL
            return
        fi
    done
    { LC_ALL=$before; } 2>/dev/null
}

# Makes an archive of the classes that the command loads, which Java reads faster than jars:
#   archive_classes JAVA_HOME JAR ARCHIVE
# It appears complete or not at all. Two that are made at once are the same. Before that, classes of Picocli get a form
# that can be archived, in its jar beside the command's.
archive_classes() (
    folder=$(mktemp -d "$3.XXXXXX" 2>/dev/null) || exit 1
    trap 'rm -rf "$folder"' EXIT
    "$1/bin/java" -Xlog:disable -XX:TieredStopAtLevel=1 -cp "$2" io.samplesort.cli.ArchivableClasses "${2%/*}"/lib/picocli-*.jar \
        </dev/null >/dev/null 2>&1
    "$1/bin/java" -Xlog:disable "@${BASH_SOURCE[0]%/*}/java-options" --enable-native-access=ALL-UNNAMED \
        -XX:ArchiveClassesAtExit="$folder/classes" -cp "$2" io.samplesort.cli.Rehearsal "$folder" </dev/null >/dev/null 2>&1 && mv -f "$folder/classes" "$3" 2>/dev/null
)

# Ends with a plain sentence where Java does not start within a limit of memory or with options of the user's own:
#   check_start JAVA_HOME COMMAND [JAVA OPTION]...
# Java itself would end with 1, which means that lines or elements are out of order.
check_start() {
    local java_home=$1 code=1 reason
    case $2 in
    lines) code=2 ;;
    verify) code=3 ;;
    esac
    shift 2
    if [ "$(ulimit -v; ulimit -d)" = $'unlimited\nunlimited' ] \
        && { [ $code = 1 ] || [ -z "${SAMPLESORT_JAVA_OPTIONS:-}${JDK_JAVA_OPTIONS:-}${JAVA_TOOL_OPTIONS:-}" ]; }; then
        return
    fi
    if ! reason=$("$java_home/bin/java" "$@" ${SAMPLESORT_JAVA_OPTIONS:-} -version 2>&1); then
        # Java first tells where it has options from.
        while [[ $reason == *"icked up J"*$'\n'* ]]; do reason=${reason#*$'\n'}; done
        reason=${reason#Error occurred during initialization of VM$'\n'}
        echo "samplesort: Java does not start: ${reason%%$'\n'*}. Look at SAMPLESORT_JAVA_OPTIONS and at the limits of" \
            "memory (ulimit -v); with '-Xmx256m -XX:CompressedClassSpaceSize=64m -XX:ReservedCodeCacheSize=64m' in" \
            "SAMPLESORT_JAVA_OPTIONS, Java takes less." >&2
        exit $code
    fi
}

# Java's second compiler makes faster code than the first one, and takes a second of processor time for what a sort
# runs. It does not earn that back in a sort of fewer bytes than this.
small_bytes=$((24 << 20))

# Returns whether the arguments ask to read so little. Where that is unknown, as of a pipe, it is not so.
reads_little() {
    local files=() word before= bytes
    case ${1:-} in
    sort | argsort | merge | lines | verify) ;;
    *) return 1 ;;
    esac
    for word in "${@:2}"; do
        case $before in
        -o | --output) ;;
        *)
            if [ "$word" = - ]; then
                files+=(/dev/stdin)
            elif [ -e "$word" ] && [ ! -d "$word" ]; then
                files+=("$word")
            fi
            ;;
        esac
        before=$word
    done
    if [ ${#files[@]} = 0 ]; then
        files=(/dev/stdin)
    fi
    for word in "${files[@]}"; do
        if [ ! -f "$word" ]; then
            return 1
        fi
    done
    # The last line has the sum.
    bytes=$(wc -c -- "${files[@]}" 2>/dev/null) || return 1
    bytes=${bytes##*$'\n'}
    bytes=${bytes#"${bytes%%[0-9]*}"}
    bytes=${bytes%% *}
    [ -n "$bytes" ] && [ "$bytes" -lt "$small_bytes" ]
}

# Becomes the command:
#   run_command JAVA_HOME JAR ARCHIVE [JAVA OPTION]... -- [ARGUMENT]...
# Java ignores an archive that is damaged or was made with other jars or by another Java, and the log, which would tell
# so, is off. SAMPLESORT_DEBUGGER="gdb --args" runs it in a debugger (CONTRIBUTING says what for).
run_command() {
    local java_home=$1 jar=$2 archive=$3 word
    local options=(-Xlog:disable "@${BASH_SOURCE[0]%/*}/java-options")
    shift 3
    case ${SAMPLESORT_JAVA_OPTIONS:-} in
    # Java refuses to start with two archives.
    *AOT* | *Archive*) ;;
    *) if [ -f "$archive" ]; then options+=("-XX:SharedArchiveFile=$archive"); fi ;;
    esac
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    # On many cores Java would compile with many threads at once, which take up to 20 MB each.
    IFS=- read -r _ word 2>/dev/null </sys/devices/system/cpu/online || true
    if [[ ${word:-} =~ ^[0-9]+$ ]] && [ "$word" -ge 4 ]; then
        options+=(-XX:CICompilerCount=3)
    fi
    if reads_little "$@"; then
        options+=(-XX:TieredStopAtLevel=1)
    fi
    for word in "$@"; do
        case $word in
        # For lines, these are the orders of sizes and versions.
        lines) break ;;
        # Help is printed before a better compiler would be done.
        -h | --help | -V | --version) options+=(-XX:TieredStopAtLevel=1) ;;
        esac
    done
    # In a folder whose name is no text in the encoding of the locale, Java would find no file.
    printf -v word %q "$PWD"
    case $word in
    \$*) options+=(-Duser.dir=/proc/self/cwd) ;;
    esac
    check_start "$java_home" "${1:-}" "${options[@]}"
    exec ${SAMPLESORT_DEBUGGER:-} "$java_home/bin/java" "${options[@]}" ${SAMPLESORT_JAVA_OPTIONS:-} -jar "$jar" "$@"
}
