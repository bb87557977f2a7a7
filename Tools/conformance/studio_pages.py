"""Studio in headless Chromium: every view and action against a running server with two synced clients beside it, hostile data,
`realm studio` over a file, axe on every view, and screenshots at three widths in light and dark.

  studio_pages.py --browser CHROMIUM --server URL --file URL --read-only URL --todo PROGRAM --data FOLDER --receiver PORT [--screenshots FOLDER]
                  [--million URL] [--realms NUMBER]

The server has the administrator root and the users ann and bob, with passwords secret-of-NAME, a device of the chat, and a webhook
for the port, at which nothing listens yet.
"""

import argparse
import http.server
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

parser = argparse.ArgumentParser()
for name in ["browser", "server", "file", "read-only", "todo", "data", "receiver"]:
    parser.add_argument("--" + name, required=True)
parser.add_argument("--screenshots")
parser.add_argument("--million", help="the address of a file with many people")
parser.add_argument("--realms", default="0", help="the realms that are made for the list")
parser.add_argument("--pages", help="a folder of modules and styles that stand in for those in the program, to try changes")
parser.add_argument("--only", help="run the steps whose names contain this")
arguments = parser.parse_args()
server = arguments.server
widths = {"wide": 1440, "middle": 1024, "phone": 390}
failures = 0
admin = "/api/openrealm/v1/admin/"

HOSTILE = {
    "markup": "<img src=x onerror=\"window.hacked=1\"><b>bold</b>",
    "script": "</script><script>window.hacked=1</script>",
    "template": "${window.hacked=1}{{7*7}}'\"><svg onload=window.hacked=1>",
    "bidirectional": "abc\u202egnp.exe\u202c \u2066evil\u2069",
    "invisible": "a\u200bb\u0000c\ufeffd\r\ne\tf",
    "arabic": "مرحبا بالعالم",
    "emoji": "👩‍👩‍👧‍👦" * 5,
    "combining": "Z" + "\u0351\u036b\u0343" * 200,
    "address": "javascript:window.hacked=1",
    "empty": "",
    "spaces": "   ",
}


def check(claim, is_true, more=""):
    global failures
    failures += not is_true
    print(("ok      " if is_true else "FAILED  ") + claim + (f"   {more}" if more and not is_true else ""), flush=True)


class Studio:
    """One page, with what went wrong on it."""

    def __init__(self, browser, origin, **options):
        self.origin = origin
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True, **options)
        if arguments.pages:
            self.context.route(re.compile(r"/studio/.*\.(js|css)$"), lambda route: route.fulfill(
                path=pathlib.Path(arguments.pages) / route.request.url.partition("/studio/")[2]))
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.problems, self.foreign = [], []
        self.expected = 0
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.note(message.text))
        self.page.on("request", self.look)

    def note(self, text):
        # Refusals that a step provokes are written by the browser itself.
        if "Failed to load resource" not in text:
            self.problems.append(text)

    def look(self, request):
        url = urllib.parse.urlparse(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and f"{url.scheme}://{url.netloc}" != self.origin:
            self.foreign.append(request.url)

    def view(self, name, /, **parameters):
        query = urllib.parse.urlencode(parameters)
        self.page.goto(f"{self.origin}/studio/#/{name}" + (f"?{query}" if query else ""))
        self.until("!(document.querySelector('main')?.textContent ?? 'Loading').startsWith('Loading')")

    def until(self, condition, seconds=20):
        """Waits for a condition; the policy of the pages forbids the usual way, which evaluates text in them."""
        for _ in range(seconds * 20):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {condition}")

    def said(self, text):
        expect(self.page.locator("#messages")).to_contain_text(text)

    def log_in(self, name):
        self.page.goto(self.origin + "/studio/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(f"secret-of-{name}")
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page.locator("#menu")).to_be_visible()

    def call(self, method, path, body=None):
        """A request of the page itself, with its cookie and its anti-forgery token."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
              const session = await (await fetch('/studio/session')).json()
              const answer = await fetch(path, { method, headers: { 'Content-Type': 'application/json', 'X-OpenRealm-Token': session?.token ?? '' },
                body: body === null ? undefined : JSON.stringify(body) })
              const text = await answer.text()
              return { status: answer.status, value: text ? JSON.parse(text) : null }
            }""", [method, path, body])

    def write(self, path, edits):
        answer = self.call("POST", admin + "realm/transaction", {"path": path, "edits": edits})
        assert answer["status"] == 200, answer
        return answer["value"]

    def axe(self, name):
        results = axe.run(self.page)
        serious = [f"{one['id']} ({len(one['nodes'])}): {one['nodes'][0]['html'][:160]}"
                   for one in results.response["violations"] if one["impact"] in ("serious", "critical")]
        check(f"axe finds nothing serious: {name}", not serious, "; ".join(serious))

    def shot(self, name):
        if not arguments.screenshots:
            return
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            for width_name, width in widths.items():
                self.page.set_viewport_size({"width": width, "height": 800})
                self.page.wait_for_timeout(150)
                over = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                check(f"{name} fits into {width} pixels", over <= 1, f"{over} too wide")
                self.page.screenshot(path=f"{arguments.screenshots}/{name}-{width_name}-{scheme}.png")
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": 1440, "height": 900})

    def done(self, name):
        check(f"nothing went wrong in the pages: {name}", not self.problems, "; ".join(self.problems[:3]))
        check(f"no other host was asked: {name}", not self.foreign, "; ".join(self.foreign[:3]))
        check(f"no data became a script: {name}", self.page.evaluate("window.hacked") is None)
        self.context.close()


def todo(user, *words):
    return subprocess.run([arguments.todo, "--data", f"{arguments.data}/{user}", *words], capture_output=True, text=True, timeout=60).stdout


def login(studio):
    page = studio.page
    page.goto(server + "/studio/")
    studio.axe("login")
    studio.shot("login")
    page.get_by_label("Name").fill("root")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("do not fit")
    studio.log_in("root")
    cookie = next(one for one in studio.context.cookies() if one["name"] == "openrealm-studio")
    check("the cookie is HttpOnly and SameSite=Strict", cookie["httpOnly"] and cookie["sameSite"] == "Strict")
    check("scripts do not see the cookie", page.evaluate("document.cookie") == "")
    stored = page.evaluate("JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])")
    check("nothing is kept by scripts", stored == "[[],[]]", stored)
    policy = page.request.get(server + "/studio/").headers["content-security-policy"]
    check("the policy forbids inline scripts", "script-src 'self'" in policy and "unsafe" not in policy)
    timings = []
    for _ in range(5):
        page.reload()
        expect(page.locator("#menu")).to_be_visible()
        timings.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    timing = statistics.median(timings)
    check(f"the page loads in under 300 ms ({timing:.0f} ms)", timing < 300)


