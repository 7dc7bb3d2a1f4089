import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { findTools } from './find-tools.ts'
import { testTools } from '../render-fixture.ts'

const tools = await testTools()
const [helm = ''] = tools.helm.command
const [kubectl = ''] = tools.kustomize.command

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'wadi-tools-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function program(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('two processes that unpack the bundled tools at once both get whole binaries', async () => {
  using folder = temporaryFolder()
  const missing = join(folder.path, 'none')
  const path = process.env['PATH']
  process.env['PATH'] = missing
  try {
    const found = await Promise.all([1, 2].map(() => findTools({ cacheDirectory: folder.path })))
    for (const { helm: foundHelm, kustomize } of found) {
      assert.match(foundHelm.version, /^v4\.\d+\.\d+/)
      assert.match(kustomize.version, /^v5\.\d+\.\d+/)
      assert.equal(statSync(foundHelm.command[0] ?? '').mode & 0o777, 0o755)
    }
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith('unpacking-')),
      [],
    )
  } finally {
    process.env['PATH'] = path
  }
})

test('a standalone kustomize is preferred; what hands over to another program is asked at each start, others once', async () => {
  using folder = temporaryFolder()
  const calls = join(folder.path, 'calls')
  const kustomize = program(folder.path, 'kustomize', `echo asked >> ${calls}; echo v5.8.1`)
  for (let start = 0; start < 2; start += 1) {
    const found = await findTools({ cacheDirectory: folder.path, helm, kustomize })
    const { program: _program, ...rest } = found.kustomize
    assert.deepEqual(rest, { command: [kustomize], version: 'v5.8.1', standalone: true })
  }
  assert.equal(readFileSync(calls, 'utf8'), 'asked\nasked\n')
  const known = Object.values(JSON.parse(readFileSync(join(folder.path, 'tool-versions.json'), 'utf8')))
  assert.deepEqual(known, [tools.helm.version, tools.helm.program?.sha256])
})

test('a Helm that does not report all of its version is used, and two builds of it differ', async () => {
  using folder = temporaryFolder()
  const versions: string[] = []
  for (const build of ['one', 'two']) {
    const short = program(folder.path, 'helm', `# ${build}\necho v4.3`)
    versions.push((await findTools({ cacheDirectory: folder.path, helm: short, kubectl })).helm.version)
  }
  for (const version of versions) assert.match(version, /^v4\.3\+sha256\.[0-9a-f]{12}$/)
  assert.notEqual(versions[0], versions[1])
})

test('a program of PATH that is passed over is named with the reason', async () => {
  using folder = temporaryFolder()
  program(folder.path, 'helm', 'echo v3.2.1')
  program(folder.path, 'kustomize', 'exit 1')
  const path = process.env['PATH']
  process.env['PATH'] = folder.path
  try {
    const { passedOver, ...found } = await findTools({ cacheDirectory: toolCache })
    assert.match(found.helm.version, /^v4\./)
    assert.deepEqual(passedOver, [
      `helm at ${folder.path}/helm has version v3.2.1; at least 3.14.0 is needed, so Wadi uses the helm that it brings`,
      `kustomize at ${folder.path}/kustomize does not report its version; at least 5.0.0 is needed, so Wadi uses the Kustomize of a kubectl`,
    ])
    program(folder.path, 'helm', 'echo v4.3')
    const [short] = (await findTools({ cacheDirectory: toolCache })).passedOver ?? []
    assert.match(
      short ?? '',
      /helm reports no more of its version than v4\.3, .*; set WADI_HELM to use it all the same$/,
    )
  } finally {
    process.env['PATH'] = path
  }
})

test('a program that failed once, for example on a machine that was too busy, is asked again', async () => {
  using folder = temporaryFolder()
  const calm = join(folder.path, 'calm')
  const kustomize = program(folder.path, 'kustomize', `test -e ${calm} || kill -9 $$; echo v5.8.1`)
  const find = () => findTools({ cacheDirectory: folder.path, helm, kustomize })
  await assert.rejects(find(), /does not report its version/)
  writeFileSync(calm, '')
  assert.equal((await find()).kustomize.version, 'v5.8.1')
})

test('a given kubectl is used as kubectl kustomize', async () => {
  using folder = temporaryFolder()
  const found = await findTools({ cacheDirectory: folder.path, helm, kubectl })
  assert.deepEqual(found.kustomize.command, [kubectl, 'kustomize'])
  assert.equal(found.kustomize.standalone, false)
})

test('a given tool that is too old or silent is refused by its path', async () => {
  using folder = temporaryFolder()
  const old = program(folder.path, 'kustomize', 'echo v4.5.7')
  const silent = program(folder.path, 'helm', 'exit 1')
  await assert.rejects(
    findTools({ cacheDirectory: folder.path, helm, kustomize: old }),
    /v4\.5\.7; at least 5\.0\.0/,
  )
  await assert.rejects(findTools({ cacheDirectory: folder.path, helm: silent, kubectl }), (error) => {
    assert.ok(error instanceof InvalidInputError)
    assert.match(error.message, /does not report its version/)
    return true
  })
})

test(
  'other versions of Helm and Kustomize are used as they are',
  { skip: renderersMissing ?? false },
  async () => {
    using folder = temporaryFolder()
    const { helm3, helm4, kustomize } = rendererFiles
    const first = await findTools({ cacheDirectory: folder.path, helm: helm3, kustomize })
    assert.deepEqual([first.helm.version, first.kustomize.version], ['v3.22.0', 'v5.8.3'])
    assert.equal(
      (await findTools({ cacheDirectory: folder.path, helm: helm4, kustomize })).helm.version,
      'v4.3.1',
    )
  },
)
