"""What never moves, in the main languages: each family with a sentence that says it, and ordinary facts beside it."""

from __future__ import annotations

import re
from unicodedata import normalize

import pytest

from inkgate.store.recall import Passage
from inkgate.tiers.never import objection
from inkgate.tiers.phrases import families, says
from inkgate.tiers.units import from_session, from_summary

EPHEMERAL = {
    "doing": [
        "Wir führen gerade die Tests aus.", "Je suis en train de lancer les tests.", "Estoy ejecutando las pruebas.",
        "Estou rodando os testes.", "Sto eseguendo i test.", "Ik ben nu bezig met de tests.",
        "Właśnie uruchamiam testy.", "Мы сейчас запускаем тесты.", "Şu anda testleri çalıştırıyorum.",
        "我正在运行测试。", "今、テストを実行しているところです。", "지금 테스트를 실행하고 있습니다.",
        "أنتظر الآن نتيجة الاختبار.",
    ],
    "state": [
        "Der Build läuft noch.", "Le déploiement est encore en cours.", "La migración todavía está en curso.",
        "O deploy ainda está em andamento.", "La migrazione è ancora in corso.", "De build loopt nog.",
        "Kompilacja wciąż trwa.", "Сборка всё ещё выполняется.", "Derleme hâlâ sürüyor.", "构建仍在运行。",
        "ビルドはまだ実行中です。", "빌드가 아직 실행 중입니다.", "الاختبارات لا تزال قيد التشغيل.",
    ],
    "progress": [
        "Wir sind bei Schritt 3 von 5.", "Nous en sommes à l'étape 3 sur 5.", "Vamos por el paso 3 de 5.",
        "Estamos na etapa 3 de 5.", "Siamo al passo 3 di 5.", "Dit is stap 3 van de 5.", "To krok 3 z 5.",
        "Это шаг 3 из 5.", "Taşıma %80 tamamlandı.", "迁移已完成 80%。", "移行は80%完了。", "5단계 중 3단계입니다.",
        "نحن في الخطوة 3 من 5.",
    ],
    "session": [
        "In dieser Sitzung ging es um den Parser.", "Dans cette session nous avons regardé le parseur.",
        "En esta sesión miramos el analizador.", "Nesta conversa vimos o analisador.",
        "In questa sessione abbiamo visto il parser.", "In dit gesprek keken we naar de parser.",
        "W tej sesji oglądaliśmy parser.", "В этой сессии мы смотрели парсер.", "Bu oturumda ayrıştırıcıya baktık.",
        "本次会话讨论了解析器。", "このセッションではパーサーを見た。", "이번 세션에서는 파서를 살펴봤다.",
        "في هذه الجلسة نظرنا إلى المحلل.",
    ],
    "next": [
        "Nächster Schritt: den Helfer umbenennen", "À faire : renommer la fonction", "Pendiente: renombrar la función",
        "A fazer: renomear a função", "Da fare: rinominare la funzione", "Te doen: de functie hernoemen",
        "Do zrobienia: zmienić nazwę", "Следующий шаг: переименовать функцию", "Sonraki adım: işlevi yeniden adlandır",
        "下一步：重命名函数", "次のステップ：関数の名前を変える", "할 일: 함수 이름 바꾸기",
        "الخطوة التالية: إعادة التسمية",
    ],
}  # fmt: skip
DERIVABLE = {
    "today": [
        "Heute ist Montag.", "Aujourd'hui, c'est lundi.", "Hoy es lunes.", "Hoje é segunda-feira.", "Oggi è lunedì.",
        "Vandaag is het maandag.", "Dzisiaj jest poniedziałek.", "Сегодня понедельник.", "Bugün günlerden pazartesi.",
        "今天是星期一。", "今日は月曜日です。", "오늘은 월요일입니다.", "اليوم هو الاثنين.",
    ],
    "count": [
        "In services/ gibt es 312 Dateien; main.py hat 1.204 Zeilen.", "Il y a 312 fichiers dans services/.",
        "Hay 312 archivos en services/.", "Há 312 arquivos em services/.", "Ci sono 312 file in services/.",
        "Er zijn 312 bestanden in services/.", "W services/ jest 312 plików.", "В services/ находится 312 файлов.",
        "services/ içinde 312 dosya var.", "services/ 里有 312 个文件。", "services/ に312個のファイルがあります。",
        "services/에 파일이 312개 있습니다.", "يوجد في المجلد 312 ملفًا.",
    ],
    "at-hand": [
        "Der aktuelle Branch ist main.", "La branche courante est main.", "El directorio actual es /srv/app.",
        "O diretório atual é /srv/app.", "La directory corrente è /srv/app.", "De huidige branch is main.",
        "Bieżący katalog to /srv/app.", "Текущая ветка main.", "Şu anki dal main.", "当前分支是 main。",
        "現在のブランチはmainです。", "현재 브랜치는 main입니다.", "الفرع الحالي هو main.",
    ],
    "version": [
        "Die Version von Node ist 20.11.", "La version de Node est 20.11.", "La versión de Node es 20.11.",
        "A versão do Node é 20.11.", "La versione di Node è 20.11.", "De versie van Node is 20.11.",
        "Wersja Node to 20.11.", "Версия Node — 20.11.", "Node sürümü 20.11.", "Node 版本是 20.11。",
        "Nodeのバージョンは20.11です。", "Node 버전은 20.11입니다.", "إصدار Node هو 20.11.",
    ],
    "exists": [
        "Die Datei README.md existiert.", "Le fichier README.md existe.", "El archivo README.md existe.",
        "O arquivo README.md existe.", "Il file README.md esiste.", "Het bestand README.md bestaat.",
        "Plik README.md istnieje.", "Файл README.md существует.", "README.md dosyası mevcut.", "文件 README.md 存在。",
        "ファイル README.md が存在します。", "파일 README.md이 존재합니다.", "الملف README.md موجود.",
    ],
}  # fmt: skip
KEPT = {
    "decided": [
        "Wir haben uns für Postgres entschieden.", "Nous avons décidé de garder Postgres.",
        "Hemos decidido usar Postgres.", "Decidimos usar o Postgres.", "Abbiamo deciso di usare Postgres.",
        "We hebben voor Postgres gekozen.", "Postanowiliśmy użyć Postgresa.", "Мы решили взять Postgres.",
        "Postgres kullanmaya karar verdik.", "我们决定使用 Postgres。", "Postgresを使うことにしました。",
        "Postgres를 쓰기로 했습니다.", "قررنا استخدام Postgres.",
    ],
    "personal": [
        "Ich bevorzuge kurze Antworten.", "Je préfère les réponses courtes.", "Prefiero respuestas cortas.",
        "Prefiro respostas curtas.", "Preferisco risposte brevi.", "Ik houd van korte antwoorden.",
        "Wolę krótkie odpowiedzi.", "Я предпочитаю короткие ответы.", "Kısa yanıtları tercih ederim.",
        "我喜欢简短的回答。", "私は短い回答が好きです。", "저는 짧은 답변을 선호합니다.", "أحب الإجابات القصيرة.",
    ],
}  # fmt: skip
DECISIONS = [
    "Entscheidungen", "Décisions", "Decisiones", "Decisões", "Decisioni", "Besluiten", "Decyzje", "Решения", "Kararlar",
    "决定", "決定事項", "결정 사항", "القرارات",
]  # fmt: skip
SECTIONS = [
    "In Arbeit", "Prochaines étapes", "Tareas pendientes", "Próximos passos", "Da fare", "Openstaande taken",
    "Do zrobienia", "Следующие шаги", "Sonraki adımlar", "待办事项", "次のステップ", "남은 작업", "الخطوات التالية",
]  # fmt: skip
FACTS = [
    "Der Staging-Server läuft auf Port 5439.", "Ein Import darf höchstens 10.000 Zeilen haben.",
    "Wir prüfen jede Änderung zu zweit.", "Die Sitzung des Teams ist am Montag um zehn.",
    "Jede Klasse hat 80 Zeilen pro Methode als Grenze.",
    "Nous sommes douze dans l'équipe.", "Le serveur de test écoute sur le port 5439.",
    "Les tests tournent chaque nuit.",
    "Le lundi, on publie la version.",
    "La base de datos escucha en el puerto 5439.", "Trabajamos los lunes en la oficina de Madrid.",
    "Un archivo puede tener 500 líneas como máximo.",
    "O servidor de testes fica na porta 5439.", "A equipe trabalha com Python em Lisboa.",
    "Il server di prova ascolta sulla porta 5439.", "La riunione è il lunedì alle dieci.",
    "De testserver luistert op poort 5439.", "Het team vergadert op maandag.",
    "Serwer testowy nasłuchuje na porcie 5439.", "Zespół spotyka się w poniedziałek.",
    "Тестовый сервер слушает порт 5439.", "Команда встречается по понедельникам.",
    "Мы проверяем каждое изменение вдвоём.",
    "Test sunucusu 5439 numaralı portu dinler.", "Ekip pazartesi günleri toplanır.",
    "测试服务器监听 5439 端口。", "团队每周一开会。", "导入最多 10,000 行。", "发布前要运行测试。",
    "テストサーバーはポート5439で待ち受ける。", "チームは月曜日に集まる。", "リリース前にテストを実行する。",
    "테스트 서버는 5439 포트를 쓴다.", "팀은 월요일마다 모인다.", "배포 전에 테스트를 실행한다.",
    "خادم الاختبار يستمع على المنفذ 5439.", "يجتمع الفريق يوم الاثنين.",
]  # fmt: skip