def overview(studio):
    studio.view("overview")
    page = studio.page
    todo("ann", "add", "Feed the cat")
    expect(page.locator(".card b").first).not_to_have_text("–", timeout=15_000)
    expect(page.locator("header.view p")).to_contain_text("realms")
    studio.axe("overview")
    studio.shot("overview")


def realms(studio):
    studio.view("realms")
    page = studio.page
    expect(page.get_by_role("status").first).to_contain_text("realm")
    page.get_by_role("searchbox", name="Search by path").fill("todo/ann")
    expect(page.locator("span.total")).to_have_text("1 realm")
    path = page.locator(".grid a").first.inner_text()
    studio.axe("realms")
    studio.shot("realms")
    page.locator(".grid").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(path)
    return path


def data(studio, path):
    studio.view("data", path=path, **{"class": "TodoItem"})
    page = studio.page
    expect(page.locator(".row").nth(1)).to_contain_text("Buy milk")
    studio.axe("data")
    # A query, its mistake under the very character, completion, help.
    bar = page.get_by_role("searchbox", name="Query")
    bar.fill("title == \"Buy milk\" AND ")
    expect(page.locator(".mark")).to_contain_text("^")
    column = page.locator(".mark").inner_text().index("^")
    check("the mistake stands under its character", 20 <= column <= 26, str(column))
    bar.fill("")
    bar.press_sequentially("tit")
    expect(page.get_by_role("option", name="title")).to_be_visible()
    bar.press("Tab")
    check("Tab completes a property", bar.input_value() == "title")
    bar.press_sequentially(" == \"Buy milk\"")
    expect(page.locator("span.total")).to_have_text("1 object")
    page.get_by_label("Help with queries").click()
    expect(page.locator(".help dl")).to_be_visible()
    page.get_by_label("Help with queries").click()
    bar.fill("")
    # Sorting by a click on the heading.
    page.get_by_role("columnheader").filter(has_text="title").get_by_role("button").click()
    expect(page.locator("[aria-sort=ascending]")).to_be_visible()
    # Open, edit with a look at what is written, save, and both devices see it.
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    side = page.locator("aside[aria-label=Object]")
    expect(side).to_be_visible()
    title = side.get_by_label("title", exact=True)
    former = title.input_value()
    title.fill("Edited in Studio")
    expect(side.locator(".preview")).to_contain_text("Edited in Studio")
    studio.axe("data with the editor")
    studio.shot("data-editor")
    side.get_by_role("button", name="Save").click()
    studio.said("Saved")
    for user, words in [("ann", []), ("bob", ["--of", "ann"])]:
        todo(user, *words, "sync")
        check(f"the device of {user} has the edit", "Edited in Studio" in todo(user, *words, "list"))
    page.locator("#messages").get_by_role("button", name="Undo").last.click()
    studio.said("The former values are back")
    todo("ann", "sync")
    check("undo reaches the devices", "Edited in Studio" not in todo("ann", "list"))
    # Validation before anything is sent.
    page.get_by_role("button", name="New", exact=True).click()
    done = side.get_by_label("_id", exact=True)
    done.fill("studio-1")
    side.get_by_label("title", exact=True).fill("Made in Studio")
    side.get_by_role("button", name="Create").click()
    studio.said("is created")
    # Duplicate.
    bar.fill("title == \"Made in Studio\"")
    expect(page.locator("span.total")).to_have_text("1 object")
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    side.get_by_role("button", name="Duplicate").click()
    side.get_by_label("_id", exact=True).fill("studio-2")
    # A batch with its preview.
    side.get_by_role("button", name="Add to a batch").click()
    expect(page.locator(".batch")).to_contain_text("1 edit")
    page.get_by_role("button", name="Look and write").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".preview")).to_contain_text("studio-2")
    studio.axe("the look at a batch")
    dialog.get_by_role("button", name="Write", exact=True).click()
    expect(page.locator("span.total")).to_have_text("2 objects")
    # Deletion says what cascades.
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    expect(dialog.locator(".preview")).to_contain_text("TodoItem")
    studio.shot("data-delete")
    dialog.get_by_role("button", name="Delete").click()
    studio.said("is deleted")
    expect(page.locator("span.total")).to_have_text("1 object")
    page.locator("#messages").get_by_role("button", name="Undo").last.click()
    expect(page.locator("span.total")).to_have_text("2 objects")
    # What others write glows.
    bar.fill("")
    expect(page.locator("span.total")).not_to_have_text("2 objects")
    page.evaluate("window.glowed = 0; new MutationObserver(() => { window.glowed += document.querySelectorAll('.row.glow').length }).observe(document.querySelector('.grid'), { childList: true, subtree: true, attributes: true })")
    todo("bob", "--of", "ann", "add", "Written by bob")
    todo("bob", "--of", "ann", "sync")
    studio.until("window.glowed > 0")
    check("a row glows that another device wrote", True)
    # A link is followed, and come back from.
    studio.view("data", path=path, **{"class": "TodoList"})
    expect(page.locator(".row").nth(1)).to_contain_text("Groceries")
    studio.shot("data")


def schema(studio, path):
    studio.view("schema", path=path)
    page = studio.page
    expect(page.locator(".diagram")).to_be_visible()
    for value, sign in [("swift", "class TodoItem: Object"), ("kotlin", "class TodoItem : RealmObject"), ("java", "extends RealmObject"),
                        ("javascript", "extends Realm.Object {"), ("typescript", "extends Realm.Object<TodoItem>"), ("csharp", "IRealmObject"), ("dart", "@RealmModel()")]:
        page.get_by_label("Language").select_option(value)
        page.get_by_role("button", name="Model classes").click()
        expect(page.locator("pre.source")).to_contain_text(sign)
    studio.axe("schema")
    studio.shot("schema")
    page.get_by_role("button", name="Add a class").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Hostile")
    dialog.get_by_label(re.compile("First property")).fill("id")
    dialog.get_by_label("Its type").select_option("int")
    dialog.get_by_role("button", name="Add").click()
    studio.said("The class Hostile is there")
    for name, kind, optional in [("text", "string", True), ("number", "double", True), ("mixed", "any", False), ("bytes", "data", True), ("texts", "string", False), ("friend", "object", False)]:
        page.get_by_role("button", name="Add a property").click()
        dialog.get_by_label("Class", exact=True).select_option("Hostile")
        dialog.get_by_label("Name", exact=True).fill(name)
        dialog.get_by_label("Type", exact=True).select_option(kind)
        if kind == "object":
            dialog.get_by_label(re.compile("Class that a link leads to")).select_option("Hostile")
        if name == "texts":
            dialog.get_by_label("One value or many").select_option("list")
        if optional:
            dialog.get_by_label("May be null").check()
        dialog.get_by_role("button", name="Add").click()
        studio.said(f"Hostile has {name}")
    expect(page.locator(".diagram")).to_contain_text("Hostile")


