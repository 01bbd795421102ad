"""Which words stand for values that shut each other out: data, in several languages.

``CLASSES``: one line names things of a kind, other names of a thing after ``=``; a statement that holds one of them seldom holds another. Those
marked ``+`` are often used side by side, and shut each other out only where one value can hold.
``OPPOSITES``: one line holds the two sides of an opposition. ``MONTHS``, ``WEEKDAYS``, ``NUMBERS`` and
``UNITS`` are read into times and quantities.
"""

from __future__ import annotations

CLASSES = """
package-manager: npm, yarn, pnpm, bun
python-packaging: pip, poetry, pipenv, uv, conda, pdm, hatch, rye
database: postgres=postgresql=pg, mysql, mariadb, sqlite, oracle, sql server, mssql, mongodb=mongo, cockroachdb, dynamodb, cassandra, firestore, couchdb, couchbase, scylladb, yugabytedb, planetscale, neo4j, surrealdb
cache: redis, memcached, valkey, dragonfly, hazelcast
queue: kafka, rabbitmq, nats, sqs, pulsar, activemq, zeromq, kinesis, pubsub, redpanda
web-framework: django, flask, fastapi, rails=ruby on rails, laravel, spring, spring boot, express=express.js, nestjs, koa, fastify, phoenix, gin, symfony, axum, actix, sinatra, fiber, hono, starlette, tornado, pyramid, asp.net
ui-framework: react=react.js=reactjs, vue=vue.js, angular, svelte, solid, solidjs, ember, preact, qwik, htmx, alpine.js, alpine, lit
meta-framework: next.js=nextjs, nuxt, sveltekit, remix, astro, gatsby
state: redux, mobx, zustand, recoil, jotai, pinia, vuex
orm: prisma, drizzle, sequelize, typeorm, sqlalchemy, hibernate, mikroorm, knex, objection, gorm, ecto, diesel
test-runner: jest, vitest, mocha, jasmine, ava, karma
python-tests: pytest, unittest, nose
e2e: cypress, playwright, selenium, puppeteer, testcafe, webdriverio
linter: eslint, biome, oxlint, tslint, standardjs
python-linter: ruff, flake8, pylint, pyflakes
formatter: prettier, black, yapf, gofmt, rustfmt, dprint
bundler: webpack, vite, rollup, esbuild, parcel, turbopack, rspack
css: tailwind=tailwind css, bootstrap, bulma, sass, scss, styled-components, emotion, less
cloud: aws=amazon web services, gcp=google cloud, azure, digitalocean, hetzner, linode, ovh, oracle cloud, 阿里云, 腾讯云, alibaba cloud
hosting: heroku, vercel, netlify, fly.io, render, railway, cloudflare pages, github pages, cloud run, app engine
orchestrator: kubernetes=k8s, nomad, docker swarm, ecs, mesos, fargate
iac: terraform, pulumi, cloudformation, opentofu, cdk, bicep
config-management: ansible, puppet, chef, saltstack
ci: jenkins, github actions, gitlab ci, circleci, travis=travis ci, buildkite, teamcity, drone, azure pipelines, bitbucket pipelines, argo workflows
git-host: github, gitlab, bitbucket, gitea, codeberg, sourcehut, forgejo
editor: vim, neovim=nvim, emacs, vs code=vscode=visual studio code, intellij=intellij idea, pycharm, webstorm, sublime=sublime text, zed, helix, nano, cursor, atom, notepad++, eclipse, xcode, goland
shell: bash, zsh, fish, powershell, nushell, tcsh
terminal: iterm, iterm2, alacritty, kitty, wezterm, ghostty, warp, hyper
browser: firefox, chrome, safari, edge, brave, arc, opera, vivaldi, chromium
os: linux, macos=mac=mac os, windows=windows 11, ubuntu, debian, fedora, arch, arch linux, nixos, freebsd, alpine linux, centos, red hat
phone: iphone, android, pixel, galaxy
api-style: rest, graphql, grpc, soap, trpc, json-rpc
serialisation: json, yaml, toml, xml, protobuf, msgpack, avro, csv, parquet
vcs: git, mercurial, svn, subversion, perforce, jujutsu
build: make, bazel, gradle, maven, cmake, meson, ninja, buck, nx, turborepo, sbt, ant
chat: slack, teams=microsoft teams, discord, mattermost, zulip, telegram, whatsapp, signal, google chat
tracker: jira, linear, trello, asana, github issues, clickup, shortcut, youtrack, monday.com, basecamp
wiki: notion, confluence, obsidian, coda, gitbook, docusaurus
mail: gmail, outlook, fastmail, protonmail=proton mail
calls: zoom, google meet=meet, webex, skype
design: figma, sketch, adobe xd, penpot
auth: auth0, okta, keycloak, cognito, clerk, firebase auth, supabase auth
auth-style: jwt=jwts, session cookies=sessions=cookies, oauth, saml, basic auth, api keys
payments: stripe, paypal, adyen, braintree, square, mollie, klarna
monitoring: datadog, new relic, grafana, prometheus, dynatrace, honeycomb
errors: sentry, rollbar, bugsnag, airbrake
logs: elk, splunk, loki, papertrail, logstash, elasticsearch logs
search: elasticsearch, opensearch, solr, algolia, meilisearch, typesense
object-store: s3, gcs, minio, azure blob, r2, backblaze
warehouse: snowflake, bigquery, redshift, clickhouse, databricks, duckdb
branching: trunk-based development=trunk-based, gitflow=git flow, github flow
merging: squash=squash merge=squash merges=squash and merge=squashing, rebase=rebasing, merge commit=merge commits
architecture: monolith, microservices, modular monolith, serverless
repo-shape: monorepo, polyrepo, multirepo
indent: tabs=tab, spaces=space, 制表符, 空格, タブ, スペース, tabulatoren, leerzeichen, onglets, tabulations, espaces, pestañas, tabulaciones, espacios, табы, пробелы, табуляц*, 탭, 스페이스, 공백, المسافات
quotes: single quotes, double quotes
semicolons: semicolons, no semicolons
case-style: camelcase=camel case, snake_case=snake case, kebab-case, pascalcase, kebab case
theme: dark mode=dark theme=dark, light mode=light theme=light, 深色, 浅色, 深色模式, 浅色模式, ダークモード, ライトモード, dunkel*, helle, helles, hell, sombre, clair, oscuro, claro, тёмн*, темн*, светл*, 다크, 라이트, 다크모드, 라이트모드, الداكن, الفاتح
license: mit, apache=apache 2.0, gpl, gplv3, bsd, mpl, agpl, lgpl, proprietary
currency: usd=dollars, eur=euros, gbp=pounds, jpy=yen, chf, cny, rupees
timezone: utc, gmt, cet, pst, est, cst, pdt, edt, cest, jst, ist, europe/berlin, america/new_york, pacific time, eastern time, central time, mountain time
diet: vegan, vegetarian, pescatarian, omnivore, meat-eater, keto, carnivore, végétarien, végétarienne, vegano, vegetariano, веган*, вегетариан*, 素食, 素食者, ベジタリアン, ヴィーガン, 채식주의자, वेज
units: metric, imperial, celsius, fahrenheit, kilometers=kilometres, miles, kilograms, pounds
clock: 24-hour, 12-hour
hot-drink: coffee, tea, kaffee, tee, café, thé, thee, koffie, té, caffè, chá, чай, кофе, herbata, kawa, çay, kahve, 茶, 咖啡, コーヒー, 紅茶, お茶, 커피, 차, قهوة, القهوة, الشاي, شاي, चाय, कॉफी
pet+: cat, dog, cats, dogs, rabbit, parrot, hamster, gato, perro, chat, chien, katze, hund
mattress: window seat, aisle seat
meal-time: breakfast, lunch, dinner
occupation: product manager, project manager, engineering manager, data scientist, data engineer, data analyst, software engineer, software developer, backend engineer=backend developer, frontend engineer=frontend developer, full-stack developer, devops engineer, designer, teacher, nurse, doctor, lawyer, accountant, analyst, consultant, student, pilot, journalist, architect, dentist, researcher, professor, plumber, electrician
seniority: junior, senior, staff, principal, mid-level, intern
family: single, married, divorced, widowed, engaged
commute: bike=bicycle, bus, train, car, tram, subway, metro, motorbike
colour: red, blue, green, yellow, black, white, purple, orange, pink, brown, grey=gray, teal, violet, turquoise, rot, blau, grün, gelb, schwarz, weiß, lila, rouge, bleu, bleue, vert, verte, jaune, noir, blanc, violet, rojo, azul, verde, amarillo, negro, blanco, morado, vermelho, amarelo, preto, branco, roxo, rosso, blu, giallo, nero, bianco, viola, rood, blauw, groen, geel, zwart, красн*, син*, зелен*, желт*, черн*, бел*, czerwon*, niebiesk*, zielon*, kırmızı, mavi, yeşil, sarı, siyah, beyaz, 红色, 蓝色, 绿色, 黄色, 黑色, 白色, 紫色, 赤, 青, 緑, 黄色, 黒, 白, 빨간색, 파란색, 초록색, 노란색, 검은색, 흰색, أحمر, أزرق, أخضر, أصفر, الأحمر, الأزرق, الأخضر, लाल, नीला, हरा, पीला, काला, सफेद
daytime: morning=mornings, afternoon=afternoons, evening=evenings, night=nights, noon, midnight, vormittag, nachmittag, abend, morgens, abends, matin, soir, après-midi, mañana, tarde, noche, manhã, noite, mattina, sera, pomeriggio, ochtend, avond, утр*, вечер*, ноч*, rano, wieczor*, sabah, akşam, 早上, 晚上, 上午, 下午, 早晨, 夜里, 朝, 夜, 午前, 午後, 夕方, 아침, 저녁, 오전, 오후, 밤, الصباح, المساء, صباحا, مساء, सुबह, शाम, रात
frequency: daily=every day=nightly=every night=once a day, weekly=every week=once a week, monthly=every month=once a month, hourly=every hour, yearly=annually=every year, quarterly=every quarter, biweekly=fortnightly=every two weeks, twice a week, täglich, wöchentlich, monatlich, quotidien, hebdomadaire, mensuel, diario, semanal, mensual, diariamente, semanalmente, mensalmente, giornaliero, settimanale, mensile, dagelijks, wekelijks, ежедневно, еженедельно, ежемесячно, codziennie, co tydzień, günlük, haftalık, aylık, 每天, 每周, 每月, 每日, 毎日, 毎週, 毎月, 매일, 매주, 매월, يوميا, أسبوعيا, شهريا, रोज, साप्ताहिक, मासिक, हर दिन, हर हफ्ते
season: spring, summer, autumn, winter, frühling, sommer, herbst, printemps, été, automne, hiver, primavera, verano, otoño, invierno, лет*, зим*, 春天, 夏天, 秋天, 冬天, 春, 夏, 秋, 冬
region: us-east-1, us-east-2, us-west-1, us-west-2, eu-west-1, eu-west-2, eu-central-1, eu-north-1, ap-south-1, ap-southeast-1, ap-northeast-1, europe-west1, us-central1, frankfurt region
programming+: python, rust, go=golang, java, kotlin, javascript=js, typescript=ts, ruby, c++, c#, php, scala, elixir, haskell, swift, clojure, erlang, perl, dart, zig, julia, ocaml, f#, lua, c
spoken+: english=englisch=anglais=inglés, german=deutsch=allemand=alemán, french=französisch=français=francés, spanish=spanisch=espagnol=español, portuguese, italian, dutch, russian, ukrainian, polish, turkish, chinese=mandarin, japanese, korean, arabic, hindi, swedish, norwegian, danish, английск*, немецк*, русск*, французск*, 英语, 中文, 日语, 德语, 法语, 英語, 日本語, 中国語, ドイツ語, フランス語, 영어, 한국어, 일본어, 독일어, الإنجليزية, العربية, الفرنسية, अंग्रेज़ी, अंग्रेजी, हिंदी
"""

