"""Files of version 0.2.0 are read with the same boards, moves, numbers and digests.

`data/old_files/README.md` describes the files. The `expected.json` beside them has what version
0.2.0 read from them, with keys that belong to no version; the `describe` functions below return
what this version reads, with the same keys.
"""

from __future__ import annotations

import io
import json
import math
import shutil
import subprocess
from contextlib import redirect_stdout
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from starlette.testclient import TestClient

import sapper
from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.cli.main import run as run_command
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.formats.binary import decode_file
from sapper.formats.registry import parse_any, split_texts
from sapper.games.campaign import Campaign
from sapper.games.review import review
from sapper.games.session import Session
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import paper_puzzles
from sapper.generators.puzzles import puzzle, puzzle_rules
from sapper.generators.worksheet_codes import decode, encode
from sapper.lab.compare import CampaignResults, compare
from sapper.lab.report import report_json
from sapper.lab.results import ResultFile, merge
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool
from sapper.players.registry import PLAYERS
from sapper.serialize.games import load_session, load_sessions
from sapper.serialize.worksheet_options import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
)
from sapper.web.app import create_app
from sapper.web.features import puzzles
from sapper.web.learn.lessons import LESSONS
from sapper.web.learn.practice import find_exercise, first_exercise
from sapper.web.learn.practice import first_move as practice_answer
from tests.unit.web.conftest import BASE, SHARING

FILES = Path(__file__).parent / "data" / "old_files"
DAY = "2026-02-14"
STATIC = Path(sapper.__file__).parent / "web" / "static"


def expected(folder: str, file: str = "expected.json") -> Any:
    return json.loads((FILES / folder / file).read_text(encoding="utf-8"))


