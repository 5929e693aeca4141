"""Read a position from a screenshot that is pasted, dropped or chosen in Analyse."""

from __future__ import annotations

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import Unavailable
from sapper.serialize.cells import Json
from sapper.web.features.analyse import position_json
from sapper.web.server import limits
from sapper.web.server.http import JsonResponse, read_bytes
from sapper.web.server.workers import WorkQueues

MEDIA_TYPE = "application/octet-stream"


async def read_picture(request: Request) -> Response:
    """Return the position in a picture, with the cells that are not certain."""
    data = await read_bytes(request, limits.PICTURE_BODY, (MEDIA_TYPE,))
    queues: WorkQueues = request.app.state.work_queues
    try:
        return JsonResponse(await to_thread.run_sync(_reading_json, data, limiter=queues.pictures))
    except Unavailable as error:  # no board in the picture, or Pillow is not installed
        raise HTTPException(422, str(error)) from None


ROUTES = [Route("/api/picture", read_picture, methods=["POST"])]


def _reading_json(data: bytes) -> Json:
    from sapper.pictures.files import load_picture
    from sapper.pictures.reading import read

    picture = load_picture(data)
    found = read(picture)
    lattice = found.lattice
    limits.check_cells(lattice.columns, lattice.rows)
    return {
        **position_json(found.position),
        "unsure": [
            {
                "cell": item.cell,
                "confidence": round(item.confidence, 4),
                "marks": [item.read, *item.alternatives],
            }
            for item in found.unsure_cells
        ],
        "notes": list(found.notes),
        # As shares of the picture: the browser may decode it at another size.
        "area": {
            "left": lattice.left / picture.width,
            "top": lattice.top / picture.height,
            "width": lattice.columns * lattice.width / picture.width,
            "height": lattice.rows * lattice.height / picture.height,
        },
    }
