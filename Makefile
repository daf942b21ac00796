# `make` lists what there is. Needed beforehand: Go, and Debian 12, Ubuntu 24.04
# or later; `deps` sees to the rest.

# The build settings live here alone; Go reads them from GOFLAGS. gocv compiles
# against OpenCV 4.6 only if limited to the modules in use. What the user's own
# GOFLAGS hold stays, further tags included.
comma := ,
space := $() $()
flags := $(or $(GOFLAGS),$(shell go env GOFLAGS 2>/dev/null))
users_tags := $(subst $(comma),$(space),$(patsubst -tags=%,%,$(filter -tags=%,$(flags))))
tags := gocv_specific_modules gocv_features2d gocv_calib3d
tags += $(filter-out $(tags),$(users_tags))
override GOFLAGS := $(strip $(filter-out -tags=%,$(flags)) -tags=$(subst $(space),$(comma),$(strip $(tags))))
export GOFLAGS
export CGO_ENABLED := 1

VERSION ?= $(or $(if $(wildcard .git),$(shell git describe --tags --always --dirty 2>/dev/null)),unknown)

# Packages that do without OpenCV and without cgo.
PURE := ./eval/... ./keypoints ./keypoints/npz ./keypoints/keypointio \
	./descriptors ./descriptors/surf ./descriptors/importer
LINTER := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2
# Its cache knows files by content and remembers where they lay: each checkout
# has its own, or findings of another one come up under paths no rule matches.
export GOLANGCI_LINT_CACHE := $(CURDIR)/.cache/golangci-lint
BENCH ?= .
FUZZTIME ?= 10s

.PHONY: help deps build run test race lint linter bench cover fuzz env docker clean

help: ## list the targets, and what is missing here
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16
	@.ci/deps --check || true

deps: ## install what is missing: C++ compiler, pkg-config, OpenCV
	@.ci/deps

build: deps ## compile bin/descbench
	go build -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o bin/descbench ./cmd/descbench

run: build ## the demonstration: configs/demo.yaml on the scenes in testdata
	bin/descbench run configs/demo.yaml

test: deps ## vet and all tests, then the pure packages once more without cgo
	go vet ./...
	go test ./...
	CGO_ENABLED=0 go test $(PURE)

race: deps ## all tests under the race detector
	go test -race ./...

lint: deps ## golangci-lint with the rules of .golangci.yml
	$(LINTER) run

linter:
	@$(LINTER) version

bench: deps ## all benchmarks, or those that BENCH=regexp names
	go test -run '^$$' -bench '$(BENCH)' -benchmem \
		$$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -r dirname | sort -u)

cover: deps ## how much of the pure packages their tests reach; details in bin/cover.html
	@mkdir -p bin
	go test -coverprofile=bin/cover.out $(PURE)
	go tool cover -html=bin/cover.out -o bin/cover.html

fuzz: deps ## every fuzz test for FUZZTIME=10s
	@grep -r --include='*_test.go' '^func Fuzz' . | sed 's,/[^/]*:func , ,; s,(.*,,' | \
	while read -r package name; do \
		echo "$$package $$name"; \
		go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$package || exit; \
	done

env: ## the build settings for a shell: eval "$(make -s env)"
	@echo "export GOFLAGS='$(GOFLAGS)'"

docker: ## container image descbench:latest
	docker build --build-arg VERSION='$(VERSION)' --tag descbench .

clean: ## remove bin
	rm -rf bin
