# Runs a command of the learning in the checkout's environment, made ready before, isolated from the caller's Python settings:
# learning.sh SCRIPT EXTRAS [ARGUMENT...], where the arguments are those of `python -m othello_bot.learning`

root=$(CDPATH='' cd -- "${0%/*}/../.." && pwd -P) || exit 1
program=scripts/$1

. "$root/scripts/_setup/ready.sh"
make_ready "$2" /bin/sh "$root/scripts/_setup/learning.sh" "$@"

shift 2
exec "$venv/bin/python" -I -m othello_bot.learning "$@"
