#!/usr/bin/env python3
"""Writes Sources/CUnicode/tables.c from the Unicode Character Database.

    Tests/Unicode/generate.py UnicodeData.txt > Sources/CUnicode/tables.c

UnicodeData.txt has to be that of the version below. A passphrase is normalised with these tables before it opens anything: a later
version may only add characters, never change one (https://www.unicode.org/policies/stability_policy.html), and NormalizationTests
holds every code point against Foundation.
"""
import sys

VERSION = "16.0.0"

# https://www.unicode.org/Public/16.0.0/ucd/CompositionExclusions.txt, the characters that are listed one by one.
EXCLUDED = set()
for span in (
    "0958-095F 09DC-09DD 09DF 0A33 0A36 0A59-0A5B 0A5E 0B5C-0B5D 0F43 0F4D 0F52 0F57 0F5C 0F69 0F76 0F78 0F93 0F9D 0FA2 0FA7 0FAC "
    "0FB9 2ADC "
    "FB1D FB1F FB2A-FB36 FB38-FB3C FB3E FB40-FB41 FB43-FB44 FB46-FB4E 1D15E-1D164 1D1BB-1D1C0"
).split():
    first, _, last = span.partition("-")
    EXCLUDED.update(range(int(first, 16), int(last or first, 16) + 1))


def main(path):
    classes, mappings = {}, {}
    for line in open(path, encoding="ascii"):
        fields = line.split(";")
        scalar = int(fields[0], 16)
        if fields[3] != "0":
            classes[scalar] = int(fields[3])
        if fields[5]:
            words = fields[5].split()
            compatible = words[0].startswith("<")
            mappings[scalar] = (compatible, [int(word, 16) for word in words[compatible:]])

    spans = []  # first, last, class
    for scalar, value in sorted(classes.items()):
        if spans and spans[-1][1] == scalar - 1 and spans[-1][2] == value:
            spans[-1][1] = scalar
        else:
            spans.append([scalar, scalar, value])

    pairs = sorted(
        (targets[0], targets[1], scalar)
        for scalar, (compatible, targets) in mappings.items()
        if not compatible and len(targets) == 2 and scalar not in EXCLUDED
        and scalar not in classes and targets[0] not in classes)

    targets, entries = [], []
    for scalar, (compatible, mapping) in sorted(mappings.items()):
        entries.append((scalar, len(targets), len(mapping), compatible))
        targets += mapping
    assert len(targets) < 1 << 16

    print(f"// Written by Tests/Unicode/generate.py from the Unicode Character Database {VERSION}.")
    print("// Copyright © 1991-2024 Unicode, Inc. https://www.unicode.org/license.txt")
    print('#include "CUnicode.h"\n')
    table("unicode_class unicode_classes[]", [f"{{0x{a:x},0x{b:x},{c}}}" for a, b, c in spans])
    count("classes")
    table(
        "unicode_mapping unicode_mappings[]",
        [f"{{0x{a:x},{b},{c},{int(d)}}}" for a, b, c, d in entries])
    count("mappings")
    table("uint32_t unicode_targets[]", [f"0x{one:x}" for one in targets])
    table("unicode_pair unicode_pairs[]", [f"{{0x{a:x},0x{b:x},0x{c:x}}}" for a, b, c in pairs])
    count("pairs")


def table(declaration, cells):
    print(f"const {declaration} = {{")
    line = " "
    for cell in cells:
        if len(line) + len(cell) > 110:
            print(line)
            line = " "
        line += " " + cell + ","
    print(line + "\n};\n")


def count(name):
    print(f"const size_t unicode_{name}_count = sizeof unicode_{name} / sizeof *unicode_{name};\n")


main(sys.argv[1])
