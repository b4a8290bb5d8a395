"""Passwords and keys as people note them: in sentences, lists, tables, commands, configuration, other languages."""

from __future__ import annotations

import base64
import hmac
import random
import string

import pytest

from inkgate.match.rules import RuleSet, load_rules
from inkgate.match.samples import render
from inkgate.model import Category, Verdict
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
Use {p} as the password for the NAS.
Use {p} as password
my password's {p}
password ({p})
bob@host password {p}
IMAP pass {p}
MQTT_PASS {p}
pw {p}
PIN/Passwort {p}
WLAN-Schlüssel: {p}
The DB pass is `{p}`
my passwd for staging -> {p}
sunucunun parolası {p}
Kata sandinya adalah {p}
Lösenordet är {p}.
пароль администратора — {p}
รหัสผ่านคือ {p}
Ο κωδικός είναι {p}
password: <{p}>
ENV DB_PASSWORD {p}
docker login -u bob -p {p}
ldapsearch -w {p}
7z x a.7z -p{p}
unzip -P {p} a.zip
keytool -storepass {p}
htpasswd -b f bob {p}
rabbitmqctl add_user bob {p}
echo {p} | sudo -S ls
echo "bob:{p}" | chpasswd
net user bob {p} /add
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


@pytest.mark.parametrize(
    "form",
    [
        "Der API-Schlüssel lautet {v}.",
        "La clé API est {v}.",
        "La clave de API es {v}.",
        "La chiave API è {v}",
        "A chave da API é {v}",
        "Klucz API: {v}",
        "API sleutel: {v}",
        "ключ API: {v}",
        "API密钥是 {v}。",
        "APIキーは {v} です",
        "API 키: {v}",
        "API anahtarı: {v}",
        "مفتاح API: {v}",
        "the key for acme (prod): {v}",
        "Token: <{v}>",
        "**API key:**\n\n    {v}\n",
    ],
)
def test_a_key_in_a_note_is_found(form: str, secrets_only: RuleSet) -> None:
    """Thirty-two hex digits or forty letters and digits; no key where one is referred to."""
    for seed in range(6):
        source = random.Random(seed)
        for value in ("".join(source.choices("0123456789abcdef", k=32)), "".join(source.choices(ALPHABET, k=40))):
            text = form.format(v=value)
            found = scan_text(text, target="vault", rules=secrets_only).findings
            assert any(text[item.start : item.end] == value for item in found), (form, seed)
    for word in ("${API_KEY}", "vault/prod/api", "op://Private/acme/key"):
        assert not scan_text(form.format(v=word), target="vault", rules=secrets_only).findings, word


@pytest.mark.parametrize("column", range(4))
def test_a_password_in_a_table_is_found(column: int, secrets_only: RuleSet) -> None:
    """In any of four columns under a header that names it."""
    header, row = ["host", "user", "port", "note"], ["web", "bob", "22", "none"]
    password = drawn(column)
    header[column], row[column] = "Password", password
    text = "\n".join(("| " + " | ".join(header) + " |", "|---|---|---|---|", "| " + " | ".join(row) + " |"))
    found = scan_text(text, target="vault", rules=secrets_only).findings
    assert [text[item.start : item.end] for item in found] == [password]