OPPOSITES = """
enabled, on, turned on, switched on, active, activated, enable, enables, aktiviert, eingeschaltet, activé, activée, habilitado, activado, activada, ativado, habilitada, attivo, attivata, attivato, abilitato, ingeschakeld, включен*, включён*, włączon*, etkin, açık, 启用, 開啟, 开启, 打开, 已启用, 有効, オン, 활성화*, 켜져*, مفعل, مفعلة, ممكّن, सक्षम, सक्रिय, चालू | disabled, off, turned off, switched off, inactive, deactivated, disable, disables, deaktiviert, ausgeschaltet, désactivé, désactivée, deshabilitado, desactivado, desactivada, desativado, desativada, desabilitado, disattivo, disattivata, disattivato, disabilitato, uitgeschakeld, выключен*, отключен*, отключён*, wyłączon*, devre dışı, kapalı, 禁用, 关闭, 關閉, 停用, 已禁用, 無効, オフ, 비활성화*, 꺼져*, معطل, معطلة, अक्षम, निष्क्रिय, बंद
allowed, permitted, allow, allows, allowing, can be, may be, erlaubt, autorisé, permitido, permesso, toegestaan, разрешен*, разрешён*, dozwolon*, izin, 允许, 許可, 許可されて, 허용*, مسموح, अनुमति | forbidden, prohibited, banned, disallowed, blocked, forbid, forbids, prohibits, deny, denies, reject, rejects, verboten, interdit, interdite, prohibido, prohibida, proibido, proibida, vietato, verboden, запрещен*, запрещён*, zabronion*, yasak, 禁止, 禁じ*, 금지*, ممنوع, निषिद्ध, मना
required, mandatory, compulsory, must have, obligatory, pflicht, verpflichtend, erforderlich, obligatoire, requis, requise, obligatorio, obligatoria, obrigatorio, obrigatório, obbligatorio, verplicht, обязател*, wymagan*, obowiązkow*, zorunlu, 必填, 必需, 必须的, 强制, 必須, 필수*, إلزامي, مطلوب, अनिवार्य | optional, voluntary, not needed, facultatif, optionnel, optionnelle, opcional, facultativo, opzionale, facoltativo, optioneel, необязател*, опциональн*, opcjonaln*, isteğe bağlı, 可选, 可選, 任意, オプション, 선택*, اختياري, वैकल्पिक
public, öffentlich, publique, público, pubblica, pubblico, openbaar, публичн*, открыт*, publiczn*, herkese açık, 公开, 公開, パブリック, 공개*, عام, सार्वजनिक | private, privat, privé, privée, privado, privata, privato, privé, приватн*, закрыт*, prywatn*, özel, 私有, 私密, 非公開, プライベート, 비공개*, خاص, निजी
synchronous, synchronously, sync, synchron, synchrone, síncrono, 同步, 同期, 동기 | asynchronous, asynchronously, async, asynchron, asynchrone, asíncrono, 异步, 非同步, 非同期, 비동기
before, prior to, vor, bevor, avant, antes, prima, voor, перед, до, przed, önce, 之前, 以前, 前に, 前, 전에, قبل, पहले | after, afterwards, once, nach, nachdem, après, después, depois, dopo, na afloop, после, po, sonra, 之后, 以后, 後に, 後, 후에, بعد, बाद
manual, manually, by hand, manuell, manuel, manuellement, manualmente, handmatig, вручную, ręcznie, elle, 手动, 手動, 수동*, يدويا, मैन्युअल | automatic, automatically, automated, auto, automatisch, automatique, automatiquement, automáticamente, automático, automaticamente, автоматическ*, automatycznie, otomatik, 自动, 自動, 자동*, تلقائيا, स्वचालित
fast, quick, quickly, schnell, rapide, rápido, veloce, snel, быстр*, szybk*, hızlı, 快, 速い, 빠르*, سريع, तेज | slow, slowly, sluggish, langsam, lent, lente, lento, traag, медленн*, woln*, yavaş, 慢, 遅い, 느리*, بطيء, धीमा
stable, stabil, robust | unstable, flaky, instabil, brittle
safe, secure, sicher, sûr, seguro, безопасн*, 安全 | unsafe, insecure, dangerous, unsicher, небезопасн*, 危险
encrypted, verschlüsselt, chiffré, cifrado, criptografado, зашифрован*, 加密, 暗号化, 암호화* | unencrypted, plaintext, plain text, in clear, 明文, 平文, 평문
short, shorter, concise, brief, terse, kurz, kurze, kurzen, court, courtes, courte, concis, concise, cortas, corto, cortos, breve, breves, curtas, curto, brevi, korte, коротк*, кратк*, krótk*, kısa, 简短, 简洁, 短い, 簡潔, 짧은, 간결*, قصيرة, مختصرة, छोटे, संक्षिप्त | long, longer, detailed, verbose, lengthy, in-depth, lang, lange, ausführlich*, detailliert*, long, longues, détaillé*, detallad*, largo, largas, detalhad*, longos, lunghe, dettagliat*, lange, uitgebreid*, длинн*, подробн*, długi*, szczegółow*, uzun, ayrıntılı, detaylı, 详细, 詳細, 長い, 詳しい, 긴, 자세한, 상세*, طويلة, مفصلة, लंबे, विस्तृत
formal, formell, formel, formelle, официальн*, 正式, フォーマル, 격식 | informal, casual, informell, informel, неформальн*, 随意, カジュアル, 캐주얼
early, früh, tôt, temprano, cedo, presto, vroeg, рано, wcześnie, erken, 早起, 早い, 일찍, مبكرا | late, spät, tard, tarde, tardi, laat, поздно, późno, geç, 晚睡, 遅い, 늦게, متأخرا
often, frequently, oft, souvent, a menudo, frecuentemente, spesso, vaak, часто, często, sık sık, 经常, よく, 자주, غالبا, अक्सर | rarely, seldom, hardly ever, selten, rarement, raramente, rara vez, zelden, редко, rzadko, nadiren, 很少, めったに, 드물게, نادرا, कभी-कभार
remote, remotely, from home, home office, fully remote, télétravail, remoto, удаленн*, удалённ*, zdalnie, uzaktan, 远程, リモート, 在宅, 원격*, عن بعد, दूरस्थ | on-site, onsite, in the office, from the office, in person, office-based, vor ort, im büro, au bureau, presencial, en la oficina, in ufficio, op kantoor, в офисе, w biurze, ofiste, ofisten, 现场, 办公室, 出社, オフィス, 사무실*, من المكتب, कार्यालय से
open, opened, offen, ouvert, abierto, aberto, aperto | closed, shut, geschlossen, fermé, cerrado, fechado, chiuso
open source, open-source, quelloffen, código abierto, 开源, オープンソース | closed source, proprietary, closed-source, 闭源, 专有
up, online, available, reachable | down, offline, unavailable, unreachable
pass, passes, passed, passing, green, succeed, succeeds, succeeded | fail, fails, failed, failing, red, broken
case sensitive, case-sensitive | case insensitive, case-insensitive
mutable, veränderlich | immutable, read-only, unveränderlich
sequential, sequentially, serial, in series | parallel, in parallel, concurrently
opt in, opt-in | opt out, opt-out
free, gratis, kostenlos, gratuit, gratuito, бесплатн*, 免费, 無料, 무료*, مجاني, मुफ्त | paid, costly, kostenpflichtig, payant, de pago, pago, платн*, 付费, 有料, 유료*, مدفوع
left-handed, linkshänder | right-handed, rechtshänder
introvert, introverted | extrovert, extroverted
indoors, indoor | outdoors, outdoor
hot, warm, heiß | cold, iced, kalt
ascending, asc | descending, desc
success, erfolgreich | failure
true, wahr, vrai | false, falsch, faux
supports, supported, compatible, unterstützt | unsupported, incompatible
vertical | horizontal
deprecated, obsolete, legacy, veraltet | recommended, encouraged, supported
merged, shipped, done, completed, finished, complete, fertig, terminé | pending, unfinished, in progress, blocked, incomplete, not started
approved, accepted, genehmigt, approuvé, aprobado | rejected, declined, denied, abgelehnt, refusé, rechazado
alive, living | dead, deceased
employed, working | unemployed, jobless
strict, streng | lenient, loose, relaxed
eager, eagerly | lazy, lazily
stateless | stateful
static, statically | dynamic, dynamically
cheap, günstig, billig | expensive, costly, teuer
single, simples, einfache | double, dobles, doppelte, doubles, duplas
loud, loudly, noisy | silent, silently, quiet, quietly
vegetarian, vegan, meatless, végétarien*, vegetarian*, vegan*, 素食, 吃素, ベジタリアン | meat, eats meat, meat-eater, carnivore, fleisch, viande, carne, 吃肉, 肉, мясо
upfront, in advance, prepaid | in arrears, afterwards, postpaid
included, includes, inclusive | excluded, excludes, exclusive
inside, indoors | outside, outdoors
high, higher, hoch, haut, alto, высок* | low, niedrig, bas, bajo, baixo, basso, низк*
more, mehr, plus de, más, mais | fewer, less, weniger, moins, menos, meno
first, erste, premier, primero | last, letzte, dernier, último
local, locally, lokal | global, globally, remote server
healthy, gesund | ill, sick, krank
morning person, early bird, frühaufsteher | night owl, nachtmensch
smoker, smokes, raucher | non-smoker, nonsmoker, nichtraucher
"""

