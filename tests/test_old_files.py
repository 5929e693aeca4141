"""Files that version 0.2.0 wrote, opened again: the same boards, moves, numbers and digests.

`data/old_files/README.md` says what each file is and how version 0.2.0 made it.
The first part of this module says what this version makes of a file, in the words of the
`expected.json` beside it: when names change, that part changes, and the files stay.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
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
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.formats.binary import decode_file
from sapper.formats.registry import parse_any, split_texts
from sapper.games.campaign import Campaign
from sapper.games.review import review
from sapper.games.session import Session
from sapper.generators.paper_puzzles.codes import decode, encode
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import paper_puzzles
from sapper.generators.puzzles.make import puzzle, puzzle_rules
from sapper.lab.compare import CampaignResults, compare
from sapper.lab.report import report_json
from sapper.lab.results import ResultFile, merge
from sapper.lab.run import run_campaign
from sapper.lab.runners import RUNNERS, PoolOptions
from sapper.players.registry import PLAYERS
from sapper.serialize.saved_games import load_session, load_sessions
from sapper.serialize.worksheets import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
)
from sapper.web.app import create_app
from sapper.web.features import puzzles
from sapper.web.learn.lessons import LESSONS
from sapper.web.learn.practice import first_board, practice
from sapper.web.learn.practice import first_move as practice_answer
from sapper.web.server.invitations import SharingOptions

FILES = Path(__file__).parent / "data" / "old_files"
BASE = "http://127.0.0.1:8765"
DAY = "2026-02-14"
STATIC = Path(sapper.__file__).parent / "web" / "static"
SHARING = SharingOptions(f"{BASE}/", invitation="an-invitation", own="an-own-link")


def expected(folder: str, file: str = "expected.json") -> Any:
    return json.loads((FILES / folder / file).read_text(encoding="utf-8"))


def assert_same(found: Any, wanted: Any, where: str = "") -> None:
    """Compare two values as JSON has them; fractions up to rounding."""
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


def command(*words: str, **environment: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "sapper", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment, "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout


# What this version says.


def board_said(board: Board) -> Any:
    if board.tiling is not None:
        return f"{board.tiling} {board.size[0]}x{board.size[1]}"
    return {"names": list(board.names), "edges": [list(map(int, edge)) for edge in board.edges()]}


def position_said(position: Position) -> dict[str, Any]:
    said: dict[str, Any] = {
        "kind": "position",
        "board": board_said(position.board),
        "marks": position.marks.tolist(),
        "mine_count": position.mines,
    }
    found = analyse(position)
    chances = found.probability_array
    said["chance_of_mine"] = {
        str(cell): round(float(chances[cell]), 12)
        for cell in range(len(position.board))
        if chances[cell] == chances[cell]
    }
    said["safe"] = found.safe_cells.tolist()
    said["certain_mines"] = found.certain_mine_cells.tolist()
    said["solutions"] = str(found.solutions)
    return said


def layout_said(layout: Layout) -> dict[str, Any]:
    return {
        "kind": "layout",
        "board": board_said(layout.board),
        "mines": layout.mine_cells.tolist(),
        "click": layout.click,
        "3bv": layout.three_bv,
    }


def game_said(session: Session, judged: bool = True) -> dict[str, Any]:
    """All that follows from a saved game."""
    start, game = session.setup, session.game
    result = session.result
    said: dict[str, Any] = {
        "board": board_said(start.rules.board),
        "mine_count": start.rules.mines,
        "rule": start.rules.rule,
        "generated": "given" if start.layout is not None else start.generator,
        "seed": None if start.seed is None else str(start.seed),
        "given_click": None if start.layout is None else start.layout.click,
        "mines": None if game.layout is None else game.layout.mine_cells.tolist(),
        "marks": session.position.marks.tolist(),
        "outcome": game.outcome,
        "exploded": sorted(map(int, game.exploded)),
        "milliseconds": session.milliseconds,
        "clicks": session.clicks,
        "undos": session.undos,
        "pauses": session.pauses,
        "help": session.hints,
        "losses": session.deaths,
        "continues": game.continues,
        "helped": session.helped,
        "3bv_revealed": session.three_bv,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
        "first_result": None
        if result is None
        else {
            "outcome": result.outcome,
            "milliseconds": result.milliseconds,
            "clicks": result.clicks,
            "3bv": result.three_bv,
            "helped": result.helped,
        },
        "log": [
            [event.at, "help" if event.what == "hint" else event.what] for event in session.log
        ],
    }
    if judged and game.layout is not None:
        found = review(session)
        said["review"] = {
            "classes": [move.kind for move in found.moves],
            "risks": [round(move.risk, 9) for move in found.moves],
            "mistakes": len(found.mistakes),
            "missed": [[int(one.cell), one.since, one.moves] for one in found.missed],
            "accuracy": found.accuracy,
            "luck": round(found.tally.luck, 9),
        }
    return said


class Page:
    """Somebody at the page: requests as its JavaScript makes them."""

    def __init__(self, client: TestClient, cookies: dict[str, str] | None = None):
        self.client = client
        self.cookies = cookies

    def ask(
        self, method: str, path: str, body: Any = None, status: tuple[int, ...] = (200, 201)
    ) -> Any:
        headers = {}
        if self.cookies is not None:
            self.client.cookies.clear()
            headers["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        more = {"json": body} if method == "POST" else {}
        if isinstance(body, str):  # a file
            headers["content-type"] = "application/x-ndjson"
            more = {"content": body}
        answer = self.client.request(method, path, headers=headers, **more)
        if self.cookies is not None:
            given = SimpleCookie(answer.headers.get("set-cookie", ""))
            self.cookies |= {name: morsel.value for name, morsel in given.items()}
            self.client.cookies.clear()
        assert answer.status_code in status, (path, answer.status_code, answer.text)
        is_json = answer.headers.get("content-type", "") == "application/json"
        return answer.json() if is_json else answer.text

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.ask("POST", path, body or {})

    def session(self, game: str) -> Session:
        return self.client.app.state.games._live[game].session  # where the page cannot look


TRIED = {
    "square-one-5": "right",
    "square-two-7": "right",
    "square-three-5": "wrong",
    "square-two-8": "right",
    "hexagonal-one-3": "right",
    "triangular-two-4": "give-up",
    "torus-count-6": "time",
    "triangular-edge-one-9": "right",
    "square-four-2": "right",
}


def profile_said(page: Page, games: dict[str, str]) -> dict[str, Any]:
    """What the page shows of a profile."""
    training_now = page.get(f"/api/puzzles/days/{DAY}")
    luck = page.get("/api/statistics/luck")
    history = page.get("/api/statistics/history")
    names = {game: name for name, game in games.items()}
    found_here = page.get("/api/profile")
    return {
        "name": found_here["name"],
        "games_with_a_move": found_here["games"],
        "results": found_here["results"],
        "listed": [
            [names.get(row["id"], row["id"]), row["title"], row["repeated"], row["finished"]]
            for row in page.get("/api/games")["games"]
        ],
        "games": {name: page_game_said(page, game) for name, game in games.items()},
        "statistics": [summary_said(row) for row in page.get("/api/statistics")["summaries"]],
        "history": [
            {
                "group": [kind["tiling"], kind["size"], kind["rule"], kind["generator"]],
                "last": [names.get(row["id"], row["id"]) for row in kind["last"]],
                "best": [
                    [names.get(row["id"], row["id"]), row["milliseconds"]] for row in kind["best"]
                ],
                "months": [[row["month"], row["games"], row["wins"]] for row in kind["months"]],
            }
            for kind in history["categories"]
        ],
        "reviewed": {
            names.get(row["id"], row["id"]): [row["luck"], row["accuracy"]]
            for row in page.get("/api/reviews")["games"]
        },
        "luck": {
            "games": len(luck["games"]),
            "luck": luck["luck"],
            "error": luck["error"],
            "accuracy": luck["accuracy"],
        },
        "training": {
            key: training_now["user"][key]
            for key in ("rating", "deviation", "tried", "solved", "streak", "best")
        },
        "tries": [
            [
                one["puzzle"],
                one["right"],
                one["seconds"],
                one["rating"],
                one["puzzle_rating"],
                one["move"],
            ]
            for one in training_now["history"]
        ],
        "puzzles_of_the_day": [
            [row["tiling"], row["puzzle"], row["right"]] for row in training_now["daily"]
        ],
        "puzzle_ratings": {name: page.get(f"/api/puzzles/{name}")["rating"] for name in TRIED},
        "lessons": {
            row["name"]: {
                "first_board_done": row["progress"]["first_board"],
                "right": row["progress"]["right"],
                "wrong": row["progress"]["wrong"],
                "in_a_row": row["progress"]["streak"],
                "learned": row["progress"]["mastered"],
            }
            for row in page.get("/api/learn")["lessons"]
        },
        "settings": page.get("/api/documents/settings")["value"],
    }


def page_game_said(page: Page, game: str) -> dict[str, Any]:
    one = page.get(f"/api/games/{game}")
    state = one["state"]
    said = {
        "id": game,
        "title": one["title"],
        "tiling": one["tiling"],
        "size": one["size"],
        "mine_count": one["mines"],
        "marks": one["marks"],
        "question_marks": one["question_marks"],
        "moves": state["events"],
        "outcome": state["outcome"],
        "exploded": state["exploded"],
        "milliseconds": state["milliseconds"],
        "clicks": state["clicks"],
        "3bv_revealed": state["three_bv"],
        "3bv": state["three_bv_total"],
        "undos": state["undos"],
        "help": state["hints"],
        "losses": state["deaths"],
        "continues": state["continues"],
        "helped": state["helped"],
        "played_before": state["repeated"],
        "can_undo": state["can_undo"],
        "can_redo": state["can_redo"],
    }
    if state["outcome"] in ("won", "lost"):
        said["mines"] = page.get(f"/api/games/{game}/mines")["mines"]
    return said


def summary_said(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": row["title"],
        "group": [row["tiling"], row["size"], row["rule"], row["generator"]],
        "games": row["games"],
        "wins": row["wins"],
        "wins_with_help": row["helped_wins"],
        "win_rate": row["win_rate"],
        "interval": [row["low"], row["high"]],
        "streak": row["streak"],
        "best_streak": row["best_streak"],
        "best_milliseconds": row["best_milliseconds"],
        "mean_milliseconds": row["mean_milliseconds"],
        "best_3bv_per_second": row["best_three_bv_per_second"],
        "mean_efficiency": row["mean_efficiency"],
    }


def shared_said(page: Page, cookies: dict[str, dict[str, str]]) -> dict[str, Any]:
    said = {}
    for name, known in cookies.items():
        person = Page(page.client, dict(known))
        found_here = person.get("/api/profile")
        listed = person.get("/api/games")["games"]
        said[name] = {
            "name": found_here["name"],
            "games_with_a_move": found_here["games"],
            "results": found_here["results"],
            "games": [page_game_said(person, row["id"]) for row in listed],
            "training": person.get(f"/api/puzzles/days/{DAY}")["user"]["rating"],
            "puzzle_rating": person.get("/api/puzzles/square-one-5")["rating"],
            "theme": person.get("/api/documents/settings")["value"]["theme"],
        }
    stranger = Page(page.client, {"sapper-8765": "not-a-secret"})
    stranger.ask("GET", "/api/profile", status=(403,))
    return said


def campaign_of(words: dict[str, Any]) -> Campaign:
    return Campaign.of(
        words.get("rules") or words["size"],
        PLAYERS.find(words["player"]).with_settings(words.get("settings") or {}),
        words["games"],
        words["seed"],
        words.get("rule"),
        words.get("first"),
        tiling=words.get("tiling"),
    )


def campaign_words(words: dict[str, Any], out: Path | None) -> list[str]:
    """The command of a campaign."""
    found = [
        "lab",
        "run",
        words["size"],
        "--player",
        words["player"],
        "--games",
        str(words["games"]),
    ]
    found += ["--seed", str(words["seed"]), "--jobs", "1", "--runner", "threads"]
    for option in ("rule", "first", "tiling"):
        found += [f"--{option}", words[option]] if option in words else []
    for name, value in words.get("settings", {}).items():
        found += ["--set", f"{name}={json.dumps(value) if not isinstance(value, str) else value}"]
    return [*found, *([] if out is None else ["--out", str(out)]), "--json"]


def file_said(path: Path) -> list[dict[str, Any]]:
    """What a result file holds."""
    with ResultFile(path) as results:
        return [sums_said(results, campaign) for campaign in results.campaigns()]


def sums_said(results: ResultFile, campaign: Campaign) -> dict[str, Any]:
    sums = results.totals(campaign)
    row = report_json(sums)
    bits = [results.won_bits(campaign, span) for span in sums.ranges]
    return {
        "board": board_said(campaign.rules.board),
        "mine_count": campaign.rules.mines,
        "rule": campaign.rules.rule,
        "first": campaign.first,
        "player": campaign.player,
        "settings": dict(campaign.settings),
        "games": row["games"],
        "wins": row["wins"],
        "win_rate": row["win_rate"],
        "interval": [row["low"], row["high"]],
        "guesses": row["guesses"],
        "games_by_guesses": list(sums.by_guesses),
        "seconds": row["seconds"],
        "seeds": row["seeds"],
        "builds": row["versions"],
        "won": ["".join("1" if one else "0" for one in part.tolist()) for part in bits],
        # Its identity: what the file knows it by, and what its usual file is called.
        "text": campaign.text,
        "digest": campaign.slug.rpartition("-")[2],
        "usual_file": f"{campaign.slug}.sqlite",
        "name": row["name"],
    }


def puzzle_on_paper_said(one: Any) -> dict[str, Any]:
    return {
        "marks": one.position.marks.tolist(),
        "mines": one.mine_cells.tolist(),
        "difficulty": one.difficulty,
        "unique_by": one.unique_by,
        "seed": str(one.seed),
    }


def code_said(code: str) -> dict[str, Any]:
    """What a code says, field by field; of a graph the numbers of its fingerprint."""
    said = decode(code)
    return {
        "tiling": said.tiling,
        "size": list(said.size),
        "open": "own" if said.open_set == "custom" else said.open_set,
        "method": said.method,
        "mine_density": said.mine_density,
        "difficulty": said.difficulty,
        "or_easier": said.or_easier,
        "count": said.count,
        "seed": str(said.seed),
    }


def opened_said(page: Page, link: str) -> dict[str, Any]:
    """What the page shows where this link leads: the requests are those of its views."""
    path, _, query = link.removeprefix("#/").partition("?")
    view, _, name = path.partition("/")
    words = dict(parse_qsl(query))
    return {
        "play": lambda: play_link_said(page, words),
        "analyse": lambda: analyse_link_said(page, words),
        "watch": lambda: watch_link_said(page, words),
        "paper": lambda: paper_link_said(page, words),
        "train": lambda: {"marks": page.get(f"/api/puzzles/{name}")["marks"]},
        "learn": lambda: learn_link_said(page, name, words),
    }[view]()


def play_link_said(page: Page, words: dict[str, str]) -> dict[str, Any]:
    request = {"token": words["game"]} if "game" in words else words
    game = str(page.post("/api/games", request)["id"])
    session = page.session(game)
    if (
        not session.log
    ):  # the first click fixes the mines: in the middle, as `sapper generate` has it
        board = session.game.board
        page.post(f"/api/games/{game}/moves", {"action": "reveal", "cell": board.middle})
    said = page_game_said(page, game)
    for key in ("id", "milliseconds", "played_before"):
        said.pop(key)
    assert session.game.layout is not None
    return said | {
        "mines": session.game.layout.mine_cells.tolist(),
        "rule": session.setup.rules.rule,
    }


def analyse_link_said(page: Page, words: dict[str, str]) -> dict[str, Any]:
    found = page.post("/api/position", {"token": words["position"]})
    asked = {key: found[key] for key in ("board", "marks", "mines")}
    answer = page.post("/api/analysis", asked)
    return {
        "marks": found["marks"],
        "mine_count": found["mines"],
        "cells": answer["cells"],
        "chance_of_mine": answer["probabilities"],
        "safe": answer["safe"],
        "certain_mines": answer["certain_mines"],
    }


def watch_link_said(page: Page, words: dict[str, str]) -> dict[str, Any]:
    watch = page.post("/api/watch", words)
    steps: list[Any] = []
    end = None
    while end is None:
        found_here = page.post(f"/api/watch/{watch['id']}/steps", {"from": len(steps)})
        steps += found_here["steps"]
        end = found_here["end"]
    return {
        "moves": [step["move"] for step in steps],
        "guesses": [step["guess"] for step in steps].count(True),
        "outcome": end["outcome"],
        "mines": end["mines"],
    }


def paper_link_said(page: Page, words: dict[str, str]) -> dict[str, Any]:
    token = words["set"]
    found_here = page.get(f"/api/worksheets/{token}")
    wish = found_here["options"]
    return {
        "code": found_here["code"],
        "pages": found_here["pages"],
        "pages_without_solutions": found_here["puzzle_pages"],
        "puzzles": [[one["marks"], one["difficulty"]] for one in found_here["paper_puzzles"]],
        "mines": [
            page.get(f"/api/worksheets/{token}/puzzles/{k}/solution")["mines"]
            for k in range(1, len(found_here["paper_puzzles"]) + 1)
        ],
        "sheet": {
            key: wish[key]
            for key in ("title", "paper", "per_page", "large_print", "high_contrast", "solutions")
        },
        "count": wish["count"],
        "seed": wish["seed"],
    }


def learn_link_said(page: Page, name: str, words: dict[str, str]) -> dict[str, Any]:
    if "seed" not in words:
        (lesson,) = (one for one in page.get("/api/learn")["lessons"] if one["name"] == name)
        return {"marks": lesson["marks"]}
    return {"marks": page.post(f"/api/learn/{name}/exercise", {"seed": words["seed"]})["marks"]}


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
  async carry() {
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


def node(task: str, given: dict[str, Any]) -> Any:
    """What the page's own modules do, in Node with a store and a server made of paper."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(STATIC / "lib", Path(place) / "lib")
        (Path(place) / "package.json").write_text('{"type": "module"}')
        (Path(place) / "run.js").write_text(NODE)
        done = subprocess.run(
            ["node", "run.js", task, json.dumps(given)],
            cwd=place,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)


