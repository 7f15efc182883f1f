"""A provider of measurements to link with, over a real socket: authorization server, resource server and page of consent, written
from the public documents of the Google Health API. It misbehaves on demand."""

import base64
import datetime
import hashlib
import http.server
import json
import re
import secrets
import threading
import time
import urllib.parse
import zoneinfo

CLIENT_ID, CLIENT_SECRET, HOOK_SECRET = "clinic-client", "clinic-secret-of-the-test", "hook-secret-0123456789"
ROOT = "https://www.googleapis.com/auth/googlehealth."
SCOPES = [ROOT + name + ".readonly" for name in ("activity_and_fitness", "health_metrics_and_measurements", "sleep", "profile")]
ZONE = zoneinfo.ZoneInfo("Europe/Vienna")

CONSENT = """<!DOCTYPE html><html lang="de"><title>Zustimmung</title><h1>Darf die Praxis das lesen?</h1>
<form method="post"><input type="hidden" name="query" value="{query}">
{boxes}<button name="answer" value="yes">Zulassen</button><button name="answer" value="no">Ablehnen</button></form>"""


def steps(date):
    """What somebody walked on a day."""
    return 2000 + date.toordinal() * 7919 % 9000


def instant(moment):
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class FakeHealth:
    def __init__(self):
        self.codes, self.access, self.refresh = {}, {}, {}
        self.revoked, self.asked, self.connections = [], [], 0
        # One of: html, redirect, huge, drip, reset, a status.
        self.fault = None
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.answer(self, b"")

            def do_POST(self):
                provider.answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def settings(self):
        """What the clinic's wearables.json says. The page of consent lies on another site than the portal, as a true one does."""
        here = f"http://127.0.0.1:{self.port}"
        return {"google_health": {
            "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "hook_secret": HOOK_SECRET,
            "authorize_url": f"http://localhost:{self.port}/authorize", "token_url": f"{here}/token",
            "revoke_url": f"{here}/revoke", "api_url": here}}

    # What it answers.

    def answer(self, request, body):
        parts = urllib.parse.urlsplit(request.path)
        query = dict(urllib.parse.parse_qsl(parts.query))
        form = dict(urllib.parse.parse_qsl(body.decode(errors="replace")))
        try:
            if parts.path == "/authorize":
                return self.consent(request, parts.query, query, body)
            if parts.path == "/token":
                return self.token(request, form)
            if parts.path == "/revoke":
                known = self.refresh.pop(form.get("token"), None)
                self.revoked.append(form.get("token"))
                return self.say(request, 200 if known else 400, {} if known else {"error": "invalid_token"})
            if parts.path == "/favicon.ico":
                return self.say(request, 200, b"", "image/x-icon")
            return self.data(request, parts.path, query, body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def say(self, request, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(data)

    def consent(self, request, raw, query, body):
        right = (query.get("client_id") == CLIENT_ID and query.get("response_type") == "code" and query.get("access_type") == "offline"
                 and query.get("prompt") == "consent" and query.get("code_challenge_method") == "S256" and "state" in query)
        if not right:
            return self.say(request, 400, b"400", "text/plain")
        if request.command == "GET":
            boxes = "".join(f'<label><input type="checkbox" name="scope" value="{one}" checked> {one}</label><br>'
                            for one in query["scope"].split(" "))
            return self.say(request, 200, CONSENT.format(query="", boxes=boxes).encode(), "text/html; charset=utf-8")
        pairs = urllib.parse.parse_qsl(body.decode())
        back = {"state": query["state"]}
        if dict(pairs).get("answer") == "yes":
            back["code"] = "4/" + secrets.token_urlsafe(24)
            self.codes[back["code"]] = (query["code_challenge"], query["redirect_uri"], [value for name, value in pairs if name == "scope"])
        else:
            back["error"] = "access_denied"
        self.say(request, 302, b"", Location=query["redirect_uri"] + "?" + urllib.parse.urlencode(back))

    def token(self, request, form):
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return self.say(request, 401, {"error": "invalid_client"})
        if form.get("grant_type") == "authorization_code":
            challenge, redirect, scopes = self.codes.pop(form.get("code"), (None, None, None))
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            right = challenge == base64.urlsafe_b64encode(digest).decode().rstrip("=") and redirect == form.get("redirect_uri")
        else:
            # A refresh token is good once: the answer brings another.
            scopes = self.refresh.pop(form.get("refresh_token"), None)
            right = scopes is not None
        if not right:
            return self.say(request, 400, {"error": "invalid_grant"})
        access, refresh = "ya29." + secrets.token_urlsafe(24), "1//" + secrets.token_urlsafe(24)
        self.access[access], self.refresh[refresh] = time.time() + 3600, scopes
        self.say(request, 200, {
            "access_token": access, "refresh_token": refresh, "expires_in": 3599, "token_type": "Bearer",
            "scope": " ".join(scopes), "refresh_token_expires_in": 604799})

    def misbehave(self, request):
        if self.fault == "html":
            self.say(request, 200, b"<!DOCTYPE html><p>Wartung", "text/html")
        elif self.fault == "redirect":
            self.say(request, 302, b"", Location=f"http://127.0.0.1:{self.port}/elsewhere")
        elif self.fault == "huge":
            request.send_response(200)
            request.send_header("Content-Length", str(50_000_000))
            request.end_headers()
            for _ in range(500):
                request.wfile.write(b" " * 100_000)
        elif self.fault == "drip":
            request.send_response(200)
            request.send_header("Content-Length", "1000")
            request.end_headers()
            for _ in range(40):
                request.wfile.write(b" ")
                request.wfile.flush()
                # The fault itself: a provider this slow.
                time.sleep(0.5)
        elif self.fault == "reset":
            request.close_connection = True
            request.connection.close()
        else:
            self.say(request, self.fault, {"error": {"code": self.fault}})

    def data(self, request, path, query, body):
        self.asked.append((time.time(), path))
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.access.get(token, 0) < time.time():
            return self.say(request, 401, {})
        if self.fault:
            return self.misbehave(request)
        if path.endswith("/identity"):
            return self.say(request, 200, {"healthUserId": "user-of-the-test"})
        kind = path.split("/")[5] if path.count("/") >= 5 else ""
        if path.endswith(":dailyRollUp"):
            return self.say(request, 200, {"rollupDataPoints": self.sums(kind, json.loads(body))})
        bounds = re.findall(r'"([^"]+)"', query.get("filter", ""))
        if len(bounds) != 2:
            return self.say(request, 400, {})
        self.say(request, 200, {"dataPoints": list(self.points(kind.split(":")[0], *bounds))})

    def sums(self, kind, body):
        if kind != "steps":
            return []
        first, end = (datetime.date(**body["range"][name]["date"]) for name in ("start", "end"))
        last = min(end, datetime.datetime.now(ZONE).date() + datetime.timedelta(days=1))
        days = [datetime.date.fromordinal(number) for number in range(first.toordinal(), last.toordinal())]
        return [{"civilStartTime": {"date": {"year": day.year, "month": day.month, "day": day.day}}, "steps": {"countSum": str(steps(day))}}
                for day in days]

    def points(self, kind, begin, end):
        if len(begin) == 10:
            return
        begin, end = (datetime.datetime.fromisoformat(one.replace("Z", "+00:00")) for one in (begin, end))
        now = datetime.datetime.now(ZONE)
        day = begin.astimezone(ZONE).date()
        while day <= min(end, now).astimezone(ZONE).date():
            morning = datetime.datetime.combine(day, datetime.time(7, 0), ZONE)
            if kind == "steps" and begin <= morning < min(end, now):
                yield {"steps": {"count": str(steps(day)), "interval": {
                    "startTime": instant(morning), "endTime": instant(morning + datetime.timedelta(minutes=40))}}}
            if kind == "heart-rate":
                for hour in range(24):
                    at = datetime.datetime.combine(day, datetime.time(hour, 15), ZONE)
                    if begin <= at < min(end, now):
                        yield {"heartRate": {"beatsPerMinute": str(58 + hour), "sampleTime": {"physicalTime": instant(at)}}}
            if kind == "sleep" and begin <= morning < min(end, now):
                yield {"name": f"users/me/dataTypes/sleep/dataPoints/{day}", "sleep": {
                    "interval": {"startTime": instant(morning - datetime.timedelta(hours=8)), "endTime": instant(morning)},
                    "summary": {"minutesAsleep": "432", "minutesAwake": "48", "stagesSummary": [{"type": "AWAKE", "minutes": "48", "count": "3"}]}}}
            day += datetime.timedelta(days=1)


if __name__ == "__main__":
    # To link by hand: writes the settings to the folder of data that is named, and serves until it is ended.
    import pathlib
    import sys

    provider = FakeHealth()
    file = pathlib.Path(sys.argv[1]) / "wearables.json"
    file.write_text(json.dumps(provider.settings()))
    file.chmod(0o600)
    print(f"listening on http://localhost:{provider.port}", flush=True)
    threading.Event().wait()
