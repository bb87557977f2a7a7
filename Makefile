# OpenRealm: the verbs of the project. `make` alone prints this list.
#
#   make run              install what is missing, build, start the server, open the todo app
#   make chat             the same with the chat app: public and private rooms   WHO=bob
#   make test             everything: repository check, all packages, all suites
#   make demo             a server, two users, a conflict, a kill; both lists must be equal
#   make demo-chat        three users: a private room reaches the third by no way, a reader's post is refused
#   make catalogue        this machine's packages in a realm, synchronised, changed on two devices, compared
#   make deps             install the system packages that the build needs
#   make build            all packages, apps and tools, debug
#   make release          the server, the apps and the tools, optimised
#   make test-<Package>   one package alone, such as make test-ChangesetOT
#   make test-cluster     the suites of the server and end to end over PostgreSQL; FILTER="EndToEndTests" for some
#   make simulate         whole systems under one seed each         SEED=… RUNS=… STEPS=… SCENARIO=… JOBS=…
#                         then both merge engines on random edits   PAIRS=…
#   make black-box        real processes killed, stopped, cut off   SEED=… DURATION=… CLIENTS=…
#   make events           server and connectors killed under load: every event told, effects once   RUNS=… (200)
#   make events-kills     handlers in processes of their own killed under load, and the server, too   RUNS=… (200)
#   make model            who may write a realm of a cluster, in every order of steps, with Debian's spin
#   make cluster          three nodes over a PostgreSQL with a synchronous standby, behind haproxy; Docs/Cluster.md
#   make cluster-faults   nodes killed, stopped, cut off, clocks apart, the database replaced, clients writing   RUNS=… SEED=… CLIENTS=… FORMER=…
#                         with CANARY=1 commits that do not wait for the standby, with FENCE=off owners that are none: both are found
#   make fuzz             random bytes against every decoder, each byte of a realm flipped   SEED=… RUNS=… TARGET=…
#                         TARGET=cost: a search for inputs that cost more than their bytes allow   INPUT=…
#   make canaries         one rule of permissions broken at a time; random worlds must see it   TARGET=… RUNS=…
#   make sanitize         tests of the local database under the address and the thread sanitizer   TARGET="ObjectStore"
#   make check-graphql    tutorial 7 by clients from PyPI and in headless Chromium; skipped when they cannot be had
#   make studio           the server as make run starts it, with Studio in the browser: address, name and password are printed
#   make check-studio     tutorial 11 in headless Chromium: every view and action of Studio; skipped when it cannot be had
#   make conformance      our WebSocket server, GraphQL, OpenAPI description and mail against foreign peers; skipped when they cannot be had
#   make postgres-kills   realm-postgres and PostgreSQL killed while both sides write   KILLS=… (of each kind) SEED=…
#   make postgres-soak    three devices and six connections write for ten minutes with faults   DURATION=… SEED=…
#   make postgres-versions  the connector's tests against PostgreSQL 16 and 18 from PyPI; says so when they cannot be had
#   make bench            ours beside SQLite, as ratios             ONLY=store. BENCH_JSON=FILE
#   make format           rewrite sources in place
#   make lint             format check and repository check
#   make docs             check documents: links and samples
#   make reference        the API reference of each package, by DocC, into .build/reference
#   make check-consumers  fresh projects outside depend on the packages and run; tutorials do what they say
#   make check-chart      the Helm chart linted, rendered, and compared with what Kubernetes takes; skipped when that cannot be had
#   make install          server, apps and the tool realm into PREFIX (default /usr/local), with Swift's runtime: no Swift needed there
#   make package          a Debian package and an archive that runs from any folder, into .build/package
#   make image            an image of the server with podman or docker, from that package
#   make check-packages   a bare Debian without Swift installs and runs the package, the archive and what make install makes
#   make ci               lint, test, both demos, check-consumers

