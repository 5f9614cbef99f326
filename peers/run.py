"""One library on one scene: run.py LIBRARY SCENE.toml THREADS SECONDS. Prints one line of JSON.

The first frame with everything that is built for it, then every frame once; no frame is started after so many seconds.
"""

import json
import os
import sys
import time


def main(name, path, threads, seconds):
    # Before anything is imported: libraries that choose their number of threads look at how many cores they may use.
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:threads])
    from libraries import LIBRARIES
    from scene import load

    bodies, frames = load(path)
    start = time.perf_counter()
    library = LIBRARIES[name](bodies, threads)
    built = time.perf_counter() - start
    first, ms, pairs = 0.0, [], []
    end = time.monotonic() + seconds
    for count, frame in enumerate([0, *range(frames)]):
        library.prepare(frame)
        start = time.perf_counter()
        found = library.run(frame)
        taken = time.perf_counter() - start
        if count == 0:
            first = 1e3 * (built + taken)
        else:
            ms.append(1e3 * taken)
            pairs.append(found)
            if time.monotonic() > end:
                break
    print(json.dumps({"version": library.version, "first": first, "ms": ms, "pairs": pairs}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
