"""Draws pictures and films in the folder it is run in: `cells`, what the stand-in detectors take for faces, or `heads`,
which the detector that dlib brings takes for faces, too."""
import sys

import cv2
import numpy as np

GROUND = 120


def cell(picture, x, y, light, owner, turn=(0, 0)):
    """Tiles of an owner's colours, 192 pixels wide, and a green middle on a grid of 64, whose red and blue turn and lift the head."""
    tiles = np.random.default_rng(owner).random((12, 12, 3)) * light * 2
    skin = tiles.clip(0, 255).astype(np.uint8)
    picture[y - 64 : y + 128, x - 64 : x + 128] = cv2.resize(skin, (192, 192), interpolation=cv2.INTER_NEAREST)
    picture[y : y + 64, x : x + 64] = (turn[1], 255, turn[0])


def head(picture, x, y, light, owner):
    """A head 200 pixels wide, shaded as light from above would; owners differ in colour and proportions."""
    draws = np.random.default_rng(owner)
    skin = np.array([140, 170, 210]) * (0.8 + 0.3 * draws.random(3)) * light / 120
    mouth, brow = int(60 + 12 * draws.random()), int(24 + 8 * draws.random())
    shade = lambda part: tuple(int(c) for c in (skin * part).clip(0, 255))
    at = lambda dx, dy: (x + dx, y + dy)
    oval = lambda centre, axes, colour: cv2.ellipse(picture, centre, axes, 0, 0, 360, colour, -1)
    oval(at(0, -10), (112, 142), shade(0.25))
    oval(at(0, 5), (92, 122), shade(1))
    for side in (-40, 40):
        oval(at(side, -35), (27, 13), shade(0.7))
        oval(at(side, -30), (19, 9), shade(1.3))
        cv2.circle(picture, at(side, -30), 9, shade(0.2), -1)
        oval(at(side, -55), (brow, 7), shade(0.35))
    for side in (-1, 1):
        cv2.line(picture, at(12 * side, -25), at(14 * side, 15), shade(0.7), 5)
    oval(at(0, 25), (22, 9), shade(0.7))
    for side in (-9, 9):
        oval(at(side, 27), (6, 4), shade(0.35))
    oval(at(0, mouth), (38, 11), shade(0.35))
    oval(at(0, mouth + 7), (34, 9), shade(0.6))


def picture(kind, places, light=120, owner=0, turn=(0, 0)):
    width = 640 if len(places) < 2 else 1280
    drawn = np.full((448, width, 3), 30 if kind == "cells" else GROUND * light // 120, np.uint8)
    for column, row in places:
        if kind == "cells":
            cell(drawn, column * 64, row * 64, light, owner, turn)
        else:
            head(drawn, column * 64 + 32, row * 64 + 32, light, owner)
    return drawn if kind == "cells" else cv2.GaussianBlur(drawn, (0, 0), 1.5)


def main(kind):
    middle = [(4, 3)]
    for name, drawn in (
        ("one", picture(kind, middle)),
        ("other", picture(kind, middle, owner=7)),
        ("none", picture(kind, [])),
        ("two", picture(kind, [(4, 3), (14, 3)])),
        ("dark", picture(kind, middle, light=3 if kind == "cells" else 20)),
    ):
        cv2.imwrite(name + ".png", drawn)
    for name, places in (("one", middle), ("none", [])):
        film = cv2.VideoWriter(name + ".avi", cv2.VideoWriter_fourcc(*"MJPG"), 15, (640, 448))
        for frame in range(40):
            # A ResNet that learnt nothing takes another light for another person.
            film.write(picture(kind, places, light=118 + frame % 3 if kind == "cells" else 120))
        film.release()
    # A head that looks straight, turns or is lifted, and looks straight again.
    for name, turn in (("left", (30, 0)), ("up", (0, 30))) if kind == "cells" else ():
        film = cv2.VideoWriter(name + ".avi", cv2.VideoWriter_fourcc(*"MJPG"), 15, (640, 448))
        for frame in range(60):
            film.write(picture(kind, middle, light=118 + frame % 3, turn=turn if 20 <= frame < 40 else (0, 0)))
        film.release()


if __name__ == "__main__":
    main(sys.argv[1])