# Saved games and replays.


@pytest.mark.parametrize("file", expected("saved_games"))
def test_a_saved_game_is_as_it_was(file):
    wanted = expected("saved_games")[file]
    written = wanted.pop("saved_again")
    session = load_session(decode_file((FILES / "saved_games" / file).read_bytes()))
    assert_same(game_said(session), wanted, file)
    assert_same(game_said(load_session(session.save())), wanted, file)
    # The header is the key by which the page knows a deal that was played before: where it is
    # spelled in another way, the games that are stored have to be spelled again too.
    assert session.setup.format() == written.partition("\n\n")[0].rstrip("\n") + "\n"


@pytest.mark.parametrize("file", expected("profiles")["page_saved"])
def test_a_game_that_the_page_saved_is_as_it_was(file):
    wanted = expected("profiles")["page_saved"][file]
    session = load_session((FILES / "profiles" / file).read_text(encoding="utf-8"))
    assert_same(game_said(session), wanted, file)


@pytest.mark.parametrize("file", expected("replays"))
def test_a_replay_and_the_game_made_of_it_are_as_they_were(file):
    if not file.endswith(".txt"):
        pytest.importorskip("ms_toollib")
    session = load_session(decode_file((FILES / "replays" / file).read_bytes()))
    assert_same(game_said(session), expected("replays")[file], file)


