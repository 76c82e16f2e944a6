"""The text layer of othello-bot: line protocols, both ends, without rules and without search.

Text in, typed commands out; typed replies in, text out; plus the process transport with which an arena or a test drives
*any* engine. It imports the standard library and ``othello_bot.base``, which has moves, boards and clocks as text.

============= ======================================================================================================
wire          lines: cleaning, splitting with bounded memory, a reader thread, the one writer
gtp           the GTP 2 grammar: commands, replies, error texts; its time commands are in ``time_commands``
analysis      ``lz-analyze`` and ``kata-analyze``: arguments in, ``info`` lines out, and back
gogui         GoGui's commands for engines that play another game than Go
nboard        NBoard 2, both directions; ``nboard_values`` reads and writes moves, depths and the game of ``set game``
cassio        ENGINE-PROTOCOL, both directions
edax          the console of Edax, from the side of the engine
ggs           the Generic Game Server: its messages; ``ggs_commands`` are ours to it, ``ggs_values`` what both consist of
detect        detect the dialect from the first line
process       an engine as a child process
errors        what can go wrong with that process, one class each
client        one controller-side interface for all dialects
conversation  the exchange of ``client`` without input and output; ``conversation_gtp``, ``_nboard``, ``_cassio`` and
              ``_json`` are those of the dialects
============= ======================================================================================================
"""
