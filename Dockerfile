# Builds with the Swift toolchain, runs without any compiler.
FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    libmicrohttpd-dev libsqlite3-dev libpq-dev libsodium-dev libqrencode-dev libjansson-dev \
    libcurl4-openssl-dev libssl-dev liboath-dev libcmark-dev libarchive-dev libreadstat-dev \
    libebur128-dev libsndfile1-dev libturbojpeg0-dev libpng-dev libwebp-dev zlib1g-dev pkg-config
WORKDIR /build
COPY Package.swift .
COPY Sources Sources
# The package names its tests; the image does not hold them.
RUN for name in $(grep -oE '"[A-Za-z]+(Tests|Testing)"' Package.swift | tr -d '"'); do \
        mkdir -p "Tests/$name" && touch "Tests/$name/Empty.swift"; \
    done \
    && swift build -c release --static-swift-stdlib --product intersession \
    && cp "$(swift build -c release --static-swift-stdlib --show-bin-path)/intersession" /intersession

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    libmicrohttpd12 libsqlite3-0 libpq5 libsodium23 libqrencode4 libjansson4 \
    libcurl4 libssl3 liboath0 libcmark0.30.2 libarchive13 libreadstat1 libebur128-1 libsndfile1 \
    libturbojpeg0 libpng16-16 libwebp7 libwebpdemux2 zlib1g \
    tzdata ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home-dir /var/lib/intersession --shell /usr/sbin/nologin intersession \
    && install -d -o intersession -g intersession -m 700 /var/lib/intersession
COPY --from=build /intersession /usr/bin/intersession
COPY templates /usr/share/intersession/templates
COPY static /usr/share/intersession/static
USER intersession
VOLUME /var/lib/intersession
ENV INTERSESSION_DATA=/var/lib/intersession INTERSESSION_ADDRESS=0.0.0.0 INTERSESSION_PORT=8080
EXPOSE 8080
# Whether the process answers; what it needs besides is told by /readyz and /api/v1/health.
HEALTHCHECK CMD curl -fsS http://127.0.0.1:8080/livez || exit 1
ENTRYPOINT ["/usr/bin/intersession"]
# Mail goes to files in the volume, until INTERSESSION_SMTP_URL names a server.
CMD ["serve", "--outbox"]
