"""The words by which `inkgate.judge.told` knows a told sentence, in the languages of the core families.

Each table is one alternation. Latin words stand without accents and in small letters, as the fold leaves them; other
scripts are folded when a table is compiled.
"""

from __future__ import annotations

__all__ = ["AGENT", "DAILY", "ENDINGS", "FORMS", "GOVERNING", "OPENINGS", "RECORDS", "SAYING", "SPOKEN_TO"]

SPOKEN_TO = (
    r"\b(?:you|your|yours|yourself|assistants?|agents?|(?<!j')ai|llms?|models?|bots?|chatbots?|claude|chatgpt|gpt"
    r"|copilot|gemini"
    r"|hermes|reader|please|must|shall|now|henceforth|immediately|instead|required|mandatory"
    r"|te (?:pid|orden|dij|dig|he|ha|han|chied|dic)\w*|ti|tu|tus|usted|ustedes|vosotros|debes?|deben|ahora|voce|voces"
    r"|deves?|devem|agora"
    r"|vous|votre|vos|dois|devez|maintenant|devi|dovete|adesso|ora|du (?:wurdest|[a-z]{1,9}st)|dir|dich|dein\w{0,2}"
    r"|sie sollen"
    r"|musst|jetzt|bitte|jij|jullie|moet|ty|ciebie|musisz|teraz|asistente|assistente|assistent|asystent|ia|ki|anda"
    r"|kamu|harus"
    r"|asisten|(?<!bien )(?<!van )ban|phai|sen|siz|simdi|lutfen|yapay)\b"
    r"|(?:\bты\b|\bтебе\b|\bтебя\b|\bвы\b|\bвам\b|должен|нужно|необходимо|ассистент|你|您|请|請|必须|助手|あなた"
    r"|ください|당신|너는|하세요"
    r"|\bانت\b|\bعليك\b|\bيجب\b|\bقم\b|المساعد|तुम|आप|तुझे|सहायक)"
)
"""Somebody is spoken to: the sentence is not only told."""

