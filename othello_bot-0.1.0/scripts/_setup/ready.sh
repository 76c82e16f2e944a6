# The set-up shared by scripts/othello-bot and scripts/test, which source it (POSIX sh).
#
# Expects:  program  the name that messages begin with
#           root     the absolute path of the checkout
# Provides: venv     the private virtual environment
#           make_ready
#
# Here stands only what every start has to run, and the search for a Python; the set-up itself is scripts/_setup.

venv=$root/.venv

# is_ready EXTRAS: true when what is built in .venv is this checkout's, for the Python that is still there, with EXTRAS ("" or
# "test"), and no source or setup file has changed since. One `find` and a few shell built-ins.
is_ready() {
    stamp=$venv/othello-bot.stamp
    [ -f "$stamp" ] && [ -f "$venv/bin/othello-bot" ] || return 1
    { IFS= read -r built_root && IFS= read -r built_python && IFS= read -r built_extras; } <"$stamp" || return 1
    [ "$built_root" = "$root" ] && [ "$venv/bin/python" -ef "$built_python" ] || return 1
    [ -z "$1" ] || [ "$1" = "$built_extras" ] || return 1
    set -- "$root"/othello_bot/kernel/*/*.so
    [ -e "$1" ] || return 1
    # The same files as inputs() in environment.py.
    changed=$(find "$root/setup.py" "$root/setup.cfg" "$root/pyproject.toml" "$root/scripts/_setup" \
        "$root/othello_bot/kernel" \( -name '*.py' -o -name '*.pyx' -o -name '*.pxi' -o -name '*.pxd' -o -name '*.h' -o -name 'setup.cfg' \
        -o -name 'pyproject.toml' \) -newer "$stamp" -print) && [ -z "$changed" ]
}

# suits PYTHON: true when PYTHON can make (or, being the one in .venv, refresh) the environment. Notes in `incomplete` the first
# that is new enough, and in `old` the first that is not, for the message when none suits.
suits() {
    found=$(command -v "$1") || return 1
    if "$found" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' </dev/null >/dev/null 2>&1; then
        incomplete=${incomplete:-$found}
        "$found" -I "$root/scripts/_setup" check "$root" </dev/null >/dev/null 2>&1
    else
        old=${old:-$found}
        return 1
    fi
}

# find_python: prints the path of the Python that runs the set-up; when none is complete, the first that is new enough, which
# then says what it lacks. OTHELLO_BOT_PYTHON in the environment overrides the search. Run it in a subshell: it changes PATH,
# because programs started from a desktop have a short one.
find_python() {
    PATH=$PATH:/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin
    incomplete='' old=''
    if [ ! -e "$venv/othello-bot.unfinished" ] && suits "$venv/bin/python"; then
        printf '%s\n' "$found"
        return
    fi
    incomplete='' old=''
    set -- python3 python3.14 python3.13 python3.12 python3.11 python3.10
    if [ -n "${OTHELLO_BOT_PYTHON:-}" ]; then
        set -- "$OTHELLO_BOT_PYTHON"
    fi
    for name in "$@"; do
        if suits "$name"; then
            printf '%s\n' "$found"
            return
        fi
    done
    if [ -z "$incomplete" ]; then
        printf '%s: Python 3.10 or newer is needed and was not found%s: install it with %s (Debian, Ubuntu), %s (Fedora) or %s (macOS).\n' \
            "$program" "${old:+ ($old is older or does not start)}" '"sudo apt install python3 python3-dev python3-venv"' \
            '"sudo dnf install python3 python3-devel"' '"brew install python"' >&2
        return 1
    fi
    printf '%s\n' "$incomplete"
}

# make_ready EXTRAS COMMAND [ARGUMENT...]: returns when everything is built. Otherwise this process becomes the set-up, which
# ends by running COMMAND, still the same process, with stdin untouched. The process id in the environment keeps a set-up
# from following a set-up for ever.
make_ready() {
    if [ "${OTHELLO_BOT_SETUP_PID:-}" = "$$" ] || is_ready "$1"; then
        return
    fi
    python=$(find_python) || exit 1
    exec "$python" -I "$root/scripts/_setup" make "$root" "$program" "$@"
}
