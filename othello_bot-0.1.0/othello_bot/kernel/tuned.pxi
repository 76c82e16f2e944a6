"""Constants of the search that are variables in a build for tuning (OTHELLO_BOT_BUILD_TUNING; see docs/tuning.md).

In all other builds the compiler knows their values, and no option changes them.
"""

cdef extern from *:
    """
    #if defined(OTHELLO_BOT_TUNING)
    enum { TUNED_VARIABLES = 1 };
    #define TUNED static double
    #define tuned_set(place, value) ((place) = (value))
    #else
    enum { TUNED_VARIABLES = 0 };
    #define TUNED static const double
    #define tuned_set(place, value) ((void)(value))
    #endif
    TUNED PROBCUT_WIDTH = 1.0;
    TUNED PROBCUT_END_WIDTH = 1.0;
    TUNED PROBCUT_DOUBT = 1.0;
    """
    const int TUNED_VARIABLES
    double PROBCUT_WIDTH         # times the width of ProbCut's margins before the last moves
    double PROBCUT_END_WIDTH     # the same for searches to the end of the game
    double PROBCUT_DOUBT         # times the doubt up to which ProbCut spends a shallower search
    void tuned_set(double place, double value) nogil


def tuned_constants() -> tuple:
    """Return the name, the least and the greatest value of each variable, and what it is; in hundredths.

    Their values at first are 100.  Empty in a build that is not for tuning.
    """
    if not TUNED_VARIABLES:
        return ()
    return (
        ("probcut_width", 20, 500, "width of ProbCut's margins in the midgame"),
        ("probcut_end_width", 20, 500, "width of ProbCut's margins in searches to the end of the game"),
        ("probcut_doubt", 0, 500, "how unlikely a cut-off may look for ProbCut to try it"),
    )


def use_tuned_constants(options) -> None:
    """Search with the values of options called like `tune_probcut_width` from now on, in the whole process."""
    if TUNED_VARIABLES:
        tuned_set(PROBCUT_WIDTH, options.tune_probcut_width / 100.0)
        tuned_set(PROBCUT_END_WIDTH, options.tune_probcut_end_width / 100.0)
        tuned_set(PROBCUT_DOUBT, options.tune_probcut_doubt / 100.0)
