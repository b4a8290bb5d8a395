"""What values look like: noise or language, placeholder, reference, code."""

from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.judge.published import is_published
from inkgate.judge.values import (
    classes,
    entropy,
    is_counted_token,
    is_expression,
    is_label,
    is_leet,
    is_misnested,
    is_noise,
    is_path,
    is_placeholder,
    is_plain_base64,
    is_reference,
    is_sequence,
    is_typed,
    is_uuid,
    strangeness,
    word_share,
)

ALPHABETS = {
    "base62": string.ascii_letters + string.digits,
    "base36": string.ascii_lowercase + string.digits,
    "hex": string.hexdigits[:16],
    "base64": string.ascii_letters + string.digits + "+/",
    "letters": string.ascii_lowercase,
}


def drawn(alphabet: str, size: int, count: int = 200) -> list[str]:
    """Texts drawn at random, the same in every run."""
    source = random.Random(f"{alphabet}{size}")
    return ["".join(source.choices(alphabet, k=size)) for _ in range(count)]


@pytest.mark.parametrize("name", ALPHABETS)
@pytest.mark.parametrize("size", [20, 32, 64])
def test_noise_is_told(name: str, size: int) -> None:
    """Nearly everything that is drawn at random is noise, whatever the alphabet."""
    texts = drawn(ALPHABETS[name], size)
    assert sum(map(is_noise, texts)) >= 0.96 * len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "setDefaultModelAndProvider",
        "copySelectionToClipboard",
        "cudaErrorCompatNotSupportedOnDevice",
        "fix-3696-slice1-gapA-emit",
        "docs/REVIEW-DOCTRINE.md",
        "application/vnd.api+json",
        "organization-settings",
        "io.jsonwebtoken:jjwt-jackson-0.11.2",
        "user_id_and_created_at",
        "thisisaverylongword",
        "aaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_names_are_no_noise(text: str) -> None:
    """Identifiers, paths and labels read like language."""
    assert not is_noise(text)


def test_words_cost_less_than_noise() -> None:
    """The model of letters parts words in several languages from rows of random letters."""
    words = [
        "password",
        "gateway",
        "kubernetes",
        "schmetterling",
        "contraseña".replace("ñ", "n"),
        "bibliotheque",
        "senha",
    ]
    assert max(map(strangeness, words)) < 4.6
    noise = drawn(string.ascii_lowercase, 12, 100)
    assert sum(strangeness(text) > 4.6 for text in noise) >= 99


def test_entropy_and_classes() -> None:
    """Shannon entropy in bits a character, and four kinds of characters."""
    assert entropy("") == 0.0
    assert entropy("aaaa") == 0.0
    assert entropy("abcd") == 2.0
    assert [classes(text) for text in ("", "a", "aB", "aB1", "aB1!")] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "YOUR_API_KEY",
        "your-token-here",
        "xxxxxxxxxxxx",
        "********",
        "<token>",
        "${DB_PASSWORD}",
        "{{ secret }}",
        "$PASSWORD",
        "%PASSWORD%",
        "ghp_[REDACTED]",
        "changeme",
        "sk-...",
        "EXAMPLEKEY",
        "insert_key_here",
        "@TOKEN@",
        "${{ secrets.KEY }}",
        "#{password}",
        "aaaaaaaaaaaa",
        "<%= key %>",
    ],
)
def test_a_placeholder_is_told(text: str) -> None:
    """What only stands for a secret is none."""
    assert is_placeholder(text)


@pytest.mark.parametrize("name", ["base62", "base64", "hex"])
def test_noise_is_no_placeholder(name: str) -> None:
    """The words of placeholders do not happen in random text."""
    assert not any(map(is_placeholder, drawn(ALPHABETS[name], 48)))


@pytest.mark.parametrize(
    "text",
    [
        "op://Private/db/password",
        "vault:secret/data/db#password",
        "~/.env",
        "/run/secrets/db",
        "env:DB_PASSWORD",
        "os.environ['X']",
        "process.env.TOKEN",
        "secrets.TOKEN",
        "./keys/server.pem",
        "id_rsa.pub",
        "ENC[AES256_GCM,x]",
        "arn:aws:secretsmanager:eu-west-1:1:secret:x",
        "novac.cdn.acme.com",
    ],
)
def test_a_reference_is_told(text: str) -> None:
    """Where a secret is kept is what people should write down."""
    assert is_reference(text)


