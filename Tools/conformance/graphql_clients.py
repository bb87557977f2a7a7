"""GraphQL of a running server against clients that others wrote: gql over HTTP and both WebSocket protocols, sgqlc, and
graphql-core's reading of our introspection; then the tutorial's page and the explorer in headless Chromium.

  graphql_clients.py http://127.0.0.1:PORT USER PASSWORD TUTORIAL-FILE FOLDER-FOR-SCREENSHOTS
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from gql import Client, gql
from gql.transport.requests import RequestsHTTPTransport
from gql.transport.websockets import WebsocketsTransport
from graphql import build_client_schema, get_introspection_query, print_schema
import websockets

base, user, password, tutorial, screenshots = sys.argv[1:6]
socket_base = base.replace("http", "ws", 1)
address = base + "/graphql/~/todo/ann"
failures = 0


def check(claim, is_true):
    global failures
    failures += not is_true
    print(("ok      " if is_true else "FAILED  ") + claim)


def post(path, body):
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


refresh = post("/auth", {"app_id": "", "provider": "password", "data": user,
                         "user_info": {"register": False, "password": password}})["refresh_token"]["token"]
access = post("/auth", {"app_id": "", "provider": "realm", "data": refresh, "path": "/~/todo/ann"})["access_token"]["token"]


def over_http():
    transport = RequestsHTTPTransport(url=address, headers={"Authorization": access}, use_json=True)
    client = Client(transport=transport, fetch_schema_from_transport=True)
    with client as session:
        lists = session.execute(gql('{ todoLists(query: "name == \'Groceries\'") { _id name items { title } } }'))["todoLists"]
        check("gql over HTTP: a query", lists[0]["items"][0]["title"] == "Buy milk")
        made = session.execute(gql('mutation { createTodoItem(input: {_id: "gql", title: "By gql"}) { title done } }'))
        check("gql over HTTP: a mutation, validated by the client", made["createTodoItem"] == {"title": "By gql", "done": False})
        deleted = session.execute(gql('mutation { deleteTodoItem(_id: "gql") }'))
        check("gql over HTTP: a deletion", deleted["deleteTodoItem"] is True)
    answer = post_graphql(get_introspection_query(input_value_deprecation=True))
    schema = build_client_schema(answer["data"])
    check("graphql-core: build_client_schema takes the introspection", "type TodoItem" in print_schema(schema))
    return lists[0]["_id"]


def post_graphql(query, variables=None):
    request = urllib.request.Request(address, json.dumps({"query": query, "variables": variables}).encode(),
                                     {"Content-Type": "application/json", "Authorization": "Bearer " + access})
    return json.load(urllib.request.urlopen(request))


async def over_websocket(protocol):
    transport = WebsocketsTransport(url=socket_base + "/graphql/~/todo/ann", init_payload={"token": access}, subprotocols=[protocol])
    seen = []
    async with Client(transport=transport) as session:
        stream = session.subscribe(gql('subscription { todoItems(query: "title BEGINSWITH \'Push\'") { title } }'))
        async for result in stream:
            seen.append([item["title"] for item in result["todoItems"]])
            if len(seen) == 1:
                await asyncio.to_thread(post_graphql, 'mutation { createTodoItem(input: {_id: "push", title: "Push"}) { _id } }')
            elif len(seen) == 2:
                await asyncio.to_thread(post_graphql, 'mutation { deleteTodoItem(_id: "push") }')
            else:
                break
        await stream.aclose()
        check(f"gql over {protocol}: the present result, then each that is another", seen == [[], ["Push"], []])
        result = await session.execute(gql("{ todoLists { name } }"))
        check(f"gql over {protocol}: a query", result["todoLists"][0]["name"] == "Groceries")


def sgqlc():
    from sgqlc.endpoint.http import HTTPEndpoint
    from sgqlc.operation import Operation
    from sgqlc.types import Arg, Boolean, Field, String, Type, list_of

    class TodoItem(Type):
        title = Field(String)
        done = Field(Boolean)

    class Query(Type):
        todo_items = Field(list_of(TodoItem), graphql_name="todoItems", args={"query": Arg(String), "sort_by": Arg(String, graphql_name="sortBy")})

    operation = Operation(Query)
    operation.todo_items(query="done == false", sort_by="title").title()
    answer = HTTPEndpoint(address, {"Authorization": "Bearer " + access})(operation)
    check("sgqlc: a query made of Python classes", (operation + answer).todo_items[0].title == "Buy milk")


class Browser:
    """Headless Chromium, by its own protocol."""

    async def start(self, url):
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1200,760",
             "--user-data-dir=" + self.profile, url], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"ws://127.0.0.1:(\d+)", line)
            if found:
                break
        for _ in range(100):
            pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/json"))
            page = [page for page in pages if page["type"] == "page" and not page["url"].startswith("about:")]
            if page:
                break
            await asyncio.sleep(0.1)
        self.socket = await websockets.connect(page[0]["webSocketDebuggerUrl"], max_size=None)
        self.number = 0
        return self

    async def call(self, method, **parameters):
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("id") == self.number:
                return message["result"]

    async def run(self, script):
        answer = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    async def wait(self, script):
        for _ in range(300):
            if await self.run(script):
                return True
            await asyncio.sleep(0.1)
        return False

    async def photograph(self, name):
        import base64
        image = await self.call("Page.captureScreenshot", format="png")
        with open(os.path.join(screenshots, name), "wb") as file:
            file.write(base64.b64decode(image["data"]))

    async def stop(self):
        await self.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


async def live_page():
    text = open(tutorial).read()
    page = re.search(r"```html\n(.*?)```", text, re.S)[1].replace("localhost:9080", base.split("//")[1])
    file = os.path.join(screenshots, "live.html")
    open(file, "w").write(page)
    browser = await Browser().start("file://" + file + "#" + access)
    line = "[...document.querySelectorAll('li')].map(line => line.textContent)"
    check("tutorial: the page shows what the device wrote", await browser.wait(f"{line}.includes('Buy milk')"))
    await browser.run("document.querySelector('input').value = 'From the page'; document.querySelector('button').click()")
    check("tutorial: what the page writes comes back by the subscription", await browser.wait(f"{line}.includes('From the page')"))
    await browser.run("[...document.querySelectorAll('li')].find(line => line.textContent === 'Buy milk').click()")
    check("tutorial: a click changes one item", await browser.wait(f"{line}.includes('\\u2713 Buy milk')"))
    await browser.photograph("live.png")
    await browser.stop()


async def explorer():
    browser = await Browser().start(base + "/graphql/explore/~/todo/ann")
    check("explorer: it asks for a login", await browser.wait("document.querySelector('#login') && document.querySelector('#login').open"))
    await browser.run(f"$('user').value = {json.dumps(user)}; $('password').value = {json.dumps(password)}; $('enter').click()")
    check("explorer: after the login it knows the schema", await browser.wait("schema !== null && !$('login').open"))
    await browser.run("$('query').value = '{ todoLists { na'; $('query').setSelectionRange(17, 17); $('query').focus(); offer()")
    check("explorer: it completes fields", await browser.wait("[...$('completions').children].some(line => line.textContent.startsWith('name'))"))
    await browser.photograph("explorer-completion.png")
    await browser.run("$('query').value = '{ todoItems(sortBy: \"title\") { title done } }'; $('completions').hidden = true; run()")
    check("explorer: a query", await browser.wait("$('result').textContent.includes('From the page')"))
    await browser.run("$('schema').hidden = false; describe('TodoItem')")
    await browser.photograph("explorer-query.png")
    await browser.run("$('schema').hidden = true; $('query').value = 'mutation { createTodoItem(input: {_id: \"x\", title: \"Explored\"}) { title } }'; run()")
    check("explorer: a mutation", await browser.wait("$('result').textContent.includes('Explored') && $('result').textContent.includes('durable')"))
    await browser.photograph("explorer-mutation.png")
    await browser.run("$('query').value = 'subscription {\\n  todoItems(query: \"title BEGINSWITH $0\", arguments: [\"Exp\"]) { title done }\\n}'; run()")
    check("explorer: a subscription begins with the present result", await browser.wait("$('count').textContent === '1 result'"))
    await browser.photograph("explorer-subscription-before.png")
    await asyncio.to_thread(post_graphql, 'mutation { createTodoItem(input: {_id: "x", done: true}, updatePolicy: MODIFIED) { _id } }')
    check("explorer: the subscription changes on the screen",
          await browser.wait("$('count').textContent === '2 results' && $('result').textContent.includes('\"done\": true')"))
    await browser.photograph("explorer-subscription-after.png")
    check("explorer: nothing was refused by the page's policy, nothing came from elsewhere", await browser.run(
        "performance.getEntriesByType('resource').every(entry => entry.name.startsWith(location.origin))"))
    await browser.stop()


over_http()
for protocol in ["graphql-transport-ws", "graphql-ws"]:
    asyncio.run(over_websocket(protocol))
sgqlc()
if shutil.which("chromium"):
    asyncio.run(live_page())
    asyncio.run(explorer())
else:
    print("skipped the browser: there is no chromium")
sys.exit(1 if failures else 0)
