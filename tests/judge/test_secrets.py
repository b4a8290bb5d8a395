"""The judge of secrets: proof raises and lowers, a placeholder is nothing."""

from __future__ import annotations

import base64
import hmac

import pytest

from inkgate.judge.checks import PROOFS, Proof, der_key, seed_phrase, shape, wrapped
from inkgate.match.samples import render
from inkgate.model import Category, Confidence, Finding, Severity, Verdict
from inkgate.scan import scan_text


def secrets(text: str, target: str = "memory") -> list[Finding]:
    """The secrets that are found in a text."""
    return [item for item in scan_text(text, target=target).findings if item.category is Category.SECRET]


@pytest.mark.parametrize(
    ("proof", "sample"),
    [
        ("crc62", "{{crc62:ghp_}}"),
        ("crc62", "{{crc62:npm_}}"),
        ("atlassian", "{{atlassian:ATATT3}}"),
        ("grafana", "{{grafana:}}"),
        ("jwt", "{{jwt:}}"),
        ("base58check", "{{wif:}}"),
        ("base58check", "{{xprv:}}"),
        ("bech32", "{{bech32:AGE-SECRET-KEY-}}"),
        ("bech32", "{{bech32:nsec}}"),
        ("nkey", "{{nkey:}}"),
        ("discord", "{{discord:}}"),
        ("pypi", "{{pypi:}}"),
        ("pem", "-----BEGIN KEY-----\n{{pem:400}}"),
        ("json", "glc_{{json64:o}}"),
    ],
)
def test_a_right_checksum_is_seen(proof: str, sample: str) -> None:
    """Each proof holds for a value made by its rule, and breaks when one character is changed."""
    for seed in range(5):
        value = render(sample, seed)
        assert PROOFS[proof](value) is Proof.RIGHT
        if proof not in ("jwt", "pem", "json", "pypi", "discord"):
            swapped = value[:-9] + ("q" if value[-9] != "q" else "p") + value[-8:]
            assert PROOFS[proof](swapped) is not Proof.RIGHT


def test_a_checksum_moves_the_finding() -> None:
    """A right one makes it certain, a wrong one sends it to a person."""
    right = render("{{crc62:ghp_}}", 1)
    wrong = right[:-1] + ("A" if right[-1] != "A" else "B")
    (certain,) = secrets(f"token {right}")
    (doubtful,) = secrets(f"token {wrong}")

    assert (certain.severity, certain.confidence, certain.verdict) == (
        Severity.CRITICAL,
        Confidence.HIGH,
        Verdict.BLOCK,
    )
    assert (doubtful.severity, doubtful.verdict) == (Severity.MEDIUM, Verdict.STAGE)


def test_the_example_token_of_jwt_tutorials_is_nothing() -> None:
    """It is signed with a key that everyone knows."""
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"1234567890","name":"John Doe","iat":1516239022}').decode().rstrip("=")
    signed = f"{head}.{body}"

    def token(key: bytes) -> str:
        digest = hmac.digest(key, signed.encode(), "sha256")
        return f"{signed}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"

    assert not secrets(f"Bearer {token(b'your-256-bit-secret')}")
    assert secrets(f"Bearer {token(b'k3jf84jf0w9fj3')}")


@pytest.mark.parametrize(
    "text",
    [
        "password: ********",
        "API_KEY=${API_KEY}",
        "token: <your token>",
        "password: changeme",
        "secret: op://x/y/z",
        "The API key is in the vault under prod/payments.",
        "password = os.environ['DB_PASSWORD']",
        "password: string",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "id: 7d444840-9dc0-11d1-b245-5ffdce74fad2",
        "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        "postgres://user:password@localhost:5432/db",
        "Authorization: Bearer $TOKEN",
        "MAX_TOKENS=4096",
        "LATTICE_MODEL_DIR=~/.lattice/models/qwen3-27b-q4",
        "see a/path/to/file.py:97 lists it as a real checkpoint key",
        "mid-task-while-still-actively-working-on-it",
        "risk-adjusted returns",
        "password: str = Field(..., min_length=8)",
        "api_key=api_key",
        "curl -u $USER:$PASS https://acme.io",
        "MONGO_INITDB_ROOT_PASSWORD_FILE=/run/secrets/x",
        "Practise the secret: every day.",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ1aWxkZXIta2V5LW5vdC1yZWFsLWJ1dC1s me@host",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Placeholders, references, hashes, ids, paths and prose hold no secret."""
    assert not secrets(text)


@pytest.mark.parametrize(
    "sample",
    [
        "The admin password is {{base62:10}}!7",
        "passphrase: '{{base62:5}} {{base62:6}} {{base62:7}}'",
        "pw: {{base62:12}}",
        "Das Passwort lautet {{base62:12}}",
        "La contraseña es {{base62:12}}",
        "пароль: {{base62:12}}",
        "密码是：{{base62:12}}",
        "export DB_PASSWORD={{base62:12}}",
        "| token | {{base62:32}} |",
        "api key hex: {{hex:40}}",
        "<secret>{{base62:32}}</secret>",
        "mysql://root:{{base62:14}}@db:3306/x",
        "machine a.io login me password {{base62:16}}",
        "Authorization: Basic {{basic:}}",
        "Remember this for later: {{base62:9}}!{{digits:4}}#",
        "sshpass -p {{base62:12}} ssh me@host",
    ],
)
def test_a_secret_without_a_format_is_found(sample: str) -> None:
    """By its name, in prose, tables, assignments and commands, in several languages."""
    for seed in range(3):
        assert secrets(render(sample, seed)), sample


def test_targets_decide() -> None:
    """Memory, vault and skills block; a context file stages what is not certain."""
    text = render("db_password: {{base62:14}}", 2)

    assert {target: secrets(text, target)[0].verdict for target in ("memory", "vault", "skill", "context")} == {
        "memory": Verdict.BLOCK,
        "vault": Verdict.BLOCK,
        "skill": Verdict.BLOCK,
        "context": Verdict.STAGE,
    }


def test_structures() -> None:
    """Keys without armour, phrases of words, lines of one token, shapes."""
    assert der_key(render("{{pem:200}}")) is Proof.RIGHT
    assert der_key("MIICnothingofthekind") is Proof.NONE
    assert seed_phrase(render("{{words:12}}")) is Proof.OPEN
    assert seed_phrase("the seed phrase is made of twelve words and you have them all") is Proof.NONE
    assert wrapped(render("{{base62:24}}\n{{base62:24}}\n{{base62:7}}")) is Proof.OPEN
    assert wrapped("some words\nand more") is Proof.NONE
    assert shape(render("{{nkey:}}")) is Proof.RIGHT
    assert shape(render("{{discord:}}")) is Proof.RIGHT


def test_no_proof_raises_on_any_text() -> None:
    """A value is whatever the pattern let through, and the worst of it is still judged."""
    for value in (
        "",
        "=",
        "....",
        "1" * 200,
        "\ud800",
        "eyJ.eyJ.",
        "ÿ" * 40,
        "-----BEGIN",
        "_",
        ":",
        "AGE-SECRET-KEY-1",
    ):
        for proof in PROOFS.values():
            assert isinstance(proof(value), Proof)
