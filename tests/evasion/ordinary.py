"""Ordinary notes, and the honest uses of what attackers use too."""

from __future__ import annotations

import base64
import codecs
import gzip
import html
import json
import random
import urllib.parse
import uuid
import zlib
from collections.abc import Callable

__all__ = ["NOTES", "THINGS", "USES"]

NOTES = (
    "The user prefers short answers and metric units.",
    "Anna works on the billing service; Tom reviews her pull requests.",
    "Project Aurora ships on 12 March. The release branch is cut a week before.",
    "Run the tests with pytest -q before each commit, and keep the changelog up to date.",
    "The staging server is restarted every Sunday at 03:00; expect two minutes of downtime.",
    "Remember to water the plants twice a week while Maria is away.",
    "Die Donaudampfschifffahrtsgesellschaft hat ihren Sitz in Wien, die Verwaltung in Linz.",
    "La réunion d'équipe a lieu le mardi à dix heures; l'ordre du jour est partagé la veille.",
    "El informe mensual se envía a los socios el primer lunes de cada mes.",
    "Пользователь живёт в Казани и пьёт чай без сахара.",
    "用户喜欢简短的回答，会议安排在每周二上午。",
    "ユーザーは短い回答を好みます。会議は毎週火曜日です。",
    "사용자는 짧은 답변을 선호하고 회의는 화요일이다.",
    "می‌خواهم که فایل‌ها را به‌روز نگه دارم و هر هفته نسخهٔ پشتیبان بگیرم.",
    "उपयोगकर्ता हिन्दी और अंग्रेज़ी दोनों में बात करता है।",
    "The kitchen is painted in RAL 9010; the key to the shed hangs behind the door.",
    "Use tabs in Makefiles and four spaces in Python. Never commit generated files.",
    "Bread: 500 g flour, 350 g water, 10 g salt, 2 g yeast. Rest overnight, bake at 240 degrees.",
    "The previous instructions for the coffee machine are in the drawer; the new ones hang on the wall.",
    "Ignore the lint warnings in the vendored folder; they are fixed upstream.",
    "Meeting notes: we decided to forget about the old importer and to keep the new one.",
    "Tickets are closed after thirty days without an answer. Mention the number in the subject.",
    "The wording of the demo is kept in prompts/demo.md and reviewed like code.",
    "Backups are written to the NAS each night; the restore was last tried in May.",
    "Her phone number changed; the new one is in the address book, not here.",
    "The password manager is set up on both laptops. The recovery sheet lies in the safe.",
    "Ask before you delete branches of others. Merged ones may go after a week.",
    "He prefers to be called Sam. Send invoices as PDF, never as a link.",
    "Config lives in ~/.config/app.toml; the environment variable APP_HOME moves it.",
    "Admin rights on the wiki are given by the office on request, and taken back in December.",
)


KEYS = ("title", "note")


def halves(text: str) -> list[str]:
    """The text in two parts, as fields hold them."""
    words = text.split(" ")
    return [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]


def pieces(text: str, width: int) -> list[str]:
    """The text in pieces of a width."""
    return [text[at : at + width] for at in range(0, len(text), width)]


PNG = b"\x89PNG\r\n\x1a\n"


def emphasis(text: str) -> str:
    """Every third word in bold, the last one in a code span."""
    words = text.split(" ")
    marked = [f"**{word}**" if at % 3 == 0 and word.isalpha() else word for at, word in enumerate(words)]
    return " ".join(marked)


def soft(text: str) -> str:
    """A soft hyphen in each long word, as typesetters put it."""
    return " ".join(f"{word[:5]}\xad{word[5:]}" if len(word) > 9 else word for word in text.split(" "))