# Positions, layouts, and answers of commands.


@pytest.mark.parametrize("file", expected("positions"))
def test_a_position_is_as_it_was(file):
    text = decode_file((FILES / "positions" / file).read_bytes())
    if file == "graph_rules.json":
        rules = Rules.parse(text)
        said = {"kind": "rules", "board": board_said(rules.board)}
        found = [{**said, "mine_count": rules.mines, "rule": rules.rule}]
    else:
        found = [
            position_said(one) if isinstance(one, Position) else layout_said(one)
            for one in map(parse_any, split_texts(text))
        ]
    assert_same(found, expected("positions")[file], file)


def test_the_commands_read_positions_with_the_older_key():
    answer = json.loads(command("analyse", str(FILES / "positions" / "graph_hints.json"), "--json"))
    (wanted,) = expected("positions")["graph_hints.json"]
    assert_same(list(answer["probabilities"].values()), list(wanted["chance_of_mine"].values()))


# The page's data folder, and files of profiles.


@pytest.fixture
def opened(tmp_path):
    """Open the page on a copy of an old data folder."""
    opened_here = []

    def enter(folder: str | None, **options: Any) -> Page:
        place = tmp_path / f"data-{len(opened_here)}"
        if folder is not None:
            shutil.copytree(FILES / "profiles" / folder, place)
        here = ("127.0.0.1", 50_000)
        app = create_app(place, **options)
        client = TestClient(app, base_url=BASE, follow_redirects=False, client=here)
        opened_here.append(client)
        return Page(client.__enter__())

    yield enter
    for client in opened_here:
        client.__exit__(None, None, None)