MONTHS = """
january jan januar janvier enero janeiro gennaio januari январ* стycznia styczeń ocak 一月 يناير जनवरी
february feb februar février febrero fevereiro febbraio februari феврал* luty lutego şubat 二月 فبراير फरवरी
march mar märz mars marzo março maart март* marzec marca mart 三月 مارس मार्च
april apr avril abril aprile апрел* kwiecień kwietnia nisan 四月 أبريل अप्रैल
may mai mayo maio maggio mei мая май maj maja mayıs 五月 مايو मई
june jun juni juin junio junho giugno июн* czerwiec czerwca haziran 六月 يونيو जून
july jul juli juillet julio julho luglio июл* lipiec lipca temmuz 七月 يوليو जुलाई
august aug août agosto augustus август* sierpień sierpnia ağustos 八月 أغسطس अगस्त
september sep sept septembre septiembre setembro settembre сентябр* wrzesień września eylül 九月 سبتمبر सितंबर
october oct oktober octobre octubre outubro ottobre октябр* październik października ekim 十月 أكتوبر अक्टूबर
november nov novembre noviembre novembro ноябр* listopad listopada kasım 十一月 نوفمبر नवंबर
december dec dezember décembre diciembre dezembro dicembre декабр* grudzień grudnia aralık 十二月 ديسمبر दिसंबर
"""

