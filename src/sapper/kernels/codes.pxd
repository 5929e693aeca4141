# The numbers of codes.py, as constants for the compiler.
cpdef enum:
    # What a run answers; from GROW on, the pool of that number was too small: grow it and go on.
    # FOUND and NOT_FOUND: how a search for a layout ended.
    # NEEDS_ROLLOUTS: a guess is to be thought over before it is made. Of an end game: PAUSED at the
    # work that it may do, MEMO_FULL, or TOO_MANY solutions to list.
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
    # What is known of a cell.
    UNKNOWN = 0
    MINE = 1
    SAFE = 2
    REVEALED = 3
    # Marks: as in a position, and KNOWN_SAFE for a cell that is free, its number not seen or withheld.
    COVERED = -1
    FLAG = -2
    KNOWN_SAFE = -3
    # What a search for a solution answers, and how it takes a number; see proofs.
    SATISFIED = 0
    UNSATISFIABLE = 1
    STOPPED = 2
    HARD = 1
    SOFT = 2
    # What a search for a proof answers.
    PROVED = 0
    NOT_CERTAIN = 1
    UNDECIDED = 2
    TOO_LARGE = 3
    # What a look at a pair of numbers may also answer, and what a number waits for; see solver.human.
    MOVED = 2
    IN_SINGLE_QUEUE = 1
    IN_PAIR_QUEUE = 2
    PAIRS_CHANGED = 4
    TRIPLES_CHANGED = 8
    # Orders of elimination; see components.
    AS_LISTED = 0
    MIN_DEGREE = 1
    MIN_WEIGHT = 2
    BY_CELL = 3
    BREADTH_FIRST = 4
    ORDERS = 5
    # Stages of a run.
    READING = 0
    PLANNING = 1
    STARTING = 2
    JOINING = 3
    # How a game stands.
    PLAYING = 0
    WON = 1
    LOST = 2
    # Where it stands when the engine needs help: not begun, between moves, waiting for an answer
    # that the next move or the check of a loss needs, or thinking about a guess.
    # ANSWERED: someone else wrote the answer.
    FRESH = 0
    MOVING = 1
    ASKING = 2
    CHECKING = 3
    THINKING = 4
    ANSWERED = 8
    # Players: what they know beyond the strategies, and how they guess.
    RANDOM = 0
    HUMAN = 1
    HYBRID = 2
    CAREFUL = 3
    THOUGHTFUL = 4
    LEARNED = 5
    SHREWD = 6
    PATIENT = 7
    # Why a cell was chosen; see thoughtful.
    CERTAIN = 0
    SOLVED = 1
    APART = 2
    FORCED_GUESS = 3
    SCORE = 4
    SAFER_NOW = 5
    LEAST_RISK = 6
    BEST_FOUND = 7
    BY_NETWORK = 8
    # Numbers that a network is told of a candidate, and the place of one among them; see features.
    SCALARS = 24
    INFLUENCE = 20
    # What a column of an end game shows where its cell is a mine; numbers are less.
    SHOWS_MINE = 63
    # Sizes: queues of the plan, words of a key.
    BUCKETS = 256
    MAX_WORDS = 16
