"""The icons of the window, drawn for Foreword on a grid of 24 and coloured when they are asked for."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

import assets

ICONS = Path(assets.__file__).parent / "icons"

RATIOS = (1.0, 1.25, 1.5, 1.75, 2.0, 3.0)  # of device pixels to points, as systems offer them

# Strokes are 1.75 wide with round ends; what stands between <...> marks is taken as it is.
SHAPES = {
    "pin": "M9.2 4.5h5.6M10 4.7l-.6 6.2c-1.9.8-3 2.2-3.2 4.1h11.6c-.2-1.9-1.3-3.3-3.2-4.1L14 4.7M12 15v5",
    "plus": "M12 5.5v13M5.5 12h13",
    "search": "M16.8 10.6a6.2 6.2 0 1 1-12.4 0a6.2 6.2 0 1 1 12.4 0M15.2 15.2L20 20",
    "send": "M12 19.5v-14M5.8 11.2L12 5l6.2 6.2",
    "stop": '<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" stroke="none"/>',
    "copy": '<rect x="9" y="9" width="11" height="11" rx="2.5"/>'
    '<path d="M15 9V6.5A2.5 2.5 0 0 0 12.5 4h-6A2.5 2.5 0 0 0 4 6.5v6A2.5 2.5 0 0 0 6.5 15H9"/>',
    "wrap": "M4 6.5h16M4 12h12.5a3 3 0 0 1 0 6H12.5M14.6 15.6L12.2 18l2.4 2.4M4 18h4.5",
    "check": "M5 12.8l4.6 4.6L19 7.4",
    "refresh": "M19 12a7 7 0 1 1-2.2-5.1L19 9M19 4.6V9h-4.4",
    "reset": "M5 12a7 7 0 1 0 2.2-5.1L5 9M5 4.6V9h4.4",
    "settings": '<path d="M4 8.2h7.6M18.4 8.2H20M4 15.8h1.6M12.4 15.8H20"/>'
    '<circle cx="15" cy="8.2" r="2.7"/><circle cx="9" cy="15.8" r="2.7"/>',
    "model": "M12 3.6l7.3 4.2v8.4L12 20.4l-7.3-4.2V7.8zM4.9 7.9L12 12l7.1-4.1M12 12v8.2",
    "trash": "M4.5 7h15M9.4 6.8V5.4A1.4 1.4 0 0 1 10.8 4h2.4a1.4 1.4 0 0 1 1.4 1.4v1.4"
    "M6.6 7.2l.8 11.2A1.8 1.8 0 0 0 9.2 20h5.6a1.8 1.8 0 0 0 1.8-1.6l.8-11.2M10.3 11v5M13.7 11v5",
    "pencil": "M4.8 19.2l.9-4.1L15.4 5.4a2.26 2.26 0 0 1 3.2 3.2L8.9 18.3zM13.5 7.3l3.2 3.2",
    "chevron-down": "M6.5 9.6L12 15l5.5-5.4",
    "chevron-up": "M6.5 14.4L12 9l5.5 5.4",
    "chevron-right": "M9.6 6.5L15 12l-5.4 5.5",
    "chevron-left": "M14.4 6.5L9 12l5.4 5.5",
    "arrow-down": "M12 5v13.5M6 12.7l6 6l6-6",
    "folder": "M4 7.3A2.3 2.3 0 0 1 6.3 5h3.2l2.3 2.5h5.9A2.3 2.3 0 0 1 20 9.8v6.9"
    "A2.3 2.3 0 0 1 17.7 19H6.3A2.3 2.3 0 0 1 4 16.7z",
    "close": "M6.5 6.5l11 11M17.5 6.5l-11 11",
    "sun": "M16 12a4 4 0 1 1-8 0a4 4 0 1 1 8 0M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4"
    "M5.6 18.4L7 17M17 7l1.4-1.4",
    "moon": "M19.6 14.2A7.9 7.9 0 1 1 9.8 4.4a6.3 6.3 0 0 0 9.8 9.8z",
    "paperclip": "M19.4 11.3l-7.1 7.1a4.5 4.5 0 0 1-6.4-6.4l7.3-7.3a3 3 0 0 1 4.3 4.3l-7.1 7.1"
    "a1.5 1.5 0 0 1-2.1-2.1l6.3-6.3",
    "user": "M16 8.2a4 4 0 1 1-8 0a4 4 0 1 1 8 0M4.5 20a7.5 6.3 0 0 1 15 0",
    "spark": "M12 3.5c.8 5.3 3.2 7.7 8.5 8.5c-5.3.8-7.7 3.2-8.5 8.5c-.8-5.3-3.2-7.7-8.5-8.5c5.3-.8 7.7-3.2 8.5-8.5z",
    "more": '<g fill="currentColor" stroke="none"><circle cx="5.5" cy="12" r="1.6"/><circle cx="12" cy="12" r="1.6"/>'
    '<circle cx="18.5" cy="12" r="1.6"/></g>',
    "info": "M20 12a8 8 0 1 1-16 0a8 8 0 1 1 16 0M12 11.3v4.7M12 8v.1",
    "warning": "M12 4.5l8.2 14.5H3.8zM12 10v4M12 16.4v.1",
    "download": "M12 4.5v10.5M6.8 10.2L12 15.4l5.2-5.2M5 19.5h14",
    "gauge": "M6.3 17.7a8 8 0 1 1 11.4 0M12 12l3.4-3.4",
    "sidebar": '<rect x="4" y="5" width="16" height="14" rx="2.5"/><path d="M9.5 5v14"/>',
}


def application_icon() -> QIcon:
    """Foreword's own icon, for windows and docks."""
    result = QIcon()
    for path in sorted(ICONS.glob("foreword-*.png")):
        result.addFile(str(path))
    return result


def icon(name: str, color: str, size: int = 20) -> QIcon:
    """One of SHAPES in a colour (#rrggbb), `size` points wide, sharp at every ratio. Raises KeyError otherwise."""
    shape = SHAPES[name]
    body = shape if shape.startswith("<") else f'<path d="{shape}"/>'
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="1.75" '
        f'stroke-linecap="round" stroke-linejoin="round" stroke="{color}">{body.replace("currentColor", color)}</svg>'
    )
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    result = QIcon()
    for ratio in RATIOS:
        side = round(size * ratio)
        pixmap = QPixmap(QSize(side, side))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        result.addPixmap(pixmap)
    return result
