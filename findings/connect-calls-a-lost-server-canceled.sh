#!/bin/sh
# When the connection breaks during a call, @connectrpc/connect-node 2.2.0 fails it with the code of a call that its own side gave up:
# `canceled` over HTTP/2, `aborted` over HTTP/1.1, never `unavailable`. Retries by code, and code that passes over cancelled calls, so miss
# every restart of a server. gRPC's own client, @grpc/grpc-js 1.14.7, says `UNAVAILABLE` to the same server. No signal is aborted here.
#
# Seen with Node.js 20.20.2 and 26.10.0, for a call with one answer and for a stream:
#   Connect, HTTP/2: canceled canceled
#   Connect, HTTP/1.1: aborted aborted
#   gRPC: canceled canceled
#   grpc-js: unavailable unavailable
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @bufbuild/protobuf@2.17.0 @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0 @grpc/grpc-js@1.14.7

cat >main.js <<'END_OF_MAIN'
import { once } from 'node:events'
import { createServer as createServer1 } from 'node:http'
import { createServer as createServer2 } from 'node:http2'
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, Int32ValueSchema, file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt'
import { ConnectError, createClient } from '@connectrpc/connect'
import { connectNodeAdapter, createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'
import { Client, credentials, status } from '@grpc/grpc-js'

const type = { inputType: '.google.protobuf.Int32Value', outputType: '.google.protobuf.Int32Value' }
const file = create(FileDescriptorProtoSchema, {
  name: 'numbers.proto',
  package: 'shop',
  syntax: 'proto3',
  dependency: ['google/protobuf/wrappers.proto'],
  service: [{ name: 'Numbers', method: [{ name: 'Next', ...type }, { name: 'Count', ...type, serverStreaming: true }] }],
})
const service = createFileRegistry(file, () => file_google_protobuf_wrappers.proto).getService('shop.Numbers')

/** Serves calls whose connection breaks before they end, and returns the address. */
async function losing(createServer) {
  let socket
  const lose = () => new Promise(() => setTimeout(() => socket.destroy(), 100))
  const routes = (router) =>
    router.service(service, {
      next: lose,
      async *count() {
        yield { value: 1 }
        await lose()
      },
    })
  const server = createServer(connectNodeAdapter({ routes })).listen(0, '127.0.0.1')
  server.on('connection', (connection) => (socket = connection))
  await once(server, 'listening')
  return `127.0.0.1:${server.address().port}`
}

const codeOf = (error) => (error instanceof ConnectError ? /\[(\w+)\]/.exec(error.message)[1] : 'another error')

async function byConnect(createServer, createTransport) {
  const client = createClient(service, createTransport(`http://${await losing(createServer)}`))
  const read = async () => {
    for await (const _ of client.count({}));
    return 'no error'
  }
  return `${await client.next({}).catch(codeOf)} ${await read().catch(codeOf)}`
}

async function byGrpc() {
  const client = new Client(await losing(createServer2), credentials.createInsecure())
  const write = (message) => Buffer.from(toBinary(Int32ValueSchema, message))
  const read = (bytes) => fromBinary(Int32ValueSchema, bytes)
  const request = create(Int32ValueSchema)
  const one = await new Promise((resolve) => client.makeUnaryRequest('/shop.Numbers/Next', write, read, request, resolve))
  const stream = client.makeServerStreamRequest('/shop.Numbers/Count', write, read, request).resume()
  const [many] = await once(stream, 'error')
  return `${status[one.code]} ${status[many.code]}`.toLowerCase()
}

const connect = (httpVersion) => (baseUrl) => createConnectTransport({ baseUrl, httpVersion })
console.log(`Connect, HTTP/2: ${await byConnect(createServer2, connect('2'))}`)
console.log(`Connect, HTTP/1.1: ${await byConnect(createServer1, connect('1.1'))}`)
console.log(`gRPC: ${await byConnect(createServer2, (baseUrl) => createGrpcTransport({ baseUrl }))}`)
console.log(`grpc-js: ${await byGrpc()}`)
process.exit()
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'Connect, HTTP/2: canceled canceled
Connect, HTTP/1.1: aborted aborted
gRPC: canceled canceled
grpc-js: unavailable unavailable' ]