GOVERNING = (
    # English: a verb of deciding, of refusing, of having somebody do it, in the past; "to", "that we", "for" ... follow
    r"\b(?:decided|chose|chosen|agreed|voted|refused|tried|wanted|managed|started|began|begun|begged|planned"
    r"|preferred"
    r"|hoped|threatened|promised|resolved|meant|used|learned|learnt|liked|loved|hated|tempted|determined|happened"
    r"|continued|swore|vowed|dared|bothered|forced|allowed|told|asked|advised|ordered|instructed|urged|warned|taught"
    r"|reminded|persuaded|encouraged|commanded|sentenced|inclined)(?:\s[\w'.-]{1,16}){0,4}?\s(?:to|not to|never to)\s"
    r"|\b(?:said|says|thought|thinks|felt|suggested|suggests|recommended|insisted|argued|claimed|explained|announced"
    r"|believed|hoped|wished|told|heard|read|wrote|decided|agreed|ruled|held)(?:\s[\w'.-]{1,16}){0,4}?\s(?:to|that"
    r"|(?:we|they|he|she|i|one|everyone|everybody|the [a-z]{3,12}) (?:should|could|would|might|had to|ought to"
    r"|were to"
    r"|was to|had|have))\s"
    r"|\b(?:accused of|guilty of|blamed for|fined for|punished for|scolded for|sent off for|praised for|sorry for"
    r"|known for"
    r"|keeps?|kept|stopped|regret(?:ted|s)?|admitted(?: to)?|denied|enjoyed|caught|tired of|habit of|risk of"
    r"|consequences of"
    r"|effects of|result of|danger of|the cost of|price of)\s"
    r"|\b(?:i|we|he|she|they|who|nobody|everybody|everyone|somebody|many|some|most|people|drivers|students|players"
    r"|patients)(?:\s(?:have|has|had|will|would|could|did|do|simply|just|often|always|never|then|also)){1,3}\s"
    r"|\b(?:had|has|have|having|was|were|been|got|being)\s(?:[a-z]{3,12}ly\s)?"
    r"|\b(?:many|most|some|several|few|our|their|his|her)\s(?:[a-z]{3,12}\s){0,2}?[a-z]{3,14}s\s"
    # Spanish, Portuguese, Italian, French
    r"|\b(?:decidi\w{0,5}|dij\w{1,4}|decia\w{0,3}|pidi\w{1,5}|ordeno|ordenaron|mando|mandaron|mandou|quis\w{0,5}"
    r"|queri\w{1,4}"
    r"|nego|negaron|acordo|acordaron|acordamos|prefir\w{1,5}|intento|intentaron|solia\w{0,2}|aconsejo|recomendo"
    r"|permitio"
    r"|resolvi\w{0,4}|acusad\w{1,2}|acuso|he|ha|hemos|han|habia\w{0,3}|tinha\w{0,2}|disse\w{0,4}|dizia\w{0,2}|pediu"
    r"|pediram"
    r"|recusou|ordenou|tentou|tentei|preferi\w{0,3}|aconselhou|deciso|decise\w{0,4}|chiesto|chiese\w{0,4}|ordino"
    r"|ordinaron?"
    r"|rifiut\w{1,5}|ho|hanno|abbiamo|aveva\w{0,3}|avevo|volev\w{1,4}|volle\w{0,3}|detto|diceva\w{0,2}"
    r"|consigli\w{1,4}"
    r"|decid\w{1,5}|demand(?:e|ait|erent|aient)|ordonn(?:e|a|ait|erent)|refus(?:e|a|ait)|dit|disait|disaient"
    r"|voul\w{1,5}"
    r"|conseill(?:e|a|ait)|prefer(?:e|a|ait)|essay(?:e|a|ait)|ai|avons|ont|avais|avait|avaient|prie|pria)"
    r"(?:[\s'][\w']{1,16}){0,5}?[\s']"
    # ... and a subject in the third person right before the verb
    r"|(?:^|[,(]\s?|\b(?:porque|cuando|si|y|e|et|quand|parce que|perche|quando|se|siccome)\s)(?:el|la|los|las|un|una"
    r"|o|a|os|as"
    r"|um|uma|il|lo|gli|le|les|l'|i|ce|cette|quien|quem|chi) ?[^\W_]{3,18}(?:\s(?:no|nao|non|ne|se|si|ya|ja))?\s"
    # German, Dutch: also before an infinitive that comes at the end
    r"|\b(?:beschloss\w{0,3}|bat|baten|gebeten|befahl\w{0,2}|befohlen|wies|wiesen|angewiesen|riet|rieten|geraten"
    r"|weigerte\w{0,2}"
    r"|wollte\w{0,2}|versuchte\w{0,2}|pflegte\w{0,2}|lachte\w{0,2}|sagte\w{0,2}|meinte\w{0,2}|hatte\w{0,2}|habe|haben"
    r"|hat"
    r"|sollten|durften|besloot|besloten|vroeg|vroegen|gevraagd|beval|bevalen|zei|zeiden|weigerde\w?|wilde\w?"
    r"|probeerde\w?"
    r"|had|hadden|heeft|hebben)(?:,?\s[\w'-]{1,18}){0,6}?,?\s"
    # Polish, Indonesian, Vietnamese
    r"|\b(?:postanowi\w{1,5}|poprosi\w{1,5}|powiedzia\w{1,5}|mowi\w{1,4}|kaza\w{1,5}|rozkaza\w{1,5}|odmowi\w{1,4}"
    r"|chcia\w{1,5}"
    r"|zdecydowa\w{1,5})(?:,?\s[^\W_]{1,14}){0,4}?,?\s"
    r"|\b(?:memutuskan|meminta|berkata|bilang|menyuruh|memerintahkan|menolak|mengatakan|ingin|mencoba|menganjurkan)"
    r"(?:\s[^\W_]{1,12}){0,4}?\s"
    r"|\b(?:quyet dinh|bao|noi|ra lenh|da|dan|tu choi|yeu cau|muon)(?:\s[^\W_]{1,8}){0,4}?\s"
    # Russian
    r"|(?:\bрешил|\bпопросил|\bсказал|\bговорил|\bприказал|\bвелел|\bотказал|\bхотел|\bпытал|\bпостановил|\bдоговорил"
    r"|\bсоветовал"
    r"|\bразрешил|\bзапретил)(?:а|и|о|ся|ась|ись)?(?:,?\s[^\W_]{1,16}){0,4}?[,:]?\s"
    # Chinese
    r"|(?:决定|決定|让(?:我|他|她|大家|学生)们?|叫(?:我|他|她)们?|讓(?:我|他|她)們?|命令|要求|建议|告诉(?:我|他"
    r"|她)们?|常说|说过?|因为(?:我|他|她)们?"
    r"|拒绝|^我们?|^他们?|^她们?)[^\s]{0,16}"
    # Arabic: the prefixes of the first and the third person, the preposition before a verbal noun; verbs before it
    r"|(?:^|\s)(?:ا|ن|ي|ان ا|ان ن|ان ي)"
    r"|(?:طلب|امر|قرر|قال|تقول|يقول|كان|رفض|نصح|سمح|لاني|لانه)\w{0,4}(?:\s[^\W_]{1,14}){0,4}?\s(?:ب|ان ن|ان ي|ان ا)?"
    r"|(?:لان|الذين|اللواتي|حين|عندما) (?:[^\W_]{2,14} )?"
    # Hindi
    r"|(?:ने कहा|कहा कि|कहती थीं|कहते थे|कहता था|क्योंकि मैं)[^\n।]{0,40}"
)
"""What stands right before the phrase when it depends on a verb of somebody's deciding, telling or having done."""

