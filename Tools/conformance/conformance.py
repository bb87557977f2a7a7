"""WebSocket conformance of our server side, by a peer that is not ours.

Cases follow the sections of the Autobahn test suite: framing, pings, reserved bits, opcodes, fragmentation, UTF-8, close
handling, limits. What is legal is spoken by wsproto; what is illegal is written to the socket as bytes.

    python3 conformance.py PORT
"""

import os
import socket
import struct
import sys

try:
    from wsproto import ConnectionType, WSConnection
    from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Pong, Request, TextMessage
except ImportError:
    print("conformance: skipped, the Python package wsproto is missing: pip install wsproto")
    sys.exit(77)

PORT = int(sys.argv[1])
CASES = []


def case(name):
    def register(function):
        CASES.append((name, function))
        return function

    return register


class Peer:
    """A client after its handshake."""

    def __init__(self, subprotocols=()):
        self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=5)
        self.ws = WSConnection(ConnectionType.CLIENT)
        self.send_event(Request(host=f"127.0.0.1:{PORT}", target="/echo", subprotocols=list(subprotocols)))
        self.accepted = self.next_event()
        assert isinstance(self.accepted, AcceptConnection), self.accepted

    def send_event(self, event):
        self.socket.sendall(self.ws.send(event))

    def raw(self, data):
        self.socket.sendall(data)

    def next_event(self):
        while True:
            for event in self.ws.events():
                return event
            data = self.socket.recv(1 << 16)
            self.ws.receive_data(data or None)

    def message(self):
        """The next whole message, as bytes."""
        whole = b""
        while True:
            event = self.next_event()
            if isinstance(event, (BytesMessage, TextMessage)):
                whole += event.data.encode() if isinstance(event.data, str) else bytes(event.data)
                if event.message_finished:
                    return whole
            elif isinstance(event, Ping):
                self.send_event(event.response())
            else:
                raise AssertionError(f"expected a message, got {event}")

    def echo(self, data, event=BytesMessage):
        self.send_event(event(data=data))
        expected = data.encode() if isinstance(data, str) else data
        assert self.message() == expected, "the echo differs"

    def closed_with(self, *codes):
        """The server closes with one of these codes, and then ends the stream."""
        event = self.next_event()
        assert isinstance(event, CloseConnection), f"expected a close, got {event}"
        assert event.code in codes, f"closed with {event.code}, expected {codes}"


def frame(opcode, payload=b"", final=True, reserved=0, masked=True, length=None):
    first = (0x80 if final else 0) | reserved << 4 | opcode
    size = len(payload) if length is None else length
    mask_bit = 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", first, mask_bit | size)
    elif size < 65536:
        head = struct.pack("!BBH", first, mask_bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, mask_bit | 127, size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


for size in [0, 1, 125, 126, 127, 128, 65535, 65536, 1 << 20]:

    @case(f"1. a message of {size} bytes comes back")
    def _(size=size):
        peer = Peer()
        peer.echo(bytes(index % 251 for index in range(size)))
        peer.echo("x" * size, TextMessage)


for cut in [1, 2, 3, 5, 997]:

    @case(f"1. a message that comes in pieces of {cut} bytes comes back")
    def _(cut=cut):
        peer = Peer()
        payload = os.urandom(3000)
        data = peer.ws.send(BytesMessage(data=payload))
        peer.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), cut):
            peer.raw(data[start : start + cut])
        assert peer.message() == payload


@case("2. a ping is answered with its payload")
def _():
    peer = Peer()
    for payload in [b"", b"hello", bytes(range(125))]:
        peer.send_event(Ping(payload=payload))
        event = peer.next_event()
        assert isinstance(event, Pong) and bytes(event.payload) == payload


@case("2. a ping of 126 bytes is a violation")
def _():
    peer = Peer()
    peer.raw(frame(9, bytes(126)))
    peer.closed_with(1002)


@case("2. an unsolicited pong is ignored")
def _():
    peer = Peer()
    peer.raw(frame(10, b"unsolicited"))
    peer.echo(b"after")


@case("2. ten pings at once get ten pongs in order")
def _():
    peer = Peer()
    peer.raw(b"".join(frame(9, bytes([number])) for number in range(10)))
    for number in range(10):
        event = peer.next_event()
        assert isinstance(event, Pong) and bytes(event.payload) == bytes([number])


for reserved in range(1, 8):

    @case(f"3. reserved bits {reserved:03b} are a violation")
    def _(reserved=reserved):
        peer = Peer()
        peer.raw(frame(2, b"x", reserved=reserved))
        peer.closed_with(1002)


for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]:

    @case(f"4. opcode {opcode} is a violation")
    def _(opcode=opcode):
        peer = Peer()
        peer.raw(frame(opcode, b"x" if opcode < 8 else b""))
        peer.closed_with(1002)


@case("5. a fragmented message comes back whole, with a ping in between")
def _():
    peer = Peer()
    peer.raw(frame(2, b"one ", final=False) + frame(9, b"p") + frame(0, b"two ", final=False) + frame(0, b"three"))
    event = peer.next_event()
    assert isinstance(event, Pong) and bytes(event.payload) == b"p"
    assert peer.message() == b"one two three"


@case("5. empty fragments are legal")
def _():
    peer = Peer()
    peer.raw(frame(2, b"", final=False) + frame(0, b"", final=False) + frame(0, b""))
    assert peer.message() == b""


