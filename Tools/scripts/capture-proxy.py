#!/usr/bin/env python3
"""Passes TCP connections on to a server and keeps what the server sends.

    capture-proxy.py SERVER_PORT FILE       prints the port it listens on
    capture-proxy.py --find TEXT FILE       answers 0 when TEXT is in what was kept, also within compressed parts, else 1

The server's messages are frames of WebSocket, which are not masked; bodies of more than some bytes are deflated by zlib.
"""
import socket
import sys
import threading
import zlib


def find(text: bytes, content: bytes) -> bool:
    if text in content:
        return True
    position = content.find(b"\x78")
    while position >= 0:
        try:
            if text in zlib.decompressobj().decompress(content[position:], 1 << 24):
                return True
        except zlib.error:
            pass
        position = content.find(b"\x78", position + 1)
    return False


def pump(source: socket.socket, target: socket.socket, kept) -> None:
    try:
        while data := source.recv(1 << 16):
            if kept is not None:
                kept.write(data)
                kept.flush()
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(port: int, path: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    number = 0
    while True:
        client, _ = listener.accept()
        number += 1
        server = socket.create_connection(("127.0.0.1", port))
        kept = open(f"{path}.{number}", "wb")
        threading.Thread(target=pump, args=(client, server, None), daemon=True).start()
        threading.Thread(target=pump, args=(server, client, kept), daemon=True).start()


if sys.argv[1] == "--find":
    found = False
    for name in sys.argv[3:]:
        with open(name, "rb") as file:
            found = found or find(sys.argv[2].encode(), file.read())
    sys.exit(0 if found else 1)
serve(int(sys.argv[1]), sys.argv[2])
