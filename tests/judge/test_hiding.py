"""Nothing that is written around a live secret hides it, and names of things are taken for none."""

from __future__ import annotations

import pytest

from inkgate.match.samples import render
from inkgate.model import Category, Verdict
from inkgate.scan import scan_text

PASSWORD = "Zq8!kf" + "P2xwM4"
EXAMPLE_ID = "AKIAIOSFODNN7" + "EXAMPLE"


def found(text: str, target: str = "memory") -> set[str]:
    """The rules for secrets that see something in a text."""
    return {item.rule for item in scan_text(text, target=target).findings if item.category is Category.SECRET}


@pytest.mark.parametrize("target", ["memory", "vault", "skill", "context"])
@pytest.mark.parametrize(
    "form",
    [
        "password: {}...",
        "The admin password is {}... and it rotates",
        "password: {}[REDACTED:x]",
        "[password: {}](https://acme.io)",
        "![password: {}](x.png)",
        "x.svg?password: {}",
        "dummy_password: {}",
        "password_test: {}",
        "host_password: {}",
        "site_password: {}",
        "password: ({}",
        "password: {}!$name",
        "password: vault:{}",
        "password: env:{}",
        "The password policy says the password is {}",
        "password hashes are bcrypt, the password is {}",
    ],
)
def test_what_stands_around_a_password_hides_it_not(form: str, target: str) -> None:
    """An ellipsis, a marker, a link, a name, a bracket, a scheme, a sentence about passwords before it."""
    assert found(form.format(PASSWORD), target)


@pytest.mark.parametrize("form", ["public key The API key is {}.", "the token format is new; token: {}"])
def test_a_match_that_is_refused_swallows_none_that_begins_in_it(form: str) -> None:
    """The first of two names is open, or told about: the second still has its value."""
    assert found(form.format(render("{{base62:32}}", 5)))


def test_refused_matches_in_a_row_are_looked_into_a_few_times_only() -> None:
    """A flood of names before one value takes linear time, and the last name still finds what stands behind it."""
    flood = "public key " * 4000
    assert found(f"{flood}\n\napi key: {render('{{base62:32}}', 6)}")


def test_a_published_id_beside_a_drawn_secret_does_not_hide_it() -> None:
    """Whoever copied the example id may have put a real secret below it: a person looks."""
    secret = render("{{base64:40}}", 8)
    text = f"aws_access_key_id = {EXAMPLE_ID}\naws_secret_access_key = {secret}"
    assert "aws-secret-key" in found(text, "vault")
    assert scan_text(text, target="memory").verdict is not Verdict.ALLOW


def test_a_published_secret_with_its_id_is_nothing() -> None:
    """Both halves say of themselves that they are an example."""
    text = f"id {EXAMPLE_ID}\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
    assert not found(text, "vault")


UUID = "4c5ae5ac-3c13-421e-8335-" + "c7868ef6a769"


@pytest.mark.parametrize(
    "text",
    [
        f'"KmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/{UUID}"',
        f"aws waf delete-rule --rule-id 7 --change-token {UUID}",
        f'"clientRequestToken": "{UUID}"',
        f'"ClientToken": "{UUID}"',
        f'"bucket": "codesign", "key": "{UUID}"',
        f"| Secret href | http://127.0.0.1/key-manager/v1/secrets/{UUID} |",
        "[f1](https://github.com/acme/node-gtoken/commit/" + "f1ae7b64ead1c918546ae5bbe8546dfb4ecc788a)",
        "added private key: /home/bob/.smime/keys/12345678.0 for bob",
        "key = ec.generate_private_key(ec.SECP384R1())",
        "``DropSiteUser``, ``DropSitePassword``, ``DropSite``, and",
        '(``"password"``, ``"mfa"``, or ``"socialaccount"``)',
        "- ask for the passphrase, #2540",
        ".. _`Managing Passwords`: http://docs.acme.io/IAM/latest/UserGuide/Using_ManagingLogins.html",
        "query = SELECT user, password FROM users WHERE username = '%n'",
        "The client simply sends the password unencrypted to Dovecot.",
        '<script src="https://acme.io/x.js" nonce="XUENAJFW"></script>',
        "dispatch(makeASandwichWithSecretSauce('Our kids'))",
        "connection = mysql+pymysql://nova:NOVA_DBPASS@controller/nova",
        "GRANT ALL ON nova.* TO 'nova'@'%' IDENTIFIED BY 'NOVA_DBPASS';",
        'clientId: "1234567890abcdef1234",\nclientSecret: "1234567890abcdef1234567890abcdef12345678"',
        'telegram_api_token = "33740634:A_c4bhg9h_imagisix4rdm9f6tth6xs-zvjh_"',
    ],
)
def test_names_of_things_are_no_secrets(text: str) -> None:
    """Ids of requests and objects, revisions, paths, lists of words, columns, numbers of issues, placeholders."""
    assert not found(text, "vault")