@pytest.mark.parametrize("bar", ["|", " | "])
def test_every_row_of_a_table_is_found(bar: str, secrets_only: RuleSet) -> None:
    """Not the first row alone, in each of four columns."""
    for column in range(4):
        rows = [["host", "user", "port", "note"], ["---"] * 4]
        rows += [[f"srv{row}", f"bob{row}", str(2200 + row), "none"] for row in range(9)]
        passwords = [drawn(10 * column + row) for row in range(9)]
        rows[0][column] = "Password"
        for row, password in zip(rows[2:], passwords, strict=True):
            row[column] = password
        text = "".join(f"{bar.lstrip()}{bar.join(row)}{bar.rstrip()}\n" for row in rows)
        found = scan_text(text, target="vault", rules=secrets_only).findings
        assert {text[item.start : item.end] for item in found} == set(passwords)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://scott:tiger@localhost/test",
        "s3://aws_key:aws_secret@mybucket/export.csv",
        "The default password hashing algorithm is now Argon2id.",
        "the new keyword `password`, as :class:`~acme.Client` has it",
        "  - source: salt://httpd/httpd.conf",
        'knows the types "devmem", "secretmem", "vboxsf" and "zonefs"',
        'a crash, problem identified by "jamesh"',
        "[![cov](https://acme.io/badge.svg?token=yenl5fzxxr)](https://acme.io)",
        "update signing key to A8041FA839E16E36",
        "password: xyzzy",
        "-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBgkqhkiG9w0BAQ\n...\naecxSyWi\n-----END PRIVATE KEY-----",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str, secrets_only: RuleSet) -> None:
    """Examples that everybody prints, mark-up, names of algorithms, numbers of keys."""
    assert not scan_text(text, target="vault", rules=secrets_only).findings


def test_a_web_token_that_anybody_can_sign_waits_for_a_person() -> None:
    """Its key is a word of every tutorial, so that it proves nothing; another key makes it certain."""
    signed = ".".join(
        base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (b'{"alg":"HS256"}', b'{"sub":"bob","n":7}')
    )
    for key, verdict in ((b"secret", Verdict.STAGE), (drawn(1).encode(), Verdict.BLOCK)):
        signature = base64.urlsafe_b64encode(hmac.digest(key, signed.encode(), "sha256")).decode().rstrip("=")
        assert scan_text(f"we use {signed}.{signature} there").verdict is verdict


@pytest.mark.parametrize("size", [150, 240, 400, 900])
@pytest.mark.parametrize("form", ["token: {v}", 'api_key = "{v}"', "the api key is {v}", "client_secret: '{v}'"])
def test_a_long_key_is_covered_to_its_end(form: str, size: int, secrets_only: RuleSet) -> None:
    """What is redacted leaves no tail of the key in the text."""
    value = "".join(random.Random(size).choices(ALPHABET, k=size))
    text = form.format(v=value)
    found = scan_text(text, target="vault", rules=secrets_only).findings
    assert max(item.end for item in found) >= text.index(value) + size


@pytest.mark.parametrize(
    "form",
    [
        "> {a}\n> {b}",
        "{a}\n{b}",
        "> > {a}\n> > {b}",
    ],
)
def test_a_token_broken_in_a_quotation_is_found(form: str, secrets_only: RuleSet) -> None:
    """The marks of the quotation do not count."""
    for seed in range(6):
        token = render("{{crc62:ghp_}}", seed)
        assert scan_text(form.format(a=token[:30], b=token[30:]), target="vault", rules=secrets_only).findings


@pytest.mark.parametrize(
    "kind", ["glpat-{{base62:20}}", "xoxb-{{digits:12}}-{{digits:12}}-{{base62:24}}", "{{crc62:ghp_}}"]
)
def test_marks_that_markdown_escapes_hide_no_token(kind: str, secrets_only: RuleSet) -> None:
    """Exporters put a backslash before underscores and hyphens."""
    for seed in range(6):
        text = render(kind, seed).replace("_", "\\_").replace("-", "\\-")
        assert scan_text(f"the token {text} is ours", target="vault", rules=secrets_only).findings


@pytest.mark.parametrize(
    "text",
    [
        "redis://:[REDACTED:database-url-password:1]@cache:6379/0",
        "smb://bob:[REDACTED:url-password:12]@nas/share",
        "ftp://bob:<password>@ftp.acme.io/",
        "Token usage went to 3f786850e387550fdab836ed7e6dc881de23001b",
        "The key point is 3f786850e387550fdab836ed7e6dc881de23001b.",
        "- password: `getpass.getpass()`",
        "postgres://app:postgres@localhost/app",
        "https://bob:p%40ss@host/x",
    ],
)
def test_what_stands_for_a_password_is_left_alone(text: str, secrets_only: RuleSet) -> None:
    """Markers of an earlier redaction, placeholders in addresses, counts of tokens, calls, documented defaults."""
    assert not scan_text(text, target="vault", rules=secrets_only).findings