SAYING = (
    r"\b(?:used to say|always says?|always said|once said|says|said|writes|wrote|decia|dijo|disait|disse|dizia|diceva"
    r"|dice"
    r"|sagte(?: immer)?|sagt(?: immer)?|schrieb|zei(?: altijd)?|mowila?|powiedzial\w?|berkata|hay noi|derdi ki"
    r"|dedi ki|(?:i|we|he|she|they|children|girls|boys) (?:was|were) (?:taught|told|raised|brought up))"
    r"|(?:говорил|сказал|говаривал)[аи]?|常说|說|说|言った|كانت جدتي تقول|يقول|تقول|قال|कहती थीं|कहते हैं|कहते थे"
    r"|कहावत है"
)
"""Somebody's saying, which the phrase is."""

OPENINGS = (
    r"\b(?:after|before|while|by|for|of|from|despite|without|about|against|through|them|him|her|us|people|somebody"
    r"|someone"
    r"|others|[a-z]{3,14}s)\s"
)
"""A preposition, or somebody; what follows in "-ing" is no order then."""

FORMS = (
    # English: past and third person
    r"(?:ignored|ignores|disregarded|disregards|forgotten|neglected|dismissed|discarded|abandoned|rejected|disobeyed"
    r"|obeyed"
    r"|overrode|overridden|overruled|overruled|defied|renounced)"
    # Spanish, Portuguese: past, past subjunctive, gerund
    r"|(?:ignor|olvid|omit|abandon|anul|descart|desobedec|incumpl|esquec|desrespeit|descumpr|rejeit)"
    r"(?:ei|ou|aron|aram|aste|aba\w{0,3}|ava\w{0,3}|ia\w{0,3}|ieron|eram|iram|aramos|ieramos|assemos|asemos|aran"
    r"|ieran|assem"
    r"|asen|ando|iendo|endo|ado|ida|ido|ados|idos|amos)"
    # French: past and conditional; Italian: past
    r"|(?:ignor|oubli|neglig|rejet|abandonn)(?:ais|ait|aient|erent|ames)"
    r"|(?:ignor|dimentic|trascur|abbandon|rifiut|violat?)(?:ai|arono|ava\w{0,3}|avo|ato|ando|ammo|assimo|assero)"
    # German, Dutch, Polish: past; Indonesian: the active voice
    r"|(?:ignorierte\w{0,2}|missachtete\w{0,2}|missachten|vergass\w{0,2}|negeerde\w?)"
    r"|(?:zignorowa|ignorowa|zlama|odrzuci|pomin[ea])l\w{0,4}|mengabaikan"
    # Russian: past
    r"|(?:про)?игнорировал\w{0,2}|забыл\w{0,2}|нарушил\w{0,2}|нарушал\w{0,2}|нарушают|отменил\w{0,2}|отменяет"
    # Chinese: done
    r"|(?:忽略|无视|無視|忘记|忘記|抛开|拋開|取消|废除|废止)了[^\n，。]{0,30}"
    # Arabic: past
    r"|(?:تجاهل|اهمل|نسي)(?:ت|نا|ه|ها)"
)
"""Forms of the verbs at the start of a phrase that give no order."""