def games_of(wanted: dict[str, Any]) -> dict[str, str]:
    return {name: game["id"] for name, game in wanted["games"].items()}


def test_a_data_folder_is_as_it_was(opened):
    wanted = expected("profiles")["home"]
    assert_same(profile_said(opened("home"), games_of(wanted)), wanted)


def test_a_data_folder_is_as_it_was_when_opened_twice(opened, tmp_path):
    wanted = expected("profiles")["home"]
    first = opened("home")
    profile_said(first, games_of(wanted))
    first.client.__exit__(None, None, None)
    with TestClient(create_app(tmp_path / "data-0"), base_url=BASE) as client:
        assert_same(profile_said(Page(client), games_of(wanted)), wanted)
    first.client.__enter__()


@pytest.mark.parametrize("name", expected("profiles")["same_deals_again"])
def test_a_deal_of_an_old_game_was_played_before(opened, name):
    page = opened("home")
    game = page.post("/api/games", expected("profiles")["same_deals_again"][name])
    assert game["state"]["repeated"]


def test_a_finished_game_that_is_opened_again_is_the_one_that_is_there(opened):
    page, wanted = opened("home"), expected("profiles")
    for name, file in wanted["opened_again"].items():
        text = (FILES / file).read_text(encoding="utf-8")
        assert page.post("/api/games", {"text": text})["id"] == wanted["home"]["games"][name]["id"]
    # Also where help was asked for: its word may be another one now.
    won = wanted["home"]["games"]["beginner won with help"]["id"]
    text = (FILES / "profiles/page_saved/beginner_won_with_help.txt").read_text(encoding="utf-8")
    assert page.post("/api/games", {"text": text})["id"] == won


