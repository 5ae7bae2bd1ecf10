"""Law: one JSON object a line on standard error, so that a program can read the log and so can a person."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

EXTRAS = ("method", "path", "status", "bytes", "ms")


class Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": when, "level": record.levelname.lower(), "from": record.name}
        line["message"] = record.getMessage()
        line |= {key: getattr(record, key) for key in EXTRAS if hasattr(record, key)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(level: str) -> None:
    """Send the process's log to standard error, from `level` upward."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if level != "debug":
        for chatty in ("asyncio", "uvicorn"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