@case("5. a fragmented ping is a violation")
def _():
    peer = Peer()
    peer.raw(frame(9, b"x", final=False))
    peer.closed_with(1002)


@case("5. a continuation without a beginning is a violation")
def _():
    peer = Peer()
    peer.raw(frame(0, b"x"))
    peer.closed_with(1002)


@case("5. a new message inside a fragmented one is a violation")
def _():
    peer = Peer()
    peer.raw(frame(2, b"x", final=False) + frame(2, b"y"))
    peer.closed_with(1002)


for text in ["", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε", "\U0010ffff", "\ufffe\uffff", "\x00"]:

    @case(f"6. the text {text!r} comes back, in fragments that cut characters too")
    def _(text=text):
        peer = Peer()
        peer.echo(text, TextMessage)
        data = text.encode()
        pieces = [frame(1 if index == 0 else 0, data[index : index + 1], final=False) for index in range(len(data))]
        peer.raw(b"".join(pieces or [frame(1, b"", final=False)]) + frame(0, b""))
        assert peer.message() == data


for data in [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited",
    b"\xf4\x90\x80\x80",
    b"\xc0\xaf",
    b"\x80",
    b"abc\xff",
    b"\xe2\x82",
]:

    @case(f"6. text that is not UTF-8 is a violation: {data.hex()}")
    def _(data=data):
        peer = Peer()
        peer.raw(frame(1, data))
        peer.closed_with(1007)


@case("7. a close is answered with a close")
def _():
    peer = Peer()
    peer.send_event(CloseConnection(code=1000, reason="bye"))
    peer.closed_with(1000)


@case("7. an empty close is answered")
def _():
    peer = Peer()
    peer.raw(frame(8))
    peer.closed_with(1000, 1005)


@case("7. nothing comes back after a close")
def _():
    peer = Peer()
    peer.raw(frame(8, struct.pack("!H", 1000)) + frame(2, b"late") + frame(9, b"late"))
    peer.closed_with(1000)
    rest = b""
    while data := peer.socket.recv(1 << 16):
        rest += data
    assert b"late" not in rest


@case("7. a close of one byte is a violation")
def _():
    peer = Peer()
    peer.raw(frame(8, b"x"))
    peer.closed_with(1002)


@case("7. a close reason that is not UTF-8 is a violation")
def _():
    peer = Peer()
    peer.raw(frame(8, struct.pack("!H", 1000) + b"\xff\xfe"))
    peer.closed_with(1007)


@case("7. a close of 126 bytes is a violation")
def _():
    peer = Peer()
    peer.raw(frame(8, struct.pack("!H", 1000) + bytes(124)))
    peer.closed_with(1002)


for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]:

    @case(f"7. the close code {code} is accepted")
    def _(code=code):
        peer = Peer()
        peer.raw(frame(8, struct.pack("!H", code)))
        peer.closed_with(code, 1000)


for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]:

    @case(f"7. the close code {code} is a violation")
    def _(code=code):
        peer = Peer()
        peer.raw(frame(8, struct.pack("!H", code)))
        peer.closed_with(1002)


@case("9. a message above the limit is refused by its announcement and its first bytes")
def _():
    peer = Peer()
    peer.raw(frame(2, bytes(1024), length=(8 << 20) + 1))
    peer.closed_with(1009)


@case("9. fragments that add up above the limit are refused")
def _():
    peer = Peer()
    half = bytes(5 << 20)
    peer.raw(frame(2, half, final=False))
    peer.raw(frame(0, b"", length=5 << 20)[:14])
    peer.closed_with(1009)


@case("10. an unmasked frame is a violation")
def _():
    peer = Peer()
    peer.raw(frame(2, b"x", masked=False))
    peer.closed_with(1002)


@case("10. a length that is not in its shortest form is a violation")
def _():
    peer = Peer()
    peer.raw(b"\x82\xfe\x00\x01" + b"\x00\x00\x00\x00" + b"x")
    peer.closed_with(1002)


@case("10. a length with the top bit set is a violation")
def _():
    peer = Peer()
    peer.raw(b"\x82\xff" + b"\x80" + bytes(7) + bytes(4))
    peer.closed_with(1002, 1009)


@case("11. no extension is agreed on, and one offered subprotocol is")
def _():
    peer = Peer(subprotocols=["one", "two"])
    assert peer.accepted.extensions == [] and peer.accepted.subprotocol == "one"


for name, changes, status in [
    ("no key", {"Sec-WebSocket-Key": None}, 400),
    ("a short key", {"Sec-WebSocket-Key": "c2hvcnQ="}, 400),
    ("another version", {"Sec-WebSocket-Version": "8"}, 426),
    ("no version", {"Sec-WebSocket-Version": None}, 426),
]:

    @case(f"11. a handshake with {name} is answered {status}")
    def _(changes=changes, status=status):
        headers = {
            "Host": "x",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version": "13",
        }
        headers.update(changes)
        lines = [f"{key}: {value}" for key, value in headers.items() if value is not None]
        with socket.create_connection(("127.0.0.1", PORT), timeout=5) as connection:
            connection.sendall(("GET / HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode())
            answer = connection.recv(4096).decode()
        got = int(answer.split(" ")[1])
        assert got in (status, 400), f"answered {got}"


def main():
    failed = 0
    for name, function in CASES:
        try:
            function()
        except Exception as error:  # a failed case must not hide the next
            failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}")
    print(f"conformance: {len(CASES) - failed} of {len(CASES)} cases passed")
    return 1 if failed else 0


sys.exit(main())