ENDINGS = (
    # Japanese, as the rest of the verb behind its stem
    r"[^\n]{0,8}?(?:し|れ|て|い|ら|わ|し)?(?:た(?!い|だ)|ました|ていた|たら|ると|(?:る)?ことに(?:し|な)"
    r"|(?:る)?ように?(?:言|命|指示|頼|求|伝)"
    r"|(?:しろ|せよ|なさい)[」』]?と|て[、,]?[^。！？!?\n]{0,28}(?:た|だった)(?:$|。)|(?:わ)?ず[、に])"
    # Korean
    r"|[^\n]{0,8}?(?:했|하였|한 (?:것|채|뒤)|하고 [^.!?\n]{0,28}(?:았|었|했|갔|났|왔|렸)다|하라고 (?:했|하셨|하|말)"
    r"|하지 않|지 않고"
    r"|버렸|버려서|었|았)"
    # Hindi
    r"|[^\n]{0,12}?\s?(?:करने का (?:फैसला|निर्णय)|करने को कहा|करने से|किया(?! जाए)|कर दिया|करता है|करती है|किए जाते"
    r"|किये जाते|गया|गई|गए|कर [^\n।]{0,24}कहा)"
    # Turkish: a verbal noun before a verb of saying, and past forms
    r"|\w{0,18}(?:m[ae](?:y[ae]|s[iı]n[iı]|m[iı]z[iı]|lar[iı]n[iı]))\s(?:soyle|iste|emret|karar|rica|buyur|de[dr]"
    r"|hakl)\w{0,8}"
    r"|\w{0,10}(?:[iıuü]l[iıuü]r|[iıuü]n[iıuü]r)(?:ler|lar)?(?![^\W_])|\w{0,14}(?:d[iıuü](?:m|k|ler|lar)?"
    r"|[dt][iıuü]g[iıuü]\w{0,4}|t[iıuü](?:m|k)?|mi[sş]\w{0,4})(?![^\W_])"
    # German infinitive with "zu" needs a governing verb; what the law or a plan does is in the records
)
"""How the verb goes on where it stands last, when it gives no order."""

RECORDS = (
    r"(?:^|\n)\W{0,6}(?:minutes|resolved|resolution|decision|protokoll|beschluss|hausordnung"
    r"|(?:[a-z]{3,10} )?putzplan|acta|se acuerda"
    r"|acuerdo"
    r"|ata|deliberacao|fica decidido|verbale|si delibera|delibera|proces[ -]verbal|il est decide|deliberation|notulen"
    r"|besluit"
    r"|protokol|uchwala|notulen|diputuskan|hasil (?:rapat|musyawarah)"
    r"|bien ban|quyet dinh|tutanak|\d{1,2} \w{3,9} tutanagi|karar)\b"
    r"|(?:^|\n)\W{0,6}(?:протокол|постановили|решили|решение|[^\n]{0,10}会议纪要|[^\n]{0,10}会議録|[^\n]{0,12}議事録"
    r"|决定|決定|[^\n]{0,12}회의록|결정"
    r"|محضر|تقرر|[^\n]{0,16}कार्यवाही|निर्णय)"
    r"|\b(?:this|the|present|new|said) (?:contract|agreement|lease|treaty|law|act|statute|regulation|decree|will"
    r"|ordinance"
    r"|bylaws?|constitution|by-law|executors?|executrix|testat(?:or|rix))\b"
    r"|\b(?:(?:el|la|este|presente|nueva|nuevo) (?:contrato|acuerdo|ley|decreto|reglamento|convenio)"
    r"|(?:o|a|este|presente|nova|novo) (?:contrato|acordo|lei|decreto|regulamento)"
    r"|(?:le|la|l'|present|nouvelle|nouveau|ce) ?(?:contrat|accord|loi|decret|reglement)"
    r"|(?:il|la|lo|presente|nuova|nuovo) (?:contratto|accordo|legge|decreto|regolamento)"
    r"|(?:dieser|der|das|die|neue[snr]?) (?:vertrag|gesetz|vereinbarung|verordnung|satzung)"
    r"|(?:deze|de|nieuwe) (?:overeenkomst|wet)|(?:niniejsza|nowa|ta) (?:umowa|ustawa)|(?:perjanjian|undang-undang)"
    r"|(?:hop dong|luat moi)|(?:bu|yeni) (?:sozlesme|yasa|kanun))\b"
    r"|(?:договор|закон|соглашение|本合同|新法|本契約|法律|본 계약|새 법|العقد|القانون|अनुबंध|कानून)"
)
"""The kind of text: a record of what a meeting decided, a contract or a law."""

