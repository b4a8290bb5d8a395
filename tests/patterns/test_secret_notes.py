"""Passwords and keys as people note them: in sentences, lists, tables, commands, configuration, other languages."""

from __future__ import annotations

import random
import string

import pytest

from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Category
from inkgate.scan import scan_text

ALPHABET = string.ascii_letters + string.digits

NOTES = """\
The admin password is {p}.
password for the router: {p}
Router login: admin / {p}
login admin/{p}
user: bob, pass: {p}
ID: bob PW: {p}
user bob with password {p}
pw is {p}
the wifi password (guest) = {p}
Wifi: HomeNet / {p}
WiFi key: {p}
creds are bob / {p}
log in as bob with {p}
[Password] {p}
**Password:** {p}
- Password: `{p}`
| Password | {p} |
Password -> {p}
password – {p}
10.0.0.5 root {p}
Account: bob (password: {p})
changed password from old to {p}
db pass -> {p}
Mein Kennwort lautet {p}
Le mot de passe est {p}
La contraseña es {p}
A senha é {p}
Пароль: {p}
пароль от базы {p}
密码是{p}
数据库密码为 {p}
パスワードは{p}です
비번 {p}
비밀번호는 {p} 입니다
Hasło to {p}
Het wachtwoord is {p}
mật khẩu là {p}
كلمة المرور: {p}
הסיסמה היא {p}
docker login -u bob -p {p}
ldapsearch -w {p}
7z x a.7z -p{p}
unzip -P {p} a.zip
keytool -storepass {p}
htpasswd -b f bob {p}
rabbitmqctl add_user bob {p}
echo {p} | sudo -S ls
--password '{p}'
db.x.io:5432:app:bob:{p}""".splitlines()
# The same forms with what ordinary text has in that place.
WORDS = ("required", "the", "authentication")
ORDINARY = (
    "${PASSWORD}",
    "<password>",
    "********",
    "changeme",
    "vault/prod/db",
    "op://Private/db/password",
)


@pytest.fixture(scope="module")
def secrets_only() -> RuleSet:
    """The rules of secrets alone."""
    rules = load_rules()
    return RuleSet(tuple(rule for rule in rules.rules if rule.category is Category.SECRET), rules.by_id, rules.digest)


def drawn(seed: int) -> str:
    """Fourteen letters and digits, of each kind at least one."""
    source = random.Random(seed)
    text = source.choices(ALPHABET, k=14)
    for place, kind in zip(source.sample(range(14), 3), (string.digits, "qxzjkv", "QXZJKV"), strict=True):
        text[place] = source.choice(kind)
    return "".join(text)


@pytest.mark.parametrize("note", NOTES)
def test_a_password_in_a_note_is_found(note: str, secrets_only: RuleSet) -> None:
    """Found for every seed, and nothing of it is left outside of the finding."""
    for seed in range(12):
        password = drawn(seed)
        text = note.format(p=password)
        found = scan_text(text, target="vault", rules=secrets_only).findings
        start = text.index(password)
        assert any(item.start <= start and item.end >= start + len(password) for item in found), (note, seed)


@pytest.mark.parametrize("note", NOTES)
def test_a_note_without_a_password_is_left_alone(note: str, secrets_only: RuleSet) -> None:
    """Placeholders and references are no password, nor are words, but where a program takes its password."""
    command = note in NOTES[NOTES.index("docker login -u bob -p {p}") :]
    for word in ORDINARY if command else ORDINARY + WORDS:
        assert not scan_text(note.format(p=word), target="vault", rules=secrets_only).findings, word


@pytest.mark.parametrize("column", range(4))
def test_a_password_in_a_table_is_found(column: int, secrets_only: RuleSet) -> None:
    """In any of four columns under a header that names it."""
    header, row = ["host", "user", "port", "note"], ["web", "bob", "22", "none"]
    password = drawn(column)
    header[column], row[column] = "Password", password
    text = "\n".join(("| " + " | ".join(header) + " |", "|---|---|---|---|", "| " + " | ".join(row) + " |"))
    found = scan_text(text, target="vault", rules=secrets_only).findings
    assert [text[item.start : item.end] for item in found] == [password]


@pytest.mark.parametrize("size", [150, 240, 400, 900])
@pytest.mark.parametrize("form", ["token: {v}", 'api_key = "{v}"', "the api key is {v}", "client_secret: '{v}'"])
def test_a_long_key_is_covered_to_its_end(form: str, size: int, secrets_only: RuleSet) -> None:
    """What is redacted leaves no tail of the key in the text."""
    value = "".join(random.Random(size).choices(ALPHABET, k=size))
    text = form.format(v=value)
    found = scan_text(text, target="vault", rules=secrets_only).findings
    assert max(item.end for item in found) >= text.index(value) + size
