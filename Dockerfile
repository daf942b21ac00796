# docker build --build-arg VERSION="$(git describe --tags --always)" -t descbench .   (or: make docker)
# docker run --rm descbench run configs/demo.yaml
# docker run --rm --read-only --user "$(id -u):$(id -g)" -v "$PWD:/work" descbench \
#     run my.yaml --data hpatches-sequences-release
#
# The image has the static program of make dist and nothing else: no shell, no Python, which
# the target python has. All that a container writes is in its working folder, /work: runs,
# and the cache in .cache.

# Debian 12.
ARG BASE=debian:bookworm-slim
FROM $BASE AS build
WORKDIR /src
ARG TARGETARCH
COPY .ci/go .ci/static-deps .ci/
RUN .ci/static-deps "${TARGETARCH:-amd64}"
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
RUN .ci/link "$VERSION" "${TARGETARCH:-amd64}" /descbench \
 && install -D -t /image/usr/local/bin /descbench/bin/descbench \
 && install -D -m 644 -t /image/usr/share/doc/descbench LICENSE /descbench/NOTICE \
 && install -D -m 644 -t /image/etc/ssl/certs /etc/ssl/certs/ca-certificates.crt \
 && install -d -m 1777 /image/tmp /image/work \
 && mkdir /image/usr/share/descbench && cp -r configs testdata /image/usr/share/descbench/ \
 && ln -s /usr/share/descbench/configs /usr/share/descbench/testdata /image/work/

# docker build --target python -t descbench-python .
#
# The same with Python for functions and ONNX files (type: command). Where no index is reached,
# --build-arg PIP_NO_INDEX=1 --build-arg PIP_FIND_LINKS=/context/wheels takes the wheels of
# numpy and onnxruntime from the folder wheels of the checkout.
FROM $BASE AS python
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /opt/python
ENV PATH=/opt/python/bin:/usr/local/bin:/usr/bin:/bin HOME=/work
ARG PIP_INDEX_URL
ARG PIP_NO_INDEX
ARG PIP_FIND_LINKS
RUN --mount=type=bind,target=/context pip install --no-cache-dir numpy onnxruntime
COPY --from=build /image/ /
RUN descbench bridge python >"$(python3 -c 'import site; print(site.getsitepackages()[0])')/descbench.py"
USER 10001
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/descbench"]

FROM scratch
COPY --from=build /image/ /
# A number, by which Kubernetes can tell that this is not root.
USER 10001
WORKDIR /work
ENV HOME=/work
ENTRYPOINT ["/usr/local/bin/descbench"]
