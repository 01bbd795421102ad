"""What the keys of vendors look like: public facts about their formats, as data.

Owns the table of tokens that are known by a prefix or a shape. Promises: every row has a keyword, so that
a text without it costs one search in a string. Must not know how a find is judged or told.

The lengths are lower bounds, a little under what each vendor documents: formats grow, and people paste halves.
"""

from __future__ import annotations

from plainbrain.text.patterns import Rule, words

_ALNUM, _WORD, _URLSAFE, _HEX = "[A-Za-z0-9]", "[A-Za-z0-9_]", "[A-Za-z0-9_-]", "[A-Fa-f0-9]"
_UUID = r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"

#: (rule, prefixes, characters that follow, at least how many)
_PREFIXED: tuple[tuple[str, str, str, int], ...] = (
    ("github-pat", "ghp_ github_pat_", _WORD, 16),
    ("github-token", "gho_ ghu_ ghs_ ghr_", _WORD, 16),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glcbt- glimt- glft- glsoat- glagent- gloas- glffct-",
        r"[A-Za-z0-9_.=-]",
        16,
    ),
    ("gitlab-token", "GR1348941", _URLSAFE, 16),
    ("anthropic-key", "sk-ant-", _URLSAFE, 10),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", _URLSAFE, 16),
    ("openrouter-key", "sk-or-v1- sk-or-", _ALNUM, 16),
    ("langfuse-key", "sk-lf-", _URLSAFE, 16),
    ("helicone-key", "sk-helicone-", _URLSAFE, 12),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", _WORD, 16),
    ("huggingface-token", "hf_ api_org_", _ALNUM, 20),
    ("replicate-token", "r8_", _ALNUM, 24),
    ("groq-key", "gsk_", _ALNUM, 20),
    ("perplexity-key", "pplx-", _ALNUM, 20),
    ("xai-key", "xai-", _ALNUM, 24),
    ("cerebras-key", "csk-", _ALNUM, 24),
    ("fireworks-key", "fw_", _ALNUM, 20),
    ("nvidia-key", "nvapi-", _URLSAFE, 20),
    ("jina-key", "jina_", _URLSAFE, 20),
    ("tavily-key", "tvly-", _URLSAFE, 16),
    ("pinecone-key", "pcsk_", _WORD, 20),
    ("voyage-key", "pa-", _URLSAFE, 32),
    ("wandb-key", "wandb_v1_", _WORD, 20),
    ("runpod-key", "rpa_", _ALNUM, 20),
    ("e2b-key", "e2b_", _HEX, 20),
    ("firecrawl-key", "fc-", _HEX, 24),
    ("browserbase-key", "bb_live_ bb_test_", _URLSAFE, 12),
    ("bedrock-key", "ABSK", r"[A-Za-z0-9+/=]", 60),
    ("databricks-token", "dapi", "[a-f0-9-]", 30),
    (
        "slack-token",
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxp- xoxe.xoxb- xapp-",
        r"[A-Za-z0-9%/+-]",
        10,
    ),
    ("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_", _WORD, 8),
    ("webhook-secret", "whsec_", r"[A-Za-z0-9+/=_-]", 16),
    ("square-token", "sq0atp- sq0csp- sq0idp- EAAAE EAAAl", _URLSAFE, 20),
    ("paypal-token", "access_token$production$ access_token$sandbox$", r"[a-z0-9$]", 16),
    ("razorpay-key", "rzp_live_ rzp_test_", _ALNUM, 12),
    ("flutterwave-key", "FLWSECK- FLWSECK_TEST-", r"[A-Za-z0-9-]", 12),
    ("paddle-key", "pdl_live_ pdl_sdbx_", _WORD, 16),
    ("mollie-key", "live_ test_", _ALNUM, 28),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", _ALNUM, 16),
    ("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{14,}\.[A-Za-z0-9_-]", 14),
    ("brevo-key", "xkeysib- xsmtpsib-", _URLSAFE, 20),
    ("resend-key", "re_", r"[A-Za-z0-9]{6,}_?[A-Za-z0-9]", 12),
    ("mailgun-key", "key-", _ALNUM, 28),
    ("npm-token", "npm_", _ALNUM, 20),
    ("pypi-token", "pypi-", _URLSAFE, 20),
    ("rubygems-key", "rubygems_", _HEX, 24),
    ("nuget-key", "oy2", "[a-z0-9]", 40),
    ("crates-token", "cio", _ALNUM, 30),
    ("docker-token", "dckr_pat_ dckr_oat_", _URLSAFE, 16),
    ("artifactory-token", "AKCp cmVmdGtu", _ALNUM, 30),
    ("clojars-token", "CLOJARS_", _ALNUM, 30),
    ("atlassian-token", "ATATT3 ATCTT3 ATBB ATTA", r"[A-Za-z0-9_=-]", 20),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _ALNUM, 24),
    ("heroku-key", "HRKU-", _URLSAFE, 20),
    ("fly-token", "fo1_ fm1_ fm2_ fm1r_ fm1a_", r"[A-Za-z0-9_+/=,-]", 24),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", _WORD, 20),
    ("netlify-token", "nfp_ nfo_ nfc_ nfu_", _ALNUM, 24),
    ("render-key", "rnd_", _ALNUM, 20),
    ("supabase-key", "sbp_ sb_secret_ sbp_oauth_", _URLSAFE, 20),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_api_", r"[A-Za-z0-9_.=-]", 20),
    ("neon-key", "napi_", _ALNUM, 24),
    ("mongodb-key", "mdb_sa_sk_", _URLSAFE, 20),
    ("alibaba-key", "LTAI", _ALNUM, 12),
    ("tencent-key", "AKID", _ALNUM, 28),
    ("yandex-token", "AQVN y0_ t1.9euel", r"[A-Za-z0-9_.=-]", 30),
    ("vault-token", "hvs. hvb. hvr.", _URLSAFE, 18),
    ("pulumi-token", "pul-", _HEX, 30),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.-]", 20),
    ("onepassword-token", "ops_eyJ", r"[A-Za-z0-9+/=_-]", 30),
    ("age-key", "AGE-SECRET-KEY-1", "[A-Za-z0-9]", 30),
    ("grafana-token", "glc_ glsa_ eyJrIjoi", r"[A-Za-z0-9_+/=-]", 20),
    ("newrelic-key", "NRAK- NRII- NRAA- NRRA- NRSP-", _URLSAFE, 16),
    ("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_", r"[A-Za-z0-9_+/=]", 20),
    ("honeycomb-key", "hcaik_ hcxik_ hcalk_ hcbik_", _ALNUM, 20),
    ("sonar-token", "sqp_ squ_ sqa_ sqb_", _ALNUM, 24),
    ("launchdarkly-key", "sdk- api- rel-", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]", 10),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s16.", r"[A-Za-z0-9.]", 24),
    ("posthog-key", "phx_ phs_", _ALNUM, 24),
    ("notion-token", "secret_ ntn_", _ALNUM, 30),
    ("linear-key", "lin_api_ lin_oauth_ lin_wh_", _ALNUM, 20),
    ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]", 32),
    ("clickup-key", "pk_", r"[0-9]{5,}_[A-Z0-9]", 24),
    ("figma-token", "figd_ figu_ figo_", _URLSAFE, 20),
    ("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]", 24),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", r"[A-Fa-f0-9-]", 20),
    ("contentful-token", "CFPAT-", _URLSAFE, 20),
    ("mapbox-token", "sk.eyJ", r"[A-Za-z0-9_.-]", 20),
    ("dropbox-token", "sl.", _URLSAFE, 40),
    ("facebook-token", "EAAC EAAG EAAB EAAJ EAAD EAAM", _ALNUM, 40),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%]", 30),
    ("readme-key", "rdme_", _ALNUM, 24),
    ("postman-key", "PMAK-", _URLSAFE, 24),
    ("prefect-key", "pnu_ pnb_", _ALNUM, 24),
    ("easypost-key", "EZAK EZTK", _ALNUM, 30),
    ("shippo-token", "shippo_live_ shippo_test_", _ALNUM, 16),
    ("duffel-token", "duffel_live_ duffel_test_", _URLSAFE, 16),
    ("frameio-token", "fio-u-", _URLSAFE, 24),
    ("adafruit-key", "aio_", _ALNUM, 24),
    ("buildkite-token", "bkua_ bkat_ bkct_ bkpt_", _ALNUM, 20),
    ("circleci-token", "CCIPAT_ CCIPRJ_", _WORD, 20),
    ("octopus-key", "API-", "[A-Z0-9]", 24),
    ("tailscale-key", "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-", _URLSAFE, 12),
    ("inngest-key", "signkey-prod- signkey-test- signkey-branch-", _ALNUM, 16),
    ("trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", _ALNUM, 16),
    ("onesignal-key", "os_v2_app_ os_v2_org_", _ALNUM, 24),
    ("matrix-token", "syt_", _WORD, 20),
    ("defined-key", "dnkey-", _URLSAFE, 24),
    ("google-oauth", "GOCSPX- ya29.", _URLSAFE, 16),
    ("google-refresh-token", "1//0", _URLSAFE, 24),
    ("google-key", "AIza", _URLSAFE, 24),
    ("google-key", "AQ.Ab8", _URLSAFE, 30),
    ("scaleway-key", "SCW", "[A-Z0-9]", 17),
    ("rancher-token", "token-", "[a-z0-9]{5}:[a-z0-9]", 30),
    ("asana-token", "1/ 2/", r"[0-9]{10,}(?:/[0-9]+)?:[a-f0-9]", 24),
    ("salesforce-token", "00D", r"[A-Za-z0-9]{12,15}![A-Za-z0-9_.]", 30),
    ("terraform-token", "", r"[A-Za-z0-9]{10,}\.atlasv1\.[A-Za-z0-9_-]", 20),
    ("modal-token", "as- ak-", _ALNUM, 20),
    ("lemonsqueezy-key", "lsk_", _WORD, 20),
    ("zapier-key", "zpka_ zpk_", _WORD, 16),
    ("meraki-key", "mrk_", _ALNUM, 20),
    ("composer-token", "packagist_ org_ ort_ uut_", _HEX, 30),
    ("workos-key", "sk_test_a2V5 sk_live_a2V5", r"[A-Za-z0-9+/=]", 12),
    ("pem-one-line", "LS0tLS1CRUdJTi", r"[A-Za-z0-9+/=]", 40),
)
#: Where the find is known by its shape rather than by one prefix.
_SHAPED: tuple[Rule, ...] = (
    Rule(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\r|\\n|\s)*(?:[A-Za-z-]+: [^\n]*\n\s*)*"
        r"(?:(?:\\r)?\\n|\r?\n)\s*[A-Za-z0-9+/=]{3,}(?:[A-Za-z0-9+/=\s]|\\n|\\r)*|\s*[A-Za-z0-9+/=]{18,}(?:[A-Za-z0-9+/=\s]|\\n|\\r)*)"
        r"(?:-----END [A-Z0-9 ]*-----)?",
        ("private key",),
    ),
    Rule(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{3,}-----END [A-Z0-9 ]+-----",
        ("private key",),
    ),
    Rule(
        "putty-key", r"PuTTY-User-Key-File-\d[\s\S]{0,400}Private-Lines: \d+\s+[A-Za-z0-9+/=\s]+", ("putty-user-key",)
    ),
    Rule("aws-access-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}\b", ("akia", "asia", "abia", "acca")),
    Rule("aws-mws-key", rf"\bamzn\.mws\.{_UUID}", ("amzn.mws.",)),
    Rule("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}", ("eyj",), 0, 26),
    Rule(
        "jwe",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        ("eyj",),
        0,
        26,
    ),
    Rule("openai-key", r"\bsk-[A-Za-z0-9]{20,}", ("sk-",)),
    Rule("elevenlabs-key", r"\bsk_[A-Fa-f0-9]{32,}\b", ("sk_",)),
    Rule(
        "slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}", ("hooks.slack.com",)
    ),
    Rule("discord-webhook", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{10,}/[A-Za-z0-9_-]{20,}", ("/webhooks/",)),
    Rule("teams-webhook", r"\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}", (".webhook.office.com",)),
    Rule(
        "google-chat-webhook",
        r"chat\.googleapis\.com/v1/spaces/[^\s?]+\?[^\s]*\btoken=[^\s&]+",
        ("chat.googleapis.com",),
    ),
    Rule("zapier-webhook", r"hooks\.zapier\.com/hooks/catch/\d+/[a-z0-9]{5,}", ("hooks.zapier.com",)),
    Rule("discord-token", r"\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}", (".",), 0, 55),
    Rule("telegram-token", r"(?:\b|bot)(\d{7,12}:[A-Za-z0-9_-]{32,40})\b", (":",), 1, 40),
    Rule("twilio-key", r"\bSK[0-9a-f]{32}\b", ("sk",), 0, 34),
    Rule("newrelic-key", r"\b[a-f0-9]{30,40}(?:FFFF)?NRAL\b", ("nral",)),
    Rule("mailchimp-key", r"\b[0-9a-f]{32}-us\d{1,2}\b", ("-us",), 0, 36),
    Rule("azure-secret", r"\b[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{28,40}", ("q~",)),
    Rule(
        "azure-account-key",
        r"(?i)\b(?:AccountKey|SharedAccessKey|SharedSecretValue)\s*=\s*([A-Za-z0-9+/]{16,}={0,2})",
        ("accountkey", "sharedaccesskey", "sharedsecretvalue"),
        1,
    ),
    Rule("azure-sas", r"(?i)[?&;](?:sig|sig%3d)=?([A-Za-z0-9%+/_-]{16,}=*)", ("sig",), 1, 20),
    Rule("azure-devops-pat", r"\b[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}\b", ("azdo",)),
    Rule(
        "azure-key",
        r"\b[A-Za-z0-9+/]{30,}(?:JQQJ99|ACDb|AzFu|APIM|ACRA|AIoT|ASt[bx]|AzCa|AzSe|ACDB)[A-Za-z0-9+/=]{4,}",
        ("jqqj99", "acdb", "azfu", "apim", "acra", "aiot", "+ast", "azca", "azse"),
    ),
    Rule(
        "signed-url",
        r"(?i)\b(?:X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=([A-Za-z0-9%/+=_-]{20,})",
        ("x-amz-", "x-goog-"),
        1,
    ),
    Rule(
        "onepassword-key",
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}|[A-Z0-9]{11})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?\b",
        ("a3-",),
    ),
    Rule("cloudflare-token", r"\bv1\.0-[a-f0-9]{20,}-[a-f0-9]{100,}", ("v1.0-",)),
    Rule(
        "bitcoin-key",
        r"\b(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51}|[xyz]prv[1-9A-HJ-NP-Za-km-z]{80,})\b",
        (),
        0,
        51,
    ),
    Rule(
        "password-hash",
        r"\$(?:1|5|6|7|y|2[abxy]|argon2(?:i|d|id)|pbkdf2-sha\d+|scrypt)\$[A-Za-z0-9./$=,+]{20,}",
        ("$",),
        0,
        24,
    ),
    Rule("nuget-config", r"(?i)ClearTextPassword\"\s+value=\"([^\"]+)", ("cleartextpassword",), 1),
    Rule("ssh-agent-otp", r"(?i)otpauth://[^\s]*[?&]secret=([A-Z2-7]{10,})", ("otpauth:",), 1),
    Rule(
        "service-key",
        r"\b[a-z][a-z0-9]{1,14}[_-](?:(?:live|test|prod|production|staging|dev)[_-])?(?:sk|pat|key|apikey|secret|token|api|live|prod|tkn)[_-]"
        r"(?:live[_-]|test[_-]|prod[_-]|v\d[_-])?([A-Za-z0-9]{16,})\b",
        (
            "sk_",
            "sk-",
            "pat_",
            "pat-",
            "key_",
            "key-",
            "secret_",
            "secret-",
            "token_",
            "token-",
            "api_",
            "api-",
            "live_",
            "live-",
            "prod_",
            "prod-",
            "tkn_",
        ),
        1,
    ),
)
#: Rules whose prefix alone proves little: what follows has to look random, too.
WEAK = frozenset(
    words("""
    voyage-key fireworks-key xai-key cerebras-key firecrawl-key mollie-key resend-key mailgun-key crates-token
    dropbox-token openai-key service-key octopus-key modal-token composer-token notion-token replicate-token
    tencent-key nuget-key discord-token telegram-token scaleway-key easypost-key twitter-token artifactory-token
    airtable-token bitcoin-key huggingface-token npm-token azure-key groq-key prefect-key alibaba-key
    clojars-token azure-sas yandex-token render-key databricks-token atlassian-token paddle-key pypi-token
    rubygems-key zapier-key facebook-token netlify-token square-token langsmith-key bedrock-key slack-webhook
    """)
)


def _from_prefixes(name: str, prefixes: str, tail: str, least: int) -> Rule:
    heads = prefixes.split()
    either = "|".join(_literal(head) for head in heads)
    keywords = tuple(head.lower() for head in heads) or (".atlasv1.",)
    lead = r"\b" if not heads or heads[0][0].isalnum() else ""
    shortest = min(map(len, heads), default=0) + least
    return Rule(name, rf"{lead}(?:{either}){tail}{{{least},}}", keywords, least_word=shortest)


def _literal(text: str) -> str:
    return "".join(char if char.isalnum() or char in "_-/" else "\\" + char for char in text)


VENDOR_RULES: tuple[Rule, ...] = tuple(_from_prefixes(*row) for row in _PREFIXED) + _SHAPED
