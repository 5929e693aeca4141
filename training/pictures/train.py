"""Train the network that reads cells: `python -m training.pictures.train --seconds 500`.

Workers draw scenes of invented skins and cut windows of cells from them; the network is trained on
these, on a GPU where there is one. The result is `src/sapper/data/pictures.npz`.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from sapper.pictures.network import CELL, CLASSES
from training.pictures.glyphs import font_paths
from training.pictures.windows import IGNORE, random_windows

ROOT = Path(__file__).parents[2]
GROUP_SIZE = 16
"""Windows that are drawn, stored and chosen together."""
WINDOWS_PER_SCENE = 2
"""Windows that are cut from each scene."""
CHECK_GROUPS, MIN_GROUPS = 60, 40
"""Groups that training never sees, and groups with which it starts."""
MAX_GROUPS = 26_000
"""Groups that are kept, 98 GB; later ones replace earlier ones."""


class Windows(torch.utils.data.IterableDataset):  # type: ignore[type-arg]
    """An endless data set of random windows, in groups."""

    def __init__(self, fonts: Path, seed: int):
        self.fonts, self.seed = fonts, seed

    def __iter__(self) -> Any:
        """Yield groups of pixels and labels."""
        fonts = font_paths(self.fonts)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        torch.set_num_threads(1)
        while True:
            pairs: list[tuple[np.ndarray, np.ndarray]] = []
            while len(pairs) < GROUP_SIZE:
                # Pillow refuses some sizes of some shapes and fonts.
                with suppress(Exception):
                    pairs += random_windows(rng, fonts, WINDOWS_PER_SCENE)
            yield (
                torch.from_numpy(np.stack([pixels for pixels, _ in pairs])),
                torch.from_numpy(np.stack([labels for _, labels in pairs]).astype(np.int8)),
            )


def augment(pixels: Tensor) -> Tensor:
    """Permute, invert and stretch the colours of windows; pixels as (n, h, w, 3), 0 to 255."""
    n, device = len(pixels), pixels.device
    order = torch.rand(n, 3, device=device).argsort(1)
    keep = torch.rand(n, 1, device=device) < 0.6
    order = torch.where(keep, torch.arange(3, device=device), order)
    pixels = torch.gather(pixels, 3, order[:, None, None, :].expand(-1, *pixels.shape[1:3], -1))
    flip = (torch.rand(n, 1, 1, 1, device=device) < 0.12).float()
    pixels = pixels * (1 - flip) + (255 - pixels) * flip
    gain = torch.empty(n, 1, 1, 1, device=device).uniform_(0.55, 1.0)
    offset = torch.rand(n, 1, 1, 1, device=device) * 255 * (1 - gain)
    change = (torch.rand(n, 1, 1, 1, device=device) < 0.4).float()
    pixels = pixels * (1 - change) + (pixels * gain + offset) * change
    noise = torch.rand(n, 1, 1, 1, device=device) * 3
    return (pixels + torch.randn_like(pixels) * noise).clamp(0, 255).round()


def prepare(pixels: Tensor) -> Tensor:
    """Return the six input channels: relative to the window, and relative to each cell."""
    n, h, w, _ = pixels.shape
    mean = pixels.mean((1, 2, 3), keepdim=True)
    deviation = (pixels - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
    relative_to_window = (pixels - mean) / (deviation + 8)
    cells = pixels.view(n, h // CELL, CELL, w // CELL, CELL, 3).permute(0, 1, 3, 5, 2, 4)
    flat = cells.reshape(n, h // CELL, w // CELL, 3, CELL * CELL)
    median = flat.kthvalue(CELL * CELL // 2, dim=-1, keepdim=True).values
    difference = flat - median
    largest = difference.abs().amax(3, keepdim=True)
    scale = largest.topk(12, dim=-1).values[..., -1:].clamp(min=9)
    relative_to_cell = (
        (difference / scale).clamp(-1.5, 1.5).view(*cells.shape).permute(0, 1, 4, 2, 5, 3)
    )
    return (
        torch.cat((relative_to_window, relative_to_cell.reshape(n, h, w, 3)), 3)
        .permute(0, 3, 1, 2)
        .contiguous()
    )


class ConvNorm(nn.Module):
    """A convolution with batch normalisation and ReLU; folded into one when exported."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, pad: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, pad, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Return the activations."""
        return F.relu(self.norm(self.conv(x)))

    def folded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the kernel and the bias of the equivalent convolution."""
        scale = self.norm.weight / (self.norm.running_var + self.norm.eps).sqrt()
        weight = self.conv.weight * scale[:, None, None, None]
        bias = self.norm.bias - self.norm.running_mean * scale
        return weight.detach().float().cpu().numpy(), bias.detach().float().cpu().numpy()

    def load_folded(self, weight: np.ndarray, bias: np.ndarray, sample: Tensor) -> Tensor:
        """Load the kernel and the bias that `folded` returned; return the output for a sample.

        The normalisation is set so that it changes nothing for inputs like the sample.
        """
        self.conv.weight.copy_(torch.from_numpy(weight.astype(np.float32)))
        shifted = self.conv(sample)
        mean, variance = shifted.mean((0, 2, 3)), shifted.var((0, 2, 3), correction=0)
        self.norm.running_mean.copy_(mean)
        self.norm.running_var.copy_(variance)
        self.norm.weight.copy_((variance + self.norm.eps).sqrt())
        self.norm.bias.copy_(torch.from_numpy(bias.astype(np.float32)).to(mean) + mean)
        return F.relu(self.norm(shifted))


class Attention(nn.Module):
    """Self-attention between all cells of a window: cells that look alike share evidence."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.inward = nn.Linear(width, 3 * width)
        self.outward = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Return x plus the output of the attention; x as (n, width, rows, columns)."""
        n, c, h, w = x.shape
        flat = x.flatten(2).transpose(1, 2)
        parts = self.inward(self.norm(flat)).view(n, h * w, 3, self.heads, c // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, h * w, c)
        return x + self.outward(mixed).transpose(1, 2).view(n, c, h, w)


class Network(nn.Module):
    """Convolutions over pixels give a vector for each cell; then attention combines the cells."""

    def __init__(self, base: int = 24, width: int = 64, heads: int = 4, blocks: int = 3):
        super().__init__()
        b = base
        self.pixels = nn.ModuleList(
            (
                ConvNorm(6, b, 3),
                ConvNorm(b, 2 * b, 3, 2),
                ConvNorm(2 * b, 2 * b, 3),
                ConvNorm(2 * b, 4 * b, 3, 2),
                ConvNorm(4 * b, 4 * b, 3),
                ConvNorm(4 * b, 4 * b, 5, 5, 0),
                ConvNorm(4 * b, width, 1, 1, 0),
            )
        )
        self.alone = nn.Linear(width, len(CLASSES))
        self.convs = nn.ModuleList(ConvNorm(width, width, 3) for _ in range(blocks))
        self.attentions = nn.ModuleList(Attention(width, heads) for _ in range(blocks))
        self.final = nn.Linear(width, len(CLASSES))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of each cell: from its own pixels alone, and from the whole window."""
        for layer in self.pixels:
            x = layer(x)
        alone = self.alone(x.permute(0, 2, 3, 1))
        for attention, conv in zip(self.attentions, self.convs, strict=True):
            x = attention(x)
            x = x + conv(x)
        return alone, self.final(x.permute(0, 2, 3, 1))

    def _linear_layers(self) -> dict[str, Any]:
        """Return the layers that are exported as they are, by name."""
        named: dict[str, Any] = {"alone": self.alone, "final": self.final}
        for i, layer in enumerate(self.attentions):
            named |= {
                f"attention{i}.norm": layer.norm,
                f"attention{i}.inward": layer.inward,
                f"attention{i}.outward": layer.outward,
            }
        return named

    @torch.no_grad()
    def load(self, path: Path, sample: Tensor) -> None:
        """Load exported weights; inputs as in training restore the normalisation."""
        self.eval()
        with np.load(path) as arrays:
            for name, module in self._linear_layers().items():
                module.weight.copy_(torch.from_numpy(arrays[f"{name}.weight"]))
                module.bias.copy_(torch.from_numpy(arrays[f"{name}.bias"]))
            x = sample
            for i, layer in enumerate(self.pixels):
                x = layer.load_folded(arrays[f"pixels{i}.weight"], arrays[f"pixels{i}.bias"], x)
            for i, (attention, conv) in enumerate(zip(self.attentions, self.convs, strict=True)):
                x = attention(x)
                x = x + conv.load_folded(arrays[f"conv{i}.weight"], arrays[f"conv{i}.bias"], x)

    def export(self) -> dict[str, np.ndarray]:
        """Return the weights by name, with batch normalisation folded in."""
        arrays: dict[str, np.ndarray] = {}
        for group, layers in (("pixels", self.pixels), ("conv", self.convs)):
            for i, layer in enumerate(layers):
                arrays[f"{group}{i}.weight"], arrays[f"{group}{i}.bias"] = layer.folded()
        for name, module in self._linear_layers().items():
            arrays[f"{name}.weight"] = module.weight.detach().float().cpu().numpy()
            arrays[f"{name}.bias"] = module.bias.detach().float().cpu().numpy()
        return {name: array.astype(np.float16) for name, array in arrays.items()}


