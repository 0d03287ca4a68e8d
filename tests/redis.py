"""A Redis server of a test's own: in a temporary folder, on loopback, keeping nothing, gone afterwards."""

import shutil
import socket
import subprocess
import tempfile
import threading
import time

from postgres import free_port


class Server:
    def __init__(self, *settings):
        self.home = tempfile.mkdtemp(prefix="civ-redis-")
        self.port = free_port()
        self.settings = settings
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", self.home, *self.settings],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + 30
        while True:
            try:
                if self.ask("PING") == "+PONG":
                    return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("redis-server has not started")
            time.sleep(0.02)

    def uri(self):
        return f"redis://127.0.0.1:{self.port}"

    def ask(self, command):
        """The first line of the answer to one command."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as one:
            one.sendall(command.encode() + b"\r\n")
            return one.makefile("rb").readline().decode().rstrip("\r\n")

    def empty(self):
        self.ask("FLUSHALL")

    def listen(self):
        """All that is said to it from now on: what it returns gives it, as lines, and ends that."""
        one = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        one.sendall(b"MONITOR\r\n")
        lines = one.makefile("r", encoding="utf-8", errors="replace")
        lines.readline()
        heard = []
        listener = threading.Thread(target=lambda: heard.extend(lines), daemon=True)
        listener.start()

        def end():
            one.shutdown(socket.SHUT_RDWR)
            listener.join()
            one.close()
            return heard

        return end

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