def hostile(studio, path):
    page = studio.page
    numbers = ["NaN", "Infinity", "-Infinity", "-0", "5e-324"]
    texts = list(HOSTILE.values())
    source = random.Random(27)
    for _ in range(40):
        texts.append("".join(source.choice(["<", ">", "&", "\"", "'", "\u202e", "\u2066", "\x00", "\x1b[31m", "${", "}}", "<script>", "a", "ש", "\u200f", "\n", "\ud7ff", "💣"]) for _ in range(30)))
    edits = []
    for number, text in enumerate(texts):
        edits.append({"action": "create", "class": "Hostile", "key": str(number), "values": {
            "text": text, "number": numbers[number % len(numbers)], "mixed": json.dumps(text), "texts": json.dumps([text, text]),
            "bytes": None, **({"friend": str(number - 1)} if number else {}),
        }})
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    edits.append({"action": "create", "class": "Hostile", "key": "900", "values": {"text": None, "number": None, "bytes": pixel, "mixed": json.dumps({"a": [1, {"b": "<i>"}]})}})
    studio.write(path, edits)
    studio.view("data", path=path, **{"class": "Hostile"})
    expect(page.locator("span.total")).to_have_text(f"{len(edits)} objects")
    expect(page.locator(".row").nth(1)).to_contain_text("<img src=x onerror")
    grid = page.locator(".grid")
    check("markup became no element", page.locator(".grid img:not(.thumbnail), .grid script, .grid svg, .grid b b").count() == 0)
    shown = grid.inner_text()
    check("direction overrides are shown as codes", "\\u{202e}" in shown and "\u202e" not in shown)
    check("NaN is text", "nan" in shown.lower())
    grid.focus()
    for number in range(len(texts)):
        page.keyboard.press("Home") if number == 0 else page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        side = page.locator("aside[aria-label=Object]")
        expect(side.locator("h2")).to_have_text(f"Hostile {number}")
        typed = side.get_by_label("text", exact=True).input_value()
        normal = texts[number].replace("\r\n", "\n").replace("\r", "\n")
        if "\n" not in normal:
            check(f"text {number} is whole in the editor", typed == normal, repr((typed, normal)))
        page.get_by_label("Close").click()
        grid.focus()
    page.keyboard.press("End")
    expect(page.locator(".thumbnail")).to_be_visible()
    check("an image of a data value is shown", page.evaluate("document.querySelector('.grid .thumbnail').naturalWidth") == 1)
    page.keyboard.press("Enter")
    expect(page.locator("aside .thumbnail")).to_be_visible()
    page.get_by_label("Close").click()
    studio.axe("data that is hostile")
    studio.shot("data-hostile")
    # Null is a key, and so are the empty text and the text "null"; each is told from the others.
    answer = studio.call("POST", admin + "realm/schema", {"path": path, "classes": [{"name": "Keyed", "primaryKey": "id", "properties": [
        {"name": "id", "type": "string", "isOptional": True}, {"name": "text", "type": "string"}]}]})
    assert answer["status"] == 200, answer
    keys = [None, "null", "", "<b>", "\u202e", *HOSTILE.values()]
    keys = list(dict.fromkeys(keys))
    studio.write(path, [{"action": "create", "class": "Keyed", "key": key, "values": {"text": f"key {number}"}} for number, key in enumerate(keys)])
    studio.view("data", path=path, **{"class": "Keyed"})
    expect(page.locator("span.total")).to_have_text(f"{len(keys)} objects")
    found = studio.call("GET", f"{admin}realm/objects?path={urllib.parse.quote(path)}&class=Keyed")["value"]["objects"]
    check("every key comes back as it is, null included", [one["key"] for one in found] == keys, str([one["key"] for one in found][:4]))
    for number in (0, 1):
        grid.focus()
        page.keyboard.press("Home")
        if number:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        side = page.locator("aside[aria-label=Object]")
        side.get_by_label("text", exact=True).fill(f"changed {number}")
        side.get_by_role("button", name="Save").click()
        studio.said("Saved")
    found = studio.call("GET", f"{admin}realm/objects?path={urllib.parse.quote(path)}&class=Keyed")["value"]["objects"]
    check("an edit of the null key is none of the text null", [one["values"]["text"] for one in found[:3]] == ["changed 0", "changed 1", "key 2"], str(found[:3]))
    studio.axe("data with keys that are hostile")
    studio.shot("data-keys")
    studio.view("data", path=path, **{"class": "Hostile"})
    # By keys alone: a column is chosen, widened, sorted by, and its link followed.
    grid.focus()
    page.keyboard.press("ArrowRight")
    width = page.locator(".cell.current").bounding_box()["width"]
    page.keyboard.press("+")
    check("a column is widened by a key", page.locator(".cell.current").bounding_box()["width"] == width + 20)
    page.keyboard.press("Space")
    expect(page.locator("[aria-sort=ascending]")).to_contain_text("text")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(page.locator("[aria-sort]")).to_have_count(0)
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("span.total")).to_have_text("1 object")
    check("a key follows the link of a cell", page.get_by_role("searchbox", name="Query").input_value() == "id == 0")
    page.go_back()
    expect(page.locator("span.total")).to_have_text(f"{len(edits)} objects")
    # A link leads to its object, and the browser leads back.
    grid.focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="3 →", exact=True).first.click()
    expect(page.locator("span.total")).to_have_text("1 object")
    check("a link leads to its object", page.get_by_role("searchbox", name="Query").input_value() == "id == 3")
    page.go_back()
    expect(page.locator("span.total")).to_have_text(f"{len(edits)} objects")
    with studio.context.expect_page() as opened:
        page.get_by_role("link", name="GraphQL").click()
    explorer = opened.value
    explorer.wait_for_load_state()
    check("the GraphQL link leads to the explorer of the realm", path in urllib.parse.unquote(explorer.url) and bool(explorer.title()), explorer.url)
    explorer.close()


