"""The judge of secrets: proof raises and lowers, a placeholder is nothing."""

from __future__ import annotations

import base64
import hmac

import pytest

from inkgate.judge.checks import PROOFS, Proof, broken, der_key, seed_phrase, shape, wrapped
from inkgate.judge.secrets import _RULE
from inkgate.match.rules import load_rules
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


def test_a_key_whose_lines_come_again_and_again_was_typed() -> None:
    """Armour around one line, three times and more, is no key; two keys that share a line would still be ones."""
    line = render("{{base62:64}}", 4)
    for times, proof in ((2, Proof.OPEN), (3, Proof.NONE)):
        assert PROOFS["pem"]("-----BEGIN KEY-----\n" + f"{line}\n" * times + "-----END KEY-----") is proof


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


def test_a_documented_signature_under_other_claims_opens_nothing() -> None:
    """No server accepts it, whatever the claims say; the same claims under another signature may be live."""

    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    head = part(b'{"alg":"HS256","typ":"JWT"}')
    documented = head + "." + part(b'{"sub":"1234567890","name":"John Doe","iat":1516239022}')
    changed = head + "." + part(b'{"sub":"88213","role":"admin"}')

    def signature(key: bytes, signed: str) -> str:
        return part(hmac.digest(key, signed.encode(), "sha256"))

    assert not secrets(f"Bearer {changed}.{signature(b'your-256-bit-secret', documented)}")
    assert secrets(f"Bearer {changed}.{signature(b'k3jf84jf0w9fj3', changed)}")


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
    assert wrapped(render("dop_v1_{{hex:17}}\n{{hex:24}}\n{{hex:23}}")) is Proof.OPEN
    assert broken(render("dop_v1_{{hex:17}}\n{{hex:24}}\n{{hex:23}}\nand")) is Proof.OPEN
    assert broken("glpat-\nsome words\nand more") is Proof.NONE
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


def _web_token(header: str, signature: str) -> str:
    parts = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in (header, '{"sub":"u7","exp":9}'))
    return ".".join((*parts, signature))


@pytest.mark.parametrize(
    ("header", "signature", "proof"),
    [
        ('{"alg":"HS256"}', "{{base64url:43}}", Proof.RIGHT),
        ('{"alg":"RS256"}', "{{base64url:342}}", Proof.RIGHT),
        ('{"alg":"HS256"}', "{{base64url:30}}", Proof.WRONG),
        ('{"alg":"none"}', "", Proof.WRONG),
        ('{"alg":"HS256"}', "EXAMPLE-SIGNATURE", Proof.NONE),
        ('{"alg":"HS256","typ"}', "{{base64url:43}}", Proof.WRONG),
        ("not json at all", "{{base64url:43}}", Proof.NONE),
    ],
)
def test_the_signature_of_a_web_token_has_the_length_of_its_algorithm(
    header: str, signature: str, proof: Proof
) -> None:
    """RFC 7518 says how long a signature is; a token without one opens nothing that checks."""
    assert PROOFS["jwt"](_web_token(header, render(signature, 5))) is proof


@pytest.mark.parametrize(
    ("proof", "value", "wanted"),
    [
        ("base32", "AKIA" + "Q2W3E4R5T6Y7U2I3", Proof.OPEN),
        ("base32", "AKIA" + "Q1W3E4R5T6Y7U2I3", Proof.WRONG),
        ("bytes", "0x1f, 0x8b, 0x07, 0xc3, 0xde, 0x42, 0x99, 0x10, 0xee, 0x5a, 0x77, 0xb1", Proof.OPEN),
        ("bytes", "0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0xff", Proof.NONE),
        ("bytes", "1, 1, 2, 2, 200, 200, 1, 1, 2, 2, 200, 200", Proof.NONE),
        ("bytes", "", Proof.NONE),
        ("grouped", "xkqw zvbt qhjd wpmx", Proof.OPEN),
        ("grouped", "keep this safe also", Proof.NONE),
        ("grouped", "abcd efgh ijkl mnop", Proof.NONE),
    ],
)
def test_other_structure_is_weighed(proof: str, value: str, wanted: Proof) -> None:
    """AWS ids have no 0, 1, 8, 9; bytes of a key do not count; an application password is no sentence."""
    assert PROOFS[proof](value) is wanted


