"""What calls mean in languages without a parser: who speaks to the network, who fetches, who sends. One table for all.

Python has its own table of full names (`inkgate.code.python.names`), and shell scripts one of programs
(`inkgate.code.shell.messages`), since both are parsed.
"""

from __future__ import annotations

import re

from inkgate.code.script_search import Cued

__all__ = ["DELIVERS", "FETCHES", "NETWORK", "SENDS", "SPEAKS"]

_CLIENTS = (
    r"fetch\b(?=\s{0,4}(?:[(,;)\]}'\"?.]|$))|axios\b|got(?:\.\w{1,10})?\s{0,2}\(|XMLHttpRequest\b|WebSocket\s{0,2}\("
    r"|https?(?:['\"]\))?\.(?:request|get|post)\b|Net::HTTP|reqwest\b|ureq\b|TcpStream\b|HttpClient\b"
    r"|HttpURLConnection\b|OkHttpClient\b|HttpRequest\b|URLSession\b|net\.(?:Dial|connect|createConnection|Socket)\b"
    r"|http\.NewRequest\w{0,12}|HTTP::Tiny\b|IO::Socket\b|fsockopen\b|Faraday\b|HTTParty\b|RestClient\b|WebClient\b"
    r"|Invoke-WebRequest\b|Invoke-RestMethod\b|curl_exec\b|LWP::"
)
"""Whoever is named here is or makes a client of a network, whichever way the data goes."""
_CLIENT_CUES = (
    "fetch", "axios", "got", "xmlhttprequest", "websocket", "http.", "https.", "http')", 'http")', "https')",
    'https")', "net::http", "reqwest", "ureq", "tcpstream", "httpclient", "httpurlconnection", "okhttpclient",
    "httprequest", "urlsession", "net.dial", "net.connect", "net.createconnection", "net.socket", "http::tiny",
    "io::socket", "fsockopen", "faraday", "httparty", "restclient", "webclient", "invoke-webrequest",
    "invoke-restmethod", "curl_exec", "lwp::",
)  # fmt: skip
_POSTS = r"http\.Post\w{0,4}\b|request\.post\b|sendBeacon\b|Upload(?:String|File|Data|Values)\w{0,12}\b|HTTP\.post\b"
_GETS = r"Download(?:String|File|Data)\w{0,12}\b"

NETWORK = Cued(
    rf"\b(?:{_CLIENTS}|{_POSTS}|{_GETS})",
    (*_CLIENT_CUES, "request.post", "sendbeacon", "upload", "download"),
    re.IGNORECASE | re.MULTILINE,
)
"""That a script uses the network."""

SPEAKS = re.compile(rf"\b(?:https?\b|hyper\b|curl|request\b|WebRequest\b|{_CLIENTS}|{_POSTS})", re.I | re.M)
"""A cheap first question: where nothing of it stands, nothing is sent."""

FETCHES = Cued(
    rf"\b(?:{_CLIENTS}|{_GETS}|iwr\b|irm\b|URI\.open\b|file_get_contents\(\s{{0,4}}['\"]https?:|(?<![\w.>:$-])get\(['\"]https?:"
    r"|curl(?:\.exe)?\s[^\n]{0,80}https?:)|\.responseText\b",
    (
        *_CLIENT_CUES,
        "download",
        "iwr",
        "irm",
        "uri.open",
        "file_get_contents(",
        "get('http",
        'get("http',
        "curl",
        ".responsetext",
    ),
    re.IGNORECASE | re.MULTILINE,
)
"""Calls that give what the network answers, or the connection itself."""

_REQUESTS = (
    r"\b(?:fetch\s{0,2}\(|axios(?:\.(?:post|put|patch|request))?\s{0,2}\(|got(?:\.(?:post|put|patch))?\s{0,2}\(|needle\s{0,2}\("
    r"|https?(?:['\"]\))?\.(?:request|Post|PostForm|NewRequest(?:WithContext)?)\s{0,2}\(|NewRequest(?:WithContext)?\s{0,2}\(|sendBeacon\s{0,2}\("
    r"|ureq::(?:post|put)\s{0,2}\(|Upload(?:String|Data|File|Values)\w{0,12}\s{0,2}\(|uploadTask\s{0,2}\("
    r"|Net::HTTP\.(?:post\w{0,6}|start)\s{0,2}\(|(?:Faraday|HTTParty|RestClient|Http|HTTP)(?:\.|::|->)(?:post|put)\s{0,2}\(?"
    r"|(?<![.$])request\s{0,2}\("
    r"|curl(?:\.exe)?\s[^\n]{0,200}?(?:\s-(?:d|F|T)\s{0,2}|--(?:data|form|upload-file)\S{0,12}\s{0,2}))"
    r"|\.(?:post|put|Post|PostForm|PostAsync|PutAsync|PostAsJsonAsync|postForEntity|postForObject|post_form)\s{0,2}\("
    r"|\$\.ajax\s{0,2}\(|->(?:post|put|request)\s{0,2}\("
)
"""Calls that are a request whose arguments travel."""
_PARTS = (
    r"\.(?:body|json|form|multipart|send_string|send_json|send_bytes|send_form|send|POST|PUT|sendall|write_all)\s{0,2}\("
    r"|\b(?:BodyPublishers\.of\w{1,12}|RequestBody\.create|StringContent|ByteArrayContent)\s{0,2}\("
    r"|\.(?:toRequestBody)\s{0,2}\(|\)\s{0,4}\.end\s{0,2}\((?!\))|CURLOPT_(?:POSTFIELDS|INFILE)\b|\.body\s{0,2}=(?!=)|\.httpBody\s{0,2}="
    r"|['\"]content['\"]\s{0,3}=>|\s-(?i:Body|InFile|Form)\s|\b(?i:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\s{1,3}@|\bfwrite\s{0,2}\("
    r"|\bprintf\s{1,2}\$?\w{0,12}(?:sock|conn)\w{0,8}\b"
)
"""Calls that put their arguments into a request; many other things are named like them."""

SENDS = re.compile(f"{_REQUESTS}|{_PARTS}")
"""Calls whose arguments are sent, for arguments that are known to be private."""

DELIVERS = re.compile(
    rf"{_REQUESTS}|\.(?:request|sendall|send_json)\s{{0,2}}\(|\baxios\b|\burlopen\s{{0,2}}\(|(?i:Invoke-RestMethod|Invoke-WebRequest)"
)
"""Calls that send something for sure, whatever it is, in any language."""
