# Constants that kernels and their callers share; the plain loader reads them too.
cpdef enum:
    # Status of a run. From GROW on, a pool was too small: enlarge it and resume.
    # FOUND and NOT_FOUND: how a search for a layout ended.
    # NEEDS_ROLLOUTS: a guess needs rollouts before it is made.
    # For an end game: PAUSED at its limit of work, MEMO_FULL, or TOO_MANY solutions to list.
    NOT_FOUND = -2
    FOUND = -1
    OK = 0
    NO_SOLUTION = 1
    WRONG_COUNT = 2
    OUT_OF_TIME = 3
    CANCELLED = 4
    TOO_WIDE = 5
    IMPRECISE = 6
    NEEDS_ROLLOUTS = 7
    PAUSED = 8
    MEMO_FULL = 9
    TOO_MANY = 10
    GROW = 16
    GROW_NODES = 16
    GROW_SCOPES = 17
    GROW_STATES = 18
    GROW_KEYS = 19
    GROW_TERMS = 20
    GROW_LINKS = 21
    GROW_PARTS = 22
    GROW_HASHES = 23
    # What is known about a cell.
    UNKNOWN = 0
    MINE = 1
    SAFE = 2
    REVEALED = 3
    # Marks: as in a position, and KNOWN_SAFE for a safe cell whose number is not shown.
    COVERED = -1
    FLAG = -2
    KNOWN_SAFE = -3
    # Result of a repair, and the roles of a number in it; see proofs.repair.
    SATISFIED = 0
    UNSATISFIABLE = 1
    STOPPED = 2
    NO_ROLE = 0
    HARD = 1
    SOFT = 2
    # Result of a search for a proof; see proofs.search.
    PROVED = 0
    NOT_CERTAIN = 1
    UNDECIDED = 2
    TOO_LARGE = 3
    # Another result of a pair of numbers, and the flags of a number; see solvers.human.
    MOVED = 2
    IN_SINGLE_QUEUE = 1
    IN_PAIR_QUEUE = 2
    PAIRS_CHANGED = 4
    TRIPLES_CHANGED = 8
    # Orders of elimination; see engine.plan.
    AS_LISTED = 0
    MIN_DEGREE = 1
    MIN_WEIGHT = 2
    BY_CELL = 3
    BREADTH_FIRST = 4
    ORDERS = 5
    # Stages of an analysis; see engine.pipeline.
    READING = 0
    PLANNING = 1
    STARTING = 2
    JOINING = 3
    # State of a game.
    PLAYING = 0
    WON = 1
    LOST = 2
    # Phase of a game that a kernel plays: not started, between moves, analysing the position for
    # the next move or for the check of a loss, or guessing.
    # ANSWERED is added when the caller has written the probabilities or chosen the guess.
    NOT_STARTED = 0
    MOVING = 1
    ANALYSING = 2
    CHECKING_LOSS = 3
    GUESSING = 4
    ANSWERED = 8
    # What the moves of a game are deduced from before its player guesses: nothing, strategies 1 to
    # 7, or the engine as well, without or with the mine count.
    NO_DEDUCTION = 0
    STRATEGIES = 1
    WITHOUT_MINE_COUNT = 2
    WITH_MINE_COUNT = 3
    # How the player guesses: a random covered cell, the cell of least probability, or what the
    # guesser of the game chooses.
    RANDOM_GUESS = 0
    LEAST_RISK_GUESS = 1
    OWN_GUESS = 2
    # Why a guesser chose a cell; see players.guessing.
    CERTAIN = 0
    SOLVED = 1
    PART_SOLVED = 2
    FORCED_GUESS = 3
    BEST_SCORE = 4
    SAFER_NOW = 5
    LEAST_RISK = 6
    BEST_FOUND = 7
    BY_NETWORK = 8
    FROM_TABLE = 9
    # Inputs of a network for a candidate, and the first that looks ahead; see players.features.
    SCALARS = 25
    INFLUENCE = 20
    # The value of a mine in a column of an end game; numbers are smaller.
    SHOWS_MINE = 63
    # In the keys of a tracked position, the bits from this one on are the total number of mines.
    MINES_SHIFT = 54
    # The columns of `saved` in a tracked position; see tracked.queries.
    SAVED_TRAIL_COUNT = 0
    SAVED_LIVE_COUNT = 1
    SAVED_COMPONENT_END = 2
    SAVED_NUMBER_END = 3
    SAVED_BOX_END = 4
    SAVED_COVER_END = 5
    SAVED_MEMBER_END = 6
    SAVED_STATE_END = 7
    SAVED_LINK_END = 8
    SAVED_FRONTIER = 9
    SAVED_RESCAN = 10
    # Limits: buckets of the plan, words of a key.
    BUCKETS = 256
    MAX_WORDS = 16