def test_an_old_game_goes_on(opened):
    page = opened("home")
    wanted = expected("profiles")["home"]["games"]["expert unfinished with question marks"]
    game = wanted["id"]
    state = page.post(f"/api/games/{game}/resume")["state"]
    assert state["running"] and state["events"] == wanted["moves"]
    certain = page.post(f"/api/games/{game}/probabilities")["safe"]
    moved = page.post(f"/api/games/{game}/moves", {"action": "reveal", "cell": certain[0]})
    assert moved["state"]["events"] == wanted["moves"] + 1
    assert moved["state"]["hints"] == wanted["help"] + 1
    assert page.post(f"/api/games/{game}/moves", {"action": "undo"})["marks"] == [-1] * len(
        moved["cells"]
    )


@pytest.mark.parametrize("file", ["sapper-profile.json", "sapper-statistics.json"])
def test_an_exported_file_is_taken_in(opened, file):
    wanted, page = expected("profiles")[file], opened(None)
    body = expected("profiles", file)
    for key in ("added", "added_again"):
        answer = page.post("/api/profile/import", body)
        assert {kind: answer[kind]["added"] for kind in wanted[key]} == wanted[key]
        assert answer["settings"] == wanted["settings"]
    assert_same(profile_said(page, games_of(wanted["after"])), wanted["after"])


