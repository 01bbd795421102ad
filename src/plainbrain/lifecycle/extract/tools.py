"""The names of languages, frameworks, databases, services and editors, and where a text mentions them.

Owns the list and the reading of mentions with their versions. Must not know what a mention means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainbrain.text.patterns import compiled, words

#: Written small as often as not. Not complete: a name with a capital, a digit or a dot is taken for one, too, where a pattern asks for a tool.
TECH = frozenset(
    words(
        """
        python python3 django flask fastapi ruby rails sinatra java kotlin scala groovy clojure javascript typescript node nodejs node.js deno bun react vue svelte sveltekit angular next
        nextjs next.js nuxt remix astro solid htmx go golang rust c c++ c# cpp zig nim elixir erlang phoenix haskell ocaml f# swift objective-c dart flutter php laravel symfony perl lua
        julia r matlab fortran cobol bash zsh fish powershell postgres postgresql mysql mariadb sqlite mongodb mongo redis valkey memcached cassandra dynamodb firestore firebase supabase
        elasticsearch opensearch clickhouse duckdb snowflake bigquery redshift neo4j influxdb timescale timescaledb cockroachdb kafka rabbitmq nats sqs pulsar celery sidekiq airflow
        dagster prefect dbt spark flink hadoop beam docker podman kubernetes k8s k3s helm argo argocd flux terraform opentofu pulumi ansible chef puppet nomad consul vault aws gcp azure
        heroku fly fly.io vercel netlify render railway cloudflare digitalocean hetzner linode lambda ec2 s3 ecs eks gke aks fargate github gitlab bitbucket jenkins circleci travis buildkite
        bazel gradle maven make cmake nix npm yarn pnpm pip poetry uv cargo jest vitest mocha cypress playwright pytest rspec junit selenium storybook webpack vite rollup esbuild parcel
        babel turborepo nx lerna eslint prettier biome ruff black mypy pyright tailwind bootstrap sass mui chakra zustand redux mobx graphql grpc rest trpc protobuf openapi prisma drizzle
        sqlalchemy hibernate typeorm sequelize knex exposed jooq vim neovim nvim emacs helix vscode vs code intellij pycharm webstorm goland rider clion xcode sublime zed cursor arch ubuntu
        debian fedora nixos macos windows linux wsl freebsd ios android nginx apache caddy traefik envoy istio linkerd prometheus grafana datadog sentry honeycomb opentelemetry kibana splunk
        pytorch tensorflow jax keras numpy pandas polars sklearn scikit-learn langchain llamaindex huggingface openai unity unreal godot spring ktor quarkus micronaut nestjs express koa fastify
        hono axum actix rocket gin echo fiber jira linear notion slack figma stripe twilio auth0 okta keycloak electron tauri qt gtk capacitor expo ionic wordpress drupal shopify magento arduino
        stm32 freertos zephyr esp32 loki tempo jaeger radix shadcn tanstack pinia vuex docusaurus hugo jekyll eleventy gatsby ember backbone jquery lodash three.js d3 leaflet mapbox opencv ros
        sqlx diesel gorm ecto liveview sorbet tox nox hatch pdm pipenv conda mamba jupyter streamlit gradio dask mlflow kubeflow sagemaker databricks looker metabase superset tableau powerbi
        airtable zapier n8n retool openshift rancher proxmox vmware vagrant packer minikube tilt skaffold containerd homebrew brew tmux kitty alacritty wezterm ghostty starship jujutsu mercurial
        svn subversion perforce gerrit gitea forgejo teamcity bamboo woodpecker concourse spinnaker sops temporal camunda mqtt zeromq websockets webrtc avro parquet iceberg trino presto hive
        scylladb couchdb couchbase rethinkdb pgvector pinecone qdrant weaviate milvus chroma meilisearch typesense algolia solr lucene vespa minio ceph cloudfront fastly kong haproxy tomcat jetty
        gunicorn uvicorn xstate rxjs ngrx axios puppeteer testcontainers k6 locust gatling cucumber karma jasmine mockito xunit nunit .net dotnet asp.net blazor maui wpf dapper swiftui uikit
        jetpack cocoapods fastlane xamarin cordova bevy pygame phaser webgl vulkan opengl cuda slurm verilog vhdl prolog lisp scheme racket ada delphi pascal abap salesforce solidity hardhat
        wasm webassembly thrift soap elk snyk sonarqube dependabot renovate launchdarkly posthog mixpanel segment amplitude sendgrid postmark mailgun contentful sanity strapi payload directus
        pocketbase appwrite hasura convex neon planetscale turso upstash clerk supertokens cognito clang gcc llvm msvc cmake meson rspack rsbuild swc glitchtip doppler infisical raku gleam crystal purescript elm makie matplotlib seaborn plotly bokeh altair marimo
        vanilla-extract panda-css stylex unocss styled-components daisyui bulma antd chakra-ui ariakit headlessui framer gsap pixi babylon playcanvas hotwire livewire alpine.js
        preact dojo loopback hexo vitepress mkdocs sphinx docsify nextra zola
        actix-web salvo leptos dioxus yew egui slint tokio serde rayon axum-extra beego nestjs typegoose mongoose objection bookshelf mikro-orm peewee
        activerecord rom datamapper eloquent propel jpa mybatis jooq ebean micronaut helidon vertx vert.x akka cats http4s finagle dropwizard jsf vaadin gwt
        cloudformation cdk serverless crossplane kustomize skaffold flux cilium calico linkerd longhorn keda karpenter cert-manager external-dns metallb fluentd fluentbit logstash filebeat
        graylog newrelic dynatrace appdynamics instana lightstep signoz uptrace bugsnag rollbar raygun airbrake pagerduty opsgenie statuspage zabbix nagios icinga checkmk netdata mimir victoriametrics
        kamal capistrano dokku coolify caprover portainer swarm lxc lxd qemu kvm virtualbox parallels orbstack colima rancher podman-compose gitpod codespaces
        bazelisk buck2 sbt leiningen lein rebar3 rebar cabal dune esy spm tuist swiftlint ktlint checkstyle spotbugs pmd errorprone
        rubocop standardrb brakeman minitest capybara factorybot vcr sidekiq-pro resque goodjob solidqueue delayed_job bullmq rq dramatiq arq faktory oban hangfire
        pylint flake8 isort pyflakes bandit pyre pytype basedpyright unittest husky lefthook lint-staged commitlint commitizen semantic-release changesets oxlint dprint stylelint
        playwright-test webdriverio nightwatch detox testcafe protractor uvu supertest msw sinon testing-library chromatic postman hoppscotch
        airbyte fivetran meltano hightouch rudderstack looker-studio deepnote lightdash cube.js kylin hudi delta iceberg nessie
        xgboost lightgbm catboost spacy nltk gensim transformers diffusers accelerate deepspeed vllm ollama llama.cpp llamacpp litellm dspy haystack autogen crewai langgraph wandb clearml dvc bentoml onnx tensorrt
        couch pouchdb realm objectbox lmdb rocksdb leveldb etcd zookeeper hazelcast aerospike tarantool foundationdb tikv tidb vitess yugabyte yugabytedb singlestore questdb greenplum teradata
        db2 oracle sybase informix firebird h2 hsqldb surrealdb edgedb dgraph arangodb orientdb janusgraph memgraph
        sharepoint sap netsuite servicenow zendesk hubspot marketo pardot mailchimp braintree adyen paypal chargebee recurly lemonsqueezy
        gitbook readme swagger redoc stoplight mermaid plantuml excalidraw miro lucidchart drawio clickup youtrack bugzilla phabricator gerrit reviewboard
        keycloak zitadel authentik authelia casdoor fusionauth workos stytch authjs next-auth
        solaris aix openbsd netbsd manjaro pop!_os popos opensuse centos almalinux rhel amazonlinux chromeos android-studio appcode rubymine phpstorm datagrip dbeaver tableplus
        iterm iterm2 tabby warp-terminal zellij oh-my-zsh powerlevel10k powershell-core cmder spacemacs kakoune notepad++ textmate bbedit netbeans rstudio spyder kdevelop
        rocksdb grpc-web connect-rpc twirp json-rpc xml-rpc odata jsonapi asyncapi raml smithy capnproto flatbuffers msgpack bson protobuf-es amqp coap lorawan zigbee zwave modbus opcua canbus
        zsh nushell markdown latex asciidoc obsidian logseq trello asana confluence teams discord
        """
    )
)
#: Everyday words, too: small letters alone do not make one of these a tool. Some are in no list above and are taken for things.
ORDINARY = frozenset(
    words(
        "go rest next make solid chef flux spark beam vault consul nomad puppet argo gin echo rocket express phoenix cursor arch sentry slack linear notion black parcel remix astro fly render travis bun node "
        "code vs lambda unity helm c r swift dart julia ruby rust helix zed fiber flask expo prefect dagster hive presto chroma tilt conda kitty tempo metal teams segment neon clerk payload temporal "
        "discord hugo ember backbone realm sanity ada scheme lisp soap prolog bamboo drone concourse karma jasmine cucumber locust kong ionic capacitor windows spring mocha jest radix zephyr railway nats convex "
        "warp fish salt bottle rails elm crystal react groovy angular poetry exposed hibernate prettier sublime honeycomb stripe electron leaflet diesel sorbet hatch looker tableau vagrant packer starship "
        "subversion spinnaker jetty dapper racket renovate amplitude gleam yew rayon mongoose objection bookshelf eloquent propel finagle cats swarm parallels cabal dune bandit husky protractor chromatic "
        "postman delta iceberg transformers diffusers accelerate haystack couch oracle mermaid swagger stoplight confluence obsidian celery snowflake vespa elk drizzle thrift rom readme pascal delphi "
        "cypress storybook envoy superset woodpecker babylon dojo sphinx loopback tabby stencil falcon nest"
    )
)
#: Of these a word that stands alone tells nothing either: what is used, or how something is, can be just that.
_NEVER_ALONE = frozenset(
    words(
        "rest next make solid spring salt soap bamboo crystal render linear metal code neon black prettier sublime groovy angular eloquent chromatic temporal objection cats couch celery go express "
        "accelerate propel renovate finagle sanity notion slack discord fish teams parallels"
    )
) - frozenset(words("go express celery slack notion discord teams"))
#: What follows the name of a tool, and seldom the everyday word.
_FOLLOWS = frozenset(
    words(
        "app apps api apis server servers service services microservice microservices backend frontend code codebase crate crates library libraries lib framework plugin plugins package packages chart charts cluster "
        "clusters container containers script scripts function functions worker workers pipeline pipelines lang language sdk client middleware queue queues broker templates components binary binaries "
        "endpoint endpoints config configs monolith stack cookbook cookbooks manifest manifests states modules tests suite ci deployments db database apis routes router cli runtime jobs side project projects repo shop"
    )
)
_FOLLOWS_ONE = {
    "spring": frozenset(words("boot security cloud mvc data framework batch webflux app")),
    "next": frozenset(words("js auth")),
    "rest": frozenset(words("api apis endpoint endpoints")),
    "make": frozenset(words("targets")),
    "code": frozenset[str](),
    "salt": frozenset(words("states minions master stack")),
    "linear": frozenset(words("tickets issues")),
    "black": frozenset[str](),
    "solid": frozenset(words("js queue")),
    "c": frozenset(words("code library compiler")),
}


def is_sure(parts: Sequence[str], at: int, *, alone: bool) -> bool:
    """Tell whether the word at a place is a tool's name by more than its letters: a capital, a version, what follows it.

    ``alone``: that it is all that fills its slot counts as well.
    """
    word = parts[at].strip(",")
    lowered = word.lower()
    if lowered not in ORDINARY or not word.islower():
        return True
    after = parts[at + 1].lower().strip(",.") if at + 1 < len(parts) else ""
    if after.removeprefix("v")[:1].isdigit() or after in _FOLLOWS_ONE.get(lowered, _FOLLOWS):
        return True
    return alone and len(parts) == 1 and lowered not in _NEVER_ALONE and len(lowered) > 1


def names_tool(text: str) -> bool:
    """Tell whether a known tool is among the first three words of a text, as far as the text makes sure of it."""
    parts = text.split()[:4]
    return any(word.lower().strip(",") in TECH and is_sure(parts, at, alone=True) for at, word in enumerate(parts[:3]))


def is_everyday(text: str) -> bool:
    """Tell whether a text is one everyday word in small letters."""
    return text.islower() and text in ORDINARY


def is_counted(text: str) -> bool:
    """Tell whether a text is an everyday word with an article, which the name of a tool has not: "a chef"."""
    article, _, rest = text.strip().partition(" ")
    return article.lower() in ("a", "an", "some", "our", "my", "the") and is_everyday(rest.strip())


def is_doubtful(text: str) -> bool:
    """Tell whether a text begins with an everyday word that may or may not be a tool: "spring water", "salt"."""
    parts = text.split()
    return bool(parts) and parts[0].lower() not in ("code", "make") and not is_sure(parts, 0, alone=True)


#: A name goes on with words that have a capital of their own ("GitHub Actions", "Ruby on Rails") and with its version.
_MENTION = r"[\pL.][\pL\pN.+#/-]*(?: on Rails| [A-Z][\pL\pN]*[\pL])?(?:[ ]v?\d+(?:\.[\dx]+)*\b)?"


def mentions(text: str) -> Iterator[str]:
    """Yield the tools that a text mentions, with the version that follows ("Node 22"), each once."""
    seen: set[str] = set()
    for match in compiled(_MENTION).finditer(text):
        word = match.group().rstrip(".,/")
        name, second = word.split(" ")[0].rstrip(".,/"), word.split(" ")[1:2]
        if second and second[0].lower() in TECH and name.lower() not in TECH:
            # "Mobile's React Native": the name begins with the second word, and may go on.
            yield from mentions(f" {text[match.start() + len(name) + 1 :]}")
            return
        name = word.split(" ")[0].rstrip(".,/")
        lowered = name.lower()
        if lowered not in TECH or lowered in seen or (len(name) == 1 and name.islower()):
            continue
        if lowered in ORDINARY and not _is_meant(text, match.start(), name):
            continue
        seen.add(lowered)
        yield word


def _is_meant(text: str, at: int, name: str) -> bool:
    """Tell whether an everyday word within a text is meant as a tool: by a capital that no sentence begins with, or by its place."""
    rest = text[at:].split()
    if is_sure([name, *rest[1:2]], 0, alone=False):
        return name.islower() or at > 0
    ends = compiled(r"^[^\s,]+(?:$|,| and | for | by )").search(text[at:])
    put = compiled(r"(?i)\b(?:in|with|via|using) (?:plain |pure |mostly |just |all )*$").search(text[:at])
    return bool(ends and put) and name.lower() not in _NEVER_ALONE
