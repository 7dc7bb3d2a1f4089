import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMeshFixture } from '../mesh-fixture.ts'
import { makeCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'

test(
  'a repository URL reveals nothing of what listens inside, and nothing is sent there',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-inner-'))
    const files = makeCertificate(directory.path)
    let contacts = 0
    const tls = { cert: await readFile(files.certificate), key: await readFile(files.key) }
    const open = createServer(() => (contacts += 1)).listen(0, '127.0.0.1')
    const secure = createHttpsServer(tls)
    secure.on('connection', () => (contacts += 1))
    secure.listen(0, '127.0.0.1')
    await Promise.all([once(open, 'listening'), once(secure, 'listening')])
    const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
    await using mesh = await startMeshFixture({ environment: { WADI_ALLOWED_NETWORKS: '' } })
    try {
      const urls = [
        `https://127.0.0.1:${portOf(open)}/a.git`,
        `https://127.0.0.1:${portOf(secure)}/a.git`,
        'https://127.0.0.1:1/a.git',
        `ssh://git@127.0.0.1:${portOf(open)}/a.git`,
        `https://localhost:${portOf(open)}/a.git`,
        `https://[::ffff:127.0.0.1]:${portOf(open)}/a.git`,
        `https://2130706433:${portOf(open)}/a.git`,
        `https://0x7f.1:${portOf(open)}/a.git`,
        'https://169.254.169.254/latest/meta-data/iam.git',
        'https://[fd00:ec2::254]/latest.git',
        'https://10.0.0.1/a.git',
      ]
      const reported = new Set<string>()
      for (const [index, url] of urls.entries()) {
        const name = `inner-${index}`
        const message = await mesh.fixture.applyAndFail({
          name,
          repoURL: url,
          path: name,
          branch: `environments/${name}`,
        })
        reported.add(message.replace(/the host \S+ has/, 'the host HOST has'))
      }
      assert.equal(reported.size, 1, [...reported].join('\n'))
      assert.match([...reported].join(), /^[^,]*the host HOST has no public address: check its name/)
      assert.equal(contacts, 0)
    } finally {
      open.close()
      secure.close()
    }
  },
)
