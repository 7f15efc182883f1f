"""A server of PostgreSQL that says it is another version: what Debian has is one only, and clinics have others.

    other_version.py FOLDER HOST VERSION

Listens on a socket in FOLDER, says `ready`, and hands everything on to the server whose socket lies in HOST, as it is; but what the
server tells of its version at the beginning of a session (`ParameterStatus`, which libpq reads) becomes VERSION.
"""

import pathlib
import signal
import socket
import struct
import sys
import threading

SOCKET = ".s.PGSQL.5432"
NAME = b"server_version\0"


def changed(kind, body, version):
    if kind == b"S" and body.startswith(NAME):
        return NAME + version.encode() + b"\0"
    return body


def exactly(source, count):
    taken = b""
    while len(taken) < count:
        more = source.recv(count - len(taken))
        if not more:
            return None
        taken += more
    return taken


def hand_on(source, target):
    while data := source.recv(65_536):
        target.sendall(data)


def answers(server, client, version):
    """Message by message until the server is ready for the first query; from then on as it comes."""
    while head := exactly(server, 5):
        kind, length = head[:1], struct.unpack(">I", head[1:])[0]
        body = exactly(server, length - 4) if length > 4 else b""
        if body is None:
            return
        body = changed(kind, body, version)
        client.sendall(kind + struct.pack(">I", len(body) + 4) + body)
        if kind == b"Z":
            return hand_on(server, client)


def serve(client, host, version):
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"{host}/{SOCKET}")

    def back():
        try:
            answers(server, client, version)
        except OSError:
            pass
        finally:
            for end in (server, client):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    threading.Thread(target=back, daemon=True).start()
    try:
        hand_on(client, server)
    except OSError:
        pass
    try:
        server.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main(folder, host, version):
    path = pathlib.Path(folder) / SOCKET
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(64)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client, host, version), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
