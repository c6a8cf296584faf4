#!/bin/sh
# Starts Foreword on a Mac. The Pythons of python.org and Homebrew first: the system's own may be too old.
PATH="/Library/Frameworks/Python.framework/Versions/Current/bin:/opt/homebrew/bin:/usr/local/bin:$PATH"
if command -v python3 >/dev/null; then
  exec python3 "$(dirname "$0")/launch.py" --icon
fi
echo "Foreword needs Python 3.11 to 3.14. Please install it (python.org), then start again."