@pytest.mark.parametrize(
    "text",
    [
        f"api_key: {UUID}",
        f"client_secret: {UUID}",
        f"the token is {UUID}",
        'clientId: "1234567890abcdef1234",\nclientSecret: "' + render("{{hex:40}}", 4) + '"',
        "telegram_api_token: " + render("{{digits:9}}:A{{base62:34}}", 3),
        "nonce: " + render("{{base62:32}}", 4),
    ],
)
def test_what_looks_alike_behind_a_name_for_a_secret_is_one(text: str) -> None:
    """The same forms where nothing says that they name a thing."""
    assert found(text)


@pytest.mark.parametrize(
    "form",
    [
        "mdp : {}",
        "Passordet er {}",
        "salasana on {}",
        "лозинка: {}",
        "kata laluan: {}",
        "what's the wifi password? bob: {}",
        "pw for staging is {}",
        "rootpw {}",
        "stats auth admin:{}",
        "HTTP basic auth: bob / {}",
        "Zugangsdaten: bob / {}",
        "- web01: root / {}",
        "- NAS (192.168.1.10) admin/{}",
        "Password [staging] = {}",
        "password: !!str {}",
        "Passwort für jira: {}",
        "| user | password |\n|---|---|\n| eve | changeme |\n| bob | {} |",
        'requests.get(url, auth=("bob", "{}"))',
        'password = os.getenv("PW", "{}")',
        "export PW=${{DB_PASSWORD:-{}}}",
    ],
)
@pytest.mark.parametrize("value", [PASSWORD, "529N+H" + "_fAO", "Winter" + "_192"])
def test_a_password_is_found_as_people_write_it_down(form: str, value: str) -> None:
    """In many languages, asked for, in tables and code; random pieces between marks, words with a mark and figures."""
    assert found(form.format(value))


@pytest.mark.parametrize(
    "form",
    [
        "SSID HomeNet key {}",
        "guest wifi → {}",
        'echo "{}" | docker login -u bob --password-stdin',
        "echo {} > token.txt",
    ],
)
def test_a_drawn_password_is_found_where_it_is_handed_on(form: str) -> None:
    """For a wireless network, and from a command to a file or another command."""
    assert found(form.format(PASSWORD))


def test_the_key_of_a_badge_and_a_public_coordinate_are_no_secrets() -> None:
    """A badge is shown to everybody; x and y of a JSON Web Key are public (RFC 7518)."""
    assert not found("![rating](https://acme.io/x.svg?token=" + render("{{base64:43}}=)", 5))
    assert not found('"crv": "P-256", "y": "' + render('pDfQTUx0-{{base62:34}}"', 5))


@pytest.mark.parametrize(
    "form", ["prod key -> {}", "токен бота {}", 'api_key = os.getenv("K", "{}")', "k = process.env.API_KEY || '{}'"]
)
def test_a_key_is_found_as_people_write_it_down(form: str) -> None:
    """Behind an arrow, in another language with a word between, as the default of a variable."""
    assert found(form.format(render("{{base62:32}}", 9)))