WEEKDAYS = """
monday mondays mon montag montags lundi lundis lunes segunda segunda-feira lunedì maandag понедельник* poniedzial* poniedział* pazartesi 星期一 周一 週一 月曜 月曜日 월요일* الاثنين الإثنين सोमवार
tuesday tuesdays tue tues dienstag dienstags mardi mardis martes terça terça-feira martedì dinsdag вторник* wtorek wtork* salı 星期二 周二 週二 火曜 火曜日 화요일* الثلاثاء मंगलवार
wednesday wednesdays wed mittwoch mittwochs mercredi mercredis miércoles quarta quarta-feira mercoledì woensdag сред* środa środę çarşamba 星期三 周三 週三 水曜 水曜日 수요일* الأربعاء बुधवार
thursday thursdays thu thurs donnerstag donnerstags jeudi jeudis jueves quinta quinta-feira giovedì donderdag четверг* czwart* perşembe 星期四 周四 週四 木曜 木曜日 목요일* الخميس गुरुवार
friday fridays fri freitag freitags vendredi vendredis viernes sexta sexta-feira venerdì vrijdag пятниц* piątek piątk* cuma 星期五 周五 週五 金曜 金曜日 금요일* الجمعة शुक्रवार
saturday saturdays samstag samstags samedi samedis sábado sabato zaterdag суббот* sobot* cumartesi 星期六 周六 週六 土曜 土曜日 토요일* السبت शनिवार
sunday sundays sonntag sonntags dimanche dimanches domingo domenica zondag воскресень* niedziel* pazar 星期日 星期天 周日 週日 日曜 日曜日 일요일* الأحد रविवार
"""

