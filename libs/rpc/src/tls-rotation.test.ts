import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:tls'
import { test } from 'node:test'
import { issue, makeAuthority, noOpenssl } from './certificate-fixture.ts'
import { createTestClient, startTestServer, temporaryDirectory } from './server-fixture.ts'
import { callingServiceKey } from './service-identity.ts'
import { openTlsFiles } from './tls-files.ts'

/** Files that are replaced together, by a link, as the kubelet does with a Secret. */
async function startMount(directory: string) {
  const mount = path.join(directory, 'mount')
  let count = 0
  return {
    files: {
      certFile: path.join(mount, 'tls.crt'),
      keyFile: path.join(mount, 'tls.key'),
      caFile: path.join(mount, 'ca.crt'),
    },
    put: async (pair: { certFile: string; keyFile: string }, ca: string) => {
      const data = path.join(directory, `data-${++count}`)
      await mkdir(data)
      await cp(pair.certFile, path.join(data, 'tls.crt'))
      await cp(pair.keyFile, path.join(data, 'tls.key'))
      await writeFile(path.join(data, 'ca.crt'), ca)
      await symlink(data, `${mount}.new`)
      await rename(`${mount}.new`, mount)
    },
  }
}

test(
  'certificates and their authority are replaced under running calls, of which none fails',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    const at = (name: string) => path.join(directory.path, name)
    for (const name of ['first', 'second']) makeAuthority(directory.path, name)
    const [first, second] = ['first', 'second'].map((name) => readFileSync(at(`${name}.crt`), 'utf8'))
    assert.ok(first !== undefined && second !== undefined)
    const names = 'IP:127.0.0.1,DNS:wadi-hydrator'
    const before = issue(directory.path, 'first', 'before', names)
    const after = issue(directory.path, 'second', 'after', names)
    const mount = await startMount(directory.path)
    await mount.put(before, first)
    const callers = new Set<string | undefined>()
    await using server = await startTestServer({
      tls: mount.files,
      rpcs: {
        list: (_, { values }) => {
          callers.add(values.get(callingServiceKey)?.service)
          return {}
        },
      },
    })
    let calls = 0
    const stop = new AbortController()
    const callAnew = async () => {
      while (!stop.signal.aborted) {
        await using client = await createTestClient([server.address], { tls: mount.files })
        await client.list({})
        calls++
      }
    }
    const callOn = async () => {
      await using client = await createTestClient([server.address], { tls: mount.files })
      while (!stop.signal.aborted) {
        await client.list({})
        calls++
      }
    }
    const running = Promise.all([callAnew(), callAnew(), callOn()])
    const both = `${first}${second}`
    for (const [pair, ca] of [
      [before, both],
      [after, both],
      [after, second],
    ] as const) {
      await delay(300)
      await mount.put(pair, ca)
    }
    await delay(300)
    stop.abort()
    await running
    assert.ok(calls > 20, `${calls} calls`)
    assert.deepEqual([...callers], ['hydrator'])
    assert.equal(await issuerAt(server.port), 'second')
  },
)

async function issuerAt(port: number): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
    const { CN } = socket.getPeerCertificate().issuer
    resolve([CN].flat()[0])
    socket.destroy()
  }).once('error', reject)
  return promise
}

test(
  'files that do not fit each other, or are gone, change nothing until they do',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    for (const name of ['authority', 'other']) makeAuthority(directory.path, name)
    const pair = issue(directory.path, 'authority', 'a', 'IP:127.0.0.1')
    const renewed = issue(directory.path, 'authority', 'b', 'IP:127.0.0.1')
    const current = openTlsFiles(pair)
    const first = current()
    await cp(renewed.certFile, pair.certFile)
    await delay(150)
    assert.equal(current(), first)
    await cp(renewed.keyFile, pair.keyFile)
    await delay(150)
    const second = current()
    assert.equal(second.cert?.toString(), readFileSync(renewed.certFile, 'utf8'))
    await rm(pair.caFile)
    await delay(150)
    assert.equal(current(), second)
    assert.throws(() => openTlsFiles(pair), { code: 'ENOENT' })
  },
)
