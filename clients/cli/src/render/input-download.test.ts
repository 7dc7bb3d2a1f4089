import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate } from '@wadi/testing/tls-certificate.ts'
import { openDownload } from './input-download.ts'
import { listen } from '../testing/http-listener-fixture.ts'
import { loggedMessage, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const { signal } = new AbortController()

test('a redirect is followed, also to another server, but not on and on', async () => {
  await using other = await listen((_request, response) => response.end('found'))
  await using server = await listen(({ url = '' }, response) => {
    const location = url === '/away' ? `${other.url}/x` : url === '/loop' ? '/loop' : 'away'
    response.writeHead(302, { location }).end('moved')
  })
  assert.equal(await text(await openDownload(`${server.url}/a`, signal)), 'found')
  await assert.rejects(openDownload(`${server.url}/loop`, signal), {
    message: `${server.url}/loop redirects more than 5 times`,
  })
})

test('a redirect to something else than http is not followed', async () => {
  await using server = await listen((_request, response) => {
    response.writeHead(302, { location: 'file:///etc/passwd' }).end()
  })
  await assert.rejects(openDownload(server.url, signal), {
    message: `${server.url} leads to file://; only http and https are supported`,
  })
})

test('any other status than 200 is an error, whatever the body holds', async () => {
  await using server = await listen(({ url }, response) => {
    response
      .writeHead(url === '/empty' ? 204 : 404)
      .end(url === '/empty' ? undefined : 'kind: ApplicationSet')
  })
  await assert.rejects(openDownload(`${server.url}/a`, signal), {
    message: `${server.url}/a answered 404 Not Found`,
  })
  await assert.rejects(openDownload(`${server.url}/empty`, signal), { message: /answered 204 No Content$/ })
})

test('a password in a URL is refused without being repeated', async () => {
  await assert.rejects(openDownload('http://ada:secret@127.0.0.1:1/a', signal), {
    message: '127.0.0.1:1: a URL with a password is not supported; download the file and give its path',
  })
})

test('a server that does not exist is named with the reason', async () => {
  await assert.rejects(openDownload('http://127.0.0.1:1/a', signal), {
    message: /^http:\/\/127\.0\.0\.1:1\/a cannot be read: .+/,
  })
})

test('a download without end is cut off', async () => {
  await using server = await listen((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, '#')
    const fill = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', fill)
    fill()
  })
  const { stderr, code } = await runWadi(['appset', 'generate', server.url])
  assert.equal(code, 20)
  assert.equal(loggedMessage(stderr), `${server.url} is larger than 10485760 bytes`)
})

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

test('a redirect from https to http is not followed', { skip: noOpenssl }, async () => {
  await using directory = await temporaryDirectory()
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem']
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...subject, ...key, '-out', 'cert.pem'], {
    cwd: directory.path,
    stdio: 'ignore',
  })
  const files = ['key.pem', 'cert.pem'].map((name) => readFile(join(directory.path, name)))
  const [tlsKey, cert] = await Promise.all(files)
  assert.ok(tlsKey && cert)
  const server = createServer({ key: tlsKey, cert }, ({ url }, response) => {
    const location = url === '/up' ? '/down' : 'http://127.0.0.1:1/set.yaml'
    response.writeHead(302, { location }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `https://127.0.0.1:${address.port}/up`
  const { stderr, code } = await runWadi(['appset', 'generate', url], {
    environment: { NODE_EXTRA_CA_CERTS: join(directory.path, 'cert.pem') },
  })
  server.close()
  assert.equal(code, 20)
  assert.equal(loggedMessage(stderr), `${url} leads from https to http://127.0.0.1:1; that is not followed`)
})

test('a file is read through the proxy of this machine', { skip: noOpenssl }, async () => {
  await using directory = await temporaryDirectory()
  const files = makeSignedCertificate(directory.path, 'files.internal')
  await using server = createServer(
    { key: await readFile(files.key), cert: await readFile(files.certificate) },
    (_request, response) => response.writeHead(404).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  await using proxy = await startConnectProxy(address.port)
  const { stderr } = await runWadi(['appset', 'generate', 'https://files.internal/set.yaml'], {
    environment: { NODE_EXTRA_CA_CERTS: files.authority, HTTPS_PROXY: `http://${proxy.host}` },
  })
  assert.equal(loggedMessage(stderr), 'https://files.internal/set.yaml answered 404 Not Found')
  assert.deepEqual(proxy.requests, ['files.internal:443 200'])
})
