# Runs a step of the learning in the checkout's environment, made ready before, isolated from the caller's Python settings:
# learning.sh STEP EXTRAS [ARGUMENT...]

root=$(CDPATH='' cd -- "${0%/*}/../.." && pwd -P) || exit 1
program=scripts/$1

. "$root/scripts/_setup/ready.sh"
make_ready "$2" /bin/sh "$root/scripts/_setup/learning.sh" "$@"

step=$1
shift 2
exec "$venv/bin/python" -I -m othello_bot.learning "$step" "$@"
