"""The words whose disguised forms are looked for, and words that help to read glued letters. Data, English and more."""

from __future__ import annotations

__all__ = [
    "CALLS",
    "CIPHERED",
    "COMMANDS",
    "FIELDED",
    "GLUED",
    "HEADS",
    "LEAST",
    "LEETED",
    "MISSPELT",
    "REVERSED",
    "STRONG",
    "TURNED",
    "VOCABULARY",
    "turned",
]


def _words(text: str) -> list[str]:
    """Return the words of a list that is written as text."""
    return text.split()


# Words that hardly an attack does without, in the languages that attacks are written in; accents are folded away.
_ORDERS = _words("""
    ignore disregard forget override bypass neglect previous previously preceding instruction instructions
    guidelines directive directives prompt system password passwords secret secrets credential credentials
    reveal execute exfiltrate following everything developer jailbreak unrestricted memory remember
    message messages assistant administrator administrator's upload download delete environment private
    conversation command commands malware restrictions censorship pretend token tokens
    mention whenever register controller approve authorized payment payments account forward secretly silently
    confirmation contract contents
    ignora ignorez ignorer ignorieren ignoriere ignorar instrucciones anteriores precedentes precedentes
    anweisungen vorherigen vorherige contrasena contrasenas passwort motdepasse systeme sistema istruzioni
    precedenti instrucoes wachtwoord instructies olvida oubliez oublie vergiss dimentica consignes
""")

# Too short for ciphers, where chance would find them, but telling when read backwards as whole words.
_SHORT = "curl wget sudo bash https http shell print rules admin above prior"

_OFTEN = _words("https admin about never these other minute agents")

REVERSED = frozenset(word[::-1] for word in (*_ORDERS, *_words(_SHORT)) if len(word) > 3)
"""Cue words written backwards."""

CIPHERED = frozenset(word for word in (*_ORDERS, *_OFTEN) if len(word) > 4 and "'" not in word)
"""Words of at least five letters whose shifted and mirrored forms are looked for."""

COMMANDS = frozenset(_words("curl wget sudo bash https chmod bashrc printenv"))
"""Words of command lines whose shifted forms are looked for, though they are short."""

_TURNED = str.maketrans("nupdbqg", "undpqbb")


def turned(word: str) -> str:
    """Return a word in small letters turned upside down: written from its end, `n` as `u`, `p` as `d`, and so on.

    The turned shapes that Unicode has fold to the letters themselves; a turned `g` folds to `b`.
    """
    return word.translate(_TURNED)[::-1]


TURNED = frozenset(map(turned, (*_ORDERS, *_words(_SHORT)))) - REVERSED - frozenset(_ORDERS)
"""Cue words upside down, where that differs from backwards."""

MISSPELT = frozenset(
    _words("""
    ignore disregard forget previous previously instruction instructions prompt prompts system password passwords
    secrets credentials reveal execute everything developer assistant delete unrestricted remember authorized payments
    account approve command commands confirmation conversation message register controller whenever contract secretly
    forward upload entire guidelines restrictions disable bypass without telling mention safety memory override create
    contents stored granted access content backups asking vendor tasks agents orders filters
    """)
)
"""Words that are known with a slip of the pen: one letter missing, doubled or swapped with the next."""

LEETED = frozenset(
    _words("""
    ignore disregard forget override bypass previous instruction instructions prompt system password secret
    secrets credentials reveal execute everything developer memory assistant delete upload admin token rules
    following commands message print all above prior jailbreak restrictions guidelines exfiltrate
    """)
)
"""Words whose leet spellings are looked for."""

CALLS = ("chr", "chrw", "char", "unichr")
"""Functions and casts that make a character of a number."""

HEADS = frozenset(
    _words("""
    curl wget bash sh zsh fetch sudo rm cat nc ncat chmod eval exec python python3 printenv env dd mkfs scp ssh tar
    base64 powershell iwr iex pip npm npx osascript crontab openssl perl ruby node tee dig
    """)
)
"""Names of commands that are read through marks and lists of arguments."""

