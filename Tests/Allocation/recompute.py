#!/usr/bin/env python3
"""Reckons every allocation of a study again, from its log alone (ST-5).

    recompute.py [--commitment SHA256] GROUPS.json ALLOCATIONS.json [ALLOCATIONS.json ...]

GROUPS.json is the answer of GET /studies/{id}/groups, ALLOCATIONS.json those of GET /studies/{id}/allocations, page by
page, both fetched after allocation was closed for good. The commitment is the one that was told before the first
participant: without it nothing shows that the groups told now are those of the beginning. Nothing but the standard library is used, and nothing of the
portal: how places are drawn stands in docs/decisions/0055-arms.md.
"""

import hashlib
import json
import sys

MASK = (1 << 64) - 1


def fnv(text, state=0xCBF29CE484222325):
    """FNV-1a, 64 bits; goes on from a state."""
    for byte in text.encode():
        state = (state ^ byte) * 0x100000001B3 & MASK
    return state


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        value = self.state
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
        return value ^ (value >> 31)

    def below(self, limit):
        return self.next() * limit >> 64


def shuffled(turn, size, sequence, block, seed):
    """A block: every arm as often as its ratio, shuffled after Fisher and Yates."""
    places = [turn[place % len(turn)] for place in range(size)]
    chance = SplitMix64(seed ^ fnv(str(block), sequence))
    for index in range(size - 1, 0, -1):
        other = chance.below(index + 1)
        places[index], places[other] = places[other], places[index]
    return places


class Minimisation:
    """Pocock and Simon, with as many slots for an arm as its ratio says."""

    def __init__(self, turn):
        self.turn = turn
        self.counts = {}

    def draw(self, levels, number, seed):
        size = len(self.turn)
        ranges = []
        for slot in range(size):
            total = 0
            for stratum, level in enumerate(levels):
                counts = list(self.counts.get((stratum, level), [0] * size))
                counts[slot] += 1
                total += max(counts) - min(counts)
            ranges.append(total)
        best = [slot for slot in range(size) if ranges[slot] == min(ranges)]
        chance = SplitMix64(seed ^ fnv("minimised/" + str(number)))
        slot = best[chance.below(len(best))]
        if chance.below(10) >= 8:
            other = chance.below(size - 1)
            slot = other if other < slot else other + 1
        for stratum, level in enumerate(levels):
            self.counts.setdefault((stratum, level), [0] * size)[slot] += 1
        return self.turn[slot]


def known(arm):
    """An arm's key and ratio: one of the three strings says both."""
    return (arm, 1) if isinstance(arm, str) else (arm["key"], arm["ratio"])


def stratum(one):
    """As it is committed to; of a score with the limits of its bands."""
    if one["kind"] != "score":
        return one["kind"]
    limits = ",".join(str(int(limit)) if limit == int(limit) else repr(float(limit)) for limit in one["bands"])
    return f"score:{one['questionnaire_key']}:{one['scale']}:{limits}"


def rule(groups):
    arms = " ".join(f"{key}*{ratio}" for key, ratio in map(known, groups["arms"]))
    strata = " ".join(map(stratum, groups["strata"]))
    moment = "allocated baseline\n" if groups.get("allocated_at") == "baseline" else ""
    return (
        f"intersession allocation {groups['rule_version']}\nallocation {groups['allocation']}\narms {arms}\n"
        f"size {groups['size']}\nstrata {strata}\n{moment}seed {groups['seed']}\nsalt {groups['salt']}\n"
    )


def recompute(groups, lines):
    """Yields each line of the log with the arm that follows."""
    turn = [key for key, ratio in map(known, groups["arms"]) for _ in range(ratio)]
    seed = int(groups["seed"])
    minimisation = Minimisation(turn)
    for line in lines:
        if groups["allocation"] == "minimised":
            arm = minimisation.draw(line["levels"], line["place"], seed)
        elif groups["allocation"] == "randomised":
            sequence = int(line["sequence"], 16)
            block, place = divmod(line["place"], groups["size"])
            arm = shuffled(turn, groups["size"], sequence, block, seed)[place]
        else:
            arm = turn[line["place"] // groups["size"] % len(turn)]
        yield line, arm


def places(lines, before):
    """What is wrong with the order of the log: each sequence is taken place by place, with none left out but what was there before."""
    taken, missing = {}, before
    for line in lines:
        if line["sequence"] not in taken and line["place"] <= missing:
            missing -= line["place"]
        elif line["place"] != taken.get(line["sequence"], 0):
            yield f"{line['number']}: place {line['place']} of its sequence is not the next one"
        taken[line["sequence"]] = line["place"] + 1


def main(paths):
    early = None
    if paths[:1] == ["--commitment"]:
        early, paths = paths[1], paths[2:]
    with open(paths[0], encoding="utf-8") as file:
        groups = json.load(file)["data"]["attributes"]
    lines = []
    for path in paths[1:]:
        with open(path, encoding="utf-8") as file:
            lines += [item["attributes"] for item in json.load(file)["data"]]
    if groups["seed"] is None:
        sys.exit("allocation is not closed: seed and salt are not told yet")
    faults = []
    if groups["commitment"] is None:
        print("these groups committed themselves to nothing")
    elif hashlib.sha256(rule(groups).encode()).hexdigest() != groups["commitment"]:
        faults.append("rule, seed and salt are not those that were committed to")
    if early and early != groups["commitment"]:
        faults.append("that is not what was committed to at the beginning")
    proved = [line for line in lines if line["number"] is not None]
    # Of those from before the log the erased are in no line.
    before = proved[0]["number"] - 1 if proved else groups["allocated"]
    faults += places(proved, before)
    if [line["number"] for line in proved] != list(range(before + 1, groups["allocated"] + 1)):
        faults.append(f"the log has {len(proved)} of {groups['allocated'] - before} lines: all of its pages are needed")
    for line, arm in recompute(groups, proved):
        if arm != line["arm"]:
            faults.append(f"{line['number']}: {arm} follows, {line['arm']} was allocated")
    if before:
        print(f"{before} were allocated before there was a log")
    print(f"{len(proved)} allocations reckoned again, {len(faults)} faults")
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
