"""Somebody at a table of a server who does one thing after another and waits for each answer: for tests that play by hand."""

import secrets

from live import Live, ask


class Seated:
    """A client of one table that knows the last of everything it was told."""

    def __init__(self, port, table, token):
        self.number, self.seat, self.table, self.game, self.chat, self.talk = 0, None, {}, None, [], []
        self.live = Live(port, f"/api/v1/tables/{table}/live", token)
        for message in self.live.until("hello"):
            self.hear(message)

    def hear(self, message):
        if message["type"] == "hello":
            self.seat, self.chat = message["you"]["seat"], message["chat"]
        if message["type"] == "talk":
            self.talk.append(message)
        if "n" in message and message["type"] not in ("ack", "refused"):
            self.number = message["n"]
            self.table, self.game = message.get("table", self.table), message.get("game", self.game)

    def catch_up(self):
        """Hears everything that has happened so far."""
        self.live.send({"type": "ping"})
        for message in self.live.until("pong"):
            self.hear(message)

    def do(self, kind, **fields):
        """Sends a command. Nothing if it was acknowledged, else the key of the error."""
        name = secrets.token_hex(3)  # a command with the id of an earlier one is not done again
        self.live.send({"type": kind, "id": name, **fields})
        for message in self.live.until(lambda message: message.get("id") == name):
            self.hear(message)
        return None if message["type"] == "ack" else message["error"]["key"]

    def play(self, referee, chance):
        """Decides by chance, in the draft or in a turn. Nothing if that was acknowledged, else the key of the error."""
        self.catch_up()
        action = chance.choice(sorted(referee.ask(cmd="legal", view=self.game["view"])["legal"]))
        if self.table.get("draft"):
            return self.do("pick", round=self.table["draft"]["round"], card=action.split()[1])
        return self.do("act", builds=self.number, actions=[action])

    def close(self):
        self.live.close()


def open_table(port, tokens, bots=(), **options):
    """A table at which these persons and bots sit, the first person as the host: its id and the persons."""
    status, answer, _ = ask(port, "POST", "/api/v1/tables", options, tokens[0])
    assert status == 201, answer
    people = [Seated(port, answer["table"], token) for token in tokens]
    for seat, person in enumerate(people[1:], 1):
        assert person.do("sit", seat=seat) is None
        person.seat = seat
    for seat, bot in enumerate(bots, len(people)):
        assert people[0].do("seat-bot", seat=seat, bot=bot) is None
    people[0].seat = 0
    return answer["table"], people