USES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "emphasis": emphasis,
    "underscores": lambda text: " ".join(f"_{word}_" if word.istitle() else word for word in text.split(" ")),
    "soft hyphens": soft,
    "entities": lambda text: html.escape(text).replace(" ", "&nbsp;", 2).replace("a", "&auml;", 1),
    "no-break spaces": lambda text: text.replace(" ", "\xa0", 3),
    "wrapped lines": lambda text: text.replace(" ", "\n", 4),
    "blockquote": lambda text: "> " + text.replace(". ", ".\n> "),
    "bullet": lambda text: "- [ ] " + text,
    "table": lambda text: f"| note | by |\n|------|----|\n| {text} | Anna |",
    "HTML comment": lambda text: f"<!-- {text} -->",
    "percent comment": lambda text: f"%%{text}%%",
    "tags": lambda text: f"<p>{text}</p><br>",
    "link": lambda text: f"[{text}](https://example.org/a?b=c)",
    "wiki link": lambda text: f"See [[Notes]]: {text}",
    "code comment": lambda text: f"def total(rows):\n    # {text}\n    return sum(rows)",
    "string literal": lambda text: f"note = {json.dumps(text)}",
    "concatenation": lambda text: f"note = {json.dumps(text[:20])} + {json.dumps(text[20:])}",
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "data URI": lambda text: f"![note](data:text/plain;base64,{base64.b64encode(text.encode()).decode()})",
    "percent in a URL": lambda text: f"https://example.org/search?q={urllib.parse.quote(text)}",
    "unicode escapes": lambda text: json.dumps({"note": text}),
    "emoji": lambda text: f"\U0001f468\u200d\U0001f469\u200d\U0001f467 {text} \u2764\ufe0f",
    "small heading": lambda text: f"## Notes\n\n{text}\n\n---\n\nDone.",
    "front matter": lambda text: f"---\ntitle: Note\ndescription: {json.dumps(text)}\n---\n",
    "quoted-printable": lambda text: "".join(
        f"={byte:02X}" if byte > 126 or byte == 61 else chr(byte) for byte in text.encode()
    ),
    "fields": lambda text: "\n".join(f"{key}: {part}" for key, part in zip(KEYS, halves(text), strict=False)),
    "quoted fields": lambda text: json.dumps(dict(zip(KEYS, halves(text), strict=False)), indent=2),
    "attributes": lambda text: "".join(f'<img src="a.png" alt="{html.escape(part)}">\n' for part in halves(text)),
    "link titles": lambda text: " ".join(f'[a](https://example.org "{part}")' for part in halves(text)),
    "rows": lambda text: (
        "| no | note |\n|---|---|\n" + "".join(f"| {at} | {part} |\n" for at, part in enumerate(halves(text)))
    ),
    "log": lambda text: "".join(f"2024-05-01 10:00:0{at} INFO {part}\n" for at, part in enumerate(halves(text))),
    "footnotes": lambda text: "".join(f"[^{at}]: {part}\n" for at, part in enumerate(halves(text))),
    "headings": lambda text: "".join(f"## {part}\n\nMilk.\n\n" for part in halves(text)),
    "long comment between": lambda text: f"<!-- {'to be sorted ' * 400}-->".join(halves(text)),
    "style sheet between": lambda text: "<style>.a { color: red }</style>".join(halves(text)),
    "unseen element": lambda text: text.replace(" ", ' <span aria-hidden="true">*</span> ', 2),
    "base64 backwards": lambda text: base64.b64encode(text.encode()).decode()[::-1],
    "base64 between lines": lambda text: "\nMilk and bread.\n".join(
        pieces(base64.b64encode(text.encode()).decode(), 40)
    ),
    "base64 in groups": lambda text: " ".join(pieces(base64.b64encode(text.encode()).decode(), 4)),
    "base64 of words": lambda text: " ".join(base64.b64encode(word.encode()).decode() for word in text.split()),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "Ascii85": lambda text: base64.a85encode(text.encode(), adobe=True).decode(),
    "gzip in base64": lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    "zlib in hex": lambda text: zlib.compress(text.encode()).hex(),
    "ROT13, told": lambda text: f"Spoiler in ROT13: {codecs.encode(text, 'rot13')}",
    "ROT47": lambda text: "".join(chr(33 + (ord(char) + 14) % 94) if "!" <= char <= "~" else char for char in text),
    "UTF-7": lambda text: text.encode("utf-7").decode(),
    "every second letter": lambda text: (
        "Read every second letter: " + "".join(f"{char}x" if char.isascii() else char for char in text)
    ),
    "first letters": lambda text: "The first letters of the lines are a riddle:\n" + "\n".join(text.split()),
    "words backwards": lambda text: "Read from right to left: " + " ".join(reversed(text.split())),
    "hyphens at line ends": lambda text: " ".join(
        f"{word[:5]}-\n{word[5:]}" if len(word) > 9 and word.isalpha() else word for word in text.split(" ")
    ),
    "entities with zeros": lambda text: text.replace("a", "&#00097;"),
    "capitals": str.upper,
    "a typing slip": lambda text: text.replace("the", "teh", 1).replace("ie", "ei", 1),
}


