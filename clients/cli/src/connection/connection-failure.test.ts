import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { connectToServer } from './server-connection.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

/** Answers every call with an empty message. */
const answer: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'application/json').end('{}')
}

async function listening(server: Server): Promise<AsyncDisposable & { port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the error that a user reads when the server is asked for its settings; empty if it answers. */
async function problem(server: string, flags: Partial<GlobalFlags> = {}): Promise<string> {
  const all = { httpRetryMax: 0, loglevel: 'info', config: '/nonexistent/config', server, ...flags } as const
  const { settings } = await connectToServer(all, {}, 'settings')
  return settings.get({}).then(
    () => '',
    (error: unknown) => ConnectError.from(error).rawMessage,
  )
}

test('a server without TLS and one that is unreachable are reported with what to do', async () => {
  {
    const server = http.createServer(answer)
    // A connection that the server ended may fail before its answer is read.
    server.on('clientError', (_error, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await using plain = await listening(server)
    const { port } = plain
    assert.equal(await problem(`127.0.0.1:${port}`), '')
    assert.equal(
      await problem(`https://127.0.0.1:${port}`),
      `the server at https://127.0.0.1:${port} does not use TLS: add --plaintext, or write http:// before its address`,
    )
  }
  // Nobody connected to this one, so no connection to it is left.
  let port: number
  {
    await using gone = await listening(http.createServer(answer))
    port = gone.port
  }
  assert.match(
    await problem(`127.0.0.1:${port}`),
    /^no server answers at http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED/,
  )
})

test(
  'a certificate is accepted by its authority or by --insecure, and refused with both ways named',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    const openssl = (...args: string[][]) =>
      execFileSync('openssl', args.flat(), { cwd: directory.path, stdio: 'ignore' })
    const certificate = (name: string, subjectAltName: string) =>
      openssl(
        ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
        ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${subjectAltName}`],
        ['-keyout', `${name}.key`, '-out', `${name}.crt`],
      )
    certificate('own', 'IP:127.0.0.1')
    certificate('other', 'DNS:other.example.com')
    const material = async (name: string) => ({
      cert: await readFile(join(directory.path, `${name}.crt`)),
      key: await readFile(join(directory.path, `${name}.key`)),
    })
    await using own = await listening(https.createServer(await material('own'), answer))
    await using other = await listening(https.createServer(await material('other'), answer))
    const address = `https://127.0.0.1:${own.port}`
    assert.match(
      await problem(address),
      /^the certificate of https:\S+ is signed by an unknown authority .*--server-crt.*--insecure$/,
    )
    assert.equal(await problem(address, { serverCrt: join(directory.path, 'own.crt') }), '')
    assert.equal(await problem(address, { insecure: true }), '')
    assert.match(
      await problem(`https://127.0.0.1:${other.port}`, { serverCrt: join(directory.path, 'other.crt') }),
      /^the certificate of https:\S+ is for another name .*; --insecure accepts it$/,
    )
    assert.match(
      await problem(`127.0.0.1:${own.port}`),
      /closed the connection \(.*\); if it speaks TLS, leave --plaintext out/,
    )
  },
)