def _codes(text: str, heading: str = "") -> str:
    found = objection(text, heading=heading)
    return found.code if found else ""


def test_every_family_knows_every_language() -> None:
    """No language is missing in a family, and each has its sentence here, in the order of the table."""
    languages = {tuple(table) for table in families().values()}
    assert len(languages) == 1
    (names,) = languages
    assert families().keys() == {*EPHEMERAL, *DERIVABLE, *KEPT, "section", "decisions"}
    every = (*EPHEMERAL.values(), *DERIVABLE.values(), *KEPT.values(), SECTIONS, DECISIONS)
    assert {len(texts) for texts in every} == {len(names)}


@pytest.mark.parametrize("family", [*EPHEMERAL, *DERIVABLE])
def test_each_language_says_it(family: str) -> None:
    """By its own expression, whatever the form of its letters, and it never moves."""
    code = "never-ephemeral" if family in EPHEMERAL else "never-derivable"
    for language, text in zip(families()[family], {**EPHEMERAL, **DERIVABLE}[family], strict=True):
        plain = families()[family][language].replace("LIMIT", "")
        assert re.search(plain, normalize("NFKC", text), re.IGNORECASE), (language, text)
        assert says(family, normalize("NFKC", text)), (language, text)
        assert _codes(text) == code, (language, text)
        assert _codes(normalize("NFD", text).upper()) == code or language in ("tr", "de"), (language, text)