def transfer(studio, path):
    page = studio.page
    studio.view("transfer", path=path)
    studio.axe("import and export")
    with tempfile.TemporaryDirectory() as folder:
        large = pathlib.Path(folder) / "large.json"
        large.write_text(json.dumps([{"id": 1000, "text": "<b>" + "x" * 15_000_000}]))
        page.get_by_label("CSV, JSON or SQLite file").set_input_files(str(large))
        page.get_by_label("Class", exact=True).last.fill("Hostile")
        page.get_by_role("button", name="Import").click()
        expect(page.locator(".card").last.locator(".verdict, .error")).to_contain_text("1 created", timeout=120_000)
        rows = pathlib.Path(folder) / "rows.csv"
        rows.write_text("id,text\n2000,<u>one</u>\n2001,\"two, \"\"three\"\"\"\n")
        page.get_by_label("CSV, JSON or SQLite file").set_input_files(str(rows))
        page.get_by_role("button", name="Import").click()
        expect(page.locator(".card").last.locator(".verdict, .error")).to_contain_text("2 created", timeout=60_000)
        page.get_by_label("Class", exact=True).last.fill("Species")
        page.get_by_label("Primary key of a new class").fill("id")
        page.get_by_label("CSV, JSON or SQLite file").set_input_files(str(rows))
        page.get_by_role("button", name="Import").click()
        expect(page.locator(".card").last.locator(".verdict, .error")).to_contain_text("2 created", timeout=60_000)
        studio.view("realms")
        studio.view("transfer", path=path)
        for kind in ["json", "csv", "sqlite"]:
            page.get_by_label("Format").select_option(kind)
            page.get_by_label("Class", exact=True).first.select_option("" if kind != "csv" else "Species")
            page.get_by_role("button", name="Export").click()
            expect(page.locator(".card").first.locator(".verdict")).to_contain_text("objects", timeout=120_000)
            with page.expect_download() as download:
                page.locator("a.download").click()
            saved = pathlib.Path(folder) / f"saved.{kind}"
            download.value.save_as(saved)
            check(f"an export as {kind} has the objects", b"<u>one</u>" in saved.read_bytes())
        studio.shot("transfer")
        # The database of the export comes back in.
        page.get_by_label("CSV, JSON or SQLite file").set_input_files(str(pathlib.Path(folder) / "saved.sqlite"))
        page.get_by_role("button", name="Import").click()
        expect(page.locator(".card").last.locator(".verdict, .error")).to_contain_text("updated", timeout=120_000)
    studio.view("data", path=path, **{"class": "Hostile"}, query="id == 1000")
    expect(page.locator(".row").nth(1)).to_contain_text("15000003 characters")
    check("a text of 15 MB is cut in the grid", len(page.locator(".grid").inner_text()) < 20_000)


def history(studio, path):
    page = studio.page
    studio.view("history", path=path)
    expect(page.locator("tbody tr").first).to_contain_text("the server")
    found = page.locator("main").inner_text()
    check("the history names instructions", "Hostile" in found)
    check("the history names users", bool(re.search(r"[0-9a-f]{24}", found)) or "device" in found)
    page.locator("tbody tr").nth(1).click()
    expect(page.locator("aside[aria-label=Transaction] h2")).to_contain_text("Transaction")
    studio.axe("history")
    studio.shot("history")
    newest = studio.call("GET", f"{admin}realm/history?path={urllib.parse.quote(path)}&limit=1")["value"]["newest"]
    studio.write(path, [{"action": "update", "class": "Hostile", "key": "0", "values": {"text": "changed since"}}])
    studio.view("data", path=path, at=newest, **{"class": "Hostile"})
    expect(page.locator(".past")).to_contain_text("As of version")
    expect(page.locator(".row").nth(1)).to_contain_text("<img src=x")
    check("the past cannot be changed", page.get_by_role("button", name="New", exact=True).count() == 0)
    studio.axe("the past")
    page.get_by_role("link", name="Back to the present").click()
    expect(page.locator(".row").nth(1)).to_contain_text("changed since")


def access(studio, path):
    page = studio.page
    studio.view("access", path=path)
    page.get_by_label("User", exact=True).fill("bob")
    page.get_by_role("button", name="Explain").click()
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_label("Class", exact=True).fill("Species")
    page.get_by_label("Key", exact=True).fill("2000")
    page.get_by_role("button", name="Explain").click()
    expect(page.locator(".steps li").first).to_be_visible()
    studio.axe("access")
    studio.shot("access")
    page.get_by_role("button", name="Grant access").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("User").fill("*")
    dialog.get_by_role("button", name="Grant").click()
    expect(page.locator("tbody")).to_contain_text("everyone")
    page.locator("tr", has_text="everyone").get_by_role("button", name="Revoke").click()
    dialog.get_by_role("button", name="Revoke").click()
    studio.said("Revoked")


def roles(studio, path):
    page = studio.page
    studio.view("roles", path=path)
    expect(page.locator("main")).to_contain_text("no permissions of its own")
    studio.axe("permissions that are not there")
    page.get_by_role("button", name="Give it permissions").click()
    page.get_by_role("dialog").get_by_role("button", name="Give permissions").click()
    studio.said("has permissions")
    page.get_by_role("button", name="New role").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Role").fill("keepers")
    dialog.get_by_label(re.compile("^User")).fill("bob")
    dialog.get_by_role("button", name="Add").click()
    expect(page.locator("main")).to_contain_text("keepers")
    section = page.locator("section", has=page.get_by_role("heading", name="Class Species"))
    section.get_by_role("button", name="Add a role").click()
    dialog.get_by_label("Role").select_option("keepers")
    dialog.get_by_role("button", name="Add").click()
    box = section.get_by_label(re.compile("^keepers: update"))
    expect(box).not_to_be_checked()
    box.check()
    studio.said("may now: update")
    expect(section.get_by_label(re.compile("^keepers: update"))).to_be_checked()
    section.get_by_text("What the privileges mean here").click()
    expect(section.locator("details dl")).to_contain_text("subscribe to the class")
    studio.axe("permissions")
    studio.shot("roles")
    section.locator("tr", has_text="keepers").get_by_role("button", name="Remove").click()
    studio.said("is not in the list any more")
    page.get_by_label("Class of an object").select_option("Species")
    page.get_by_label("Key of an object").fill("2000")
    page.get_by_role("button", name="Show its list").click()
    expect(page.locator("main")).to_contain_text("no list of __Permission")
    # With such a property one object has a list of its own.
    studio.view("schema", path=path)
    page.get_by_role("button", name="Add a property").click()
    dialog.get_by_label("Class", exact=True).select_option("Species")
    dialog.get_by_label("Name", exact=True).fill("acl")
    dialog.get_by_label("Type", exact=True).select_option("object")
    dialog.get_by_label(re.compile("Class that a link leads to")).select_option("__Permission")
    dialog.get_by_label("One value or many").select_option("list")
    dialog.get_by_role("button", name="Add").click()
    studio.said("Species has acl")
    studio.view("roles", path=path)
    page.get_by_label("Class of an object").select_option("Species")
    page.get_by_label("Key of an object").fill("2000")
    page.get_by_role("button", name="Show its list").click()
    section = page.locator("section", has=page.get_by_role("heading", name="Species 2000")).last
    section.get_by_role("button", name="Add a role").click()
    dialog.get_by_label("Role").select_option("keepers")
    dialog.get_by_role("button", name="Add").click()
    studio.said("keepers is in the list")
    box = section.get_by_label(re.compile("^keepers: delete"))
    box.check()
    studio.said("may now: delete")
    found = studio.call("GET", f"{admin}realm/roles?path={urllib.parse.quote(path)}&class=Species&key=2000")["value"]["object"]
    check("an object has the list that the page gave it", found == [{"role": "keepers", "privileges": ["read", "delete"]}], str(found))
    studio.axe("the list of an object")


