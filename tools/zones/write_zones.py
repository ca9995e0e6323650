"""Writes the time zones of the tz database that Debian's tzdata has, and the local hours in which their clocks change.

    python3 tools/zones/write_zones.py > src/schema/time_zones.def
"""

import datetime
import zoneinfo
from pathlib import Path

FIRST, LAST = 2027, 2029  # the years whose changes count
UTC = datetime.timezone.utc
ROOT = Path("/usr/share/zoneinfo")


def changes(zone):
    """Each change of the offset, as (moment, offset before, offset after)."""
    at, end = datetime.datetime(FIRST, 1, 1, tzinfo=UTC), datetime.datetime(LAST, 1, 1, tzinfo=UTC)
    step = datetime.timedelta(minutes=15)
    before = at.astimezone(zone).utcoffset()
    while at < end:
        at += step
        after = at.astimezone(zone).utcoffset()
        if after != before:
            yield at, before, after
            before = after


def hours_of(zone):
    """Local hours that a change leaves out or repeats."""
    hours = set()
    for at, before, after in changes(zone):
        begin, end = sorted(((at + before).replace(tzinfo=None), (at + after).replace(tzinfo=None)))
        while begin < end:
            hours.add(begin.hour)
            begin += datetime.timedelta(minutes=15)
    return sorted(hours)


def main():
    version = (ROOT / "tzdata.zi").read_text().split("\n", 1)[0].removeprefix("# version ")
    print(f"// Time zones of the tz database {version}, by region; `=`: the local hours that changes of the clocks leave out or repeat.")
    print("// Written by tools/zones/write_zones.py; do not edit.")
    regions = {}
    for name in sorted(zoneinfo.available_timezones() - {"Factory", "localtime", "posixrules"}):
        if name.startswith(("posix/", "right/")):
            continue
        region, slash, place = name.rpartition("/") if name.count("/") < 2 else name.partition("/")
        hours = ",".join(map(str, hours_of(zoneinfo.ZoneInfo(name))))
        regions.setdefault(region + slash, []).append(place + ("=" + hours if hours else ""))
    for region, places in sorted(regions.items()):
        print(f'FS_TIME_ZONES("{region}", "{" ".join(places)}")')


if __name__ == "__main__":
    main()