SHELL := /bin/bash
SWIFT ?= swift
# The same flags on a terminal and in a pipe: with others everything would be built anew.
BUILD := $(SWIFT) build --no-color-diagnostics
RELEASE := $(BUILD) -c release
PREFIX ?= /usr/local
SEED ?=
RUNS ?=
ONLY ?=
STEPS ?=
PAIRS ?=
TARGET ?=
export SEED RUNS STEPS SCENARIO JOBS TELL FIRST DURATION CLIENTS CANARY FENCE FORMER TARGET ONLY BENCH_JSON OPENREALM_OT_VECTORS OPENREALM_QUERY_VECTORS OPENREALM_RECORDINGS

.DEFAULT_GOAL := help
.PHONY: help run chat test test-cluster demo demo-chat catalogue deps build release simulate black-box events events-kills model cluster cluster-faults fuzz sanitize canaries conformance check-graphql studio check-studio postgres-kills postgres-soak postgres-versions bench format lint docs reference check-consumers check-packages check-chart install package image ci clean

help:
	@sed -n '3,/^$$/s/^# \{0,1\}//p' Makefile

deps:
	@SWIFT=$(SWIFT) Tools/scripts/deps.sh

build: deps
	$(BUILD)

release: deps
	@[ -x .build/release/realm ] || echo "The first build takes about ten minutes on two processors; later ones take seconds."
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product todo
	$(RELEASE) --product chat
	$(RELEASE) --product realm

run: release
	@Tools/scripts/run.sh

chat: release
	@APP=chat Tools/scripts/run.sh

demo: release
	@Tools/scripts/demo.sh

demo-chat: release
	@Tools/scripts/demo-chat.sh

catalogue: deps
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product package-catalogue
	@Tools/scripts/catalogue.sh

test: deps
	$(BUILD) --build-tests
	$(SWIFT) run --skip-build tidy
	@Tools/scripts/role-canaries.sh --check
	@SWIFT=$(SWIFT) Tools/scripts/test.sh --skip-build

test-%: deps
	@SWIFT=$(SWIFT) Tools/scripts/test.sh --package-path Packages/$*

test-cluster: deps
	$(BUILD) --build-tests
	@OPENREALM_TEST_STORAGE=postgresql SWIFT=$(SWIFT) Tools/scripts/test.sh --skip-build --filter '$(or $(FILTER),^ObjectServerTests\.|^EndToEndTests\.)'

simulate: deps
	$(RELEASE) --product simulate
	$$($(RELEASE) --show-bin-path)/simulate
	$(RELEASE) --product merge-laws
	RUNS=$(PAIRS) $$($(RELEASE) --show-bin-path)/merge-laws

events: deps
	$(BUILD) --build-tests
	@RUNS=$${RUNS:-200} SWIFT=$(SWIFT) Tools/scripts/test.sh --skip-build --filter EventsTests

events-kills: deps
	$(BUILD) --build-tests
	@RUNS=$${RUNS:-200} SWIFT=$(SWIFT) Tools/scripts/test.sh --skip-build --filter KilledHandlersTests

black-box: deps
	$(RELEASE) --product black-box
	$$($(RELEASE) --show-bin-path)/black-box

model:
	@Tools/scripts/model.sh

cluster: deps
	@SWIFT=$(SWIFT) Tools/scripts/deps.sh haproxy
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product todo
	@Tools/scripts/cluster.sh start

cluster-faults:
	@SWIFT=$(SWIFT) Tools/scripts/deps.sh haproxy iproute2 gcc libc6-dev
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product black-box
	@BIN=$${BIN:-$$($(RELEASE) --show-bin-path)} $$($(RELEASE) --show-bin-path)/black-box cluster

fuzz: deps
	$(RELEASE) --product fuzz
	$$($(RELEASE) --show-bin-path)/fuzz

sanitize: deps
	@SWIFT=$(SWIFT) Tools/scripts/sanitize.sh $(TARGET)

canaries: deps
	@SWIFT=$(SWIFT) Tools/scripts/role-canaries.sh $(TARGET)