def subscriptions(studio, path):
    page = studio.page
    studio.view("subscriptions", path=path)
    expect(page.locator("tbody tr").first).to_contain_text("the whole realm")
    check("both devices are listed", page.locator("tbody tr").count() >= 2, str(page.locator("tbody tr").count()))
    page.get_by_role("button", name="Measure again").click()
    studio.axe("subscriptions")
    studio.view("subscriptions", path="/chat-rooms")
    queries = page.locator("section", has=page.get_by_role("heading", name="Queries"))
    expect(queries.locator("tbody tr").first).to_contain_text("ms")
    check("a device by queries does not hold the whole realm", "the whole realm" not in page.locator("main").inner_text())
    studio.axe("subscriptions by queries")
    studio.shot("subscriptions")


def users(studio, path):
    page = studio.page
    studio.view("users")
    page.get_by_role("button", name="New user").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("carl <b>")
    dialog.get_by_label("Password").fill("secret-of-carl")
    studio.axe("a dialog")
    dialog.get_by_role("button", name="Create").click()
    studio.said("is created")
    page.get_by_role("searchbox", name="Search by name").fill("carl")
    expect(page.locator("tbody tr").first).to_contain_text("carl <b>")
    page.locator("tbody tr").first.click()
    side = page.locator("aside[aria-label=User]")
    expect(side.locator("h2")).to_have_text("carl <b>")
    for press, sentence in [("Make administrator", "The role is changed"), ("Make regular", "The role is changed"), ("Suspend", "is suspended"), ("Let in again", "is let in again"), ("Log out everywhere", "ended")]:
        side.get_by_role("button", name=press).click()
        studio.said(sentence)
    side.get_by_role("button", name="Set password").click()
    dialog.get_by_label("New password").fill("another-secret")
    dialog.get_by_role("button", name="Set").click()
    studio.said("The password is set")
    # A login of an app, and an offer of a realm.
    answer = page.request.post(server + "/api/client/v2.0/app/shop/auth/providers/local-userpass/login",
                               data={"username": "carl <b>", "password": "another-secret"})
    token = answer.json()["access_token"]
    carl = page.locator("aside[aria-label=User] p.mono").first.inner_text()
    answer = studio.call("PUT", admin + "permissions", {"path": path, "userId": carl, "access": "manage"})
    check("a grant is made", answer["status"] < 300, str(answer))
    answer = page.request.post(server + "/api/openrealm/v1/offers", headers={"Authorization": f"Bearer {token}"}, data={"path": path, "access": "read"})
    check("an offer is made", answer.status == 201, answer.text())
    studio.view("realms")
    studio.view("users", user=carl)
    side.get_by_role("button", name="Withdraw").click()
    studio.said("The offer is withdrawn")
    expect(side).to_contain_text("No offers.")
    side.locator("tr", has_text="shop").get_by_role("button", name="End").click()
    studio.said("The login has ended")
    expect(side).to_contain_text("No login.")
    status = page.request.get(server + "/api/openrealm/v1/offers", headers={"Authorization": f"Bearer {token}"}).status
    check("a login that was ended is refused", status == 401, str(status))
    def app_login():
        return page.request.post(server + "/api/client/v2.0/app/shop/auth/providers/local-userpass/login",
                                 data={"username": "carl <b>", "password": "another-secret"})
    tokens = [app_login().json()["access_token"] for _ in range(2)]
    studio.view("realms")
    studio.view("users", user=carl)
    side.get_by_role("button", name="Log out everywhere").click()
    studio.said("2 logins of")
    statuses = [page.request.get(server + "/api/openrealm/v1/offers", headers={"Authorization": f"Bearer {one}"}).status for one in tokens]
    check("log-out everywhere ends every login", statuses == [401, 401], str(statuses))
    side.get_by_role("button", name="Suspend").click()
    studio.said("is suspended")
    check("who is suspended is not logged in", app_login().status in (401, 403), str(app_login().status))
    side.get_by_role("button", name="Let in again").click()
    studio.said("is let in again")
    check("who is let in again is logged in", app_login().status == 200)
    side.get_by_role("button", name="New key").click()
    dialog.get_by_label("Name").fill("robot")
    dialog.get_by_role("button", name="Make").click()
    expect(side.locator(".secret code")).to_be_visible()
    side.get_by_role("button", name="Switch off").click()
    expect(side.get_by_role("button", name="Switch on")).to_be_visible()
    side.get_by_role("button", name="Revoke").click()
    studio.said("The key is revoked")
    side.get_by_role("button", name="Delete").click()
    dialog.get_by_label(re.compile("Type carl")).fill("carl <b>")
    dialog.get_by_role("button", name="Delete").click()
    studio.said("is deleted")
    studio.view("users", search="ann")
    page.locator("tbody tr").first.click()
    expect(side).to_contain_text("Connected now")
    expect(side).to_contain_text("device")
    studio.axe("users")
    studio.shot("users")
    side.locator("h3", has_text="Logins").scroll_into_view_if_needed()


def sessions(studio):
    page = studio.page
    studio.view("sessions")
    expect(page.locator("tbody tr").first).to_be_visible()
    studio.axe("sessions")
    studio.shot("sessions")
    page.locator("tbody tr").first.get_by_role("button", name="Close").click()
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    studio.said("The connection is closed")


def logs(studio):
    page = studio.page
    studio.view("logs")
    expect(page.locator(".log li").first).to_be_visible()
    page.get_by_label("Level", exact=True).select_option("debug")
    page.get_by_label("Level that is written").select_option("debug")
    studio.said("from debug on")
    before = page.locator(".log li").count()
    studio.call("POST", admin + "tasks", {"kind": "verify"})
    studio.until(f"document.querySelectorAll('.log li').length > {before}")
    studio.axe("log")
    studio.shot("log")
    page.get_by_role("searchbox", name="Filter").fill("nothing fits this")
    expect(page.locator(".log li")).to_have_count(0)
    page.get_by_label("Level that is written").select_option("info")