NUMBERS = """
0: zero, null
1: one, once
2: two, twice, zwei, deux, dos, dois, duas, due, twee, два, две, двух, dwa, dwie, iki, 二, 两, 兩, 두, 둘, اثنان, दो
3: three, drei, trois, tres, três, tre, drie, три, трех, трёх, trzy, üç, 三, 세, 셋, ثلاثة, ثلاث, तीन
4: four, vier, quatre, cuatro, quatro, quattro, четыре, cztery, dört, 四, 네, 넷, أربعة, أربع, चार
5: five, fünf, cinq, cinco, cinque, vijf, пять, pięć, beş, 五, 다섯, خمسة, خمس, पांच, पाँच
6: six, sechs, seis, sei, zes, шесть, sześć, altı, 六, 여섯, ستة, ست, छह
7: seven, sieben, sept, siete, sete, sette, zeven, семь, siedem, yedi, 七, 일곱, سبعة, سبع, सात
8: eight, acht, huit, ocho, oito, otto, восемь, osiem, sekiz, 八, 여덟, ثمانية, आठ
9: nine, neun, neuf, nueve, nove, negen, девять, dziewięć, dokuz, 九, 아홉, تسعة, नौ
10: ten, zehn, dix, diez, dez, dieci, tien, десять, dziesięć, 十, 열, عشرة, दस
11: eleven, elf, onze, undici, одиннадцать
12: twelve, dozen, zwölf, douze, doce, doze, dodici, twaalf, двенадцать, 十二
15: fifteen, fünfzehn, quinze, quince, пятнадцать, 十五
20: twenty, zwanzig, vingt, veinte, vinte, venti, twintig, двадцать, 二十
30: thirty, dreißig, trente, treinta, trinta, trenta, dertig, тридцать, 三十
40: forty
45: forty-five
50: fifty, fünfzig, cinquante, cincuenta, cinquenta, пятьдесят, 五十
60: sixty
90: ninety
100: hundred, hundert, cent, cien, cem, cento, honderd, сто, yüz, 百
1000: thousand, tausend, mille, mil, тысяча, 千
"""

