"""Reads a scene folder (scene.toml, PLY, .npy) as `impinge-io` writes it."""

import pathlib
import tomllib
from dataclasses import dataclass

import numpy as np


@dataclass
class Body:
    points: np.ndarray  # float32 [vertices, 3], in body coordinates
    triangles: np.ndarray  # int32 [triangles, 3]
    positions: np.ndarray | None  # float32 [frames, vertices, 3], for a deforming body
    poses: np.ndarray | None  # float64 [frames, 4, 4], for a rigid one
    self_collision: bool

    def points_at(self, frame):
        return self.points if self.positions is None else self.positions[frame]

    def pose_at(self, frame):
        return np.eye(4) if self.poses is None else self.poses[frame]

    def world_at(self, frame):
        pose = self.pose_at(frame)
        return self.points_at(frame).astype(np.float64) @ pose[:3, :3].T + pose[:3, 3]

    def box_at(self, frame):
        """A box around the body in the world: of the points, or of the turned box where it only turns."""
        points = self.points_at(frame)
        low, high = points.min(0).astype(np.float64), points.max(0).astype(np.float64)
        if self.poses is None:
            return low, high
        pose = self.poses[frame]
        centre = pose[:3, :3] @ ((low + high) / 2) + pose[:3, 3]
        reach = np.abs(pose[:3, :3]) @ ((high - low) / 2)
        return centre - reach, centre + reach


def load(path):
    """The bodies of a scene.toml and its number of frames."""
    folder = pathlib.Path(path).parent
    with open(path, "rb") as file:
        described = tomllib.load(file)["body"]
    array = lambda name: None if name is None else np.load(folder / name)
    bodies = [
        Body(*ply(folder / b["mesh"]), array(b.get("positions")), array(b.get("poses")), b.get("self_collision", False))
        for b in described
    ]
    tracks = [t for b in bodies for t in (b.positions, b.poses) if t is not None]
    return bodies, max((len(track) for track in tracks), default=1)


def ply(path):
    """Binary little-endian PLY with float corners and triangles, and nothing else."""
    data = path.read_bytes()
    header, _, rest = data.partition(b"end_header\n")
    number = lambda element: int(header.split(b"element " + element + b" ")[1].split(b"\n")[0])
    vertices, faces = number(b"vertex"), number(b"face")
    points = np.frombuffer(rest, "<f4", 3 * vertices).reshape(-1, 3)
    face = np.dtype([("corners", "u1"), ("indices", "<u4", 3)])
    triangles = np.frombuffer(rest, face, faces, 12 * vertices)["indices"]
    return points, np.ascontiguousarray(triangles, dtype=np.int32)


def overlapping(bodies, frame):
    """Pairs of bodies whose boxes overlap."""
    low, high = (np.array(side) for side in zip(*(body.box_at(frame) for body in bodies)))
    meet = (low[:, None] <= high[None]).all(2) & (low[None] <= high[:, None]).all(2)
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(meet, 1))]