def audit(studio):
    page = studio.page
    studio.view("audit")
    expect(page.locator("tbody")).to_contain_text("admin.")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict")).to_contain_text("none changed")
    page.get_by_role("searchbox", name="Event").fill("admin.writeObjects")
    expect(page.locator("tbody tr").first).to_contain_text("admin.writeObjects")
    studio.axe("audit")
    studio.shot("audit")


def care(studio):
    page = studio.page
    studio.view("care")
    for press in ["Backup now", "Verify all files", "Give space back"]:
        page.get_by_role("button", name=press).click()
        expect(page.locator(".verdict")).to_contain_text("done", timeout=60_000)
        page.wait_for_timeout(200)
    expect(page.locator("tbody").first).to_contain_text("backup")
    expect(page.locator("main")).to_contain_text("Nothing is in quarantine")
    studio.axe("care")
    studio.shot("care")


def quarantine(studio, path):
    """Uploads as the server keeps them: one that the device has sent since, and one that no server can read."""
    page = studio.page
    owner = path.split("/")[1]
    devices = studio.call("GET", f"{admin}realm/subscriptions?path={urllib.parse.quote(path)}")["value"]["clients"]
    kept = pathlib.Path(arguments.data) / "data" / "quarantine"
    for name, version, changeset in [("2026-01-01T00-00-00.000Z-1", 1, b""), ("2026-01-02T00-00-00.000Z-1", 1_000_000, b"\xff<b>\xff")]:
        folder = kept / name
        folder.mkdir(parents=True)
        (folder / f"{version}.changeset").write_bytes(changeset)
        (folder / "report.json").write_text(json.dumps({
            "realm": path, "user": owner, "clientFile": devices[0]["file"], "refusedAt": name[:10] + "T00:00:00Z", "code": 212,
            "message": "Bad changeset <script>window.hacked=1</script>", "changesets": [
                {"file": f"{version}.changeset", "bytes": len(changeset), "clientVersion": version, "serverVersion": 1, "timestamp": 1}]}))
    studio.view("care")
    rows = page.locator("section").last.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("<script>")
    studio.axe("quarantine")
    studio.shot("quarantine")
    dialog = page.get_by_role("dialog")
    rows.nth(1).get_by_role("button", name="Try again").click()
    dialog.get_by_role("button", name="Integrate").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Refused again")
    dialog.get_by_role("button", name="Cancel").click()
    rows.nth(0).get_by_role("button", name="Try again").click()
    dialog.get_by_role("button", name="Integrate").click()
    studio.said("The device has sent it since")
    expect(rows).to_have_count(1)
    rows.first.get_by_role("button", name="Remove").click()
    dialog.get_by_role("button", name="Remove").click()
    studio.said("The upload is removed")
    expect(page.locator("main")).to_contain_text("Nothing is in quarantine")


def connectors(studio, path):
    page = studio.page
    quoted = urllib.parse.quote(path)
    for name in ("warehouse", "<b>billing</b>"):
        answer = studio.call("GET", f"{admin}adapters/{urllib.parse.quote(name, safe='')}?path={quoted}")
        assert answer["status"] == 200, answer
    lease = studio.call("POST", admin + "adapters/warehouse/lease", {"path": path})["value"]["lease"]
    studio.view("connectors")
    adapters = page.locator("section").first.locator("tbody tr")
    expect(adapters).to_have_count(2)
    expect(adapters.first).to_contain_text("<b>billing</b>")
    expect(adapters.last).to_contain_text("held")
    expect(adapters.last).to_contain_text("version")
    adapters.last.get_by_role("link").click()
    consumers = page.locator("section").last
    expect(consumers.locator("tbody")).to_contain_text("adapter warehouse")
    studio.axe("connectors")
    studio.shot("connectors")
    consumers.locator("tr", has_text="warehouse").get_by_role("button", name="Forget").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("another process holds the lease")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    studio.call("POST", admin + "adapters/warehouse/lease", {"path": path, "lease": lease, "release": True})
    for text, total in [("<b>billing</b>", 1), ("warehouse", 0)]:
        consumers.locator("tr", has_text=text).get_by_role("button", name="Forget").click()
        page.get_by_role("dialog").get_by_role("button", name="Forget").click()
        studio.said("The adapter is forgotten")
        if total:
            expect(adapters).to_have_count(total)
    expect(page.locator("main")).to_contain_text("None has called")
    left = studio.call("GET", f"{admin}realm/consumers?path={quoted}")["value"]["consumers"]
    check("a forgotten adapter holds no history", not any(one["name"].startswith("adapter") for one in left), str(left))