def test_what_is_exported_of_an_old_profile_is_taken_in_elsewhere(opened):
    old, new = opened("home"), opened(None)
    new.post("/api/profile/import", old.get("/api/profile/export"))
    wanted = expected("profiles")["sapper-profile.json"]["after"]
    assert_same(profile_said(new, games_of(wanted)), wanted)


def test_an_old_profile_adds_nothing_to_its_own_data_folder(opened):
    answer = opened("home").post("/api/profile/import", expected("profiles", "sapper-profile.json"))
    assert [answer[kind]["added"] for kind in ("documents", "results", "games")] == [0, 0, 0]


def test_the_games_of_an_exported_profile_are_reviewed():
    text = (FILES / "profiles" / "sapper-profile.json").read_text(encoding="utf-8")
    found = [
        [name, session.game.outcome, session.milliseconds] for name, session in load_sessions(text)
    ]
    wanted = expected("profiles")["sapper-profile.json"]["finished_first_attempts"]
    assert_same(found, wanted)


def test_visitors_come_in_with_their_old_cookies(opened):
    found = shared_said(opened("shared", sharing=SHARING), expected("profiles", "cookies.json"))
    assert_same(found, expected("profiles")["shared"])


def test_a_data_folder_of_the_first_version_is_brought_up_to_date(opened):
    page, wanted = opened("version_1"), expected("profiles")["version_1"]
    found = {
        "games": {name: page_game_said(page, game) for name, game in games_of(wanted).items()},
        "statistics": [summary_said(row) for row in page.get("/api/statistics")["summaries"]],
    }
    assert_same(found, wanted)


# The lab.

LAB = expected("lab")


@pytest.mark.parametrize("file", LAB["files"])
def test_a_result_file_is_as_it_was(file):
    assert_same(file_said(FILES / "lab" / file), LAB["files"][file], file)


@pytest.mark.parametrize("name", LAB["words"])
def test_a_campaign_finds_its_old_results(name):
    """What the same words ask for now is what the file knows, and its usual file has that name."""
    campaign = campaign_of(LAB["words"][name])
    (wanted,) = LAB["files"][f"{name}.sqlite"]
    with ResultFile(FILES / "lab" / f"{name}.sqlite") as results:
        assert results.campaigns() == [campaign.with_seeds(range(0))]
        assert results.totals(campaign, campaign.seeds).wins == wanted["wins"]
    assert f"{campaign.slug}.sqlite" == wanted["usual_file"]


