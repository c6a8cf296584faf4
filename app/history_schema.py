"""The tables that keep the chats, and how older ones become them."""

import logging
import sqlite3
from pathlib import Path

from app.backup import copy_database
from inference.manager.paths import BACKUPS

log = logging.getLogger(__name__)

# One script per schema version; a database at version n still has to run MIGRATIONS[n:].
MIGRATIONS = (
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL, deleted REAL
    ) STRICT;
    CREATE INDEX conversations_updated ON conversations (updated);
    CREATE TABLE messages (
        id TEXT PRIMARY KEY,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL, text TEXT NOT NULL, runs TEXT NOT NULL, statistics TEXT,
        state TEXT NOT NULL, finish_reason TEXT, error TEXT NOT NULL, model TEXT NOT NULL, created REAL NOT NULL,
        UNIQUE (conversation, position)
    ) STRICT;
    """,
    # From lines of messages to trees of them; words to be found; folders, pins, presets, unsent questions.
    """
    CREATE TABLE folders (id TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL) STRICT;
    ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE conversations ADD COLUMN folder TEXT REFERENCES folders (id) ON DELETE SET NULL;
    ALTER TABLE conversations ADD COLUMN named TEXT NOT NULL DEFAULT 'person';
    ALTER TABLE conversations ADD COLUMN chosen TEXT;
    ALTER TABLE conversations ADD COLUMN preset TEXT NOT NULL DEFAULT '';
    ALTER TABLE conversations ADD COLUMN overrides TEXT NOT NULL DEFAULT '{}';
    CREATE TABLE unsent (conversation TEXT PRIMARY KEY, text TEXT NOT NULL, attachments TEXT NOT NULL) STRICT;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE tree (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        parent TEXT REFERENCES tree (id),
        chosen TEXT,
        role TEXT NOT NULL, text TEXT NOT NULL, attachments TEXT NOT NULL, runs TEXT NOT NULL, statistics TEXT,
        settings TEXT, thought_s REAL, state TEXT NOT NULL, finish_reason TEXT, error TEXT NOT NULL,
        model TEXT NOT NULL, edited INTEGER NOT NULL, created REAL NOT NULL,
        deleted REAL, indexed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO tree (id, conversation, parent, role, text, attachments, runs, statistics, state, finish_reason, error,
            model, edited, created)
        SELECT id, conversation, lag(id) OVER (PARTITION BY conversation ORDER BY position), role, text, '[]', runs,
            statistics, state, finish_reason, error, model, 0, created
        FROM messages ORDER BY conversation, position;
    DROP TABLE messages;
    ALTER TABLE tree RENAME TO messages;
    CREATE INDEX messages_conversation ON messages (conversation, key);
    CREATE INDEX messages_parent ON messages (parent);
    CREATE INDEX messages_unindexed ON messages (key) WHERE indexed = 0;
    CREATE INDEX messages_deleted ON messages (key) WHERE deleted IS NOT NULL;
    CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
    """,
    # Chats that nothing is learned from.
    """
    ALTER TABLE conversations ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
    """,
    # How speed and acceptance went over a reply.
    """
    ALTER TABLE messages ADD COLUMN course TEXT
    """,
)


def version_of(db: sqlite3.Connection) -> int:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to the present version, in one transaction and after a copy of the file was made.

    Raises sqlite3.DatabaseError when they are of a newer version.
    """
    version, newest = version_of(db), len(MIGRATIONS)
    if version < 0:  # as only damage makes it
        raise sqlite3.DatabaseError(f"schema {version}")
    if version > newest:
        raise sqlite3.DatabaseError(f"schema {version} is newer than this Foreword's {newest}")
    if version == newest:
        return
    if version > 0:
        copy = path.parent / BACKUPS / f"{path.stem}-version-{version}{path.suffix}"
        if not copy.exists():
            copy_database(path, copy)
            log.info("the chats were copied to %s before their tables change", copy.name)
    db.execute("BEGIN IMMEDIATE")
    try:
        for script in MIGRATIONS[version_of(db) :]:  # asked again: another process may have been quicker
            for statement in script.split(";"):
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {newest}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