class Receiver(http.server.BaseHTTPRequestHandler):
    """Accepts every message."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def webhooks(studio):
    page = studio.page
    studio.view("webhooks")
    letters = page.locator("section")
    expect(page.locator("tbody").first).to_contain_text(f"127.0.0.1:{arguments.receiver}")
    expect(letters.locator("tbody tr").first).to_contain_text("todo")
    studio.axe("webhooks")
    studio.shot("webhooks")
    def total():
        return studio.call("GET", admin + "webhooks/dead-letters?limit=1")["value"]["total"]
    letters.get_by_role("button", name="Send again").first.click()
    studio.said("Not accepted")
    before = total()
    receiver = http.server.HTTPServer(("127.0.0.1", int(arguments.receiver)), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    page.get_by_role("link", name=str(before), exact=True).first.click()
    expect(page.get_by_role("heading", name="Dead letters of lists")).to_be_visible()
    letters.get_by_role("button", name="Send again").first.click()
    studio.said("The receiver has accepted it")
    check("a letter that is accepted goes", total() == before - 1, f"{before} {total()}")
    letters.get_by_role("button", name="Remove").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    studio.said("The message is removed")
    check("a letter that is removed goes", total() == before - 2, f"{before} {total()}")
    receiver.shutdown()
    receiver.server_close()


def rename(studio):
    page = studio.page
    studio.view("realms")
    page.get_by_role("button", name="New realm").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Path").fill("/made/here")
    dialog.get_by_role("button", name="Create").click()
    expect(page.locator("h1")).to_contain_text("/made/here")
    again = studio.call("POST", admin + "realms", {"path": "/made/here"})
    check("a realm is made once", again["status"] == 409, str(again))
    studio.view("realms")
    page.get_by_role("searchbox", name="Search by path").fill("todo/bob")
    expect(page.locator("span.total")).to_have_text("1 realm")
    path = page.locator(".grid a").first.inner_text()
    page.get_by_role("button", name="Rename").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("New path").fill(path + "-old")
    dialog.get_by_role("button", name="Rename").click()
    studio.said("Renamed")
    page.get_by_role("button", name="Delete").click()
    dialog.get_by_label(re.compile("^Type ")).fill(path + "-old")
    dialog.get_by_role("button", name="Delete").click()
    studio.said("is deleted")


def keyboard(studio):
    page = studio.page
    studio.view("overview")
    for key, view in [("u", "users"), ("r", "realms"), ("s", "sessions"), ("l", "logs"), ("a", "audit"), ("c", "care"), ("w", "webhooks"), ("n", "connectors"), ("o", "overview")]:
        page.locator("body").click(position={"x": 5, "y": 5})
        page.keyboard.press("g")
        page.keyboard.press(key)
        studio.until(f"location.hash.startsWith('#/{view}')")
    studio.view("users")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search by name")).to_be_focused()
    # Everything that can be clicked is reached by Tab, and shows that it has the focus.
    studio.view("realms")
    seen = 0
    for _ in range(25):
        page.keyboard.press("Tab")
        outline = page.evaluate("document.activeElement === document.body ? null : getComputedStyle(document.activeElement).outlineStyle")
        if outline:
            seen += 1
            check("the focus is visible", outline != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 120)"))
    check("Tab reaches the actions of a page", seen > 10, str(seen))


def right_to_left(studio, path):
    """The pages in a right-to-left language's direction: nothing is cut off, and the menu stands at the right."""
    page = studio.page
    for name, parameters in [("overview", {}), ("realms", {}), ("data", {"path": path, "class": "Hostile"}), ("schema", {"path": path}),
                             ("roles", {"path": path}), ("users", {"search": "ann"}), ("care", {}), ("connectors", {"path": path})]:
        studio.view(name, **parameters)
        page.evaluate("document.documentElement.dir = 'rtl'")
        if name == "data":
            expect(page.locator(".row").nth(1)).not_to_contain_text("…", timeout=10_000)
        studio.shot(f"rtl-{name}")
        menu = page.locator("#menu").bounding_box()
        check(f"the menu of {name} stands at the right", menu["x"] > 700, str(menu))
        if name == "data":
            page.locator(".grid").focus()
            page.keyboard.press("End")
            expect(page.locator(".row.current")).to_be_visible()
            page.keyboard.press("Enter")
            expect(page.locator("aside[aria-label=Object]")).to_be_visible()
    page.evaluate("document.documentElement.removeAttribute('dir')")


def user(browser, path):
    studio = Studio(browser, server)
    studio.log_in("bob")
    page = studio.page
    studio.view("realms")
    expect(page.locator("span.total")).to_contain_text("realm")
    menu = page.locator("#menu").inner_text()
    check("another user is shown realms alone", "Users" not in menu and "Log\n" not in menu, menu)
    paths = [one.inner_text() for one in page.locator(".grid a").all()]
    check("another user sees own and granted realms only", path in paths and len(paths) <= 2, str(paths))
    studio.axe("realms of a user")
    studio.shot("user-realms")
    others = ["listRealms", "realm", "listObjects", "writeObjects", "modelClasses"]
    for method, one, operation in operations(page):
        status = studio.call(method, admin[:-1] + one, None if method in ("GET", "DELETE") else {})["status"]
        expected = (200, 400) if operation in others else (403,)
        check(f"{method} {one} as a user answers {expected}", status in expected, str(status))
    for one, parameters in [("realm", ""), ("realm/objects", "&class=Dog"), ("realm/models", "&language=swift")]:
        status = studio.call("GET", f"{admin}{one}?path=/made/here{parameters}")["status"]
        check(f"{one} of a realm of others is refused to a user", status == 403, str(status))
    studio.view("users")
    check("a view that is not theirs leads to their realms", page.locator("h1").inner_text() == "Realms")
    studio.done("another user")


def operations(page):
    """The method, path and name of every operation that asks for a login."""
    document = page.request.get(server + admin + "openapi.json").json()
    found = [(method.upper(), re.sub(r"\{[^}]*\}", "1", one), operation["operationId"])
             for one, methods in document["paths"].items() for method, operation in methods.items() if operation.get("security") != []]
    check("every operation was tried", len(found) > 50, str(len(found)))
    return found


def nobody(browser):
    studio = Studio(browser, server)
    page = studio.page
    page.goto(server + "/studio/")
    for method, one, _ in operations(page):
        status = page.request.fetch(server + admin[:-1] + one, method=method).status
        check(f"{method} {one} needs a login", status == 401, str(status))
    studio.done("nobody")


def local(browser):
    origin = re.match(r"http://[^/]*", arguments.file)[0]
    studio = Studio(browser, origin)
    page = studio.page
    page.goto(arguments.file)
    expect(page.locator(".row").nth(1)).to_contain_text("Rex")
    check("the key is not in the address any more", "key=" not in page.url, page.url)
    check("markup of a file is text", page.locator(".row").nth(2).inner_text().find("<b>Ada</b>") >= 0)
    studio.axe("a file")
    studio.shot("file")
    page.get_by_role("button", name="New", exact=True).click()
    side = page.locator("aside[aria-label=Object]")
    side.get_by_label("id", exact=True).fill("3")
    side.get_by_label("name", exact=True).fill("Bo")
    side.get_by_role("button", name="Create").click()
    studio.said("is created")
    expect(page.locator("span.total")).to_have_text("3 objects")
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog")).to_contain_text("Links to it go")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Schema").first.click()
    expect(page.locator(".diagram")).to_contain_text("Dog")
    studio.done("a file")
    second = Studio(browser, origin)
    check("without the key nothing is told", second.page.request.get(origin + admin + "realm/objects?path=x&class=Dog").status == 401)
    check("by another name nothing is told", second.page.request.get(origin + "/studio/", headers={"Host": "evil.example"}).status == 403)
    second.context.close()
    origin = re.match(r"http://[^/]*", arguments.read_only)[0]
    studio = Studio(browser, origin)
    page = studio.page
    page.goto(arguments.read_only)
    expect(page.locator(".row").nth(3)).to_contain_text("Bo")
    check("a file that is read only cannot be changed", page.get_by_role("button", name="New", exact=True).count() == 0)
    answer = studio.call("POST", admin + "realm/transaction", {"path": "x", "edits": []})
    check("nor by a request", answer["status"] == 403, str(answer))
    studio.done("a file that is read only")