@pytest.mark.parametrize("file", LAB["going_on"])
def test_an_old_result_file_is_gone_on_with(file, tmp_path):
    wanted = dict(LAB["going_on"][file])
    campaign = campaign_of(wanted.pop("words"))
    shutil.copy(FILES / "lab" / file, tmp_path / "copy.sqlite")
    crew = RUNNERS.find("threads").open_pool(PoolOptions(1))
    try:
        with ResultFile(tmp_path / "copy.sqlite", write=True) as results:
            run_campaign(results, campaign, crew)
    finally:
        crew.close()
    (said,) = file_said(tmp_path / "copy.sqlite")
    assert_same({key: said[key] for key in wanted}, wanted, file)


def test_old_result_files_are_put_together(tmp_path):
    for name, parts in LAB["merged_from"].items():
        merge([FILES / "lab" / part for part in parts], tmp_path / name)
        # The seconds are left out: a shard that is cut has its share of them, rounded.
        found, wanted = (
            [{key: row[key] for key in row if key != "seconds"} for row in rows]
            for rows in (file_said(tmp_path / name), LAB["files"][name])
        )
        assert_same(found, wanted)


def test_old_result_files_are_compared():
    wanted = LAB["compared"]
    one, other = (FILES / "lab" / file for file in wanted["files"])
    with ResultFile(one) as a, ResultFile(other) as b:
        pairs = compare(CampaignResults.of(a), CampaignResults.of(b))
    found = {
        "files": wanted["files"],
        "games": pairs.games,
        "both": pairs.both,
        "only_first": pairs.only_a,
        "only_second": pairs.only_b,
        "neither": pairs.neither,
        "p_value": pairs.p_value,
    }
    assert_same(found, wanted)


def test_results_in_the_data_folder_are_found_by_the_command(tmp_path):
    shutil.copytree(FILES / "lab" / "usual", tmp_path / "sapper" / "lab")
    for words in LAB["usual_files"]["words"]:
        command(*campaign_words(words, None), XDG_DATA_HOME=str(tmp_path))
    found = {path.name: path for path in (tmp_path / "sapper" / "lab").iterdir()}
    assert sorted(found) == LAB["usual_files"]["names"]
    for name, path in found.items():  # and nothing was played again
        assert_same(file_said(path), LAB["files"][f"usual/{name}"], name)


# Worksheets, puzzles, practice.

CODES = expected("worksheets", "codes.json")


def test_methods_and_open_sets_stand_in_their_order():
    names = [*OPEN_SETS, "own"]
    assert {"methods": list(METHODS), "open": names} == CODES["order"]


@pytest.mark.parametrize("row", CODES["codes"], ids=lambda row: row["code"])
def test_a_code_gives_its_puzzles(row):
    assert_same(code_said(row["code"]), row["says"])
    looks = WorksheetOptions(board=row.get("board"), open_cells=row.get("open_cells"))
    if row.get("open_cells") and row.get("board") is None:
        looks = WorksheetOptions(
            size="x".join(map(str, row["says"]["size"])), open_cells=row["open_cells"]
        )
    wish = options_from_code(row["code"], looks)
    rules = rules_from_options(wish)
    again = encode(rules, wish.count, wish.seed)
    assert again is not None
    assert_same(code_said(again), row["says"])
    if row["puzzles"] is not None:
        made = paper_puzzles(rules, wish.count, wish.seed)
        assert_same([puzzle_on_paper_said(one) for one in made], row["puzzles"])


def test_the_command_makes_the_sheet_of_a_code():
    wanted = expected("worksheets")
    words = ("worksheet", "--code", wanted["code"], "--json", "--jobs", "1")
    found = [
        {"seed": str(one["seed"]), "mines": one["solution"], "difficulty": one["difficulty"]}
        for one in json.loads(command(*words))["paper_puzzles"]
    ]
    assert_same(found, wanted["by_command"])


PUZZLES = expected("puzzles")


