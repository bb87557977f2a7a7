"""A round of confirmation and reset by mail: a server of ours, a mail server from PyPI (aiosmtpd), and a user who reads mail.

    mail.py PATH-OF-realm-object-server CERTIFICATE KEY DATA
"""
import atexit
import email
import email.policy
import json
import queue
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

server, certificate, key, data = sys.argv[1:5]
inbox = queue.Queue()


class Mailbox:
    """Takes mail over TLS and from those who log in; refuses one address for good, and the first message of all for now."""

    def __init__(self):
        self.hasRefused = False

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused"):
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if not self.hasRefused:
            self.hasRefused = True
            return "451 come back later"
        inbox.put((session.ssl is not None, session.authenticated, envelope))
        return "250 OK"


def authenticate(server, session, envelope, mechanism, credentials):
    return AuthResult(success=(credentials.login, credentials.password) == (b"realm", b"mail-secret"))


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)


class AnyPort(Controller):
    """Listens on a free port."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


controller = AnyPort(
    Mailbox(), hostname="127.0.0.1", port=0, tls_context=context, require_starttls=True, authenticator=authenticate,
    auth_required=True, auth_require_tls=True, server_hostname="localhost")
controller.start()
port = controller.port

with open(data + ".password", "w") as file:
    file.write("mail-secret\n")
process = subprocess.Popen(
    [server, "--port", "0", "--data", data, "--log-level", "info", "--mail-server", f"smtp://localhost:{port}",
     "--mail-from", "realm@example.org", "--mail-user", "realm", "--mail-password-file", data + ".password",
     "--mail-authority", certificate, "--public-url", "http://sync.example.org"],
    stdout=subprocess.PIPE, stderr=open(data + ".log", "w"), text=True)
atexit.register(process.kill)


def fail(reason):
    process.kill()
    print("mail: " + reason, file=sys.stderr)
    print(open(data + ".log").read(), file=sys.stderr)
    sys.exit(1)


line = process.stdout.readline()
if "listening on " not in line:
    fail("the server did not start: " + line)
base = line.split("listening on ")[1].split(",")[0]


def post(route, **body):
    request = urllib.request.Request(
        f"{base}/api/client/v2.0/app/todo/auth/providers/local-userpass/{route}", json.dumps(body).encode(),
        {"Content-Type": "application/json"}, method="POST")
    try:
        return urllib.request.urlopen(request, timeout=300).status
    except urllib.error.HTTPError as error:
        return error.code


def expect(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found} instead of {wanted}")


def link(seconds=300):
    try:
        isSecure, isAuthenticated, envelope = inbox.get(timeout=seconds)
    except queue.Empty:
        fail("no message came")
    expect((isSecure, isAuthenticated), (True, True), "TLS and login")
    expect(envelope.mail_from, "realm@example.org", "the sender")
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    expect(message["to"].addresses[0].addr_spec, envelope.rcpt_tos[0], "the recipient")
    text = message.get_content()
    address = next(line for line in text.splitlines() if line.startswith("http://sync.example.org/mail/"))
    page, values = address.split("#")
    expect(urllib.request.urlopen(page.replace("http://sync.example.org", base), timeout=300).status, 200, "the page")
    values = dict(value.split("=", 1) for value in values.split("&"))
    return {"token": values["token"], "tokenId": values["tokenId"]}


ann = "ann@example.org"
expect(post("register", email="refused@example.org", password="password-1"), 201, "registering a refused address")
expect(post("register", email=ann, password="password-1"), 201, "registering")
expect(post("login", username=ann, password="password-1"), 401, "logging in too early")
# The first message is refused for now, so this one comes after the back-off of a minute.
confirmation = link()
expect(post("confirm", **confirmation), 200, "confirming")
expect(post("confirm", **confirmation), 400, "confirming twice")
expect(post("login", username=ann, password="password-1"), 200, "logging in")
expect(post("reset/send", email="nobody@example.org"), 200, "asking for nobody")
expect(post("reset/send", email=ann), 200, "asking for a reset")
reset = link()
expect(post("reset", password="password-2", **reset), 200, "resetting")
expect(post("reset", password="password-3", **reset), 400, "resetting twice")
expect(post("login", username=ann, password="password-1"), 401, "the old password")
expect(post("login", username=ann, password="password-2"), 200, "the new password")
process.terminate()
expect(process.wait(), 0, "stopping")
controller.stop()
log = open(data + ".log").read()
for secret in ["mail-secret", "password-1", "password-2", reset["token"], confirmation["token"]]:
    if secret in log:
        fail("the log has a secret")
print("mail: an account was confirmed and a password reset over STARTTLS; a refusal for now was tried again, one for good was not")
