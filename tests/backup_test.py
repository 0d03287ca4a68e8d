#!/usr/bin/env python3
"""civ backup as people use it; tests/store_test.cc has what it does with a server that runs.

usage: backup_test.py path/to/civ
"""

import os
import sqlite3
import sys
import tempfile

from checks import check, finish
from program import run

SAID = {  # of two tables, and of a file that is there
    "en": ("It has 2 tables.", "already exists"),
    "fr": ("Elle contient 2 tables.", "existe déjà"),
    "es": ("Contiene 2 mesas.", "ya existe"),
    "pt": ("Contém 2 mesas.", "já existe"),
    "ro": ("Conține 2 mese.", "există deja"),
}


def backup(*arguments, **environment):
    return run("backup", *arguments, env=environment)


def main():
    with tempfile.TemporaryDirectory() as folder:
        data, file = os.path.join(folder, "data"), os.path.join(folder, "copy.db")
        code, out, err = backup("--data", data, file)
        check("no such folder", (code, out) == (1, "") and "civ.db" in err and not os.path.exists(data), (code, out, err))
        os.mkdir(data)
        open(os.path.join(data, "civ.db"), "w").write("nothing of the sort" * 100)
        code, out, err = backup("--data", data, file)
        check("no database", code == 1 and "not a database of this program" in err, (code, out, err))
        os.remove(os.path.join(data, "civ.db"))

        database = sqlite3.connect(os.path.join(data, "civ.db"))
        database.executescript("PRAGMA application_id = 0x43495631; PRAGMA journal_mode = WAL; CREATE TABLE tables (id); INSERT INTO tables VALUES (1), (2)")
        # From here on the database is open, and what was inserted is in its log.
        for language, (done, there) in SAID.items():
            copy = os.path.join(folder, language + ".db")
            code, out, err = backup("--data", data, copy, "--lang", language)
            check(f"{language}: done", (code, err) == (0, "") and done in out and copy in out, (code, out, err))
            code, out, err = backup("--data", data, copy, "--lang", language)
            check(f"{language}: there already", (code, out) == (1, "") and there in err, (code, out, err))
        check("from the environment", backup(file, CIV_DATA=data)[0] == 0)
        database.execute("INSERT INTO tables VALUES (3)")
        database.commit()
        code, out, err = backup("--data", data, "--force", file)
        check("by force", code == 0 and "3 tables" in out, (code, out, err))
        check("is whole by itself", sorted(os.listdir(folder)) == sorted(["data", "copy.db", *(language + ".db" for language in SAID)]), os.listdir(folder))
        rows = sqlite3.connect(file).execute("SELECT count(*) FROM tables").fetchone()
        check("has everything", rows == (3,), rows)
        check("for its owner only", os.stat(file).st_mode & 0o777 == 0o600)
        check("usage", backup("--data", data)[0] == 2)
        database.close()
    return finish()


sys.exit(main())
