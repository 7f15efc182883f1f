"""Sounds: ranges beside nginx, a large upload, a hundred who listen."""

import asyncio
import http.client
import json
import os
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time

LARGE = int(os.environ.get("BENCH_UPLOAD_MB", "200"))
LISTENERS = 100
SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
BOUNDARY = "b0undary"


def wav(path, megabytes):
    """Quiet noise, stereo, 48 kHz: as long as it has to be."""
    count = (megabytes * 1_000_000 - 44) // 4 * 4
    block = random.Random(1).randbytes(1 << 20)
    # Only the low bytes are random: near silence.
    quiet = bytearray(len(block))
    quiet[0::2] = block[0::2]
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + count) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 48_000, 192_000, 4, 16))
        file.write(b"data" + struct.pack("<I", count))
        left = count
        while left:
            piece = quiet[:left]
            file.write(piece)
            left -= len(piece)
    return path


def upload(portal, token, path, category):
    """As an app sends it, the file never whole in memory; the answer and the seconds."""
    fields = {"title": json.dumps({"de": "Rauschen", "en": "Noise"}), "category_id": category, "credits": "bin/bench", "licence": "CC0"}
    head = "".join(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
    head += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="audio"; filename="noise.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    end = f"\r\n--{BOUNDARY}--\r\n".encode()
    size = len(head.encode()) + os.path.getsize(path) + len(end)
    connection = http.client.HTTPConnection("127.0.0.1", portal.port, timeout=600)
    began = time.perf_counter()
    connection.putrequest("POST", "/api/v1/sounds")
    connection.putheader("Authorization", f"Bearer {token}")
    connection.putheader("Content-Type", f"multipart/form-data; boundary={BOUNDARY}")
    connection.putheader("Content-Length", str(size))
    connection.endheaders()
    connection.send(head.encode())
    with open(path, "rb") as file:
        while piece := file.read(1 << 18):
            connection.send(piece)
    connection.send(end)
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status != 201:
        sys.exit(f"upload: {response.status} {answer}")
    return answer["data"], time.perf_counter() - began


def ranges_script(folder, size):
    path = pathlib.Path(folder) / "ranges.lua"
    path.write_text(f"""
        local threads = 0
        function setup(thread) thread:set("number", threads) threads = threads + 1 end
        function init() math.randomseed(7 + number) end
        function request()
            local first = math.random(0, {size - 65_536})
            wrk.headers["Range"] = string.format("bytes=%d-%d", first, first + 65535)
            return wrk.format("GET")
        end
    """)
    return path


def nginx(folder, root, port):
    """Debian's, as its manual says for files."""
    path = pathlib.Path(folder) / "nginx.conf"
    path.write_text(f"""
        worker_processes 2; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections 1024; }}
        http {{ access_log off; sendfile on; default_type application/octet-stream;
            client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
            uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
            server {{ listen 127.0.0.1:{port}; root {root}; }} }}
    """)
    process = subprocess.Popen(["/usr/sbin/nginx", "-c", str(path)], stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            http.client.HTTPConnection("127.0.0.1", port).request("GET", "/")
            return process
        except OSError:
            time.sleep(0.05)
    sys.exit("nginx does not answer")


async def listen(port, path, stop):
    """A player on 256 kbit/s: half a megabyte ahead, then a piece every second, on a connection that stays."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
    place = 0
    while not stop.is_set():
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nRange: bytes={place}-{place + 32_767}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(next(line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")))
        await reader.readexactly(length)
        place = (place + 32_768) % 9_000_000
        await asyncio.sleep(1)
    writer.close()


def pages(portal, cookie, rounds=200):
    waits = []
    for _ in range(rounds):
        began = time.perf_counter()
        response, _ = portal.ask("GET", "/", {"Cookie": cookie})
        assert response.status == 200
        waits.append((time.perf_counter() - began) * 1000)
    waits.sort()
    return statistics.median(waits), waits[len(waits) * 99 // 100]


def with_listeners(portal, path, cookie):
    async def both():
        stop = asyncio.Event()
        listeners = [asyncio.create_task(listen(portal.port, path, stop)) for _ in range(LISTENERS)]
        await asyncio.sleep(1)
        found = await asyncio.to_thread(pages, portal, cookie)
        stop.set()
        await asyncio.gather(*listeners)
        return found
    return asyncio.run(both())


def run(program, root, portal_class, wrk):
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        data = f"{folder}/data"
        subprocess.run([program, "seed", "--data", data, "--resources", str(root), "--timezone", "Europe/Vienna"],
                       check=True, stdout=subprocess.DEVNULL)
        os.chmod(folder, 0o755)
        portal = portal_class(program, data)
        server = None
        try:
            token, cookie = portal.token("lena@example.org"), portal.cookie("ada@example.org")
            listed = portal.ask("GET", "/api/v1/sound-categories", {"Authorization": f"Bearer {token}"})[1]
            category = json.loads(listed)["data"][0]["id"]
            small = wav(f"{folder}/small.wav", 10)
            sound, _ = upload(portal, token, small, category)
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            portal.ask("PATCH", f"/api/v1/sounds/{sound['id']}", headers, '{"published": true}')
            path = sound["attributes"]["audio_url"]
            server = nginx(folder, folder, 18_998)
            script = ranges_script(folder, os.path.getsize(small))
            pairs = [(wrk(portal.address + path, script=script), wrk("http://127.0.0.1:18998/small.wav", script=script))
                     for _ in range(ROUNDS)]
            ratios = sorted(mine[0] / other[0] for mine, other in pairs)
            mine, other = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
            print(f"ranges of 64 kB beside nginx      {mine:9.0f} /s{other:9.0f} /s   ratio {statistics.median(ratios):5.2f} "
                  f"({ratios[0]:.2f}-{ratios[-1]:.2f}, aim 0.5)", flush=True)
            alone, beside = pages(portal, cookie), with_listeners(portal, path, cookie)
            print(f"{LISTENERS} listeners, Today             median {alone[0]:.1f} ms, p99 {alone[1]:.1f} ms without them; "
                  f"{beside[0]:.1f} ms, {beside[1]:.1f} ms with them", flush=True)
            large = wav(f"{folder}/large.wav", LARGE)
            before, most = portal.memory(), 0
            waiting = subprocess.Popen([sys.executable, __file__, str(portal.process.pid)], stdout=subprocess.PIPE, text=True)
            _, seconds = upload(portal, token, large, category)
            waiting.terminate()
            most = float(waiting.communicate()[0].split()[-1])
            print(f"upload of {LARGE} MB               {seconds:9.1f} s with measuring, resident memory grew by "
                  f"{max(0, most - before):.1f} MB (aim below 20)", flush=True)
        finally:
            if server:
                server.terminate()
                server.wait()
            portal.process.terminate()
            portal.process.wait()


def watch(pid):
    """The highest resident memory of a process until this one is ended."""
    import re
    import signal
    most = 0.0
    def end(*_):
        print(most, flush=True)
        sys.exit()
    signal.signal(signal.SIGTERM, end)
    while True:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        most = max(most, int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024)
        time.sleep(0.02)


if __name__ == "__main__":
    watch(int(sys.argv[1]))