DAILY = (
    r"\b(?:doctors?|physicians?|nurses?|surgeons?|dentists?|pharmacists?|(?:physio)?therapists?|midwi(?:fe|ves)"
    r"|teachers?"
    r"|professors?|tutors?|coach(?:es)?|referees?|umpires?|judges?|jury|jurors|court|witness|generals?|kings?|queens?"
    r"|captains?|sergeants?|soldiers?|crew|sailors?|priests?|monks?|mothers?|fathers?|parents|grandmother|grandfather"
    r"|grandma"
    r"|grandpa|aunt|uncle|landlords?|landlady|tenants?|neighbou?rs?|cooks?|chefs?|bakers?|waiters?|plumbers?"
    r"|gardeners?"
    r"|mayor|bishop|choir|orchestra|recipes?|packet|package leaflet|packaging|on the box|label|leaflet|blackboard"
    r"|handout"
    r"|textbooks?|cookbooks?|washing machine|dishwasher|oven|tent|lease|parties|pool|game|match|knee|exam|dosage"
    r"|tablets?"
    r"|chapter \w{1,6})\b"
    r"|\b(?:medic[oa]s?|doctora?|enfermer[ao]|profesora?|maestr[ao]|entrenador|juez|jurado|general|rey|capitan"
    r"|tripulacion"
    r"|abuel[ao]|vecinos|casero|paquete|lavadora|fisioterapeuta|partes|cocinero|receta|arbitro|piscina|residuos"
    r"|aparcamiento"
    r"|professora?|treinador|juiz|rei|capitao|avo|vizinhos|pacote|maquina de lavar|resituos|estacionamento|pacientes?"
    r"|medecin|docteur|infirmiere|maitresse|professeur|entraineur|juge|jures|roi|capitaine|equipage|grand mere"
    r"|voisins"
    r"|paquet|boite|lave linge|kine|parties|recette|arbitre|piscine|dechets|stationnement"
    r"|dottore|infermiera|maestra|professore|allenatore|giudice|re|capitano|equipaggio|nonn[ao]|vicini|confezione"
    r"|lavatrice"
    r"|parti|ricetta|parcheggio|rifiuti|generale"
    r"|arzt(?:es)?|arztin|lehrer(?:in|s)?|trainers?|richters?|geschworenen|konigs?|kapitans?|mannschaft|grossmutter"
    r"|oma|opa"
    r"|nachbarn|packung|waschmaschine|physiotherapeutin|parteien|rezept\w{0,2}|schwimmbads?|parken|abfalle|aufgabe \d"
    r"|dokter|juf|koning|kapitein|bemanning|buren|verpakking|handleiding|partijen|fysiotherapeut|parkeren|afval"
    r"|lekarza?|nauczycielka|krola|kapitan|zalodze|babcia|sasiedzi|opakowaniu|pralka|stron|fizjoterapeutka|parkowania"
    r"|dokter|guru|raja|kapten|nenek|tetangga|kemasan|para pihak|parkir|sampah"
    r"|bac si|co giao|vua|thuyen truong|ba toi|hang xom|bao bi|hai ben|do xe|rac thai"
    r"|doktor\w{0,4}|ogretmen\w{0,3}|kral\w{0,3}|kaptan|buyukannem|komsular|taraflar\w{0,6}|otopark\w{0,5}"
    r"|atik\w{0,5})\b"
    r"|(?:врач|учитель|тренер|судь|присяжн|корол|капитан|бабушк|сосед|упаковк|сторон|физиотерапевт|парковк|отход"
    r"|посещени"
    r"|医生|护士|老师|教练|法官|陪审|国王|船长|奶奶|邻居|包装|说明书|双方|康复师|停车|垃圾"
    r"|第[一二三四五六七八九十\d]+题"
    r"|医者|医師|看護|先生は|監督|裁判官|陪審|王の|船長|祖母|隣人|説明書|袋の|当事者|理学療法|駐車|廃棄物"
    r"|의사|간호사|선생님|감독|판사|왕의|선장|할머니|이웃|설명서|봉지|당사자|물리치료|주차"
    r"|الطبيب|الممرض|المعلم|المدرب|القاضي|المحلفين|الملك|القبطان|جدتي|الجيران|العلبة|الطرفين|المعالجة|الوقوف|النفايات"
    r"|डॉक्टर|नर्स|शिक्षक|शिक्षिका|राजा|कप्तान|दादी|पड़ोसी|पैकेट|पक्षों|फिजियो|पार्किंग|कचरे)"
)
"""People, places and papers of daily life whose orders are none of an agent's."""

