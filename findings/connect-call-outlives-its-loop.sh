#!/bin/sh
# Leaving the loop over a stream of @connectrpc/connect 2.2.0 does not end the call: the server is told nothing and goes on to the last
# message, over HTTP/2, over HTTP/1.1 and with gRPC. The transport that tests use, createRouterTransport, does stop the handler, so no
# test in memory notices the calls that pile up. An AbortSignal ends them.
#
# Seen with Node.js 20.20.2 and 26.10.0, for a stream of 20 messages that is left after the third one, and the same without a network:
#   HTTP/2: 20 messages, no abort; HTTP/1.1: 20 messages, no abort; gRPC: 20 messages, no abort; memory: 3 messages, no abort
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact \
  @bufbuild/protobuf@2.17.0 @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0

cat >main.js <<'END_OF_MAIN'
import { once } from 'node:events'
import { createServer as createServer1 } from 'node:http'
import { createServer as createServer2 } from 'node:http2'
import { create, createFileRegistry } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt'
import { createClient, createRouterTransport } from '@connectrpc/connect'
import { connectNodeAdapter, createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'

const type = '.google.protobuf.Int32Value'
const method = { name: 'Count', inputType: type, outputType: type, serverStreaming: true }
const file = create(FileDescriptorProtoSchema, {
  name: 'numbers.proto',
  package: 'shop',
  syntax: 'proto3',
  dependency: ['google/protobuf/wrappers.proto'],
  service: [{ name: 'Numbers', method: [method] }],
})
const service = createFileRegistry(file, () => file_google_protobuf_wrappers.proto).getService('shop.Numbers')

async function leaveEarly(name, createServer, createTransport) {
  let messages = 0
  let isAborted = false
  let finish
  const finished = new Promise((resolve) => (finish = resolve))
  const routes = (router) =>
    router.service(service, {
      async *count(_, { signal }) {
        signal.addEventListener('abort', () => (isAborted ||= messages < 20))
        while (messages < 20) {
          messages++
          yield { value: messages }
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        finish()
      },
    })
  const server = createServer?.(connectNodeAdapter({ routes })).listen(0, '127.0.0.1')
  if (server) await once(server, 'listening')
  const transport = createTransport(`http://127.0.0.1:${server?.address().port}`, routes)
  for await (const { value } of createClient(service, transport).count({})) if (value === 3) break
  // The handler in memory stops in the middle, so there is no end to wait for.
  await (server ? finished : new Promise((resolve) => setTimeout(resolve, 500)))
  return `${name}: ${messages} messages, ${isAborted ? 'an' : 'no'} abort`
}

const connect = (httpVersion) => (baseUrl) => createConnectTransport({ baseUrl, httpVersion })
const lines = [
  await leaveEarly('HTTP/2', createServer2, connect('2')),
  await leaveEarly('HTTP/1.1', createServer1, connect('1.1')),
  await leaveEarly('gRPC', createServer2, (baseUrl) => createGrpcTransport({ baseUrl })),
  await leaveEarly('memory', undefined, (_, routes) => createRouterTransport(routes)),
]
console.log(lines.join('; '))
process.exit()
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'HTTP/2: 20 messages, no abort; HTTP/1.1: 20 messages, no abort; gRPC: 20 messages, no abort; memory: 3 messages, no abort' ]