@pytest.mark.parametrize("name", PUZZLES["puzzles"])
def test_a_puzzle_of_a_name_is_as_it_was(name):
    kind, difficulty, seed = puzzles.parse_name(name)
    one = puzzle(puzzle_rules(difficulty, kind), seed)
    move = one.proof.move
    found = {
        "board": board_said(one.position.board),
        "marks": one.position.marks.tolist(),
        "mine_count": one.position.mines,
        "mines_to_find": list(one.flag),
        "safe_to_find": list(one.reveal),
        "difficulty": one.difficulty,
        "rating": one.rating,
        "easiest": [move.action, move.cell],
        "numbers": list(one.proof.number_cells),
        "uses_mine_count": one.proof.uses_mine_count,
    }
    assert_same(found, PUZZLES["puzzles"][name], name)


@pytest.mark.parametrize("day", PUZZLES["of_the_day"])
def test_the_puzzles_of_a_day_are_those_they_were(day):
    wanted = PUZZLES["of_the_day"][day]
    assert {name: puzzles.daily_name(name, day) for name in wanted} == wanted


@pytest.mark.parametrize("name", PUZZLES["practice"])
def test_a_lesson_and_its_practice_are_as_they_were(name):
    (lesson,) = (one for one in LESSONS if one.name == name)
    wanted = PUZZLES["practice"][name]
    there = practice(lesson, int(wanted["seed"]), DEFAULT_BUDGET.start())
    found, move = practice_answer(there)
    said = {
        "first_board": first_board(lesson, DEFAULT_BUDGET.start()).position.marks.tolist(),
        "first_moves": sorted(lesson.moves),
        "seed": wanted["seed"],
        "marks": there.position.marks.tolist(),
        "answer": [move.action, move.cell],
        "numbers": list(found.numbers),
    }
    assert_same(said, wanted, name)


# Links.

LINKS = expected("links", "links.json")


@pytest.fixture(scope="module")
def anywhere():
    with (
        tempfile.TemporaryDirectory() as place,
        TestClient(create_app(Path(place)), base_url=BASE) as client,
    ):
        yield Page(client)


@pytest.mark.parametrize("number", range(len(LINKS)), ids=lambda k: f"{k} {LINKS[k]['what']}")
def test_a_link_opens_what_it_opened(anywhere, number):
    row = LINKS[number]
    assert_same(opened_said(anywhere, row["link"]), row["opens"], row["what"])


# The browser.

STORED = expected("browser", "stored.json")
RENAMED_SETTINGS = {"assured": "justified", "train": "puzzles", "tables": "worksheet"}
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
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


def renamed(values: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in values.items()}


def renamed_settings(values: dict[str, Any]) -> dict[str, Any]:
    """Return settings of version 0.2 by the names of this version."""
    return {
        name: renamed(value, RENAMED_KEYS if name == "keys" else RENAMED_OPTIONS)
        if isinstance(value, dict)
        else value
        for name, value in renamed(values, RENAMED_SETTINGS).items()
    }


def expected_page(*path: str) -> dict[str, Any]:
    """Return what the page of version 0.2 read or asked, by the names of this version."""
    wanted = expected("browser")
    for name in path:
        wanted = wanted[name]
    found_here = dict(wanted)
    if "settings" in found_here:
        found_here["settings"] = renamed_settings(found_here["settings"])
    if "keys" in found_here:
        found_here["keys"] = renamed(found_here["keys"], RENAMED_KEYS)
    if "asked" in found_here:
        found_here["asked"] = [
            [how, RENAMED_ROUTES.get(to, to), body] for how, to, body in found_here["asked"]
        ]
    return found_here


@needs_node
@pytest.mark.parametrize("name", STORED["local"])
def test_settings_in_a_browser_are_read(name):
    found = node("read", {"local": STORED["local"][name]})
    assert_same(found, expected_page("local", name), name)


@needs_node
@pytest.mark.parametrize("name", expected("browser")["choices"])
def test_changed_settings_are_stored_and_read_again(name):
    choices = list(renamed_settings(dict(expected("browser")["choices"][name])).items())
    stored = node("choose", {"choices": choices})
    wanted = expected_page("local", f"written by the page: {name}")
    assert_same(node("read", {"local": stored}), wanted, name)


@needs_node
@pytest.mark.parametrize("name", STORED["session"])
def test_window_returns_to_its_game(name):
    answers = {"/api/games/abcDEF_-1234/open": {"others": 0}}
    found = node("window", {"session": STORED["session"][name], "answers": answers})
    assert_same(found, expected_page("session", name), name)


@needs_node
def test_settings_of_an_old_profile_are_used():
    wanted = expected_page("settings_of_a_profile")
    value = wanted.pop("kept")
    answers = {"/api/menu": {"shared": True}, "/api/documents/settings": {"value": value}}
    assert_same(node("carry", {"answers": answers}), wanted)