UNITS = """
time 0.001: ms, millisecond, milliseconds, msec, millisekunden, millisecondes, milisegundos, мс, 毫秒, ミリ秒, 밀리초
time 1: s, sec, secs, second, seconds, sekunde, sekunden, seconde, secondes, segundo, segundos, secondi, secondo, seconden, секунд*, sekund*, saniye, 秒, 秒钟, 秒間, 초, ثانية, ثوان, सेकंड
time 60: min, mins, minute, minutes, minuten, minuto, minutos, minuti, minuut, минут*, minut*, dakika, 分钟, 分鐘, 分, 分間, 분, دقيقة, دقائق, मिनट
time 3600: h, hr, hrs, hour, hours, stunde, stunden, heure, heures, hora, horas, ora, ore, uur, час*, godzin*, saat, 小时, 小時, 時間, 시간, ساعة, ساعات, घंटे, घंटा
time 86400: day, days, tag, tage, tagen, jour, jours, día, días, dia, dias, giorno, giorni, dag, dagen, день, дня, дней, dni, dzień, gün, 天, 日間, 일간, 일, يوم, أيام, يوما, दिन
time 604800: week, weeks, woche, wochen, semaine, semaines, semana, semanas, settimana, settimane, weken, недел*, tygodni*, hafta, 周, 週間, 주, أسبوع, أسابيع, हफ्ते, सप्ताह
time 2592000: month, months, monat, monate, monaten, mois, mes, meses, mês, mese, mesi, maand, maanden, месяц*, miesiąc*, miesięcy, ay, 个月, 個月, ヶ月, か月, 개월, شهر, أشهر, महीने
time 31536000: year, years, yr, yrs, jahr, jahre, jahren, an, ans, année, années, año, años, ano, anos, anno, anni, jaar, год, года, лет, lat, lata, yıl, 年, 年間, 년, سنة, سنوات, वर्ष, साल
size 1: byte, bytes
size 1024: kb, kib, kilobytes
size 1048576: mb, mib, megabyte, megabytes, мб, мегабайт*, ميغابايت
size 1073741824: gb, gib, gigabyte, gigabytes, gigs, гб, гигабайт*, go, جيجابايت, ギガ
size 1099511627776: tb, tib, terabyte, terabytes, тб
percent 1: %, percent, prozent, pourcent, por ciento, por cento, per cento, процент*, procent, yüzde, 百分之, パーセント, 퍼센트, بالمئة, प्रतिशत
money 1: $, €, £, ¥, ₹, dollar, dollars, euro, euros, pound, usd, eur, gbp, jpy, рубл*, руб, zł, lira, 元, 块, 美元, 円, ドル, 원, 달러, دولار, रुपये
length 1: m, meter, meters, metre, metres, метр*, 米, メートル, 미터
length 1000: km, kilometer, kilometers, kilometre, kilometres, kilometern, kilomètres, kilómetros, км, 公里, キロ, 킬로미터
length 0.01: cm, centimeter, centimeters, см, 厘米, センチ
length 1609.344: mile, miles
mass 1: kg, kilo, kilos, kilogram, kilograms, кг, 公斤, キログラム, 킬로그램
mass 0.001: g, gram, grams
rate 1: rps, qps, req/s, requests/s, tps
pixel 1: px, pixel, pixels
"""