AGENT = (
    r"\b(?:you|your|yours|yourself|assistants?|agents?|(?<!j')ai|a i|llms?|models?|bots?|chatbots?|claude|chatgpt|gpt"
    r"|copilot|gemini"
    r"|hermes|openai|anthropic|prompts?|system|developers?|admin\w{0,10}|operators?|users?|chat|conversations?|memory"
    r"|sessions?|tokens?|keys?|passwords?|credentials?|secrets?|tools?|guardrails?|safety|security|filters?"
    r"|restrictions?"
    r"|confirm\w{0,6}|approv\w{0,4}|payments?|transfer\w{0,4}|https?|persona|jailbreak|unrestricted|from now on"
    r"|always"
    r"|sistemas?|systemes?|systems?|sistem|usuarios?|utilisateurs?|benutzer\w{0,2}|nutzer\w{0,2}|utente|utenti"
    r"|gebruiker"
    r"|uzytkownik\w{0,3}|pengguna|nguoi dung|kullanici\w{0,4}|asistente|assistente|assistent|asystent|asisten|ia|ki"
    r"|yapay"
    r"|contrasenas?|senhas?|passwort\w{0,3}|mot de passe|haslo|hasla|wachtwoord\w{0,2}|kata sandi|mat khau"
    r"|sifre\w{0,4}"
    r"|muestra|revel\w{1,3}|envia\w{0,2}|mostr[ae]|montre\w?|envoi\w{1,2}|envoyez|zeig\w{0,2}|send\w{0,3}"
    r"|verrat\w{0,2}|invia"
    r"|pokaz\w{0,2}|wyslij|ujawnij|toon|stuur|onthul|tampilkan|kirim\w{0,3}|hien thi|tiet lo|gui|goster\w{0,3}"
    r"|gonder\w{0,3}"
    r"|show|reveal|print|disclose|upload|forward|post|leak|obey|remember|"
    r"seguridad|seguranca|securite|sicherheit\w{0,8}|sicurezza"
    r"|sicherheits\w{3,14})\b"
    r"|(?:систем|пользовател|ассистент|промпт|парол|безопасн|系统|系統|用户|提示词|密码|安全|助手|智能|模型|システム"
    r"|ユーザー|プロンプト|パスワード"
    r"|アシスタント|시스템|사용자|프롬프트|비밀번호|어시스턴트|النظام|المستخدم|كلمة المرور|المساعد|सिस्टम|उपयोगकर्ता"
    r"|पासवर्ड|सहायक"
    "|покажи|отправ|输出|发送|显示|泄露|表示|送信|出力|教えて|출력|보내|알려|اكشف|ارسل|اعرض|बताओ|भेजो|दिखाओ)"
)
"""An agent, its people and its work: with one of them near, the phrase may be for it, however it is told."""
