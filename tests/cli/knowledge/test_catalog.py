"""flexslice catalog: held against the catalog's own files, which this test reads and filters by itself."""
import datetime
import functools
import itertools
import json
import random
import tempfile
import unittest

import knowledge
from knowledge import chips, generations, models, run, supported

# The sizes of a cube are multiples of this.
STEP = 4


def shapes_of(generation, machine):
    """Topology -> confidence of its own evidence, or None where the machine's holds."""
    listed = {}
    for shape in machine["shapes"]:
        name = shape if isinstance(shape, str) else shape["topology"]
        listed[name] = None if isinstance(shape, str) else shape.get("evidence", {}).get("confidence")
    if machine.get("cubes") == "true":
        most = int(generation["maxChips"])
        longest = int(generation["maxDimension"])
        for a in range(STEP, most + 1, STEP):
            if a ** 3 > most:
                break
            for b in range(a, most // (a * a) + 1, STEP):
                for c in range(b, min(longest, most // (a * b)) + 1, STEP):
                    listed.setdefault(f"{a}x{b}x{c}", None)
    return listed


@functools.cache
def all_shapes():
    return list(each_shape())


def each_shape():
    for name, generation in generations().items():
        for machine in generation["machineTypes"]:
            if machine.get("status", "public") != "public":
                continue
            for topology in shapes_of(generation, machine):
                size = chips(topology)
                yield {"type": name, "machineType": machine["name"], "topology": topology, "chips": size, "hosts": size // int(machine["chips"]),
                       "chipsPerHost": int(machine["chips"])}


def place_fits(row, model, zone):
    """Whether the generation can be had so, and there, as far as is known."""
    generation = generations()[row["type"]]
    if model and not supported(models()[model], row["type"]):
        return False
    if not zone:
        return True
    known = {each if isinstance(each, str) else each["name"]: each for each in generation["zones"]}
    if zone not in known:
        return False
    if not model or models()[model].get("flexStart") != "true":
        return True
    return known[zone].get("flexStart") != "false"


def wanted(**filters):
    for row in all_shapes():
        checks = [
            row["chips"] == filters.get("chips", row["chips"]),
            row["chips"] >= filters.get("min_chips", 1),
            row["chips"] <= filters.get("max_chips", 1 << 40),
            row["hosts"] == filters.get("hosts", row["hosts"]),
            row["hosts"] == 1 or not filters.get("single_host"),
            row["hosts"] > 1 or not filters.get("multi_host"),
            row["type"] == filters.get("type", row["type"]),
            row["machineType"] == filters.get("machine_type", row["machineType"]),
            place_fits(row, filters.get("model"), filters.get("zone")),
        ]
        if all(checks):
            yield row


def options(filters):
    made = []
    for name, value in filters.items():
        made.append("--" + name.replace("_", "-"))
        if value is not True:
            made.append(str(value))
    return made


KEYS = ["type", "machineType", "topology", "chips", "hosts", "chipsPerHost"]


def keyed(rows):
    return [tuple(row[key] for key in KEYS) for row in rows]


class Shapes(unittest.TestCase):
    maxDiff = None

    def assert_right(self, filters):
        status, out, err = run("catalog", *options(filters), "--format", "json")
        found = json.loads(out)["shapes"]
        right = list(wanted(**filters))
        self.assertEqual(sorted(keyed(right)), sorted(keyed(found)), f"{filters} {err}")
        self.assertEqual(0 if right else 1, status)
        return found

    def test_the_question(self):
        status, out, err = run("catalog", "--min-chips", "16", "--model", "flex-start", "--zone", "us-east5-b")
        self.assertEqual((0, ""), (status, err))
        self.assertEqual(
            "TYPE  MACHINE TYPE      TOPOLOGY  CHIPS  HOSTS  CHIPS/HOST     HBM  CONFIDENCE\n"
            "v6e   ct6e-standard-4t  4x4          16      4           4   512GB  medium\n"
            "v6e   ct6e-standard-4t  4x8          32      8           4  1024GB  medium\n"
            "v6e   ct6e-standard-4t  8x8          64     16           4  2048GB  medium\n"
            "v6e   ct6e-standard-4t  8x16        128     32           4  4096GB  medium\n"
            "v6e   ct6e-standard-4t  16x16       256     64           4  8192GB  medium\n", out)

    def test_everything(self):
        self.assertGreater(len(self.assert_right({})), 500)

    def test_each_filter(self):
        for filters in [{"type": "v5e"}, {"machine_type": "ct5p-hightpu-4t"}, {"chips": 8}, {"min_chips": 4000}, {"max_chips": 4}, {"hosts": 16},
                        {"single_host": True}, {"multi_host": True, "type": "v3"}, {"zone": "us-east5-a"}, {"model": "flex-start"}]:
            with self.subTest(filters=filters):
                self.assertTrue(self.assert_right(filters))

    def test_filters_together(self):
        generator = random.Random(7)
        zones = [zone if isinstance(zone, str) else zone["name"] for each in generations().values() for zone in each["zones"]]
        values = {"type": list(generations()), "chips": [1, 4, 8, 16, 64], "min_chips": [2, 32, 512], "max_chips": [1, 8, 100, 6144],
                  "hosts": [1, 2, 4], "zone": zones, "model": list(models()), "multi_host": [True]}
        some = 0
        for _ in range(60):
            names = generator.sample(sorted(values), generator.randint(1, 3))
            filters = {name: generator.choice(values[name]) for name in names}
            if filters.get("min_chips", 0) > filters.get("max_chips", 1 << 40):
                continue
            with self.subTest(filters=filters):
                some += bool(self.assert_right(filters))
        self.assertGreater(some, 10, "filters that let something pass")

    def test_order(self):
        rows = json.loads(run("catalog", "--format", "json")[1])["shapes"]
        for _, group in itertools.groupby(rows, key=lambda row: row["type"]):
            sizes = [row["chips"] for row in group]
            self.assertEqual(sorted(sizes), sizes)
        self.assertEqual(list(generations()), [key for key, _ in itertools.groupby(row["type"] for row in rows)])

    def test_table_is_the_json(self):
        for arguments in [["--type", "v6e,v3"], ["--single-host"], ["--chips", "64", "--limit", "0"]]:
            with self.subTest(arguments=arguments):
                table = run("catalog", *arguments)[1].splitlines()
                rows = json.loads(run("catalog", *arguments, "--format", "json")[1])["shapes"]
                cells = [[str(row[key]) for key in [*KEYS, "hbm", "confidence"]] for row in rows]
                self.assertEqual(cells, [line.split()[:8] for line in table[1:]])

    def test_json_carries_evidence(self):
        rows = json.loads(run("catalog", "--type", "v6e", "--chips", "8", "--format", "json")[1])["shapes"]
        by_machine = {row["machineType"]: row for row in rows}
        self.assertEqual("medium", by_machine["ct6e-standard-4t"]["evidence"]["confidence"])
        self.assertIn("Two hosts here", by_machine["ct6e-standard-4t"]["evidence"]["note"])
        self.assertEqual("high", by_machine["ct6e-standard-8t"]["evidence"]["confidence"])
        for row in rows:
            self.assertTrue(row["evidence"]["sources"])
            self.assertTrue(row["evidence"]["asOf"])

    def test_least_certain_fact_counts(self):
        rows = json.loads(run("catalog", "--type", "v6e", "--model", "flex-start-queued", "--format", "json")[1])["shapes"]
        self.assertEqual({"medium"}, {row["confidence"] for row in rows})
        rows = json.loads(run("catalog", "--type", "v3", "--chips", "4", "--model", "reservation", "--format", "json")[1])["shapes"]
        self.assertEqual({"low"}, {row["confidence"] for row in rows})
        rows = json.loads(run("catalog", "--type", "v4", "--min-chips", "3000", "--format", "json")[1])["shapes"]
        self.assertEqual({True: {"low"}, False: {"high"}}, {above: {row["confidence"] for row in rows if (row["chips"] > 3072) == above} for above in (True, False)})

    def test_last_column(self):
        self.assertIn("  us-east5-a us-east5-b asia-northeast1-b us-south1-ai1b\n", run("catalog", "--type", "v6e", "--chips", "16", "--model", "flex-start")[1])
        self.assertIn("  spot on-demand reservation\n", run("catalog", "--type", "v4", "--chips", "8", "--zone", "us-central2-b")[1])

    def test_limit(self):
        status, out, err = run("catalog", "--type", "v5p", "--limit", "3")
        self.assertEqual(0, status)
        self.assertEqual(["2x2x1", "2x2x2", "2x2x4"], [line.split()[2] for line in out.splitlines()[1:]])
        total = len(list(wanted(type="v5p")))
        self.assertEqual(f"flexslice: v5p has {total - 3} more; --limit 0 shows all\n", err)
        self.assertEqual(total, len(run("catalog", "--type", "v5p", "--limit", "0")[1].splitlines()) - 1)

    def test_doubts_are_said(self):
        err = run("catalog", "--chips", "16", "--model", "flex-start", "--zone", "us-central1-b")[2]
        self.assertEqual("flexslice: it is unknown whether us-central1-b has flex-start capacity of v6e\n", err)
        err = run("catalog", "--chips", "4", "--type", "v3", "--model", "reservation")[2]
        self.assertIn("v3 may not be available with a reservation: ", err)
        err = run("catalog", "--chips", "16", "--type", "tpu7x", "--model", "spot")[2]
        self.assertEqual("flexslice: tpu7x with Spot VMs is offered only to projects on an allowlist\n", err)

    def test_nothing(self):
        status, out, err = run("catalog", "--type", "v3", "--model", "flex-start", "--chips", "16")
        self.assertEqual((1, ""), (status, out))
        others = len(list(wanted(model="flex-start", chips=16)))
        self.assertEqual(f"flexslice: no matching topology; there are {others} with another type, 1 with another model\n", err)

    def test_wrong_values(self):
        for arguments, message in [
            (["--type", "v6x"], "unknown TPU generation `v6x`; did you mean `v6e`?"),
            (["--type", "trillium"], "unknown TPU generation `trillium`; write `v6e`: Trillium is the product name of v6e."),
            (["--machine-type", "ct6e-standard-3t"], "unknown machine type `ct6e-standard-3t`; did you mean `ct6e-standard-1t`?"),
            (["--machine-type", "ct5p-hightpu-8t"],
             "unknown machine type `ct5p-hightpu-8t`; write `ct5p-hightpu-4t`: GKE does not know it: v5p has machines with 4 chips only."),
            (["--zone", "us-east5-x"], "unknown zone `us-east5-x`; did you mean `us-east5-a`?"),
            (["--model", "flexstart"], "unknown provisioning model `flexstart`; did you mean `flex-start`?"),
            (["--chips", "four"], "invalid value `four` for --chips: expected a whole number of at least 1"),
            (["--hosts", "0"], "invalid value `0` for --hosts: expected a whole number of at least 1"),
            (["--min-chips", "9", "--max-chips", "3"], "--min-chips 9 is more than --max-chips 3"),
            (["--single-host", "--multi-host"], "--single-host and --multi-host are mutually exclusive"),
            (["--format", "yaml"], "invalid value `yaml` for --format: expected one of text, json"),
            (["shape"], "unknown list `shape`; did you mean `shapes`?"),
            (["zones", "models"], "only one list at a time; unexpected `models`"),
            (["zones", "--chips", "4"], "--chips does not apply to zones"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual((2, "", f"flexslice: {message}\n"), run("catalog", *arguments))


class Lists(unittest.TestCase):
    def test_models(self):
        rows = json.loads(run("catalog", "models", "--format", "json")[1])["models"]
        found = {(row["type"], row["model"]): row["support"] for row in rows}
        for model_name, model in models().items():
            for generation in generations():
                with self.subTest(model=model_name, generation=generation):
                    answer = found.get((generation, model_name), "no")
                    self.assertEqual(supported(model, generation), answer != "no")
        self.assertEqual("doubtful", found["v3", "reservation"])
        restricted = {(row["type"], row["model"]) for row in rows if row.get("access") == "allowlist"}
        self.assertEqual({("tpu7x", name) for name in ("flex-start", "flex-start-queued", "spot")}, restricted)
        out = run("catalog", "models", "--type", "v6e", "--model", "flex-start")[1]
        self.assertEqual("TYPE  MODEL       SUPPORT  ACCESS  SINCE GKE           CONFIDENCE  SOURCES\n"
                         "v6e   flex-start  yes              1.33.0-gke.1712000  medium      DOC-DWS\n", out)

    def test_zones(self):
        rows = json.loads(run("catalog", "zones", "--format", "json")[1])["zones"]
        right = [(zone["name"], name, {"true": True, "false": False, None: None}[zone.get("flexStart")])
                 for name, generation in generations().items() for zone in generation["zones"]]
        self.assertEqual(right, [(row["zone"], row["type"], row["flexStart"]) for row in rows])
        self.assertEqual("ZONE        TYPE  FLEX-START  CALENDAR MODE  CONFIDENCE  SOURCES\n"
                         "us-east5-b  v6e   yes         any            medium      TPU-ZONES DOC-DWS TPU-CAL\n", run("catalog", "zones", "--zone", "us-east5-b")[1])

    def test_sources(self):
        out = json.loads(run("catalog", "sources", "--format", "json")[1])
        wanted = knowledge.read("sources.yaml")["sources"]
        self.assertEqual([(each["id"], each["title"], each["date"], each.get("checked")) for each in wanted],
                         [(row["id"], row["title"], row["date"], row.get("checked")) for row in out["sources"]])
        self.assertEqual(run("catalog", "sources"), run("catalog", "--sources"))
        self.assertEqual(len(wanted) + 1, len(run("catalog", "sources")[1].splitlines()))
        self.assertEqual(2, run("catalog", "zones", "--sources")[0])
        # A year alone counts from its first month; no date, no age.
        year, month = map(int, out["asOf"].split("-"))
        for row in out["sources"]:
            first = (row["date"] + "-01")[:7]
            self.assertEqual(None if row["date"] == "undated" else (year - int(first[:4])) * 12 + month - int(first[5:]), row.get("monthsOld"), row)
        self.assertEqual([], [row["id"] for row in out["sources"] if row.get("monthsOld", 0) < 0], "newer than the catalog")

    def test_no_source_is_older_than_a_year(self):
        """By this machine's clock: then the facts are to be compared with newer sources, which `checked` records."""
        last_year = datetime.date.today() - datetime.timedelta(days=366)
        for source in knowledge.read("sources.yaml")["sources"]:
            self.assertRegex(source["date"], r"^20\d\d(-\d\d(-\d\d)?)?$|^undated$")
            dates = [(date + "-01-01")[:10] for date in (source["date"], source.get("checked", "undated")) if date != "undated"]
            self.assertTrue(dates and max(dates) >= str(last_year), source)


class Overlay(unittest.TestCase):
    def test_invented_machine(self):
        overlay = """
generations:
  - id: v0z
    names: [Imagined]
    evidence: {confidence: low}
    dimensions: 2
    maxChips: 16
    machineTypes:
      - {name: ct0z-4t, accelerator: tpu-v0z, chips: 4, shapes: [2x2, 4x4]}
    zones: [us-east5-b]
"""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(overlay)
            file.flush()
            self.assertEqual("TYPE  MACHINE TYPE  TOPOLOGY  CHIPS  HOSTS  CHIPS/HOST  HBM  CONFIDENCE\n"
                             "v0z   ct0z-4t       2x2           4      1           4       low\n"
                             "v0z   ct0z-4t       4x4          16      4           4       low\n", run("catalog", "--catalog", file.name, "--type", "v0z")[1])
            status, out, _ = run("explain", "--catalog", file.name, "ct0z-4t")
            self.assertEqual(0, status)
            self.assertTrue(out.startswith("ct0z-4t: v0z machine type\n"))

    def test_memory_of_a_slice(self):
        """A shape has its memory, at least what is asked for; what is just too small is named."""
        listed = json.loads(run("catalog", "--hbm", "1TB", "--type", "v6e,v5p", "--limit", "0", "--format", "json")[1])["shapes"]
        everything = [row for row in json.loads(run("catalog", "--type", "v6e,v5p", "--limit", "0", "--format", "json")[1])["shapes"]]
        least = {name: int(generations()[name]["hbmGb"]) for name in ("v6e", "v5p")}
        memory = {(row["type"], row["machineType"], row["topology"]): row["chips"] * least[row["type"]] for row in everything}
        self.assertEqual({key for key, size in memory.items() if size >= 1000}, {(row["type"], row["machineType"], row["topology"]) for row in listed})
        for row in listed:
            self.assertEqual(f"{row['chips'] * least[row['type']]}GB", row["hbm"])
        status, out, err = run("catalog", "--hbm", "1TB", "--type", "v6e")
        self.assertEqual((0, "4x8"), (status, out.splitlines()[1].split()[2]))
        self.assertIn("the nearest with less memory: v6e 4x4 with 512GB\n", err)
        self.assertNotEqual(run("catalog", "--hbm", "1TiB", "--type", "v6e")[1], "")
        for size in ("1024GB", "1TB"):
            self.assertIn(" 4x8 ", run("catalog", "--hbm", size, "--type", "v6e")[1])
        self.assertNotIn(" 4x8 ", run("catalog", "--hbm", "1TiB", "--type", "v6e")[1])
        self.assertEqual(1, run("catalog", "--hbm", "900TB", "--type", "v6e")[0])
        for wrong in ("1000", "much", "-1TB", "0GB"):
            self.assertEqual(2, run("catalog", "--hbm", wrong)[0], wrong)

    def test_region(self):
        for region in ("europe-west4", "europe"):
            for row in json.loads(run("catalog", "zones", "--region", region, "--format", "json")[1])["zones"]:
                self.assertTrue(row["zone"].startswith(region + "-"), row)
            prices = json.loads(run("catalog", "prices", "--region", region, "--format", "json")[1])["prices"]
            self.assertTrue(prices)
            for row in prices:
                self.assertTrue(row["region"] == region or row["region"].startswith(region + "-"), row)
            types = {row["type"] for row in json.loads(run("catalog", "--region", region, "--format", "json")[1])["shapes"]}
            there = {name for name, each in generations().items()
                     if any((zone if isinstance(zone, str) else zone["name"]).startswith(region + "-") for zone in each["zones"])}
            self.assertEqual(there, types)
        self.assertEqual((2, "", "flexslice: no region `europe-west44` is known to have TPUs; did you mean `europe-west4`?\n"),
                         run("catalog", "--region", "europe-west44"))

    def test_price_of_a_run(self):
        """The least price that passes the filter, for all chips and so long, the cheapest first."""
        prices = json.loads(run("catalog", "prices", "--format", "json")[1])["prices"]
        words = ["catalog", "--for", "3h", "--sort", "price", "--region", "europe", "--limit", "0"]
        rows = json.loads(run(*words, "--format", "json")[1])["shapes"]
        costs = [float(row["usdPerHour"]) if "usdPerHour" in row else float("inf") for row in rows]
        self.assertEqual(sorted(costs), costs)
        self.assertGreater(len(set(costs)), 5)
        for row in rows:
            there = {(zone if isinstance(zone, str) else zone["name"]).rsplit("-", 1)[0] for zone in generations()[row["type"]]["zones"]}
            priced = [each for each in prices if each["type"] == row["type"] and each["region"].startswith("europe-") and each["model"] in models()]
            # Of regions that are known to have the type, if any of them has a price.
            known = [float(each["usd"]) for each in [each for each in priced if each["region"] in there] or priced]
            self.assertEqual(bool(known), "usdPerRun" in row)
            if known:
                self.assertAlmostEqual(row["chips"] * min(known) * 3, float(row["usdPerRun"]), delta=0.01)
        # Of flex-start, regions with a zone that is known to have it come first.
        for row in json.loads(run("catalog", "--model", "flex-start", "--sort", "price", "--format", "json")[1])["shapes"]:
            self.assertIn(row["priceRegion"], {zone.rsplit("-", 1)[0] for zone in row["zones"]}, row)
        out = run("catalog", "--type", "v6e", "--model", "flex-start", "--zone", "us-east5-b", "--for", "90m")[1]
        self.assertIn("USD/HOUR  USD/1h30m  IN", out.splitlines()[0])
        self.assertEqual(2, run("catalog", "--for", "soon")[0])

    def test_each_list_takes_what_it_can_filter_by(self):
        for words in (["sources", "--type", "v6e"], ["sources", "--region", "us"], ["zones", "--hbm", "1TB"], ["models", "--for", "3h"], ["models", "--sort", "price"]):
            status, _, err = run("catalog", *words)
            self.assertEqual(2, status, words)
            self.assertIn(f"{words[1]} does not apply to {words[0]}", err)

    def test_sources_have_addresses(self):
        addresses = [row["url"] for row in json.loads(run("catalog", "sources", "--format", "json")[1])["sources"] if "url" in row]
        self.assertGreater(len(addresses), 30)
        for address in addresses:
            self.assertRegex(address, r"^https://[a-z0-9.]+/[\w./-]+$")

    def test_regions_are_those_of_all_zones(self):
        known = set(knowledge.read("regions.yaml")["regions"])
        for generation in generations().values():
            for zone in generation["zones"]:
                name = zone if isinstance(zone, str) else zone["name"]
                self.assertIn(name.rpartition("-")[0], known)

    def test_prices(self):
        """The cheapest comes first; an overlay wins; what nobody prices has no row."""
        rows = json.loads(run("catalog", "--prices", "--sort", "price", "--format", "json")[1])["prices"]
        self.assertEqual(sorted(rows, key=lambda row: float(row["usd"])), rows)
        self.assertEqual(set(), {row["type"] for row in rows} - set(generations()))
        for row in rows:
            evidence = row["evidence"]
            self.assertTrue(evidence["asOf"] and evidence["sources"], row)
            if evidence["confidence"] == "high":
                self.assertGreater(len(evidence["sources"]), 1, row)
        self.assertEqual([], [row for row in rows if row["type"] == "v6e" and row["region"] == "asia-east1"])
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write('evidence: {confidence: high, asOf: 2026-11}\nprices:\n- {regions: [us-east5], generation: v6e, models: [spot], usd: "0.5"}\n')
            file.flush()
            out = run("catalog", "prices", "--catalog", file.name, "--type", "v6e", "--zone", "us-east5-b", "--model", "spot", "--format", "json")[1]
            self.assertEqual(["0.5"], [row["usd"] for row in json.loads(out)["prices"]])
        for words in (["catalog", "zones", "--sort", "price"], ["catalog", "zones", "--prices"], ["catalog", "prices", "--chips", "4"]):
            self.assertEqual(2, run(*words)[0], words)


if __name__ == "__main__":
    unittest.main()
