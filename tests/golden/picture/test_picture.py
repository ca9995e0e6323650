"""compile --emit picture: each SVG is read, and has the chips, hosts, pods and names of the plan, where they belong."""
import json
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[3]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
# A sweep gives a file for each point.
EXAMPLES = sorted(path for path in ROOT.glob("examples/*/spec.yaml") if "\nmatrix:" not in path.read_text())
SVG = "{http://www.w3.org/2000/svg}"
NARROW = 5  # less than the mean letter is wide
SPEC = """\
apiVersion: flexslice/v1
name: {name}
cluster: {{name: c, location: us-east5}}
tpu: {{type: {type}, topology: {topology}, slices: {slices}}}
provisioning: {{model: reservation, reservation: r, zones: [us-east5-a]}}
workload: {{image: "a/b:1"{more}}}
"""


def made(emit, spec, *options):
    """`spec`: a path or a text."""
    path, text = (spec, None) if isinstance(spec, pathlib.Path) else ("-", spec)
    done = subprocess.run([FLEXSLICE, "compile", "--allow", "FS3010", *options, "--emit", emit, path], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Read:
    """An SVG, with its boxes by class and what is in them."""

    def __init__(self, text):
        self.text = text
        self.root = ET.fromstring(text)
        self.css = dict(re.findall(r"\.(\w+)\{([^}]*)\}", self.root.find(f"{SVG}style").text))
        # A group of a host has a title, its box and its chips.
        self.hosts = []
        for group in self.root.iter(f"{SVG}g"):
            boxes = [box for box in group.findall(f"{SVG}rect") if box.get("class") == "host"]
            if boxes:
                chips = [rect_of(chip) for chip in group.findall(f"{SVG}rect") if chip.get("class") == "chip"]
                self.hosts.append((group.find(f"{SVG}title").text, rect_of(boxes[0]), chips, [each.text for each in group.findall(f"{SVG}text")]))
        self.slices = [group for group in self.root.iter(f"{SVG}g") if group.get("class") == "slice"]
        self.pools = [group for group in self.root.iter(f"{SVG}g") if group.get("class") == "nodes"]
        self.neighbours = [group.find(f"{SVG}title").text for group in self.root.iter(f"{SVG}g") if group.get("class") == "neighbour"]
        self.texts = [(int(each.get("x")), int(each.get("y")), each.text) for each in self.root.iter(f"{SVG}text")]
        self.words = [each.text for each in self.root.iter(f"{SVG}text")]
        self.title, self.desc = self.root.find(f"{SVG}title").text, self.root.find(f"{SVG}desc").text

    def rects(self, css):
        return [rect_of(each) for each in self.root.iter(f"{SVG}rect") if each.get("class") == css]


def rect_of(element):
    x, y, width, height = (int(element.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def is_inside(inner, outer):
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4) for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class Picture(unittest.TestCase):
    def check_layout(self, read):
        whole = 0, 0, int(read.root.get("width")), int(read.root.get("height"))
        self.assertEqual(f"0 0 {whole[2]} {whole[3]}", read.root.get("viewBox"))
        zone, pools, hosts = read.rects("zone"), read.rects("pool"), [box for _, box, _, _ in read.hosts]
        self.assertEqual(1, len(zone))
        self.assertTrue(is_inside(zone[0], whole))
        for boxes, outer in ((pools, zone), (hosts, pools), (read.rects("outside"), [whole])):
            for number, box in enumerate(boxes):
                self.assertTrue(any(is_inside(box, around) for around in outer), box)
                self.assertFalse(any(overlap(box, other) for other in boxes[number + 1:number + 40]), box)
        for title, box, chips, _ in read.hosts:
            self.assertTrue(all(is_inside(chip, box) for chip in chips), title)
            self.assertFalse(any(overlap(a, b) for i, a in enumerate(chips) for b in chips[i + 1:]), title)
        frames = zone + pools + hosts + read.rects("outside")
        for x, y, words in read.texts:
            around = [box for box in frames if box[0] <= x < box[2] and box[1] <= y < box[3]]
            if around:
                self.assertLess(x + NARROW * len(words), min(box[2] for box in around), f"{words} crosses its frame")

    def test_every_example(self):
        for path in EXAMPLES:
            with self.subTest(example=path.parent.name):
                plan, read = json.loads(made("plan", path)), Read(made("picture", path))
                tpu = plan["tpu"]
                self.assertEqual(f"{plan['name']}: {plan['summary']}", read.title)
                self.assertEqual(tpu["totalHosts"], len(read.hosts))
                self.assertEqual(tpu["totalChips"], sum(len(chips) for _, _, chips, _ in read.hosts))
                self.assertEqual({tpu["chipsPerHost"]}, {len(chips) for _, _, chips, _ in read.hosts})
                self.assertEqual(tpu["slices"], len(read.slices))
                self.assertEqual(max(1, len(plan["pools"])), len(read.pools))
                for pool in plan["pools"] if "poolTopology" not in plan["provisioning"] else ():
                    self.assertIn(f"node pool {pool['name']}", read.words)
                    self.assertIn(f"Node pool {pool['name']}.", read.desc)
                for zone in plan["provisioning"]["zones"]:
                    self.assertTrue(any(zone in words for words in read.words))
                self.check_layout(read)

    def test_hosts_of_a_slice_have_different_names(self):
        for path in EXAMPLES:
            with self.subTest(example=path.parent.name):
                for slice_ in Read(made("picture", path)).slices:
                    names = [title.text.split(", index")[0] for title in slice_.iter(f"{SVG}title")]
                    self.assertEqual(len(names), len(set(names)), names)

    def test_pods_have_the_names_and_ranks_of_the_plan(self):
        for path in EXAMPLES:
            plan, read = json.loads(made("plan", path)), Read(made("picture", path))
            names = plan["workload"].get("hostNames")
            if not names:
                continue
            with self.subTest(example=path.parent.name):
                drawn = [re.match(r"pod (\S+), index (\d+), rank (\d+), \d+ chips?$", title).groups() for title, _, _, _ in read.hosts]
                leads = bool((plan.get("group") or {}).get("leaderApart"))
                if not leads:
                    self.assertEqual(names[0], drawn[0][0])
                self.assertEqual(names[-1], drawn[-1][0])
                self.assertEqual(len(drawn), len({name for name, _, _ in drawn}))
                joined = plan["workload"]["kind"] in ("jobset", "pathways")
                hosts = plan["tpu"]["hosts"]
                self.assertEqual([str(i if joined else i % hosts) for i in range(len(drawn))], [rank for _, _, rank in drawn])
                self.assertEqual([str(i % hosts + leads) for i in range(len(drawn))], [index for _, index, _ in drawn])

    def test_what_is_outside_is_named(self):
        everything = Read(made("picture", ROOT / "examples/everything/spec.yaml"))
        self.assertEqual(["queue team-a", "volume claim results", "bucket my-training-bucket"], everything.neighbours)
        for example, named in (("multi-host", "Service job-1"), ("serve-with-router", "leader, on an ordinary node routed-chat-0"),
                               ("ray-fine-tune", "head, on an ordinary node tune-gemma-…"), ("serve-multi-host", "reservation serving"),
                               ("queued", "queue team-a"), ("serve", "Service chat")):
            with self.subTest(example=example):
                read = Read(made("picture", ROOT / f"examples/{example}/spec.yaml"))
                self.assertIn(named, read.neighbours)
                self.assertIn(f"Outside: {named}.", read.desc)

    def test_a_slice_of_three_dimensions_has_layers(self):
        read = Read(made("picture", SPEC.format(name="deep", type="v5p", topology="4x4x8", slices=1, more="")))
        self.assertEqual([f"layer {z}" for z in range(8)], [words for words in read.words if words.startswith("layer ")])
        self.check_layout(read)

    def test_large_ones_stay_small(self):
        for type_, topology, slices, chips, more, kind in (
                ("v5p", "8x8x16", 1, 1024, None, ""), ("v6e", "16x16", 4, 1024, None, ""), ("v6e", "16x16", 40, 1024, "and 36 more slices like these", ""),
                ("v5p", "16x16x16", 1, 1024, "and 12 more layers like these", ""), ("v5p", "16x16x16", 3, 1024, "and 2 more slices like these", ""),
                ("v6e", "1x1", 1000, 256, "and 744 more slices like these", ""), ("v6e", "2x2", 1000, 1024, "and 744 more slices like these", "")):
            with self.subTest(topology=topology, slices=slices):
                read = Read(made("picture", SPEC.format(name="a-name-of-some-length", type=type_, topology=topology, slices=slices, more=kind)))
                self.assertLess(len(read.text.encode()), 300_000)
                self.assertEqual(chips, sum(len(each) for _, _, each, _ in read.hosts))
                self.assertEqual(more, next((words for words in read.words if words == more), None))
                self.check_layout(read)

    def test_texts_can_be_read(self):
        read = Read(made("picture", EXAMPLES[0]))
        css = lambda name, key: re.search(rf"{key}:(#\w{{6}})", read.css[name])[1]
        text = re.search(r"text\{fill:(#\w{6})\}", read.root.find(f"{SVG}style").text)[1]
        for box in ("zone", "pool", "host", "outside"):
            for color in (text, css("soft", "fill")):
                self.assertGreaterEqual(contrast(color, css(box, "fill")), 7, box)
            self.assertGreaterEqual(contrast(css(box, "stroke"), "#ffffff"), 3, box)
        self.assertGreaterEqual(contrast(css("chip", "fill"), css("host", "fill")), 3)
        self.assertEqual("img", read.root.get("role"))
        self.assertEqual("title desc", read.root.get("aria-labelledby"))

    def test_nothing_is_loaded_or_run(self):
        for path in EXAMPLES:
            text = made("picture", path)
            for word in ("<script", "href", "url(", "@import", "@font-face", " on", "<!"):
                self.assertNotIn(word, re.sub(r">[^<]*<", "><", text.replace("<style>", "")), word)
            self.assertEqual(text, made("picture", path))

    def test_names_are_escaped(self):
        text = made("picture", SPEC.format(name="a", type="v6e", topology="2x2", slices=1, more=', volumes: [{name: v, mountPath: /v, pvc: "b"}]'))
        self.assertIn("volume claim b", Read(text).neighbours)
        path = pathlib.Path(self.enterContext(__import__("tempfile").TemporaryDirectory())) / "a<b>&--c.yaml"
        path.write_text(SPEC.format(name="a", type="v6e", topology="2x2", slices=1, more=""))
        self.assertEqual("Compiled by flexslice from a<b>&--c.yaml.", Read(made("picture", path)).root.find(f"{SVG}metadata").text)

    def test_the_picture_of_the_example_is_current(self):
        self.assertEqual(made("picture", ROOT / "examples/multi-host/spec.yaml"), (ROOT / "examples/multi-host/picture.svg").read_text(),
                         "flexslice compile --emit picture examples/multi-host/spec.yaml -o examples/multi-host/picture.svg")


class Files(unittest.TestCase):
    def test_only_if_asked_and_pruned(self):
        folder = pathlib.Path(self.enterContext(__import__("tempfile").TemporaryDirectory()))
        (folder / "specs").mkdir()
        (folder / "specs/a.yaml").write_text(SPEC.format(name="a", type="v6e", topology="2x2", slices=1, more=""))
        (folder / "specs/b.yaml").write_text(SPEC.format(name="b", type="v6e", topology="2x2", slices=1, more=""))
        run = lambda *words: subprocess.run([FLEXSLICE, "compile", *words], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(0, run("--out-dir", "out", "specs").returncode)
        self.assertEqual([], list(folder.rglob("*.svg")))
        self.assertEqual(0, run("--emit", "picture,plan", "--out-dir", "out", "specs").returncode)
        self.assertEqual(["out/a/picture.svg", "out/b/picture.svg"], sorted(str(path.relative_to(folder)) for path in folder.rglob("*.svg")))
        self.assertEqual(2, run("--emit", "picture", "specs").returncode)


class InTerminals(unittest.TestCase):
    """The section of `explain` that draws a slice."""

    def test_every_shape_of_the_catalog(self):
        shapes = json.loads(subprocess.run([FLEXSLICE, "catalog", "--format", "json"], capture_output=True, text=True, check=True).stdout)["shapes"]
        stream = "---\n".join(SPEC.format(name=f"a{i}", type=shape["type"], topology=shape["topology"], slices=1, more="")
                              .replace("topology:", f"machineType: {shape['machineType']}, topology:") for i, shape in enumerate(shapes))
        said = subprocess.run([FLEXSLICE, "explain", "-"], input=stream, capture_output=True, text=True, check=False).stdout
        sections = re.findall(r"^The slice: ([^\n]*)\n((?:  [^\n]*\n)+)", said, re.MULTILINE)
        self.assertGreater(len(sections), 30)
        self.assertLessEqual(max(len(line) for _, drawn in sections for line in drawn.splitlines()), 80)
        by_name = dict(zip(re.findall(r"^(a\d+):", said, re.MULTILINE), sections))
        for i, shape in enumerate(shapes):
            if f"a{i}" not in by_name:
                continue  # no spec of it compiles with a reservation
            heading, drawn = by_name[f"a{i}"]
            more = sum(int(number) for number in re.findall(r"and (\d+) more layer", drawn))
            if "more row" in drawn or "more column" in drawn:
                continue
            with self.subTest(shape=shape["topology"], machine=shape["machineType"]):
                numbers = [int(number) for number in re.findall(r"\d+", drawn.split("and")[0])]
                if shape["hosts"] > 1:
                    self.assertEqual(list(range(shape["hosts"] // (more + 1))), numbers)
                else:
                    self.assertEqual(([], "the chips of its host"), (numbers, heading))
                if "o" in drawn.split("and")[0]:
                    self.assertEqual(shape["chips"], drawn.split("and")[0].count("o") * (more + 1))


if __name__ == "__main__":
    unittest.main()
