"""The names of languages, frameworks, databases, services and editors, and where a text mentions them.

Owns the list and the reading of mentions with their versions. Must not know what a mention means.
"""

from __future__ import annotations

from collections.abc import Iterator

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
#: Plain words, too: a mention of these counts only with a capital, and not as the first word.
AMBIGUOUS = frozenset(
    words(
        "go rest next make solid chef flux spark beam vault consul nomad puppet argo gin echo rocket express phoenix cursor arch sentry slack linear notion black parcel remix astro fly render travis bun node "
        "code vs lambda unity helm c r swift dart julia ruby rust helix zed fiber flask expo vue prefect dagster hive presto chroma tilt conda kitty tempo metal teams segment neon clerk payload temporal "
        "discord hugo ember backbone realm sanity ada scheme lisp soap prolog bamboo drone concourse karma jasmine cucumber locust kong ionic capacitor windows spring mocha jest radix zephyr railway nats railway convex "
        "warp fish bash vim perl java"
    )
) - frozenset(words("java perl bash vim rust ruby node helm flask vue lambda swift jest mocha"))
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
        if lowered in AMBIGUOUS and (name.islower() or match.start() == 0):
            continue
        seen.add(lowered)
        yield word