conformance: deps
	$(RELEASE) --product websocket-echo
	@Tools/scripts/conformance.sh $$($(RELEASE) --show-bin-path)/websocket-echo
	$(RELEASE) --product graphql-peer
	@Tools/scripts/check-graphql-core.sh $$($(RELEASE) --show-bin-path)/graphql-peer
	$(RELEASE) --product realm-object-server
	@Tools/scripts/check-openapi.sh $$($(RELEASE) --show-bin-path)/realm-object-server
	@Tools/scripts/check-mail.sh $$($(RELEASE) --show-bin-path)/realm-object-server
	@Tools/scripts/check-graphql-http.sh $$($(RELEASE) --show-bin-path)/realm-object-server $(GRAPHQL_HTTP)

studio: release
	@APP=studio Tools/scripts/run.sh

check-studio: deps
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product todo
	$(RELEASE) --product chat
	$(RELEASE) --product realm
	@Tools/scripts/check-studio.sh $$($(RELEASE) --show-bin-path) $(SCREENSHOTS)

check-graphql: deps
	$(RELEASE) --product realm-object-server
	$(RELEASE) --product todo
	@Tools/scripts/check-graphql.sh $$($(RELEASE) --show-bin-path)

postgres-kills: deps
	$(BUILD) --build-tests
	$(RELEASE) --product realm-postgres
	@REALM_POSTGRES=$$($(RELEASE) --show-bin-path)/realm-postgres POSTGRES_KILLS=$(or $(KILLS),200) SEED=$(or $(SEED),1) SWIFT=$(SWIFT) \
	  Tools/scripts/test.sh --skip-build --filter PostgresConnectorTests.KillTests

postgres-soak: deps
	$(BUILD) --build-tests
	$(RELEASE) --product realm-postgres
	@REALM_POSTGRES=$$($(RELEASE) --show-bin-path)/realm-postgres POSTGRES_SOAK=$(or $(DURATION),600) SEED=$(or $(SEED),1) SWIFT=$(SWIFT) \
	  Tools/scripts/test.sh --skip-build --filter PostgresConnectorTests.KillTests

postgres-versions: deps
	$(BUILD) --build-tests
	@SWIFT=$(SWIFT) Tools/scripts/postgres-versions.sh

bench: deps
	$(RELEASE) -Xswiftc -cross-module-optimization --scratch-path .build/bench --product Benchmarks
	$(RELEASE) -Xswiftc -cross-module-optimization --scratch-path .build/bench --product realm-object-server
	.build/bench/release/Benchmarks

format:
	$(SWIFT) format --in-place --recursive --parallel Packages Apps Tests Tools Package.swift

lint:
	$(SWIFT) format lint --strict --recursive --parallel Packages Apps Tests Tools Package.swift
	$(SWIFT) run --no-color-diagnostics tidy

docs: build
	$(SWIFT) run --skip-build tidy --samples

reference: build
	@SWIFT=$(SWIFT) Tools/scripts/reference.sh $(TARGET)

check-consumers: deps
	$(RELEASE) --product realm-object-server
	@Tools/scripts/check-consumers.sh

check-packages: package
	@Tools/scripts/check-packages.sh

check-chart: deps
	$(RELEASE) --product realm-object-server
	@Tools/scripts/check-chart.sh $$($(RELEASE) --show-bin-path)/realm-object-server

install: release
	@SWIFT=$(SWIFT) Tools/scripts/deps.sh patchelf
	@SWIFT=$(SWIFT) Tools/scripts/stage.sh $(DESTDIR)$(PREFIX)
	@echo "installed into $(DESTDIR)$(PREFIX): realm-object-server, realm, todo, chat"

package: release
	@SWIFT=$(SWIFT) Tools/scripts/deps.sh patchelf dpkg-dev
	@SWIFT=$(SWIFT) Tools/scripts/package.sh

image: package
	@Tools/scripts/image.sh

ci: lint test demo demo-chat check-consumers

clean:
	rm -rf .build Packages/*/.build
