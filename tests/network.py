"""A network that a test can cut: each way listens on a port of its own, and passes everything on to another."""

import asyncio
import threading


class Network:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def way(self, target):
        return Way(self.loop, target)


class Way:
    """To that port of this machine, by `port`."""

    def __init__(self, loop, target):
        self.loop, self.target = loop, target
        self.passes = asyncio.Event()
        self.passes.set()
        self.refuses = False
        self.ends = set()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._accept, "127.0.0.1", 0), loop).result()
        self.port = server.sockets[0].getsockname()[1]

    def cut(self, silently):
        """Connections break and none is taken; silently: nothing comes through any more, and nobody is told."""
        self.loop.call_soon_threadsafe(self._cut, silently)

    def mend(self):
        self.loop.call_soon_threadsafe(self._mend)

    def _cut(self, silently):
        self.passes.clear()
        self.refuses = not silently
        if self.refuses:
            for end in self.ends:
                end.transport.abort()

    def _mend(self):
        self.refuses = False
        self.passes.set()

    async def _accept(self, reader, writer):
        if self.refuses:
            return writer.transport.abort()
        try:
            await self.passes.wait()
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.transport.abort()
        ends = {writer, there[1]}
        self.ends |= ends
        await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))
        self.ends -= ends

    async def _pass(self, reader, writer):
        try:
            while data := await reader.read(65536):
                await self.passes.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