@pytest.mark.parametrize(
    "text",
    [
        "| `--password` | E2E encryption password (prompted if omitted) |",
        "see [Passwords](#p), U2F tokens and more",
        "bad_secret = urlsafe_b64decode(b'x')",
        "authn_password_change_fail:joebob1",
        'session_id: "0f8fad5b-d9cb-469f-a165-70867728950e"',
        "API_KEY = 'sk_live_abc123def456'",
    ],
)
def test_what_only_looks_like_an_assignment_is_left_alone(text: str) -> None:
    """Table cells, lists, calls, names of events, identifiers, examples that are typed by hand."""
    assert not secrets(text, "vault")


@pytest.mark.parametrize(
    "form",
    [
        "- name: SERVICE_TOKEN\n  value: {v}",
        '<add key="ServiceToken" value="{v}" />',
        "<serviceToken>\n    {v}\n</serviceToken>",
        'variable "service_token" {{\n  type = string\n  default = "{v}"\n}}',
        "SERVICE_TOKEN ?= {v}",
        'var serviceToken string = "{v}"',
        'let service_token: &str = "{v}";',
        'buildConfigField("String", "SERVICE_KEY", "\\"{v}\\"")',
        'serviceToken <- "{v}"',
        "service_pat={v}",
    ],
)
def test_an_assignment_is_read_in_many_languages(form: str) -> None:
    """XML, Terraform, Kubernetes, make, Go, Rust, Gradle, R."""
    for seed in range(5):
        assert secrets(form.format(v=render("{{base62:32}}", seed)), "vault"), seed


def test_an_aws_id_beside_an_example_secret_is_an_example() -> None:
    """The pair that Amazon prints is often kept with another id; an id alone, or beside a real secret, is none."""
    name = render("AKIA{{base32:16}}", 3)
    assert not secrets(f"ids like {name} and wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY are allowed", "vault")
    assert secrets(f"ids like {name} are allowed", "vault")
    assert secrets(f"{name} and {render('{{base64:40}}', 3)}", "vault")


@pytest.mark.parametrize("kind", ["AKIA{{base32:16}}", "{{crc62:ghp_}}", "sk-ant-api03-{{base64url:93}}AA"])
@pytest.mark.parametrize("text", ["[REDACTED:{}]", "use [REDACTED:{} there", "[REDACTED:x-{}]"])
def test_what_only_begins_like_a_marker_hides_no_token(kind: str, text: str) -> None:
    """Only the name of a rule stands for a secret that was taken out."""
    assert secrets(text.format(render(kind, 4)))


def test_the_name_of_every_rule_may_stand_in_a_marker() -> None:
    """What redaction writes is read again later."""
    assert not [name for name in load_rules().by_id if _RULE.fullmatch(f"{name}:1]") is None]


def test_a_word_that_says_example_speaks_for_no_key() -> None:
    """The partner of the pair does, not a word beside it, nor another id."""
    name = render("AKIA{{base32:16}}", 3)
    for beside in ("NOT AN" + "EXAMPLE", "a SHORT" + "EXAMPLE", "AKIAIOSFODNN7" + "EXAMPLE is in the manual"):
        assert "aws-access-key-id" in {item.rule for item in secrets(f"ours is {name}, {beside}")}


@pytest.mark.parametrize(
    "text",
    [
        "<password>@{}</password>",
        "<password>#{}</password>",
        "my password for the usage report is {}",
        "The password of the cost centre is {}",
    ],
)
def test_a_password_is_seen_behind_a_tag_and_in_a_sentence(text: str) -> None:
    """A mark in front of it is part of it, and what the password is for says nothing about it."""
    assert secrets(text.format("Zq8!kf" + "P2xw"))


def test_a_password_in_base64_is_one() -> None:
    """Base64 of plain words is none; of what has the marks of a password, it is."""
    for plain, found in (("Winter2024!Rivendell-production", True), ("the name of the production host", False)):
        value = base64.b64encode(plain.encode()).decode()
        assert bool(secrets(f"password: {value}")) is found


def test_a_text_that_is_nothing_but_a_random_value_waits_for_a_person() -> None:
    """In quotes or bare; not a digest, nor a value that a text says something about."""
    value = render("{{base62:20}}-{{base64url:40}}", 2)
    for text in (value, f'"{value}"', f"{value}\n"):
        assert scan_text(text).verdict is Verdict.STAGE
    for text in (f"see {value}", f"{value} is the upload", render("{{hex:64}}", 2), render("{{base62:43}}", 2)):
        assert scan_text(text).verdict is Verdict.ALLOW
