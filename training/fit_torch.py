"""Steps of a fit with PyTorch, on a GPU if there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from training.fit import Settings, code_channels
from training.positions import Positions

NO_DECAY = ("first_bias", "second_bias", "last_bias", "skip")


class Fitter:
    """A network being fitted; all positions are in the memory of the device."""

    def __init__(
        self, positions: Positions, initial: dict[str, Any], symmetries: Any, settings: Settings
    ) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        name = torch.cuda.get_device_name() if self.device.type == "cuda" else "processor"
        self.by = f"PyTorch {torch.__version__} on {name}"
        torch.manual_seed(settings.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.patch = self._move(positions.patch)
        self.scalar = self._move(positions.scalar)
        self.target = self._move(positions.target)
        self.symmetries = self._move(symmetries.astype(np.int64))
        self.channels = self._move(code_channels())
        self.p = {
            key: torch.tensor(values, dtype=torch.float32, device=self.device, requires_grad=True)
            for key, values in initial.items()
        }
        groups = [
            {"params": [v for k, v in self.p.items() if k not in NO_DECAY]},
            {"params": [v for k, v in self.p.items() if k in NO_DECAY], "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(
            groups, weight_decay=settings.decay, fused=self.device.type == "cuda"
        )

    def _move(self, array: Any) -> Any:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _forward(self, rows: Any, symmetry: Any) -> Any:
        """Return the values of candidates; *symmetry* is the symmetry of each position."""
        p = self.p
        patch = self.patch[rows].long()
        patch = patch.gather(-1, self.symmetries[symmetry][:, None, :].expand_as(patch))
        x = self.channels[patch].flatten(-2)
        scalar = self.scalar[rows].float() / 4096
        first_layer = x @ p["rows"].flatten(0, 1) + scalar @ p["from_scalars"] + p["first_bias"]
        second_layer = torch.relu(first_layer) @ p["middle"] + p["second_bias"]
        return torch.relu(second_layer) @ p["last"] + scalar @ p["skip"]

    def step(self, rows: Any, rate: float) -> Any:
        """Make a step on some positions; return its loss, which may not be computed yet."""
        index = self._move(rows)
        valid = (index >= 0).float()
        index = index.clamp(min=0)
        symmetry = torch.randint(len(self.symmetries), (len(index),), device=self.device)
        errors = self._forward(index, symmetry) - self.target[index]
        counts = valid.sum(1, keepdim=True)
        errors = (errors - (errors * valid).sum(1, keepdim=True) / counts) * valid
        loss = (errors * errors).sum() / valid.sum()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.p.values()), 1.0)
        self.optimiser.step()
        return loss.detach()

    def values(self, rows: Any, batch: int = 2048) -> Any:
        """Return the values of all candidates of some positions, without symmetries."""
        values = []
        with torch.no_grad():
            for i in range(0, len(rows), batch):
                index = self._move(rows[i : i + batch]).clamp(min=0)
                symmetry = torch.zeros(len(index), dtype=torch.long, device=self.device)
                values.append(self._forward(index, symmetry).cpu().numpy())
        return np.concatenate(values)

    def weights(self) -> dict[str, Any]:
        """Return the current weights."""
        return {key: value.detach().cpu().double().numpy() for key, value in self.p.items()}

    def wait(self) -> None:
        """Wait until the device has finished its work."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    @staticmethod
    def read(losses: list[Any]) -> list[float]:
        """Return losses as numbers."""
        return torch.stack(losses).cpu().tolist() if losses else [0.0]
