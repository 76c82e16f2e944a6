"""The text layer of othello-bot: line protocols, both ends, without rules and without search.

Text in, typed commands out; typed replies in, text out; plus the process transport with which an arena or a test drives
*any* engine. The package imports only the standard library, not ``othello_bot``, so it can be read, tested and reused
on its own.

========== =========================================================================================================
wire       lines: cleaning, splitting with bounded memory, a reader thread, the one writer
visible    text of others made fit to be shown: nothing in a name controls a terminal
notation   colours, squares, transcripts and numbers as text (shared by all dialects)
boards     boards as text: strings of cells, and the drawings of programs and of people, whose rows ``grid`` reads
gtp        the GTP 2 grammar: commands, replies, error texts
clocks     the time commands of GTP and one small pure state machine for a game clock of each colour
analysis   ``lz-analyze`` and ``kata-analyze``: arguments in, ``info`` lines out, and back
gogui      GoGui's commands for engines that play another game than Go
nboard     NBoard 2, both directions; ``nboard_game`` reads and writes the game of ``set game``
cassio     ENGINE-PROTOCOL, both directions
edax       the console of Edax, from the side of the engine
detect     detect the dialect from the first line
process    an engine as a child process, with ``mailbox`` for its lines
posix      what only POSIX systems have: process groups, waiting for descriptors, alarms, the terminal's keys
errors     what can go wrong with that process, one class each
client     one controller-side interface for all dialects, synchronous and asyncio; the exchange in each dialect is
           a ``conversation`` without input and output (``conversation_gtp``, ``_nboard``, ``_cassio``, ``_json``)
========== =========================================================================================================
"""
