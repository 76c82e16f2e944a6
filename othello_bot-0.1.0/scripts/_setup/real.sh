# The real programs that `scripts/test --real` plays against (POSIX sh). Sourced by scripts/test, which names what is missing, and
# by .ci/run, which installs it.
#
# Provides: missing_packages, install_packages, type_checker, missing_for_page

# Debian's games and servers are not on every PATH.
PATH=$PATH:/usr/games:/usr/sbin

# PROGRAM:PACKAGE, the program looked for and the Debian package that brings it.
real_programs='gtp-rhino:grhino quarry:quarry nginx:nginx-light Xvfb:xvfb xdotool:xdotool node:nodejs npm:npm zsh:zsh fish:fish chromium:chromium
 chromedriver:chromium-driver firefox-esr:firefox-esr openssl:openssl systemd-analyze:systemd
 mmdebstrap:mmdebstrap qemu-aarch64-static:qemu-user-static'

# FILE:PACKAGE, a file looked for instead where the package brings no program: the letters of the Japanese page.
real_files='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc:fonts-noto-cjk'

# missing_packages: prints the packages of the programs and files that are not there, separated by spaces; nothing when all are.
missing_packages() {
    found=''
    for pair in $real_files; do
        [ -e "${pair%%:*}" ] || found="$found ${pair##*:}"
    done
    for pair in $real_programs; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || found="$found ${pair##*:}"
    done
    printf '%s\n' "${found# }"
}

# type_checker: prints the program that checks the types of the page's modules; nothing when it is not there.
type_checker() {
    command -v node >/dev/null 2>&1 || return 0
    for tsc in "$root/build/real/node_modules/typescript/bin/tsc" "$(command -v tsc 2>/dev/null)"; do
        [ ! -f "$tsc" ] || {
            printf '%s\n' "$tsc"
            return
        }
    done
}

# missing_for_page: prints what lacks to test the page in a browser and its types, in a few words; nothing when all is there.
missing_for_page() {
    lacking=''
    command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1 || lacking=' chromium chromium-driver'
    command -v node >/dev/null 2>&1 || lacking="$lacking nodejs npm"
    printf '%s\n' "${lacking# }"
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
