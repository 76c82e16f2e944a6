"""The text layer of othello-bot: line protocols, both ends, without rules and without search.

Text in, typed commands out; typed replies in, text out; plus the process transport with which an arena or a test
drives *any* engine.  Nothing here imports ``othello_bot`` or anything outside the standard library, so the package can
be read, tested and reused alone.

========== =========================================================================================================
wire       lines: cleaning, splitting with bounded memory, a reader thread, the one writer
notation   colours, squares, transcripts, board strings and numbers as text (shared by all dialects)
gtp        the GTP 2 grammar: commands, replies, error texts
clocks     the time commands of GTP and one small pure state machine for a game clock of each colour
analysis   ``lz-analyze`` and ``kata-analyze``: arguments in, ``info`` lines out, and back
gogui      what GoGui asks of an engine that plays another game than Go
nboard     NBoard 2, both directions; ``nboard_game`` writes the game that a controller sends
cassio     ENGINE-PROTOCOL, both directions
detect     which dialect is spoken, from the first line
process    an engine as a child process, with ``mailbox`` for its lines and ``children`` for the operating system
errors     what can go wrong with it, as different things
client     one controller-side interface over all dialects, synchronous and asyncio; what is said in each of them is
           a ``conversation`` without input and output (``conversation_gtp``, ``_nboard``, ``_cassio``)
========== =========================================================================================================
"""