@pytest.mark.parametrize("family", list(KEPT))
def test_what_is_worth_keeping(family: str) -> None:
    """A user who says so is heard, in each language; a fact of the project, and somebody else's taste, is neither."""
    for number, text in enumerate(KEPT[family]):
        (unit,) = from_session("s", [Passage("s", 1, 0.0, "user", text)])
        assert (unit.personal, unit.explicit) == (family == "personal", family == "decided"), text
        (summed,) = from_summary(f"## {DECISIONS[number]}\n- helper.py", "s", [])
        assert summed.explicit, DECISIONS[number]
    for fact in FACTS:
        assert not says(family, normalize("NFKC", fact)), fact


@pytest.mark.parametrize("heading", SECTIONS)
def test_headings_of_open_tasks(heading: str) -> None:
    """The same sentence is a fact under another heading."""
    assert _codes("helper.py", f"Summary / {heading}") == "never-ephemeral"
    assert _codes("helper.py", "Summary / Konventionen") == ""


@pytest.mark.parametrize("fact", FACTS)
def test_ordinary_facts_move(fact: str) -> None:
    """Ports, days, limits and habits are no ephemera."""
    assert _codes(fact) == ""


@pytest.mark.parametrize("family", list(families()))
def test_long_texts_take_no_longer_than_they_are(family: str) -> None:
    """No expression backtracks without end over words and digits that almost fit."""
    for piece in ("12 ", "1,", "est encore ", "в a", "有12", "zzz ", "يوجد 1 ", "今は"):
        assert says(family, piece * 4_000) in (True, False)