def assert_same(found: Any, wanted: Any, where: str = "") -> None:
    """Assert that two JSON values are equal, floats up to rounding."""
    if isinstance(wanted, float) and isinstance(found, int | float):
        assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9), where
    elif isinstance(wanted, dict):
        assert isinstance(found, dict), where
        assert found.keys() == wanted.keys(), where
        for key, value in wanted.items():
            assert_same(found[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(found, list | tuple), where
        assert len(found) == len(wanted), where
        for k, value in enumerate(wanted):
            assert_same(found[k], value, f"{where}[{k}]")
    else:
        assert found == wanted, where


def pick(source: Any, *same: str, **renamed: str) -> dict[str, Any]:
    """Return some items or attributes, by their own names or by keys of expected.json."""
    names = {name: name for name in same} | renamed
    if isinstance(source, dict):
        return {name: source[key] for name, key in names.items()}
    return {name: getattr(source, key) for name, key in names.items()}


def run_json(*arguments: str) -> Any:
    """Return the JSON that a command prints."""
    with redirect_stdout(io.StringIO()) as out:
        assert run_command([*arguments, "--json"]) == 0
    return json.loads(out.getvalue())


# What this version reads, with the keys of expected.json.


def describe_board(board: Board) -> Any:
    if board.tiling is not None:
        return f"{board.tiling} {board.size[0]}x{board.size[1]}"
    return {"names": list(board.names), "edges": [list(map(int, edge)) for edge in board.edges()]}


def describe_position(position: Position) -> dict[str, Any]:
    found = analyse(position)
    return {
        "kind": "position",
        "board": describe_board(position.board),
        "marks": position.marks.tolist(),
        "mine_count": position.mines,
        "chance_of_mine": {
            str(cell): round(float(p), 12)
            for cell, p in enumerate(found.probability_array)
            if not math.isnan(p)
        },
        "safe": found.safe_cells.tolist(),
        "certain_mines": found.certain_mine_cells.tolist(),
        "solutions": str(found.solutions),
    }


def describe_layout(layout: Layout) -> dict[str, Any]:
    return {
        "kind": "layout",
        "board": describe_board(layout.board),
        "mines": layout.mine_cells.tolist(),
        "click": layout.click,
        "3bv": layout.three_bv,
    }


def describe_game(session: Session) -> dict[str, Any]:
    setup, game, result = session.setup, session.game, session.result
    described: dict[str, Any] = {
        "board": describe_board(setup.rules.board),
        "mine_count": setup.rules.mines,
        "rule": setup.rules.rule,
        "generated": "given" if setup.layout is not None else setup.generator,
        "seed": None if setup.seed is None else str(setup.seed),
        "given_click": None if setup.layout is None else setup.layout.click,
        "mines": None if game.layout is None else game.layout.mine_cells.tolist(),
        "marks": session.position.marks.tolist(),
        "exploded": sorted(map(int, game.exploded)),
        **pick(game, "outcome", "continues", "can_undo", "can_redo"),
        **pick(session, "milliseconds", "clicks", "undos", "pauses", "helped"),
        **pick(session, "losses", help="hints", **{"3bv_revealed": "three_bv"}),
        "first_result": result
        and {**pick(result, "outcome", "milliseconds", "clicks", "helped"), "3bv": result.three_bv},
        "log": [
            [event.milliseconds, "help" if event.text == "hint" else event.text]
            for event in session.log
        ],
    }
    if game.layout is not None:
        found = review(session)
        described["review"] = {
            "classes": [move.move_class for move in found.moves],
            "risks": [round(move.risk, 9) for move in found.moves],
            "mistakes": len(found.mistakes),
            "missed": [[int(cell.cell), cell.since, cell.moves] for cell in found.missed],
            "accuracy": found.accuracy,
            "luck": round(found.luck, 9),
        }
    return described


class Page:
    """A client that sends the requests of the page's JavaScript.

    With *cookies* it is one browser of several that share the client, and keeps its own cookies.
    """

    def __init__(self, client: TestClient, cookies: dict[str, str] | None = None):
        self.client = client
        self.cookies = cookies

    def request(
        self, method: str, path: str, body: Any = None, status: tuple[int, ...] = (200, 201)
    ) -> Any:
        headers = {}
        if self.cookies is not None:
            self.client.cookies.clear()
            headers["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        content = {"json": body} if method == "POST" else {}
        if isinstance(body, str):  # an exported profile
            headers["content-type"] = "application/x-ndjson"
            content = {"content": body}
        response = self.client.request(method, path, headers=headers, **content)
        if self.cookies is not None:
            received = SimpleCookie(response.headers.get("set-cookie", ""))
            self.cookies |= {name: morsel.value for name, morsel in received.items()}
            self.client.cookies.clear()
        assert response.status_code in status, (path, response.status_code, response.text)
        is_json = response.headers.get("content-type", "") == "application/json"
        return response.json() if is_json else response.text

    def get(self, path: str) -> Any:
        return self.request("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.request("POST", path, body or {})

    def session(self, game: str) -> Session:
        return self.client.app.state.games._live[game].session


ATTEMPTED_PUZZLES = (
    "square-one-5",
    "square-two-7",
    "square-three-5",
    "square-two-8",
    "hexagonal-one-3",
    "triangular-two-4",
    "torus-count-6",
    "triangular-edge-one-9",
    "square-four-2",
)


ATTEMPT_KEYS = ("puzzle", "right", "seconds", "rating", "puzzle_rating", "move")


def describe_profile(page: Page, games: dict[str, str]) -> dict[str, Any]:
    """Return what the page shows of a profile; *games* maps names in expected.json to game ids."""
    names = {game: name for name, game in games.items()}
    training = page.get(f"/api/puzzles/days/{DAY}")
    summaries = page.get("/api/statistics")["summaries"]
    luck = page.get("/api/statistics/luck")
    return {
        **pick(page.get("/api/profile"), "name", "results", games_with_a_move="games"),
        "listed": [
            [names.get(row["id"], row["id"]), row["title"], row["repeated"], row["finished"]]
            for row in page.get("/api/games")["games"]
        ],
        "games": {name: describe_page_game(page, game) for name, game in games.items()},
        "statistics": [describe_summary(row) for row in summaries],
        "history": [
            {
                "group": describe_group(category),
                "last": [names.get(row["id"], row["id"]) for row in category["last"]],
                "best": [
                    [names.get(row["id"], row["id"]), row["milliseconds"]]
                    for row in category["best"]
                ],
            }
            for category in sorted(summaries, key=lambda row: -row["last"][-1]["finished"])
        ],
        "reviewed": {
            names.get(row["id"], row["id"]): [row["luck"], row["accuracy"]]
            for row in page.get("/api/reviews")["games"]
        },
        "luck": {"games": len(luck["games"]), **pick(luck, "luck", "error", "accuracy")},
        "training": pick(
            training["user"], "rating", "deviation", "tried", "solved", "streak", "best"
        ),
        "tries": [[attempt[key] for key in ATTEMPT_KEYS] for attempt in training["history"]],
        "puzzles_of_the_day": [
            [row["tiling"], row["puzzle"], row["right"]] for row in training["daily"]
        ],
        "puzzle_ratings": {
            name: page.get(f"/api/puzzles/{name}")["rating"] for name in ATTEMPTED_PUZZLES
        },
        "lessons": {
            row["name"]: pick(
                row["progress"],
                "right",
                "wrong",
                first_board_done="first_board",
                in_a_row="streak",
                learned="mastered",
            )
            for row in page.get("/api/learn")["lessons"]
        },
        "settings": page.get("/api/documents/settings")["value"],
    }


def describe_page_game(page: Page, game: str) -> dict[str, Any]:
    shown = page.get(f"/api/games/{game}")
    state = shown["state"]
    described = {
        **pick(shown, "id", "title", "tiling", "size", "marks", "question_marks"),
        "mine_count": shown["mines"],
        **pick(state, "outcome", "exploded", "milliseconds", "clicks", "undos", "continues"),
        **pick(state, "helped", "can_undo", "can_redo", moves="events", help="hints"),
        **pick(state, losses="deaths", played_before="repeated"),
        **pick(state, **{"3bv_revealed": "three_bv", "3bv": "three_bv_total"}),
    }
    if state["outcome"] in ("won", "lost"):
        described["mines"] = page.get(f"/api/games/{game}/mines")["mines"]
    return described


def describe_group(row: dict[str, Any]) -> list[Any]:
    return [row["tiling"], row["size"], row["rule"], row["generator"]]


def describe_summary(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "group": describe_group(row),
        "interval": [row["low"], row["high"]],
        **pick(row, "title", "games", "wins", "win_rate", "streak", "best_streak"),
        **pick(row, "best_milliseconds", "mean_milliseconds", "mean_efficiency"),
        **pick(row, wins_with_help="helped_wins"),
        "best_3bv_per_second": row["best_three_bv_per_second"],
    }


def describe_visitors(page: Page, cookies: dict[str, dict[str, str]]) -> dict[str, Any]:
    described = {}
    for name, jar in cookies.items():
        visitor = Page(page.client, dict(jar))
        listed = visitor.get("/api/games")["games"]
        described[name] = {
            **pick(visitor.get("/api/profile"), "name", "results", games_with_a_move="games"),
            "games": [describe_page_game(visitor, row["id"]) for row in listed],
            "training": visitor.get(f"/api/puzzles/days/{DAY}")["user"]["rating"],
            "puzzle_rating": visitor.get("/api/puzzles/square-one-5")["rating"],
            "theme": visitor.get("/api/documents/settings")["value"]["theme"],
        }
    unknown = Page(page.client, {"sapper-8765": "not-a-secret"})
    unknown.request("GET", "/api/profile", status=(403,))
    return described


def campaign_of(options: dict[str, Any]) -> Campaign:
    return Campaign.of(
        options.get("rules") or options["size"],
        PLAYERS.find(options["player"]).with_settings(options.get("settings") or {}),
        options["games"],
        options["seed"],
        options.get("rule"),
        options.get("first"),
        tiling=options.get("tiling"),
    )


def campaign_arguments(options: dict[str, Any]) -> list[str]:
    """Return the command-line arguments that run a campaign."""
    found = ["lab", "run", options["size"], "--jobs", "1", "--runner", "threads"]
    for option in ("player", "games", "seed", "rule", "first", "tiling"):
        found += [f"--{option}", str(options[option])] if option in options else []
    for name, value in options.get("settings", {}).items():
        found += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return found


def describe_result_file(path: Path) -> list[dict[str, Any]]:
    """Return what a result file contains."""
    with ResultFile(path) as results:
        return [describe_campaign(results, campaign) for campaign in results.campaigns()]


def describe_campaign(results: ResultFile, campaign: Campaign) -> dict[str, Any]:
    totals = results.totals(campaign)
    row = report_json(totals)
    bits = [results.won_bits(campaign, span) for span in totals.ranges]
    return {
        "board": describe_board(campaign.rules.board),
        "mine_count": campaign.rules.mines,
        "rule": campaign.rules.rule,
        "first": campaign.first,
        **pick(row, "player", "settings", "games", "wins", "win_rate", "guesses", "seconds"),
        **pick(row, "seeds", "name", builds="versions"),
        "interval": [row["low"], row["high"]],
        "games_by_guesses": list(totals.by_guesses),
        "won": ["".join("1" if won else "0" for won in part.tolist()) for part in bits],
        # The identity of a campaign: its text in the file, and the name of its default file.
        "text": campaign.text,
        "digest": campaign.slug.rpartition("-")[2],
        "usual_file": f"{campaign.slug}.sqlite",
    }


def describe_paper_puzzle(puzzle: Any) -> dict[str, Any]:
    return {
        **pick(puzzle, "difficulty", "unique_by"),
        "marks": puzzle.position.marks.tolist(),
        "mines": list(puzzle.mine_cells),
        "seed": str(puzzle.seed),
    }


def describe_code(code: str) -> dict[str, Any]:
    described = decode(code)
    return {
        **pick(described, "tiling", "method", "mine_density", "difficulty", "or_easier", "count"),
        "size": list(described.size),
        "open": "own" if described.open_set == "custom" else described.open_set,
        "seed": str(described.seed),
    }


def describe_link(page: Page, link: str) -> dict[str, Any]:
    """Return what the page shows at a link, from the requests that its views send."""
    path, _, query = link.removeprefix("#/").partition("?")
    view, _, name = path.partition("/")
    parameters = dict(parse_qsl(query))
    return {
        "play": lambda: describe_play_link(page, parameters),
        "analyse": lambda: describe_analyse_link(page, parameters),
        "watch": lambda: describe_watch_link(page, parameters),
        "paper": lambda: describe_paper_link(page, parameters),
        "train": lambda: {"marks": page.get(f"/api/puzzles/{name}")["marks"]},
        "learn": lambda: describe_learn_link(page, name, parameters),
    }[view]()


def describe_play_link(page: Page, parameters: dict[str, str]) -> dict[str, Any]:
    request = {"token": parameters["game"]} if "game" in parameters else parameters
    game = str(page.post("/api/games", request)["id"])
    session = page.session(game)
    if not session.log:  # the first click determines the mines
        move = {"action": "reveal", "cell": session.game.board.middle}
        page.post(f"/api/games/{game}/moves", move)
    described = describe_page_game(page, game)
    for key in ("id", "milliseconds", "played_before"):
        described.pop(key)
    assert session.game.layout is not None
    return described | {
        "mines": session.game.layout.mine_cells.tolist(),
        "rule": session.setup.rules.rule,
    }


def describe_analyse_link(page: Page, parameters: dict[str, str]) -> dict[str, Any]:
    found = page.post("/api/position", {"token": parameters["position"]})
    answer = page.post("/api/analysis", pick(found, "board", "marks", "mines"))
    return {
        **pick(found, "marks", mine_count="mines"),
        **pick(answer, "cells", "safe", "certain_mines", chance_of_mine="probabilities"),
    }


def describe_watch_link(page: Page, parameters: dict[str, str]) -> dict[str, Any]:
    watch = page.post("/api/watch", parameters)
    steps: list[Any] = []
    end = None
    while end is None:
        answer = page.post(f"/api/watch/{watch['id']}/steps", {"from": len(steps)})
        steps += answer["steps"]
        end = answer["end"]
    return {
        "moves": [step["move"] for step in steps],
        "guesses": [step["guess"] for step in steps].count(True),
        **pick(end, "outcome", "mines"),
    }


def describe_paper_link(page: Page, parameters: dict[str, str]) -> dict[str, Any]:
    path = f"/api/worksheets/{parameters['set']}"
    sheet = page.get(path)
    options = sheet["options"]
    puzzles = sheet["paper_puzzles"]
    return {
        **pick(sheet, "code", "pages", pages_without_solutions="puzzle_pages"),
        "puzzles": [[puzzle["marks"], puzzle["difficulty"]] for puzzle in puzzles],
        "mines": [
            page.get(f"{path}/puzzles/{number}/solution")["mines"]
            for number in range(1, len(puzzles) + 1)
        ],
        "sheet": pick(
            options, "title", "paper", "per_page", "large_print", "high_contrast", "solutions"
        ),
        **pick(options, "count", "seed"),
    }


def describe_learn_link(page: Page, name: str, parameters: dict[str, str]) -> dict[str, Any]:
    if "seed" in parameters:
        shown = page.post(f"/api/learn/{name}/exercise", parameters)
    else:
        (shown,) = (row for row in page.get("/api/learn")["lessons"] if row["name"] == name)
    return {"marks": shown["marks"]}


NODE = """
const [, , task, given] = process.argv;
const input = JSON.parse(given);
const store = (data) => ({
  data,
  getItem: (key) => data[key] ?? null,
  setItem: (key, value) => (data[key] = String(value)),
  removeItem: (key) => delete data[key],
});
globalThis.localStorage = store(input.local ?? {});
globalThis.sessionStorage = store(input.session ?? {});
globalThis.matchMedia = () => ({ matches: false });
globalThis.document = {
  documentElement: { dataset: {} },
  addEventListener() {},
  dispatchEvent() {},
  querySelectorAll: () => [],
};
globalThis.window = { addEventListener() {} };
const asked = [];
globalThis.fetch = async (path, { method, body }) => {
  asked.push([method, path, body === undefined ? null : JSON.parse(body)]);
  return { ok: true, json: async () => input.answers?.[path] ?? {} };
};
const settings = await import("./lib/settings.js");
const tasks = {
  async read() {
    const keys = await import("./lib/keys.js");
    const rows = keys.configurableKeys("play").map((row) => [row.command, keys.chosenKeys(row)]);
    return { settings: settings.allSettings(), keys: Object.fromEntries(rows) };
  },
  async choose() {
    for (const [name, value] of input.choices) settings.saveSetting(name, value);
    return localStorage.data;
  },
  async sync() {
    await (await import("./lib/settings_sync.js")).syncSettings();
    return { settings: settings.allSettings(), asked };
  },
  async window() {
    const own = await (await import("./lib/window_game.js")).windowGame();
    return { own, asked, session: sessionStorage.data };
  },
};
console.log(JSON.stringify(await tasks[task]()));
process.exit(0);
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Run the page's own modules in Node, with a simulated browser storage and server."""
    if shutil.which("node") is None:
        pytest.skip("no node")
    folder = tmp_path_factory.mktemp("node")
    shutil.copytree(STATIC / "lib", folder / "lib")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text(NODE)

    def call(task: str, given: dict[str, Any]) -> Any:
        arguments = ["node", "run.js", task, json.dumps(given)]
        done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return call


# Saved games and replays.


@pytest.mark.parametrize("file", expected("saved_games"))
def test_saved_game_reads_the_same(file):
    wanted = expected("saved_games")[file]
    written = wanted.pop("saved_again")
    session = load_session(decode_file((FILES / "saved_games" / file).read_bytes()))
    assert_same(describe_game(session), wanted, file)
    assert_same(describe_game(load_session(session.save())), wanted, file)
    # The page recognises a layout that was played before by the header of its game.
    assert session.setup.format() == written.partition("\n\n")[0].rstrip("\n") + "\n"


@pytest.mark.parametrize("file", expected("profiles")["page_saved"])
def test_game_downloaded_from_the_page_reads_the_same(file):
    wanted = expected("profiles")["page_saved"][file]
    session = load_session((FILES / "profiles" / file).read_text(encoding="utf-8"))
    assert_same(describe_game(session), wanted, file)


@pytest.mark.parametrize("file", expected("replays"))
def test_replay_and_the_game_converted_from_it_read_the_same(file):
    if not file.endswith(".txt"):
        pytest.importorskip("ms_toollib")
    session = load_session(decode_file((FILES / "replays" / file).read_bytes()))
    assert_same(describe_game(session), expected("replays")[file], file)


# Positions, layouts, and JSON output of commands.


@pytest.mark.parametrize("file", expected("positions"))
def test_position_reads_the_same(file):
    text = decode_file((FILES / "positions" / file).read_bytes())
    if file == "graph_rules.json":
        rules = Rules.parse(text)
        described = {"kind": "rules", "board": describe_board(rules.board)}
        found = [{**described, "mine_count": rules.mines, "rule": rules.rule}]
    else:
        found = [
            describe_position(read) if isinstance(read, Position) else describe_layout(read)
            for read in map(parse_any, split_texts(text))
        ]
    assert_same(found, expected("positions")[file], file)


def test_commands_read_positions_with_the_old_key_hints():
    answer = run_json("analyse", str(FILES / "positions" / "graph_hints.json"))
    (wanted,) = expected("positions")["graph_hints.json"]
    assert_same(list(answer["probabilities"].values()), list(wanted["chance_of_mine"].values()))


# The page's data folder, and exported profiles.


@pytest.fixture
def open_page(tmp_path):
    """Open the page on a copy of an old data folder, or on a new one for None."""
    clients = []

    def start(folder: str | None, **options: Any) -> Page:
        data = tmp_path / f"data-{len(clients)}"
        if folder is not None:
            shutil.copytree(FILES / "profiles" / folder, data)
        app = create_app(data, **options)
        address = ("127.0.0.1", 50_000)
        client = TestClient(app, base_url=BASE, follow_redirects=False, client=address)
        clients.append(client)
        return Page(client.__enter__())

    yield start
    for client in clients:
        client.__exit__(None, None, None)


def games_of(wanted: dict[str, Any]) -> dict[str, str]:
    return {name: game["id"] for name, game in wanted["games"].items()}


def test_data_folder_reads_the_same_also_when_opened_again(open_page, tmp_path):
    wanted = expected("profiles")["home"]
    first = open_page("home")
    assert_same(describe_profile(first, games_of(wanted)), wanted)
    first.client.__exit__(None, None, None)
    with TestClient(create_app(tmp_path / "data-0"), base_url=BASE) as client:
        assert_same(describe_profile(Page(client), games_of(wanted)), wanted)
    first.client.__enter__()


@pytest.mark.parametrize("name", expected("profiles")["same_deals_again"])
def test_new_game_on_the_layout_of_an_old_game_counts_as_repeated(open_page, name):
    page = open_page("home")
    game = page.post("/api/games", expected("profiles")["same_deals_again"][name])
    assert game["state"]["repeated"]


def test_opening_the_text_of_a_finished_game_opens_the_stored_game(open_page):
    page, wanted = open_page("home"), expected("profiles")
    for name, file in wanted["opened_again"].items():
        text = (FILES / file).read_text(encoding="utf-8")
        assert page.post("/api/games", {"text": text})["id"] == wanted["home"]["games"][name]["id"]
    # Also if it has hints, which version 0.2 saved under another name.
    won = wanted["home"]["games"]["beginner won with help"]["id"]
    text = (FILES / "profiles/page_saved/beginner_won_with_help.txt").read_text(encoding="utf-8")
    assert page.post("/api/games", {"text": text})["id"] == won


def test_old_game_can_be_continued(open_page):
    page = open_page("home")
    wanted = expected("profiles")["home"]["games"]["expert unfinished with question marks"]
    game = wanted["id"]
    state = page.post(f"/api/games/{game}/resume")["state"]
    assert state["running"] and state["events"] == wanted["moves"]
    certain = page.post(f"/api/games/{game}/probabilities")["safe"]
    moved = page.post(f"/api/games/{game}/moves", {"action": "reveal", "cell": certain[0]})
    assert moved["state"]["events"] == wanted["moves"] + 1
    assert moved["state"]["hints"] == wanted["help"] + 1
    undone = page.post(f"/api/games/{game}/moves", {"action": "undo"})
    assert undone["marks"] == [-1] * len(moved["cells"])


@pytest.mark.parametrize("file", ["sapper-profile.json", "sapper-statistics.json"])
def test_exported_file_can_be_imported(open_page, file):
    wanted, page = expected("profiles")[file], open_page(None)
    body = expected("profiles", file)
    for key in ("added", "added_again"):
        answer = page.post("/api/profile/import", body)
        assert {kind: answer[kind]["added"] for kind in wanted[key]} == wanted[key]
        assert answer["settings"] == wanted["settings"]
    assert_same(describe_profile(page, games_of(wanted["after"])), wanted["after"])


def test_export_of_an_old_profile_can_be_imported(open_page):
    old, new = open_page("home"), open_page(None)
    new.post("/api/profile/import", old.get("/api/profile/export"))
    wanted = expected("profiles")["sapper-profile.json"]["after"]
    assert_same(describe_profile(new, games_of(wanted)), wanted)


def test_old_profile_adds_nothing_to_its_own_data_folder(open_page):
    profile = expected("profiles", "sapper-profile.json")
    answer = open_page("home").post("/api/profile/import", profile)
    assert [answer[kind]["added"] for kind in ("documents", "results", "games")] == [0, 0, 0]


def test_games_of_an_exported_profile_are_loaded():
    text = (FILES / "profiles" / "sapper-profile.json").read_text(encoding="utf-8")
    found = [[name, one.game.outcome, one.milliseconds] for name, one in load_sessions(text)]
    assert_same(found, expected("profiles")["sapper-profile.json"]["finished_first_attempts"])


def test_visitors_are_recognised_by_their_old_cookies(open_page):
    page, cookies = open_page("shared", sharing=SHARING), expected("profiles", "cookies.json")
    assert_same(describe_visitors(page, cookies), expected("profiles")["shared"])


def test_data_folder_of_the_first_version_is_migrated(open_page):
    page, wanted = open_page("version_1"), expected("profiles")["version_1"]
    found = {
        "games": {name: describe_page_game(page, game) for name, game in games_of(wanted).items()},
        "statistics": [describe_summary(row) for row in page.get("/api/statistics")["summaries"]],
    }
    assert_same(found, wanted)


# The lab.

LAB = expected("lab")


@pytest.mark.parametrize("file", LAB["files"])
def test_result_file_reads_the_same(file):
    assert_same(describe_result_file(FILES / "lab" / file), LAB["files"][file], file)


# The defaults of version 0.2 that have changed since.
OLD_DEFAULTS = {
    "shrewd_settings": {
        "end_game": 1000,
        "thin_end_game": 600,
        "nodes": 300_000,
        "first_weight": 0.1,
        "second_weight": 0.85,
        "ahead": 0.06,
        "influence": 0.08,
        "margin": 0.005,
    }
}
# `patient` had a setting in version 0.2 that is gone: it cannot play as it did.
OTHER_STRATEGY = "patient_settings"


@pytest.mark.parametrize("name", [name for name in LAB["words"] if name != OTHER_STRATEGY])
def test_campaign_finds_its_old_results(name):
    """The same options give the campaign in the file, and the same default file name."""
    words = dict(LAB["words"][name])
    if name in OLD_DEFAULTS:
        words["settings"] = OLD_DEFAULTS[name] | words["settings"]
    campaign = campaign_of(words)
    (wanted,) = LAB["files"][f"{name}.sqlite"]
    with ResultFile(FILES / "lab" / f"{name}.sqlite") as results:
        assert results.campaigns() == [campaign.with_seeds(range(0))]
        assert results.totals(campaign, campaign.seeds).wins == wanted["wins"]
    assert f"{campaign.slug}.sqlite" == wanted["usual_file"]


def test_results_of_a_changed_player_are_not_continued():
    for name in (OTHER_STRATEGY, *OLD_DEFAULTS):
        campaign = campaign_of(LAB["words"][name])
        with ResultFile(FILES / "lab" / f"{name}.sqlite") as results:
            assert campaign.with_seeds(range(0)) not in results.campaigns()
        (wanted,) = LAB["files"][f"{name}.sqlite"]
        assert f"{campaign.slug}.sqlite" != wanted["usual_file"]


@pytest.mark.parametrize("file", LAB["going_on"])
def test_old_result_file_is_continued(file, tmp_path):
    wanted = dict(LAB["going_on"][file])
    campaign = campaign_of(wanted.pop("words"))
    shutil.copy(FILES / "lab" / file, tmp_path / "copy.sqlite")
    with (
        worker_pool("threads", 1) as workers,
        ResultFile(tmp_path / "copy.sqlite", write=True) as results,
    ):
        run_campaign(results, campaign, workers)
    (described,) = describe_result_file(tmp_path / "copy.sqlite")
    assert_same({key: described[key] for key in wanted}, wanted, file)


def test_old_result_files_are_merged(tmp_path):
    for name, parts in LAB["merged_from"].items():
        merge([FILES / "lab" / part for part in parts], tmp_path / name)
        # Without the seconds: a part of a shard has its share of them, rounded.
        found, wanted = (
            [{key: row[key] for key in row if key != "seconds"} for row in rows]
            for rows in (describe_result_file(tmp_path / name), LAB["files"][name])
        )
        assert_same(found, wanted)


def test_old_result_files_are_compared():
    wanted = LAB["compared"]
    first, second = (FILES / "lab" / file for file in wanted["files"])
    with ResultFile(first) as a, ResultFile(second) as b:
        pairs = compare(CampaignResults.of(a), CampaignResults.of(b))
    found = {
        "files": wanted["files"],
        **pick(pairs, "games", "both", "neither", "p_value"),
        **pick(pairs, only_first="only_a", only_second="only_b"),
    }
    assert_same(found, wanted)


def test_lab_run_finds_old_results_in_the_data_folder_and_plays_no_game_again(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shutil.copytree(FILES / "lab" / "usual", tmp_path / "sapper" / "lab")
    for options in LAB["usual_files"]["words"]:
        run_json(*campaign_arguments(options))
    found = {path.name: path for path in (tmp_path / "sapper" / "lab").iterdir()}
    assert sorted(found) == LAB["usual_files"]["names"]
    for name, path in found.items():
        assert_same(describe_result_file(path), LAB["files"][f"usual/{name}"], name)


# Worksheets, puzzles, practice.

CODES = expected("worksheets", "codes.json")


def test_methods_and_open_sets_keep_the_order_that_codes_refer_to():
    assert {"methods": list(METHODS), "open": [*OPEN_SETS, "own"]} == CODES["order"]


@pytest.mark.parametrize("row", CODES["codes"], ids=lambda row: row["code"])
def test_worksheet_code_gives_the_same_puzzles(row):
    assert_same(describe_code(row["code"]), row["says"])
    board, open_cells = row.get("board"), row.get("open_cells")
    size = "x".join(map(str, row["says"]["size"])) if open_cells and board is None else None
    given = WorksheetOptions(board=board, size=size, open_cells=open_cells)
    options = options_from_code(row["code"], given)
    rules = rules_from_options(options)
    again = encode(rules, options.count, options.seed)
    assert again is not None
    assert_same(describe_code(again), row["says"])
    if row["puzzles"] is not None:
        made = paper_puzzles(rules, options.count, options.seed)
        assert_same([describe_paper_puzzle(puzzle) for puzzle in made], row["puzzles"])


def test_command_gives_the_same_worksheet_for_a_code():
    wanted = expected("worksheets")
    answer = run_json("worksheet", "--code", wanted["code"])
    found = [
        {"seed": str(row["seed"]), **pick(row, "difficulty", mines="solution")}
        for row in answer["paper_puzzles"]
    ]
    assert_same(found, wanted["by_command"])


PUZZLES = expected("puzzles")


@pytest.mark.parametrize("name", PUZZLES["puzzles"])
def test_puzzle_name_gives_the_same_puzzle(name):
    tiling, difficulty, seed = puzzles.parse_name(name)
    made = puzzle(puzzle_rules(difficulty, tiling), seed)
    position, proof = made.position, made.proof
    found = {
        **pick(made, "difficulty", "rating"),
        "board": describe_board(position.board),
        "marks": position.marks.tolist(),
        "mine_count": position.mines,
        "mines_to_find": list(made.flag),
        "safe_to_find": list(made.reveal),
        "easiest": [proof.move.action, proof.move.cell],
        "numbers": list(proof.number_cells),
        "uses_mine_count": proof.uses_mine_count,
    }
    assert_same(found, PUZZLES["puzzles"][name], name)


@pytest.mark.parametrize("day", PUZZLES["of_the_day"])
def test_day_has_the_same_puzzles(day):
    wanted = PUZZLES["of_the_day"][day]
    assert {name: puzzles.daily_name(name, day) for name in wanted} == wanted


@pytest.mark.parametrize("name", PUZZLES["practice"])
def test_lesson_has_the_same_first_board_and_exercise(name):
    (lesson,) = (lesson for lesson in LESSONS if lesson.name == name)
    wanted = PUZZLES["practice"][name]
    exercise = find_exercise(lesson, int(wanted["seed"]), DEFAULT_BUDGET.start())
    found, move = practice_answer(exercise)
    described = {
        "first_board": first_exercise(lesson, DEFAULT_BUDGET.start()).position.marks.tolist(),
        "first_moves": sorted(lesson.moves),
        "seed": wanted["seed"],
        "marks": exercise.position.marks.tolist(),
        "answer": [move.action, move.cell],
        "numbers": list(found.numbers),
    }
    assert_same(described, wanted, name)


# Links.

LINKS = expected("links", "links.json")


@pytest.fixture(scope="module")
def new_page(tmp_path_factory):
    app = create_app(tmp_path_factory.mktemp("links"))
    with TestClient(app, base_url=BASE) as client:
        yield Page(client)


@pytest.mark.parametrize("number", range(len(LINKS)), ids=lambda k: f"{k} {LINKS[k]['what']}")
def test_link_opens_the_same(new_page, number):
    row = LINKS[number]
    assert_same(describe_link(new_page, row["link"]), row["opens"], row["what"])


# The browser.

STORED = expected("browser", "stored.json")
RENAMED_SETTINGS = {"assured": "justified", "train": "puzzles", "tables": "worksheet"}
# Commands of the page that version 0.2 did not have.
NEW_KEYS = {"beginner": ["1"], "intermediate": ["2"], "expert": ["3"], "noGuess": ["e"]}
RENAMED_KEYS = {"nudge": "hint", "odds": "probabilities", "toDo": "nextNumber"}
RENAMED_OPTIONS = {
    "rung": "difficulty",
    "at_most": "or_easier",
    "mines_share": "mine_density",
    "deal": "generator",
}
RENAMED_ROUTES = {
    "/api/games/abcDEF_-1234/hold": "/api/games/abcDEF_-1234/open",
    "/api/kept/settings": "/api/documents/settings",
}


def renamed(values: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in values.items()}


def renamed_settings(values: dict[str, Any]) -> dict[str, Any]:
    """Return settings of version 0.2 by the names of this version.

    Version 0.2 stored all settings when the user changed one, so a stored `mines` was mostly the
    default. It is not read: mines are shown after a loss unless the user turns that off.
    """
    if "mines" in values:
        values = {**values, "showMines": True}
        del values["mines"]
    return {
        name: renamed(value, RENAMED_KEYS if name == "keys" else RENAMED_OPTIONS)
        if isinstance(value, dict)
        else value
        for name, value in renamed(values, RENAMED_SETTINGS).items()
    }


def expected_page(*keys: str) -> dict[str, Any]:
    """Return what the page of version 0.2 read or requested, by the names of this version."""
    wanted = expected("browser")
    for key in keys:
        wanted = wanted[key]
    wanted = dict(wanted)
    if "settings" in wanted:
        wanted["settings"] = renamed_settings(wanted["settings"])
    if "keys" in wanted:
        wanted["keys"] = renamed(wanted["keys"], RENAMED_KEYS) | NEW_KEYS
    if "asked" in wanted:
        wanted["asked"] = [
            [method, RENAMED_ROUTES.get(path, path), body] for method, path, body in wanted["asked"]
        ]
    return wanted


@pytest.mark.parametrize("name", STORED["local"])
def test_settings_in_browser_storage_are_read(node, name):
    found = node("read", {"local": STORED["local"][name]})
    assert_same(found, expected_page("local", name), name)


@pytest.mark.parametrize("name", expected("browser")["choices"])
def test_changed_settings_are_stored_and_read_again(node, name):
    choices = list(renamed_settings(dict(expected("browser")["choices"][name])).items())
    stored = node("choose", {"choices": choices})
    wanted = expected_page("local", f"written by the page: {name}")
    assert_same(node("read", {"local": stored}), wanted, name)


@pytest.mark.parametrize("name", STORED["session"])
def test_window_returns_to_its_game(node, name):
    answers = {"/api/games/abcDEF_-1234/open": {"others": 0}}
    found = node("window", {"session": STORED["session"][name], "answers": answers})
    assert_same(found, expected_page("session", name), name)


def test_settings_of_an_old_profile_are_used(node):
    wanted = expected_page("settings_of_a_profile")
    value = wanted.pop("kept")
    answers = {"/api/menu": {"shared": True}, "/api/documents/settings": {"value": value}}
    assert_same(node("sync", {"answers": answers}), wanted)
