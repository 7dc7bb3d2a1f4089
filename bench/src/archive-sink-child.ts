import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  CheckPluginConfigurationResponseSchema,
  ManifestResponseSchema,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { endWithParent } from './child-program.ts'

// Takes archives as fast as they come and looks at nothing: a plugin without manifests on one port, and on another one
// a socket that answers with a byte when the sender has closed its side. It prints `<port> <port>`.
endWithParent()
const configuration = create(CheckPluginConfigurationResponseSchema, { pluginName: 'sink', identity: 'sink' })
const answers = new Map([
  ['CheckPluginConfiguration', toBinary(CheckPluginConfigurationResponseSchema, configuration)],
  ['GenerateManifest', toBinary(ManifestResponseSchema, create(ManifestResponseSchema))],
])
const plugin = http2.createServer(
  { settings: { initialWindowSize: 16 * 1024 ** 2 } },
  (request, response) => {
    request.resume().once('end', () => {
      const answer = answers.get(request.url.split('/').at(-1) ?? '') ?? new Uint8Array()
      const prefix = Buffer.alloc(5)
      prefix.writeUInt32BE(answer.length, 1)
      response.writeHead(200, { 'content-type': 'application/grpc+proto' })
      response.addTrailers({ 'grpc-status': '0' })
      response.end(Buffer.concat([prefix, answer]))
    })
  },
)
plugin.on('session', (session) => session.setLocalWindowSize(16 * 1024 ** 2))
const raw = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.resume().once('end', () => socket.end('.'))
})
const ports = await Promise.all([portOf(plugin), portOf(raw)])
process.stdout.write(`${ports.join(' ')}\n`)

async function portOf(server: net.Server | http2.Http2Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sink has no port')
  return address.port
}
