"""`foreword doctor`: is everything there that Foreword needs, and if not, what is to be done?

Works with whatever is left of an installation: every library is asked in a process of its own.
"""

import argparse
import json
from collections.abc import Sequence

from inference.doctor.examination import CHECKS, Check, examine
from inference.doctor.finding import Finding, worst
from inference.doctor.probes import PROBES

EPILOG = """exit status:
  0  nothing is wrong (there may be warnings)
  1  something is wrong, and the remedy is printed
  2  the arguments make no sense
"""


def main(arguments: Sequence[str], checks: Sequence[Check] = CHECKS) -> int:
    parser = argparse.ArgumentParser(
        prog="foreword doctor",
        description="Look at the installation and this machine: a verdict on each thing, and what to do.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    parser.add_argument("--verbose", action="store_true", help="versions and places too, for whoever asks for help")
    parser.add_argument("--probe", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.probe is not None:
        if options.probe not in PROBES:
            parser.error(f"there is no probe {options.probe}")
        print(json.dumps(PROBES[options.probe]()))
        return 0
    findings = []
    for finding in examine(checks):
        findings.append(finding)
        if not options.json:
            print(text_of(finding, options.verbose), flush=True)
    verdict = worst(findings)
    if options.json:
        print(json.dumps({"format": 1, "verdict": verdict, "findings": [f.as_json() for f in findings]}, indent=2))
    else:
        print({"good": "\nNothing is wrong.", "warning": "\nIt works, with reservations.", "bad": ""}[verdict])
    return int(verdict == "bad")


def text_of(finding: Finding, verbose: bool = False) -> str:
    """For a terminal: the verdict, the thing, what is with it, and what to do."""
    mark = {"good": "ok", "warning": "!", "bad": "WRONG"}[finding.verdict]
    lines = [f"{mark:>6}  {finding.title}: {finding.text}"]
    if finding.remedy:
        lines.append(f"        -> {finding.remedy}")
    if verbose or finding.open:
        lines += [f"           {label}: {value}" for label, value in finding.facts]
    return "\n".join(lines)
