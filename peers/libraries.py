"""The libraries, each driven the way that is fastest through its Python package.

`prepare(frame)` is not timed: it converts arrays to the library's own types, and finds the pairs of bodies whose
boxes overlap, because neither would be done in Python by someone in a hurry. `run(frame)` is timed, from new
positions or poses to the number of intersecting triangle pairs.
"""

from importlib.metadata import version

import numpy as np

from scene import overlapping


class Coal:
    """Oriented boxes, refitted where a body deforms; no self-collision."""

    def __init__(self, bodies, _threads):
        import coal

        self.coal, self.bodies, self.version = coal, bodies, version("coal")
        self.models = [self.build(body) for body in bodies]
        # NO_REQUEST: pairs only, no points and normals.
        self.request = coal.CollisionRequest(coal.NO_REQUEST, 2**31 - 1)

    def build(self, body):
        model = self.coal.BVHModelOBB()
        model.beginModel(len(body.triangles), len(body.points))
        model.addVertices(body.points_at(0).astype(np.float64))
        model.addTriangles(body.triangles.astype(np.uint64))
        model.endModel()
        return model

    def prepare(self, frame):
        coal = self.coal
        self.poses = [coal.Transform3s(p[:3, :3], p[:3, 3]) for p in (b.pose_at(frame) for b in self.bodies)]
        self.pairs = overlapping(self.bodies, frame)
        self.moved = []
        for model, body in zip(self.models, self.bodies):
            if body.positions is not None:
                points = coal.StdVec_Vec3s()
                points.extend(list(body.positions[frame].astype(np.float64)))
                self.moved.append((model, points))

    def run(self, _frame):
        for model, points in self.moved:
            model.beginReplaceModel()
            model.replaceSubModel(points)
            model.endReplaceModel(True, True)
        found = 0
        for i, j in self.pairs:
            result = self.coal.CollisionResult()
            found += self.coal.collide(
                self.models[i], self.poses[i], self.models[j], self.poses[j], self.request, result
            )
        return found


class Fcl:
    """Oriented boxes, built again where a body deforms (the package has no refit); no self-collision."""

    def __init__(self, bodies, _threads):
        import fcl

        self.fcl, self.bodies, self.version = fcl, bodies, version("python-fcl")
        self.models = [self.build(body, body.points_at(0).astype(np.float64)) for body in bodies]
        self.request = fcl.CollisionRequest(num_max_contacts=2**31 - 1, enable_contact=False)

    def build(self, body, points):
        model = self.fcl.BVHModel()
        model.beginModel(len(points), len(body.triangles))
        model.addSubModel(points, body.triangles)
        model.endModel()
        return model

    def prepare(self, frame):
        poses = (body.pose_at(frame) for body in self.bodies)
        self.poses = [self.fcl.Transform(p[:3, :3], p[:3, 3]) for p in poses]
        self.pairs = overlapping(self.bodies, frame)
        deforming = ((k, body) for k, body in enumerate(self.bodies) if body.positions is not None)
        self.moved = [(k, body, body.positions[frame].astype(np.float64)) for k, body in deforming]

    def run(self, _frame):
        fcl = self.fcl
        for k, body, points in self.moved:
            self.models[k] = self.build(body, points)
        objects = [fcl.CollisionObject(model, pose) for model, pose in zip(self.models, self.poses)]
        found = 0
        for i, j in self.pairs:
            result = fcl.CollisionResult()
            fcl.collide(objects[i], objects[j], self.request, result)
            found += len(result.contacts)
        return found


class MeshLib:
    """Axis-aligned boxes, refitted where a body deforms."""

    def __init__(self, bodies, _threads):
        from meshlib import mrmeshnumpy, mrmeshpy

        self.mm, self.mn, self.bodies, self.version = mrmeshpy, mrmeshnumpy, bodies, version("meshlib")
        self.meshes = [mrmeshnumpy.meshFromFacesVerts(b.triangles, b.points_at(0).copy()) for b in bodies]
        for body, mesh in zip(bodies, self.meshes):
            if mesh.topology.numValidFaces() != len(body.triangles):
                raise ValueError("MeshLib left out triangles: it takes manifold meshes only")
        self.parts = [mrmeshpy.MeshPart(mesh) for mesh in self.meshes]
        self.vertices = [mesh.topology.getValidVerts() for mesh in self.meshes]

    def affine(self, pose):
        mm = self.mm
        rows = [mm.Vector3f(*(float(x) for x in pose[row, :3])) for row in range(3)]
        return mm.AffineXf3f(mm.Matrix3f(*rows), mm.Vector3f(*(float(x) for x in pose[:3, 3])))

    def prepare(self, frame):
        poses = [body.pose_at(frame) for body in self.bodies]
        rigid = [body.poses is not None for body in self.bodies]
        relative = lambda i, j: self.affine(np.linalg.inv(poses[i]) @ poses[j]) if rigid[i] or rigid[j] else None
        self.pairs = [(i, j, relative(i, j)) for i, j in overlapping(self.bodies, frame)]
        deforming = ((k, body) for k, body in enumerate(self.bodies) if body.positions is not None)
        self.moved = [(k, self.mn.fromNumpyArray(np.ascontiguousarray(b.positions[frame]))) for k, b in deforming]

    def run(self, _frame):
        for k, points in self.moved:
            self.meshes[k].points.vec = points
            self.meshes[k].updateCaches(self.vertices[k])
        find, find_self = self.mm.findCollidingTriangles, self.mm.findSelfCollidingTriangles
        found = sum(len(find(self.parts[i], self.parts[j], pose)) for i, j, pose in self.pairs)
        return found + sum(len(find_self(part)) for part, b in zip(self.parts, self.bodies) if b.self_collision)


class Ipctk:
    """Whether anything intersects, over all bodies as one mesh: it has no query for all pairs, and looks for
    self-collision of every body."""

    def __init__(self, bodies, threads):
        import ipctk

        ipctk.set_num_threads(threads)
        self.ipctk, self.bodies, self.version = ipctk, bodies, version("ipctk")
        starts = np.cumsum([0] + [len(body.points) for body in bodies])
        faces = np.asfortranarray(np.vstack([b.triangles + start for b, start in zip(bodies, starts)]))
        self.prepare(0)
        self.mesh = ipctk.CollisionMesh(self.points, np.asfortranarray(ipctk.edges(faces)), faces)

    def prepare(self, frame):
        self.points = np.asfortranarray(np.vstack([body.world_at(frame) for body in self.bodies]))

    def run(self, _frame):
        return int(self.ipctk.has_intersections(self.mesh, self.points, self.ipctk.LBVH()))


LIBRARIES = {"coal": Coal, "python-fcl": Fcl, "MeshLib": MeshLib, "ipctk": Ipctk}
