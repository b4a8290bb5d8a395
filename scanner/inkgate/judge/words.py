"""Words that stand where a secret could: what a kind of value is called, defaults that everybody knows, small words."""

from __future__ import annotations

__all__ = ["BINDING", "WORDS"]

WORDS = frozenset(
    """
    true false null none nil undefined string str text int integer number bool boolean object any void optional
    required yes no on off default empty blank unset missing invalid valid expired revoked rotated disabled enabled
    hidden masked password passwd pass passphrase passcode pwd secret token key apikey api_key credential credentials
    user username admin root test testing guest login value name here none. n/a na tbd todo redacted encrypted
    plaintext plain hashed varchar char bytes byte basic bearer auth authorization oauth jwt uuid guid prompt stdin env
    vault keychain keyring changeit letmein p@ssw0rd p@ss pa$$ p@ssword pa$$word p@$$word passw0rd password1
    password123 pass123 secret123 admin123 test123 user123 foo bar baz postgres mysql mariadb redis mongo mongodb
    rabbitmq minio minioadmin elastic grafana neo4j vagrant docker toor foobar abc abcd abc123 abcdef abcdefg qwerty
    xxx yyy zzz hunter2 s3cret s3cr3t s3cre3t tiger xyzzy f00bar f00barbaz mypassword mysecret mytoken my_password
    my_secret mysecretpassword secretpassword supersecret topsecret secret_key private public shared somepassword
    somesecret client_secret access_token refresh_token id_token session_token bearer_token the a an and or is are was
    be in of to for with your my our this that it same below above file path url
    """.split()  # noqa: SIM905 - a list of a hundred quoted words is harder to read
)
"""What is no secret behind a name for one, in lower case."""

BINDING = frozenset(
    """
    the and that this with for you are have from not but they what when your was can their which will has must should
    may use used uses enter choose chosen pick set words word random empty blank optional required least long into than
    then only also any all its our his her who how why one two more less same other each every
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
"""Words that bind others to a sentence, which those of a passphrase do not."""