def test_code_is_told() -> None:
    """An unquoted call or path of names is an expression, a password with brackets in it is none."""
    assert is_expression("config.get('password')")
    assert is_expression("this.settings.password")
    assert is_expression("getpass()")
    assert not is_expression("k9}x(Tm2-q[w")


def test_small_shapes() -> None:
    """Sequences, UUIDs, labels, paths."""
    assert is_sequence("x1234567y")
    assert not is_sequence("x1357924y")
    assert is_sequence("abcdefg")
    assert is_uuid("01234567-89ab-cdef-0123-456789abcdef")
    assert is_label("web-21-production")
    assert not is_label("x")
    assert is_path("/var/lib/data.db")
    assert not is_path("/x9Qw/7zLkP+aaTbbRR8817zzkQpWn")
    assert word_share("passwordmanager") == 1.0


def test_published_keys_are_known() -> None:
    """The key of the AWS documentation is no secret, its neighbour is one."""
    known = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
    assert is_published(known)
    assert not is_published(known[:-1])


def test_mixed_brackets_are_no_code() -> None:
    """Code that is cut off leaves brackets open; it closes none with another kind."""
    assert is_misnested("a{b)c")
    assert is_misnested("x[(y]")
    assert not any(map(is_misnested, ("foo(bar[1],", "value)", "{{ a }}", "plain", "f(g(x))")))


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("abc123def456", True),
        ("sk-abc123realkey456", True),
        ("abc123xyz789", True),
        ("abc123kQ9fj3kd9f", False),
        ("k3jd84jf0w9fj3", False),
        ("abc123def456ghi789jkl012mno345", False),  # long enough to be judged as a row that counts
    ],
)
def test_examples_typed_by_hand_are_told(text: str, typed: bool) -> None:
    """Short values of `abc`, `123`, `xyz` and words for keys."""
    assert is_typed(text) is typed


@given(st.text(max_size=12))
def test_any_text_has_a_strangeness(text: str) -> None:
    """Letters that the model does not know are no error."""
    assert 0 <= strangeness(text) < 64


def test_a_value_of_other_letters_is_judged() -> None:
    """A name in another script beside a key of the same kind."""
    assert strangeness("\u043f\u0430\u0440\u043e\u043b\u044c") != strangeness("parol")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("AbCeFG123", True),
        ("abcDE1234567890", True),
        ("k7Qz2mXw9P", False),
        ("hunter2hunter", False),
    ],
)
def test_what_goes_up_by_small_steps_is_typed(text: str, *, told: bool) -> None:
    """As nobody's random value does."""
    assert is_typed(text) is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("TESTTESTTESTTESTTESTTEST", True),
        ("abcdefabcdefabcdefabcdefab", True),
        ("xoxp-1234-1234-1234-4ddbc191d40ee098", True),
        ("kQx9fW2mZr7TbVnLp4Yc", False),
        ("1a2f7c11-1234-4321-1234-77aa90bc31fe", False),
    ],
)
def test_a_piece_that_comes_again_and_again_stands_for_a_secret(text: str, *, told: bool) -> None:
    """Half of the value, or three groups of figures that are the same."""
    assert is_placeholder(text) is told


def test_words_in_figures_are_read_as_words() -> None:
    """And random tokens of the alphabets in use never are."""
    assert is_leet("7his1snot4realtokenbutw0rds")
    assert not is_leet("thisisnotarealtokenbutwords")  # the rules for words see to that
    source = random.Random(5)
    for alphabet in (string.ascii_lowercase + string.digits, string.ascii_letters + string.digits, "0123456789abcdef"):
        for _ in range(400):
            assert not is_leet("".join(source.choices(alphabet, k=48)))


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        (b"bedrock.amazonaws.com", True),
        (b"super long string", True),
        (b"bob:some password", False),
        (bytes(range(120, 150)), False),
    ],
)
def test_base64_of_words_is_told_from_base64_of_bytes(plain: bytes, *, told: bool) -> None:
    """A user and a password in base64 are something else again."""
    assert is_plain_base64(base64.b64encode(plain).decode()) is told


def test_a_token_that_counts_behind_its_prefix_is_an_example() -> None:
    """Only with a provider's prefix: a key that counts and has none is left to the rules of its service."""
    assert is_counted_token("ghp_" + "1234567890abcdef" * 2)
    assert not is_counted_token("1234567890abcdef" * 2)
    assert not is_counted_token("ghp_" + "kQx9fW2mZr7TbVnLp4Yc")