def main() -> None:
    """Train for a given time and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--fonts", type=Path, default=ROOT / "build" / "fonts")
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "sapper" / "data")
    parser.add_argument("--workers", type=int, default=6)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to continue from, as pictures.npz")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    network = Network().to(device)
    loader = torch.utils.data.DataLoader(
        Windows(options.fonts, options.seed),
        batch_size=None,
        num_workers=options.workers,
        prefetch_factor=3,
    )
    groups: list[tuple[Tensor, Tensor]] = []
    stop = Event()
    collector = Thread(target=_collect, args=(loader, groups, device, stop), daemon=True)
    collector.start()
    while len(groups) < CHECK_GROUPS + MIN_GROUPS:
        time.sleep(0.1)
    if options.start:
        sample = torch.cat([pixels for pixels, _ in groups[:4]])
        network.load(options.start, prepare(augment(sample.float())))
        print("start:", _evaluate(network, groups[:CHECK_GROUPS]), flush=True)
    steps = _train(network, groups, options, device)
    fonts = [Path(font).name for font in font_paths(options.fonts)]
    card = {
        "steps": steps,
        "windows": len(groups) * GROUP_SIZE,
        "seconds": options.seconds,
        "check": _evaluate(network, groups[:CHECK_GROUPS]),
        "fonts": fonts,
        "seed": options.seed,
    }
    _save(network, options.out, card)
    stop.set()
    collector.join(timeout=30)


def _collect(loader: Any, groups: list[tuple[Tensor, Tensor]], device: str, stop: Event) -> None:
    """Move windows to the device as they are drawn, until *stop* is set."""
    for count, (pixels, labels) in enumerate(loader):
        if stop.is_set():
            return
        group = pixels.to(device), labels.to(device)
        if count < MAX_GROUPS:
            groups.append(group)
        else:
            groups[CHECK_GROUPS + count % (MAX_GROUPS - CHECK_GROUPS)] = group


def _train(
    network: Network, groups: list[tuple[Tensor, Tensor]], options: argparse.Namespace, device: str
) -> int:
    """Train on all windows drawn so far, until the time is over; return the number of steps."""
    optimiser = torch.optim.AdamW(network.parameters(), options.rate, weight_decay=0.02)
    rng = np.random.default_rng(options.seed)
    start, steps, last_report = time.time(), 0, 0.0
    losses: list[float] = []
    while (elapsed := time.time() - start) < options.seconds:
        chosen = rng.integers(CHECK_GROUPS, len(groups), options.batch // GROUP_SIZE)
        pixels = torch.cat([groups[i][0] for i in chosen]).float()
        labels = torch.cat([groups[i][1] for i in chosen]).long()
        progress = elapsed / options.seconds
        rate = (
            options.rate * min(1.0, steps / 300 + 0.01) * 0.5 * (1 + math.cos(math.pi * progress))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate + 1e-6
        network.train()
        inputs = prepare(augment(pixels)).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            alone, final = network(inputs)
        loss = _loss(final, labels) + 0.4 * _loss(alone, labels)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        steps += 1
        if steps % 50 == 0:
            losses.append(float(loss.detach()))
        if elapsed - last_report > 30:
            last_report = elapsed
            print(
                f"{elapsed:.0f} s, {steps} steps, {len(groups) * GROUP_SIZE} windows, loss "
                f"{np.mean(losses[-20:]):.4f}, {_evaluate(network, groups[:CHECK_GROUPS])}",
                flush=True,
            )
    return steps


def _save(network: Network, folder: Path, card: dict[str, Any]) -> None:
    print(card["check"], flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "pictures.npz", **network.export())
    (folder / "pictures.json").write_text(json.dumps(card, indent=1) + "\n")


def _loss(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits.float().flatten(0, 2), labels.flatten(), ignore_index=IGNORE)


@torch.no_grad()
def _evaluate(network: Network, groups: list[tuple[Tensor, Tensor]]) -> str:
    """Return the accuracy on groups of windows and the most frequent confusions, as text."""
    network.eval()
    right = total = right_windows = windows = 0
    alone_right = 0
    confusion = np.zeros((len(CLASSES), len(CLASSES)), int)
    for pixels, labels in groups:
        alone, final = network(prepare(pixels.float()))
        labels = labels.long()
        known = labels != IGNORE
        good = (final.argmax(-1) == labels) | ~known
        right += int((good & known).sum())
        alone_right += int(((alone.argmax(-1) == labels) & known).sum())
        total += int(known.sum())
        right_windows += int(good.flatten(1).all(1).sum())
        windows += len(labels)
        pairs = (labels * len(CLASSES) + final.argmax(-1))[known].cpu().numpy()
        confusion += np.bincount(pairs, minlength=confusion.size).reshape(confusion.shape)
    wrong = confusion.copy()
    np.fill_diagonal(wrong, 0)
    worst = sorted(
        ((int(wrong[i, j]), CLASSES[i] + CLASSES[j]) for i, j in np.ndindex(wrong.shape)),
        reverse=True,
    )[:10]
    return (
        f"cells {right / total:.4%}, alone {alone_right / total:.4%}, "
        f"windows {right_windows / windows:.2%}, worst {worst}"
    )


if __name__ == "__main__":
    main()
