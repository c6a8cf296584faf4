"""Why the system or the database refused something, as they say it, and what to translate it by."""

import errno
import os

from app.language import mark

_OF_SYSTEM = {
    errno.ENOENT: mark("No such file or directory"),
    errno.EACCES: mark("Permission denied"),
    errno.EPERM: mark("Operation not permitted"),
    errno.ENOSPC: mark("No space left on device"),
    errno.EROFS: mark("Read-only file system"),
    errno.EIO: mark("Input/output error"),
    errno.EMFILE: mark("Too many open files"),
    errno.ENAMETOOLONG: mark("File name too long"),
    errno.EISDIR: mark("Is a directory"),
    errno.ENOTDIR: mark("Not a directory"),
    errno.EEXIST: mark("File exists"),
    errno.EBUSY: mark("Device or resource busy"),
    errno.EXDEV: mark("Invalid cross-device link"),
    errno.ETIMEDOUT: mark("Connection timed out"),
    errno.ECONNREFUSED: mark("Connection refused"),
    errno.ECONNRESET: mark("Connection reset by peer"),
    errno.ENETUNREACH: mark("Network is unreachable"),
    errno.EHOSTUNREACH: mark("No route to host"),
}
_OF_DATABASE = (
    mark("database or disk is full"),
    mark("disk I/O error"),
    mark("attempt to write a readonly database"),
    mark("unable to open database file"),
    mark("database is locked"),
    mark("database disk image is malformed"),
)
# Systems have words of their own for some. What is not here stays as it is.
REASONS = {os.strerror(number): text for number, text in _OF_SYSTEM.items()} | {text: text for text in _OF_DATABASE}