VOCABULARY = frozenset(
    _words("""
    a about above access account act activate add address admin after again agent agents ai all allow allowed also
    always an and answer any api append apply are as ask asking assistant at attacker authorized available based bash
    be become because been before begin behave below between but by bypass call can card chat check clear code command
    commands comply config configuration confidential confirm constraints contact content contents context control
    conversation copy core create credential credentials curl current customer dan data database debug decode delete
    destroy developer directive directives disable disclose disregard do document does done download each earlier edit
    email enable encode end enter env environment erase even every everything exec execute exfiltrate export external
    false fetch file files filter filters first follow following for forget forward free from full give given go god
    grant guard guardrails guidelines hack has have he help her here hidden him his history how http https human i if
    ignore immediately important in include information initial inject input insert install instead instruct
    instruction instructions into is it its jailbreak just key keys know leak let limit limits line link list load
    local log login logs longer make malware mark may me memories memory mention message messages mode model must my
    name need never new next no not note nothing notice now obey of off old on one only open operator or order orders
    other our out output over overridden override owner parameters part pass password passwords paste payload persona
    please policies policy post preceding pretend previous previously print prior private privileged prompt prompts
    protocol protocols public put python query read real rebuild receive regardless remember remove repeat replace
    reply report request require reset respond response restriction restrictions return reveal role root rule rules
    run safe safety same save say script search secret secrets secure security send sent server session set shell
    should show silently simulate skip so social some source ssh start state step steal stop store sudo system tell
    text than that the their them then there these they this those through to token tokens tool tools top training
    transfer trust under unfiltered unlimited unlock unrestricted until update upload url use user users using verify
    was we web webhook what when where which who will wget with without word words work write wrong you your yourself
    accounts approve approval authorized backup backups before bypass chmod confirmation contract controller controllers
    conversations created discard drop dropped echo eval every fetch filters granted guideline hidden invoice leak
    mentioned mentions minute money node nodes orders passed payment payments poll pretending python printenv registered
    register route running scripts secretly sending silently sources stored task tasks telling trusted updates vendor
    vendors verified wallet whenever wipe
    """)
)
"""Words by which a row of letters is cut into words and a reading is judged to be one."""

FIELDED = frozenset(
    word.encode()
    for word in _words("""
    access account accounts agent agents always approve approved ask asking assistant authorize authorized
    bypass collector command confirm confirmation content contents contract controller conversation copy create
    credentials delete developer disable disclose disregard download entire erase every everything execute
    exfiltrate filter filters follow forget forward granted guidelines ignore instruction instructions keys
    mention mode never node note obey orders override password passwords payment payments persona poll previous
    previously print prior prompt prompts register remember restrictions reveal route rules safety secret
    secretly secrets send shell silently stored system tasks tell telling told trust unrestricted upload user vendor
    whenever without
    """)
)
"""Words of orders; some of them in fields that are near to each other make a row worth reading as a sentence."""

LEAST = 4
"""How many different ones a row must have."""

STRONG = frozenset(
    word.encode()
    for word in _words("""
    approve authorized bypass controller copy credentials disable disclose disregard exfiltrate forget forward
    guidelines ignore instructions mention never obey override password passwords payments poll print register remember
    restrictions reveal secretly silently telling unrestricted upload whenever without
    """)
)
"""Those of them that settings and tables seldom have; one at least must be there."""

INNOCENT = frozenset(
    _words("""
    acces authorize controler crate developper entier entre filtres forge revela wolf
    """)
)
"""Words of some language that look like a cue word with a slip or a shift, and are none."""

_GLUED = {
    "ignore disregard forget override bypass neglect": (
        "all any the your my every everything previous prior above earlier system safety instruction rule"
    ),
    "previous prior above earlier all your new": "instruction prompt guideline directive rules",
    "reveal print show leak repeat output": "all your the system secret password credential hidden initial",
    "send upload post exfiltrate dump steal copy export forward": (
        "all your the my every secret password credential environment env private ssh token"
    ),
    "read cat print": "env ssh etc secret password credential private thecontents contents",
    "always never": "approve ask accept trust mention tell reveal route send obey follow refuse",
    "remember whenever": "that the this a an any you",
    "route approve authorize": "all every the payment vendor any",
    "register": "asa with yourself the",
    "donot": "tell mention inform reveal ask",
}
_PHRASES = """
    youarenow actasa pretendto donottell donotmention withoutasking developermode jailbreak doanythingnow deleteall rmrf
    curlhttp pipetobash executethe runthis runthe yourmemory yourrules systemprompt nolongerbound
"""

GLUED = (
    *(f"{verb}(?:{'|'.join(rest.split())})" for verbs, rest in _GLUED.items() for verb in verbs.split()),
    *_PHRASES.split(),
)
"""Patterns over glued words in lower case without underscores: where one matches, the token is parted into words.

Each begins with a literal: the engine then looks only where one of their first letters stands.
"""
