# The real programs that `scripts/test --real` plays against (POSIX sh). Sourced by scripts/test, which names what is missing, and
# by .ci/run, which installs it.
#
# Provides: missing_packages, install_packages

# Debian's games are not on every PATH.
PATH=$PATH:/usr/games

# PROGRAM:PACKAGE, the program looked for and the Debian package that brings it.
real_programs='gtp-rhino:grhino quarry:quarry Xvfb:xvfb xdotool:xdotool node:nodejs npm:npm zsh:zsh fish:fish'

# missing_packages: prints the packages of the programs that are not there, separated by spaces; nothing when all are.
missing_packages() {
    found=''
    for pair in $real_programs; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || found="$found ${pair##*:}"
    done
    printf '%s\n' "${found# }"
}

# again COMMAND [ARGUMENT...]: runs a download until it succeeds, four times at most.
again() {
    for pause_s in 5 15 60; do
        "$@" && return
        printf 'failed, trying again in %s s: %s\n' "$pause_s" "$*" >&2
        sleep "$pause_s"
    done
    "$@"
}

# install_packages PACKAGE...: installs Debian packages; needs root.
install_packages() {
    again apt-get update -qq &&
        again env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            -o DPkg::Lock::Timeout=120 "$@"
}