WAIT_FOR = """async ({ act, want, first }) => {
  const start = performance.now()
  if (act.hash !== undefined) location.hash = act.hash
  if (act.top !== undefined) { const grid = document.querySelector('.grid'); grid.scrollTop = act.top * (grid.scrollHeight - grid.clientHeight) }
  if (act.text !== undefined) { const input = document.querySelector('main input[type=search]'); input.value = act.text; input.dispatchEvent(new Event('input')); input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })) }
  for (;;) {
    await new Promise(requestAnimationFrame)
    const rows = [...document.querySelectorAll('.rows .row')].map((row) => row.textContent)
    const isThere = rows.length > 0 && rows.every((text) => !text.includes('…')) && (!first || rows[0] !== first)
    if (isThere && (!want || document.querySelector('.total')?.textContent === want)) return performance.now() - start
    if (performance.now() - start > 60_000) return Infinity
  }
}"""


def median(values):
    return sorted(values)[len(values) // 2]


def timed(page, act, want=None, isOther=False):
    first = page.evaluate("document.querySelector('.rows .row')?.textContent ?? ''") if isOther else None
    return page.evaluate(WAIT_FOR, {"act": act, "want": want, "first": first})


def within(claim, times, bound):
    time = median(times)
    check(f"{claim}: {time:.0f} ms of {bound}, at most {max(times):.0f}", time <= bound)


def many_objects(browser):
    """A file of a million objects: first rows, any place, a query by key and one that no index answers."""
    origin = re.match(r"http://[^/]*", arguments.million)[0]
    studio = Studio(browser, origin)
    page = studio.page
    page.goto(arguments.million)
    expect(page.locator(".row").nth(1)).to_contain_text("person-", timeout=60_000)
    path = urllib.parse.parse_qs(page.get_by_role("link", name="Schema").first.get_attribute("href").partition("?")[2])["path"][0]
    count = studio.call("GET", f"{admin}realm/objects?path={path}&class=Person&take=0")["value"]["total"]
    all_objects = f"{count:,} objects"
    times = []
    for _ in range(9):
        studio.view("schema", path=path)
        times.append(timed(page, {"hash": f"#/data?path={path}&class=Person"}, all_objects))
    within(f"the first rows of {all_objects}", times, 150)
    source = random.Random(27)
    within(f"any place of {all_objects}", [timed(page, {"top": source.random()}, isOther=True) for _ in range(31)], 100)
    for kind, texts in [("by key", [f"id BETWEEN {{{n}, {n + 9}}}" for n in (count // 2, 123, count - 77)]),
                        ("by a scan", [f"name CONTAINS 'person-{n:07}'" for n in (count // 20, 7, count // 10 - 9)])]:
        times = []
        for text in 3 * texts:
            times.append(timed(page, {"text": text}, "10 objects"))
            timed(page, {"text": ""}, all_objects)
        within(f"a query {kind} that hits 10 of {all_objects}", times, 100)
    studio.done("many objects")


def many_realms(studio):
    page = studio.page
    made = page.evaluate("""async ([from, to, path]) => {
      const { token } = await (await fetch('/studio/session')).json()
      let next = from, made = 0
      const worker = async () => {
        while (next < to) {
          const number = next
          next += 1
          const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-OpenRealm-Token': token },
            body: JSON.stringify({ path: `/many/realm-${1_000_000 + number}` }) })
          // An answer that is not read holds a piece of shared memory in the page, and Chromium refuses every request of a
          // page with 16,384 of them.
          await answer.text()
          if (answer.status === 201) made += 1
        }
      }
      await Promise.all(Array.from({ length: 6 }, worker))
      return made
    }""", [0, int(arguments.realms), admin + "realms"])
    check(f"{arguments.realms} realms are made", made == int(arguments.realms), str(made))
    total = studio.call("GET", admin + "realms?limit=1")["value"]["total"]
    wanted = f"{total:,} realms"
    times = []
    for _ in range(9):
        studio.view("care")
        times.append(timed(page, {"hash": "#/realms"}, wanted))
    within(f"the first rows of {wanted}", times, 150)
    studio.until("[...document.querySelectorAll('.rows .row')].every((row) => /[0-9] [kM]?B/.test(row.textContent))")
    check("the rows are completed with what is in their files", True)
    source = random.Random(28)
    within(f"any place of {wanted}", [timed(page, {"top": source.random()}, isOther=True) for _ in range(31)], 100)
    times = []
    for number in 3 * [17, made // 20, made // 10 - 3]:
        times.append(timed(page, {"text": f"realm-{100_000 + number}"}, "10 realms"))
        timed(page, {"text": ""}, wanted)
    within(f"a search that hits 10 of {wanted}", times, 100)
    studio.axe("many realms")


axe = Axe()
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox"])
    studio = Studio(browser, server)
    steps = [("login", lambda: login(studio)), ("overview", lambda: overview(studio)), ("realms", lambda: realms(studio))]
    path = None

    def run(name, step):
        global failures
        if arguments.only and name != "login" and name != "realms" and not any(one in name for one in arguments.only.split(",")):
            return None
        try:
            return step()
        except Exception as error:  # The other views are looked at all the same.
            failures += 1
            print(f"FAILED  {name}: {str(error)[:900]}", flush=True)
            if arguments.screenshots:
                studio.page.screenshot(path=f"{arguments.screenshots}/failed-{name}.png")
            studio.page.keyboard.press("Escape")
            return None

    run("login", lambda: login(studio))
    run("overview", lambda: overview(studio))
    path = run("realms", lambda: realms(studio))
    for name, step in [("data", data), ("schema", schema), ("hostile", hostile), ("history", history), ("transfer", transfer),
                       ("access", access), ("subscriptions", subscriptions), ("roles", roles)]:
        run(name, lambda: step(studio, path))
    for name, step in [("users", users), ("quarantine", quarantine), ("connectors", connectors)]:
        run(name, lambda: step(studio, path))
    for name, step in [("sessions", sessions), ("logs", logs), ("audit", audit), ("care", care), ("webhooks", webhooks), ("rename", rename), ("keyboard", keyboard)]:
        run(name, lambda: step(studio))
    run("right-to-left", lambda: right_to_left(studio, path))
    run("user", lambda: user(browser, path))
    run("nobody", lambda: nobody(browser))
    run("local", lambda: local(browser))
    if int(arguments.realms):
        run("many-realms", lambda: many_realms(studio))
    if arguments.million:
        run("many-objects", lambda: many_objects(browser))
    def log_out():
        studio.page.get_by_role("button", name="Log out").click()
        expect(studio.page.get_by_label("Name")).to_be_visible()
        check("log-out ends the login on the server", studio.page.request.get(server + admin + "server").status == 401)
    run("log-out", log_out)
    studio.done("an administrator")
    browser.close()
print(f"check-studio: {failures} failures" if failures else "check-studio: everything holds")
sys.exit(1 if failures else 0)
