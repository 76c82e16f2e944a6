# Runs a script in Python in the checkout's environment, made ready before (see enter.py):
# enter.sh NAME EXTRAS SCRIPT [ARGUMENT...]

root=$(CDPATH='' cd -- "${0%/*}/../.." && pwd -P) || exit 1
program=scripts/$1

. "$root/scripts/_setup/ready.sh"
make_ready "$2" /bin/sh "$root/scripts/_setup/enter.sh" "$@"

shift 2
exec "$venv/bin/python" -s -E "$@"
