"""The words around a secret, in many languages: what it is called, what joins it to its value, what vetoes it.

Owns word lists and the patterns built from them; pure data. Must not know how a find is judged.
"""

from __future__ import annotations

from plainbrain.text.patterns import words

#: What people call a password. ASCII words are matched whole.
PASSWORD_NOUNS = words("""
    password passwords passwd passcode passphrase passwrd pword pwd pw psw psk passkey passwort kennwort
    wachtwoord lösenord adgangskode kodeord passord lösenordet adgangskoden kodeordet passordet salasana hasło
    haslo heslo jelszó jelszo parola parolă parole contraseña contrasena senha palavra-passe şifre sifre şifresi
    parolası пароль пароля паролем κωδικός mdp wifi-passwort wlan-passwort wlan-kennwort wlan-schlüssel
    """)
#: The same in more than one word.
PASSWORD_PHRASES = (
    "mot de passe",
    "code d'accès",
    "clave de acceso",
    "clave del wifi",
    "clave",
    "parola d'ordine",
    "mật khẩu",
    "kata sandi",
    "pass phrase",
    "pass code",
    "pre-shared key",
    "preshared key",
    "network key",
    "wifi key",
    "wi-fi key",
    "pin code",
    "pincode",
    "door code",
    "gate code",
    "alarm code",
    "unlock code",
    "security code",
    "entry code",
    "access code",
    "safe code",
    "backup code",
    "backup codes",
    "recovery code",
    "recovery codes",
    "lock code",
)
#: Without spaces between words: the noun, then maybe a joining word, then the value.
CJK_NOUNS = (
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "비번",
    "암호",
    "كلمة المرور",
    "كلمة السر",
    "סיסמה",
    "סיסמא",
    "पासवर्ड",
    "รหัสผ่าน",
)
#: What joins a name to its value in prose.
JOINERS = (
    "is now",
    "is still",
    "is currently",
    "is set to",
    "was set to",
    "has been set to",
    "set to",
    "changed to",
    "is changed to",
    "was changed to",
    "reset to",
    "was reset to",
    "will be",
    "should be",
    "remains",
    "is",
    "was",
    "are",
    "equals",
    "to",
    "as",
    "ist jetzt",
    "ist",
    "lautet",
    "war",
    "heißt",
    "est maintenant",
    "est",
    "c'est",
    "c’est",
    "es ahora",
    "es",
    "é",
    "è",
    "är",
    "er",
    "on",
    "to jest",
    "je",
    "este",
    "это",
    "είναι",
    "là",
    "adalah",
)
#: Words that a name of a secret ends with; the value of such a name is a secret if it looks like one.
PASSWORD_KEYS = frozenset(
    words("""
    password passwd passphrase pwd pass pw psk passcode userpass requirepass
    """)
) | frozenset(PASSWORD_NOUNS)
KEY_KEYS = frozenset(
    words("""
    secret token apikey accesskey secretkey privatekey authkey credential credentials creds auth pat sas authtoken
    clientsecret sessionid
    """)
)
#: A "key" is a secret only when one of these stands before it.
KEY_QUALIFIERS = frozenset(
    words("""
    api access secret private auth signing encryption master account shared service license licence deploy storage
    admin app application jwt hmac aes webhook snyk ssh root vendor integration write ingest admission server
    machine rpc bot encrypt decrypt crypto wrapping tls product activation recovery apikey subscription functions
    function host client authentication authorization bearer tunnel relay join node provisioning publish session
    """)
)
#: These say that the key or token is none: it is public, or a name in a data structure.
VETOES = frozenset(
    words("""
    public pub primary foreign cache partition sort idempotency hash fingerprint publishable anon partitionkey
    composite surrogate natural lookup map dict object arrow hot shortcut csrf max min count total num number
    limit length ttl expiry expires name id path file url uri ref type header prefix policy manager store arn
    endpoint version algorithm field column index translation i18n redis s3 next stop pad eos bos unk mask prompt
    completion input output cancellation design
    """)
)
#: How a reading of a value speaks against it: a digest is not a key.
DIGESTS = (
    "sha",
    "commit",
    "checksum",
    "digest",
    "hash",
    "revision",
    "md5",
    "fingerprint",
    "etag",
    "integrity",
    "image",
    "uuid",
    "guid",
    "trace",
    "request id",
    "request-id",
    "correlation",
    "public",
    "cache key",
    "primary key",
    "foreign key",
    "idempotency",
    "partition",
    "tokens",
    "keyboard",
    "key idea",
    "object key",
    "s3 key",
    "publishable",
    "anon key",
)
#: Whose keys have no form of their own: hexadecimal or a UUID, told by the name beside it.
VENDORS = words("""
    datadog twilio cloudflare heroku algolia okta auth0 pagerduty snyk codecov segment amplitude mixpanel rollbar
    bugsnag opsgenie postmark mailjet mailgun deepgram assemblyai cohere mistral together elevenlabs stability
    ngrok linode hetzner vultr ovh digitalocean fastly akamai bunny imgix cloudinary zendesk intercom freshdesk
    trello asana monday jira confluence bitbucket jenkins teamcity travis coveralls percy sauce browserstack
    splunk sumologic loggly papertrail logzio elastic meilisearch typesense weaviate qdrant milvus pinecone redis
    upstash mongodb snowflake fivetran airbyte dbt hubspot mailchimp klaviyo plaid braintree adyen klarna wise
    coinbase kraken binance infura alchemy etherscan spotify twitch reddit discord tumblr flickr giphy unsplash
    pexels tmdb omdb openweather openweathermap mapbox here tomtom bitly shodan virustotal censys hunter clearbit
    zoom vonage nexmo messagebird plivo sinch pusher ably pubnub firebase contentful sanity strapi ghost wandb
    comet
    """)
#: The noun before a random-looking value in prose.
KEY_NOUNS = words("""
    key keys token tokens secret secrets credential credentials apikey api-key pat bearer cookie schlüssel
    api-schlüssel zugangsschlüssel geheimnis clé jeton clave llave chave segredo chiave segreto sleutel nyckel
    klucz klíč anahtar anahtarı ключ токен секрет
    """)
CJK_KEY_NOUNS = (
    "密钥",
    "密鑰",
    "秘钥",
    "令牌",
    "キー",
    "トークン",
    "シークレット",
    "토큰",
    "비밀키",
    "시크릿",
    "مفتاح",
    "מפתח",
    "कुंजी",
)
