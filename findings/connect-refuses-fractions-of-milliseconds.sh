#!/bin/sh
# @connectrpc/connect 2.2.0 takes a timeout that is no whole number of milliseconds, and its own server then refuses the call as an
# invalid argument: the number goes into the header as it is. What is left until a deadline of `performance.now()` always has a fraction.
# Calls in memory, by createRouterTransport, are refused in the same way.
#
# Seen with Node.js 20.20.2 and 26.10.0, for timeouts of 60000 and of 60000.5 ms:
#   Connect: answered | [invalid_argument] protocol error: invalid connect timeout value: 60000.5
#   gRPC: answered | [invalid_argument] protocol error: invalid grpc timeout value: 60000.5m
#   memory: answered | [invalid_argument] protocol error: invalid connect timeout value: 60000.5
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact \
  @bufbuild/protobuf@2.17.0 @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0

cat >main.js <<'END_OF_MAIN'
import { once } from 'node:events'
import { createServer } from 'node:http2'
import { create, createFileRegistry } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt'
import { createClient, createRouterTransport } from '@connectrpc/connect'
import { connectNodeAdapter, createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'

const type = '.google.protobuf.Int32Value'
const file = create(FileDescriptorProtoSchema, {
  name: 'numbers.proto',
  package: 'shop',
  syntax: 'proto3',
  dependency: ['google/protobuf/wrappers.proto'],
  service: [{ name: 'Numbers', method: [{ name: 'Next', inputType: type, outputType: type }] }],
})
const service = createFileRegistry(file, () => file_google_protobuf_wrappers.proto).getService('shop.Numbers')
const routes = (router) => router.service(service, { next: ({ value }) => ({ value: value + 1 }) })
const server = createServer(connectNodeAdapter({ routes })).listen(0, '127.0.0.1')
await once(server, 'listening')
const baseUrl = `http://127.0.0.1:${server.address().port}`
const transports = {
  Connect: createConnectTransport({ baseUrl, httpVersion: '2' }),
  gRPC: createGrpcTransport({ baseUrl }),
  memory: createRouterTransport(routes),
}
for (const [name, transport] of Object.entries(transports)) {
  const call = (timeoutMs) =>
    createClient(service, transport)
      .next({}, { timeoutMs })
      .then(() => 'answered', ({ message }) => message)
  console.log(`${name}: ${await call(60_000)} | ${await call(60_000.5)}`)
}
process.exit()
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'Connect: answered | [invalid_argument] protocol error: invalid connect timeout value: 60000.5
gRPC: answered | [invalid_argument] protocol error: invalid grpc timeout value: 60000.5m
memory: answered | [invalid_argument] protocol error: invalid connect timeout value: 60000.5' ]
