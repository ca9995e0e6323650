"""The page in a real browser: all that a person does with it, and that it talks to nobody."""
import base64
import functools
import http.server
import pathlib
import shutil
import tempfile
import threading
import time
import unittest

import page

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
    NO_BROWSER = None if shutil.which("chromium") and shutil.which("chromedriver") else "chromium and chromium-driver are missing"
except ImportError:
    NO_BROWSER = "python3-selenium is missing"


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []
    slow = {}  # seconds before the answer, by path
    missing = set()

    def do_GET(self):
        time.sleep(self.slow.get(self.path, 0))
        if self.path in self.missing:
            self.send_error(404)
        else:
            super().do_GET()

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        self.asked.append(self.path)


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(page.PAGE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


@unittest.skipIf(page.MISSING or NO_BROWSER, page.MISSING or NO_BROWSER)
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.address = serve()
        cls.place = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,860"):
            options.add_argument(word)
        options.add_experimental_option("prefs", {"download.default_directory": cls.place.name})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        cls.browser.set_script_timeout(60)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()
        cls.server.server_close()
        cls.place.cleanup()

    def setUp(self):
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.open()

    def tearDown(self):
        """No test may leave an error in the console, least of all one of the policy."""
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual([], errors)

    def open(self, fragment=""):
        self.browser.get(self.address)
        self.script("sessionStorage.clear(); localStorage.clear()")
        self.browser.get("about:blank")
        self.browser.get(self.address + fragment)
        self.until(lambda: self.settled())

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def until(self, test, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = test()
            if value:
                return value
            time.sleep(0.02)
        self.fail("nothing happened")

    def settled(self):
        return self.script("return state.answer !== null && !running && state.text === current()")

    def find(self, css):
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def text(self):
        return self.script("return source.value")

    def put(self, text):
        """As a paste does it."""
        self.script("source.focus(); source.select(); document.execCommand('insertText', false, arguments[0])", text)
        self.until(self.settled)

    def choose(self, example):
        Select(self.find("#example")).select_by_value(example)
        self.until(self.settled)

    def tab(self, name):
        self.find(f"#tab-{name}").click()

    def shown(self):
        return self.script("return document.querySelector('#panel .body')?.textContent ?? ''")

    def test_type(self):
        self.find("#text").send_keys(Keys.CONTROL + "a", Keys.DELETE)
        # Line breaks keep the indentation, and add to it after a key.
        self.find("#text").send_keys("apiVersion: flexslice/v1\nname: typed\ntpu:\ntype: v6e\ntopology: 4x5\n")
        self.until(self.settled)
        self.assertIn("tpu:\n  type: v6e\n  topology: 4x5\n", self.text())
        self.assertIn("error", self.find("#status").text)
        self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, "#marks mark.error"))
        self.assertEqual("Spec", self.script("return document.querySelector('#type').firstChild.textContent"))

    def test_every_example_is_shown_as_the_program_prints_it(self):
        """In the tabs, as a reader finds it there: each file of each workload, the explanation and the picture."""
        read = """
          const files = {}, explanations = [];
          state.made.workloads.forEach(({explanation}, i) => {
            state.workload = i;
            for (const tab of ["manifests", "scripts"]) {
              choose(tab);
              for (const id of [...panel.querySelectorAll("[data-file]")].map(({dataset}) => dataset.file).filter((id) => !onDemand.has(id))) {
                panel.querySelector(`[data-file=${id}]`).click();
                files[byId("download").title] = panel.querySelector("pre.body").textContent;
              }
            }
            choose("explain");
            if (explanation) explanations.push(panel.querySelector("pre.body").textContent);
          });
          state.workload = 0;
          choose("picture");
          const image = panel.querySelector("img");
          return image.decode().then(() => [files, explanations.join("\\n"), decodeURIComponent(image.src.split(",")[1]), image.alt, image.naturalWidth]);"""
        for path in page.EXAMPLES:
            with self.subTest(path.parent.name), tempfile.TemporaryDirectory() as place:
                self.choose(path.parent.name)
                self.assertEqual(path.read_text(), self.text())
                self.assertEqual([], self.script("return state.answer.findings.filter((each) => each.level === 'error')"))
                page.run("compile", "--out-dir", place, path)
                printed = {f"{file.parent.name}-{file.name}": file.read_text() for file in pathlib.Path(place).rglob("*") if file.is_file()}
                files, explanation, picture, words, width = self.script(read)
                self.assertGreater(len(printed), 4)
                self.assertEqual(printed, files)
                self.assertEqual(page.run("explain", path).stdout, explanation)
                self.assertIn(picture, page.run("compile", "--emit", "picture", path).stdout)
                self.assertIn(" chip", words)
                self.assertGreater(width, 100)

    def test_nothing_typed_yet(self):
        self.put("")
        for name in ("manifests", "findings"):
            self.tab(name)
            self.assertIn("Pick an example", self.find("#panel").text)
        self.assertIn("Type or paste", self.find("#status").text)

    def test_nothing_moves(self):
        """A tab, a file or a size that is chosen leaves the others where they are."""
        places = "return [...document.querySelectorAll('#tabs button, .choice button')].map((each) => each.getBoundingClientRect().x)"
        self.tab("manifests")
        before = self.script(places)
        self.find("[data-file=plan]").click()
        self.assertEqual(before, self.script(places))
        tabs = self.script("return document.querySelectorAll('#tabs button').length")
        for name in ("scripts", "explain", "findings"):
            self.tab(name)
            self.assertEqual(before[:tabs], self.script(places)[:tabs])

    def test_a_large_picture_fits_or_has_its_size(self):
        self.put(page.SPEC.replace("v6e", "v5p").replace("4x4", "8x8x16").replace("us-east5-b", "us-east5-a"))
        self.tab("picture")
        width = "const image = document.querySelector('.picture img'); return image.decode().then(() => [image.width, image.naturalWidth])"
        shown, whole = self.script(width)
        self.assertLess(shown, whole)
        self.find("[data-file=whole]").click()
        self.assertEqual([whole, whole], self.script(width))

    def test_artifact_on_demand(self):
        self.tab("manifests")
        self.find("[data-file=terraform]").click()
        self.until(lambda: "google_container_node_pool" in self.shown())

    def test_manifest_script_and_page(self):
        no_cluster = page.SPEC.replace("cluster:\n  name: my-cluster\n  location: us-east5\n", "").replace("provisioning:\n", "provisioning:\n  create: false\n")
        self.put(no_cluster)
        self.assertEqual([], self.script("return state.answer.findings.filter((each) => each.level === 'error')"))
        self.tab("scripts")
        self.assertIn("cluster.name", self.find("#panel").text)
        script = (page.ROOT / "src/web/samples/script.sh").read_text()
        for text, word in ((page.MANIFESTS, "Manifest"), (script, "Script"), (f"# A page\n\n```yaml\n{page.MANIFESTS}```\n", "Page")):
            with self.subTest(word):
                self.put(text)
                self.assertEqual(word, self.script("return document.querySelector('#type').firstChild.textContent"))
                self.tab("spec")
                self.assertIn("apiVersion: flexslice/v1", self.shown())
                self.tab("picture")
                self.assertTrue(self.find(".picture img"))
        self.tab("spec")
        self.find("#adopt").click()
        self.until(self.settled)
        self.assertTrue(self.text().startswith("apiVersion: flexslice/v1"))

    def test_finding_leads_to_its_line(self):
        self.choose("sample-spec-with-mistakes")
        self.tab("findings")
        finding = self.script("return state.answer.findings.at(-1)")
        self.browser.find_elements(By.CSS_SELECTOR, ".finding .place")[-1].click()
        self.assertEqual("text", self.script("return document.activeElement.id"))
        before = self.script("return source.value.slice(0, source.selectionStart)")
        self.assertEqual(finding["line"], before.count("\n") + 1)
        self.assertEqual("scripts", self.script("return source.value.slice(source.selectionStart, source.selectionEnd)"))
        # Columns count code points, which are two units of a browser for some letters.
        self.put(page.SPEC.replace("name: job-1", "name: job-1 # \U0001f600").replace("model: flex-start", "labels: {a: \U0001f600\U0001f600, b: [x]}"))
        place = self.script("const each = state.answer.findings.find((one) => one.line === 11); goTo(each); return [each.column, source.value.slice(source.selectionStart, source.selectionEnd)]")
        line = self.text().split("\n")[10]
        self.assertTrue(line[place[0] - 1:].startswith(place[1]), (line, place))

    def test_fix(self):
        self.choose("sample-spec-with-mistakes")
        self.tab("findings")
        self.find(".fix").click()
        self.until(self.settled)
        self.assertIn("type: v6e", self.text())
        # It can be undone, as what is typed.
        self.find("#text").send_keys(Keys.CONTROL + "z")
        self.until(lambda: "type: trillium" in self.text() and self.settled())
        self.choose("sample-manifest-with-mistakes")
        self.find("#fix-all").click()
        self.until(lambda: self.settled() and self.script("return errors() === 0"))
        self.assertIn("completions: 4", self.text())

    def test_copy_and_download(self):
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": self.address.rstrip("/")})
        self.tab("manifests")
        self.find("#copy").click()
        self.until(lambda: self.script("return document.querySelector('#toast.shown') !== null"))
        copied = self.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        self.assertEqual(page.MANIFESTS, copied)
        self.find("#download").click()
        file = pathlib.Path(self.place.name, "job-1-manifests.yaml")
        self.until(lambda: file.exists() and file.read_text() == page.MANIFESTS)

    def test_link(self):
        text = page.SPEC.replace("job-1", "näme-\U0001f600")
        self.put(text)
        self.find("#share").click()
        fragment = self.until(lambda: self.script("return location.hash.length > 20 && location.hash"))
        self.choose("single-host")
        self.open(fragment)
        self.until(self.settled)
        self.assertEqual(text, self.text())
        self.open("#not-a-link!")
        self.assertEqual(page.SPEC, self.text())
        # A link of a few thousand characters that unpacks to gigabytes is refused.
        bomb = self.browser.execute_async_script("packed('a'.repeat(1 << 26)).then(arguments[0])")
        self.open("#" + bomb)
        self.assertEqual(page.SPEC, self.text())

    def reload(self):
        self.browser.refresh()
        self.until(self.settled)

    def test_a_reload_keeps_what_is_typed(self):
        """After a link was made, and after one was opened, the address holds it for as long as the text is the same."""
        shared = page.SPEC.replace("job-1", "shared")
        self.put(shared)
        self.find("#share").click()
        fragment = self.until(lambda: self.script("return location.hash.length > 20 && location.hash"))
        self.reload()
        self.assertEqual((shared, fragment), (self.text(), self.script("return location.hash")))
        for name in ("later", "opened"):
            if name == "opened":
                self.open(fragment)
                self.assertEqual(shared, self.text())
            self.put(shared.replace("shared", name))
            self.assertEqual("", self.script("return location.hash"))
            self.reload()
            self.assertEqual(shared.replace("shared", name), self.text())

    def test_skip_link(self):
        """It leads to the editor, and is no link that holds a text."""
        self.put(page.SPEC + "# mine\n")
        self.find("#share").click()
        fragment = self.until(lambda: self.script("return location.hash.length > 20 && location.hash"))
        self.until(lambda: self.script("return document.querySelector('#toast.shown') === null"))
        self.script("document.querySelector('.skip').focus()")
        ActionChains(self.browser).send_keys(Keys.ENTER).perform()
        self.until(lambda: self.script("return document.activeElement.id") == "text")
        time.sleep(0.3)
        self.assertEqual((fragment, None), (self.script("return location.hash"), self.script("return document.querySelector('#toast.shown')")))
        self.open("#text")
        self.assertIsNone(self.script("return document.querySelector('#toast.shown')"))
        self.assertEqual(page.SPEC, self.text())

    def pixels(self, rectangle):
        """How many pixels of the rectangle have a contrast of at least 4.5 to the commonest of them, and how many are in it."""
        picture = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": {**rectangle, "scale": 1}})["data"]
        return self.browser.execute_async_script("""
          const [data, done] = arguments, image = new Image();
          image.onload = () => {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.width, image.height];
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const all = context.getImageData(0, 0, image.width, image.height).data, colours = [], counts = new Map();
            for (let i = 0; i < all.length; i += 4) colours.push([all[i], all[i + 1], all[i + 2]]);
            for (const each of colours) counts.set(String(each), (counts.get(String(each)) ?? 0) + 1);
            const channel = (value) => (value /= 255) <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
            const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
            const commonest = [...counts].sort((a, b) => b[1] - a[1])[0][0].split(",").map(Number), back = light(commonest);
            const seen = colours.filter((each) => (Math.max(light(each), back) + .05) / (Math.min(light(each), back) + .05) >= 4.5);
            done([seen.length, colours.length, commonest]);
          };
          image.src = "data:image/png;base64," + data;""", picture)

    def test_selected_text_is_seen(self):
        """F8 and a click on a finding select the wrong word, which is legible in both themes."""
        self.put(page.SPEC.replace("4x4", "4x5"))
        for theme in ("light", "dark"):
            self.script("setTheme(arguments[0])", theme)
            self.script("source.setSelectionRange(0, 0); source.blur()")
            rectangle = self.script("const {x, y, width, height} = document.querySelector('#marks mark').getBoundingClientRect(); return {x, y: y + 2, width, height: height - 4}")
            panel = self.pixels(rectangle)[2]
            self.script("source.focus(); source.setSelectionRange(0, 0)")
            ActionChains(self.browser).send_keys(Keys.F8).perform()
            self.assertEqual("4x5", self.script("return source.value.slice(source.selectionStart, source.selectionEnd)"))
            seen, count, back = self.pixels(rectangle)
            self.assertNotEqual(panel, back, "nothing is selected")
            self.assertGreater(seen, count / 50, theme)

    def test_slow_line(self):
        """The patience is for answers: a download may take longer."""
        patience = self.script("return patience / 1000")
        self.addCleanup(Handler.slow.clear)
        Handler.slow["/engine.js"] = patience + 2
        begin = time.monotonic()
        self.browser.get("about:blank")
        self.browser.get(self.address)
        self.until(lambda: "Loading the program" in self.find("#status").text)
        self.until(self.settled, 2 * patience)
        self.assertGreater(time.monotonic() - begin, patience)
        self.assertEqual((None, 1), tuple(self.script("return [state.failure, state.answer.workloads.length]")))

    def test_program_that_cannot_be_loaded(self):
        """The page says so, and tries again with the next change."""
        server, address = serve()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(Handler.missing.clear)
        Handler.missing.add("/engine.js")
        self.browser.get(address)
        self.until(lambda: "could not be loaded" in self.find("#status").text)
        Handler.missing.clear()
        self.put(page.SPEC + "# again\n")
        self.assertEqual(1, self.script("return state.answer.workloads.length"))
        self.browser.get_log("browser")  # what was missing

    def test_without_a_network(self):
        """After one visit, the page opens and works without its server."""
        server, address = serve()
        self.browser.get(address)
        self.until(self.settled)
        self.put(page.SPEC.replace("job-1", "kept"))
        self.browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        server.shutdown()
        server.server_close()
        for _ in range(2):
            self.reload()
            self.assertEqual(page.SPEC.replace("job-1", "kept"), self.text())
            self.assertEqual(1, self.script("return state.answer.workloads.length"))
        self.browser.get_log("browser")  # what the server did not answer

    def test_dark(self):
        back = "return getComputedStyle(document.body).backgroundColor"
        light = self.script(back)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        dark = self.script(back)
        self.assertNotEqual(light, dark)
        self.find("#theme").click()
        self.assertEqual(light, self.script(back))
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.find("#theme").click()
        self.assertEqual(dark, self.script(back))

    def test_contrast(self):
        """Text has at least 4.5 to 1 on what it is on (WCAG AA), light and dark."""
        measure = """
          const channel = (value) => (value /= 255) <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
          const light = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b); };
          const seen = (name) => { const probe = document.createElement("i"); probe.style.color = `var(--${name})`; document.body.append(probe); const made = getComputedStyle(probe).color; probe.remove(); return light(made); };
          return arguments[0].map(([front, back]) => { const [a, b] = [seen(front), seen(back)].sort((x, y) => y - x); return [front, back, (a + .05) / (b + .05)]; });"""
        pairs = [[front, back] for front in ("text", "soft", "error", "warning", "good", "key", "string", "comment", "flag", "accent") for back in ("panel",)]
        pairs += [["soft", "back"], ["soft", "raised"], ["error", "error-back"], ["warning", "warning-back"], ["on-accent", "accent"]]
        for theme in ("light", "dark"):
            self.script("setTheme(arguments[0])", theme)
            for front, back, ratio in self.script(measure, pairs):
                self.assertGreaterEqual(ratio, 4.5, f"{theme}: {front} on {back}")

    def test_narrow_screen(self):
        for width in (320, 390, 600):
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True})
            for name in ("manifests", "scripts", "explain", "picture", "findings"):
                self.script("choose(arguments[0])", name)
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, name)
        self.assertGreater(self.find("#panel").rect["y"], self.find("#text").rect["y"] + 100)

    def test_keyboard_alone(self):
        def press(*keys):
            ActionChains(self.browser).send_keys(*keys).perform()

        focused = "return document.activeElement.id"
        self.put(page.SPEC.replace("4x4", "4x5").replace("us-east5-b]", "us-east5-b, us-east5-b]"))
        press(Keys.HOME)
        self.script("source.setSelectionRange(0, 0)")
        press(Keys.F8)
        self.assertEqual("4x5", self.script("return source.value.slice(source.selectionStart, source.selectionEnd)"))
        # Tab leaves the editor; arrows walk along the tabs.
        reached = []
        for _ in range(4):
            press(Keys.TAB)
            reached.append(self.script(focused))
        self.assertIn("tab-manifests", reached)
        self.script("document.querySelector('#tab-manifests').focus()")
        press(Keys.ARROW_LEFT)
        self.assertEqual("tab-findings", self.script(focused))
        self.assertEqual("findings", self.script("return state.tab"))
        press(Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)
        self.assertEqual("text", self.script(focused))
        # Every button, list and field has a name.
        nameless = self.script("return [...document.querySelectorAll('button, select, textarea, input')].filter((each) => !each.textContent.trim() && !each.labels?.length && !each.ariaLabel).map((each) => each.outerHTML)")
        self.assertEqual([], nameless)

    def test_no_connection(self):
        """The policy forbids each way out, in the page and in its worker; none was tried, and nothing but the page's files was loaded."""
        Handler.asked.clear()
        self.open()
        for name in ("picture", "findings", "manifests"):
            self.tab(name)
        self.choose("serve")
        self.browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        files = {"/", "/page.css", "/page.js", "/examples.js", "/worker.js", "/engine.js", "/offline.js"}
        self.assertLessEqual(set(Handler.asked), files)
        self.assertEqual([], self.browser.get_log("browser"))
        # A browser looks for a newer service worker when it likes.
        asked = lambda: [path for path in Handler.asked if path != "/offline.js"]  # noqa: E731
        before = len(asked())
        tried = self.browser.execute_async_script("""
          const done = arguments[0], seen = {violations: []};
          document.addEventListener("securitypolicyviolation", (event) => seen.violations.push(event.effectiveDirective));
          const refused = (promise) => promise.then(() => "open", () => "refused");
          const code = `onmessage = async () => { let answer = "refused"; try { await fetch("${location.origin}/worker"); answer = "open"; } catch {} postMessage(answer); }`;
          const worker = new Worker(URL.createObjectURL(new Blob([code])));
          const image = new Image(); image.src = "/image.png";
          const script = document.createElement("script"); script.src = "http://127.0.0.1:9/x.js"; document.body.append(script);
          worker.onmessage = async ({data}) => {
            seen.worker = data;
            seen.fetch = await refused(fetch("/fetch"));
            seen.beacon = navigator.sendBeacon("/beacon", "x");
            try { new WebSocket(location.origin.replace("http", "ws")).onopen = () => { seen.socket = "open"; }; } catch {}
            try { new EventSource("/events").onopen = () => { seen.events = "open"; }; } catch {}
            setTimeout(() => done(seen), 500);
          };
          worker.postMessage(1);""")
        self.assertEqual(["refused", "refused"], [tried["worker"], tried["fetch"]])
        self.assertLessEqual({"connect-src", "img-src", "script-src-elem"}, set(tried["violations"]))
        self.assertNotIn("socket", tried)
        self.assertNotIn("events", tried)
        self.assertEqual([], asked()[before:])
        self.browser.get_log("browser")  # what was tried here

    def test_bad_input(self):
        """Each text is answered, or the page says by a second of its CPU that it works on it; and then it goes on."""
        command = self.browser.execute_cdp_cmd
        command("Performance.enable", {"timeDomain": "threadTicks"})
        cpu = lambda: next(each["value"] for each in command("Performance.getMetrics", {})["metrics"] if each["name"] == "TaskDuration")  # noqa: E731
        for name, text in page.hostile():
            with self.subTest(name):
                begin = cpu()
                self.browser.execute_async_script("""
                  const [encoded, done] = arguments;
                  const file = new File([Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0))], "pasted");
                  openFile(file).then(() => {
                    const wait = () => (state.text === current() || /Working/.test(byId("status").textContent) ? done() : setTimeout(wait, 20));
                    wait();
                  });""", base64.b64encode(text).decode())
                self.assertLess(cpu() - begin, 1)
                self.until(self.settled)
                self.script("load(arguments[0], '')", page.SPEC)
                self.until(self.settled)
                self.assertEqual(1, self.script("return state.answer.workloads.length"))
        self.script("load(arguments[0], '')", "a" * (page.LARGE + 1))
        self.until(self.settled)
        self.assertIn("larger than 1 MiB", self.find("#status").text)

    def test_engine_that_does_not_answer(self):
        """A question that takes too long ends with its worker, and the next one is answered."""
        answer = self.browser.execute_async_script("""
          const done = arguments[0];
          engine.worker.onmessage = null;
          engine.ask("", "lost").then(done);
          engine.restart();""")
        self.assertTrue(answer["failure"])
        self.put(page.SPEC + "\n")
        self.assertEqual(1, self.script("return state.answer.workloads.length"))


if __name__ == "__main__":
    unittest.main()