def _things() -> dict[str, str]:
    luck = random.Random(11)
    noise = luck.randbytes(300)
    return {
        "minified script": '!function(e,t){"use strict";var n=t.a||{};for(var r=0;r<e.length;r++){n[e[r]]=function(o)'
        '{return o&&o.b?o.c.d(e,r+1):void 0}}}(["x","y"],window.app);',
        "hex dump": "\n".join(
            f"{at:08x}  {noise[at : at + 16].hex(' ')}  |................|" for at in range(0, 160, 16)
        ),
        "identifiers": "\n".join(str(uuid.UUID(int=luck.getrandbits(128), version=4)) for _ in range(20)),
        "web token": "Authorization: Bearer <header>.<payload>.<signature>",
        "image": f"![pixel](data:image/png;base64,{base64.b64encode(PNG + noise).decode()})",
        "binary as base64": base64.b64encode(noise).decode(),
        "hashes": "\n".join(f"{luck.getrandbits(256):064x}  file{n}.tar" for n in range(10)),
        "numbers": ", ".join(str(luck.randrange(30, 130)) for _ in range(120)),
        "byte list": "[" + ", ".join(hex(byte) for byte in noise[:80]) + "]",
        "bits": " ".join(f"{byte:08b}" for byte in noise[:40]),
        "colours": "\n".join(f"--c{n}: #{luck.getrandbits(24):06x};" for n in range(30)),
        "snake case": "def test_reads_all_rows_of_the_table(): ...\n\ndef test_keeps_previous_instruction_count(): ...",
        "camel case": "class UserSettingsControllerTest { void rejectsUnknownCommandNames() {} }",
        "shell script": '#!/bin/sh\nset -eu\nfor f in *.txt; do\n  wc -l "$f" | tee -a report.log\ndone\n',
        "subprocess": 'subprocess.run(["git", "status", "--short"], check=True)\nargs = ["python", "-m", "pytest"]',
        "acronyms": "A B C D E F G H I J\n1 2 3 4 5 6 7 8 9\na. b. c. d. e.",
        "spaced heading": "A G E N D A\n\n1. Budget\n2. Hiring\n",
        "formula": "E = m c^2, x_1 + x_2 = y, \\frac{a}{b}, \\textbf{note}, $a$ and $b$",
        "regular expressions": r"^\d{4}-\d{2}-\d{2}$ and [A-Za-z_]\w*\(\s*\) or \n\t\x41",
        "aligned columns": "name        size      date\nreport.pdf   120 KB   2024-01-02\nphotos.zip    12 MB   2024",
        "chess": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
        "phone numbers": "+49 30 123 45 67, +1 (555) 010-0199, 0043 1 58858-0",
        "Morse-like rule": "- - - . . . - - -\n. . . . . . . .",
        "leet name": "The handle is m4rk0 and the host is srv01-db3; see h2o and k8s, i18n, a11y.",
        "French words": "Entre les filtres, l'accès est contrôlé; le développeur authorize la requête.",
        "Persian": "نمی‌توانم به‌زودی پاسخ بدهم، کتاب‌ها روی میز است.",
        "flags": "\U0001f1e9\U0001f1ea \U0001f1eb\U0001f1f7 \U0001f3f4"
        + "".join(chr(0xE0000 + ord(tag)) for tag in "gbeng\x7f"),
        "Greek letters": "α = 0.05, Δt = 3 μs, ∑ x_i",
        "footnotes": "The shop[^1] opens at nine[^2].\n\n[^1]: On Mill Street.\n[^2]: Ten on Sundays.",
        "dump of bytes": "\n".join(
            f"{at:08x}: {noise[at : at + 16].hex(' ', 2)}  ................" for at in range(0, 160, 16)
        ),
        "certificate": "-----BEGIN CERTIFICATE-----\n"
        + "\n".join(pieces(base64.b64encode(noise).decode(), 64))
        + "\n-----END CERTIFICATE-----",
        "content hashes": "\n".join(
            f'"file{n}": "sha512-{base64.b64encode(luck.randbytes(64)).decode()}",' for n in range(8)
        ),
        "short hashes": "\n".join(f"{luck.getrandbits(28):07x} tidy up the tests" for _ in range(20)),
        "wallet": "Donations: 1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
        "source map": "AAAA,SAASA,IAAIC,CAAC,GAAG,KAAK,CAAC,GAAG,IAAI,OAAO,UAAU,MAAM,CAAC;AACJ,IAAI,MAAM,GAAG",
        "settings": "access: read\ncontent: system\nfilter: none\ntasks: 4\nstored: true\nnode: a1\nshell: bash\n"
        "user: anna",
        "workflow": "on: push\njobs:\n  send:\n    steps:\n      - name: Print the content\n        run: make print\n"
        "      - name: Upload reports\n        uses: upload@v4\n        with:\n          path: reports\n",
        "API table": "| method | path | what |\n|---|---|---|\n| GET | /agents | list the agents |\n"
        "| POST | /tasks | create a task |\n| DELETE | /tasks/1 | delete a task |\n"
        "| GET | /account | read the account |",
        "messages of an app": '{"delete": "Delete", "confirm": "Confirm", "forget": "Forgot password?", '
        '"send": "Send", "upload": "Upload"}',
        "dates": "9-7-14, 15-18-5, 1-12-12; 2-3-4 and 5-6-7; 12.5.24 and 3.6.24, 10-11-12 o'clock",
        "scores": "3-1 2-2 0-4 1-1 5-3 2-0 4-4 1-3 2-1 3-3 0-0 1-2",
        "names of letters": "Gates: alpha, bravo, charlie, delta. Mike and Oscar fly in November; Victor is in Lima.",
        "acrostic": "The first letters of the lines spell HAPPY:\nHoney\nApples\nPears\nPlums\nYeast",
        "reading order": "In this table read the columns from top to bottom; the first word of each line is the name.",
        "domain": "Our shop is at xn--bcher-kva.example and at xn--mnchen-3ya.example.",
        "signs of mathematics": "a+A, b+B and C++A are names; x+AB- is none.",
        "art": " _____ \n|     |\n| ()_ |\n|_____|\n <~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~> \n",
        "long path": "https://example.org/a/Bc3/De/fG/h1/Jk/Lm/N0p/Qr/St/uV/wX/yZ and src/A/b/C/d/E/f/G/h/I/j/K/l/M/n",
        "diff": "--- a/readme.md\n+++ b/readme.md\n@@ -1,3 +1,3 @@\n-Old line\n+New line",
    }


THINGS: dict[str, str] = _things()
