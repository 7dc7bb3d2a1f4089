import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

test('doctor shows each protection of this machine, and what to do about those that are missing', async () => {
  const shown = await runWadi(['doctor'], {
    environment: { WADI_RENDER_MEMORY: '2GiB', XDG_CACHE_HOME: cacheHome },
  })
  assert.equal(shown.code, 0)
  const all = shown.stdout.split('\n')
  const lines = all.slice(all.findIndex((line) => /^PROTECTION +ACTIVE +BY, OR WHY NOT$/.test(line)) + 1)
  const names = [
    'memory',
    'processor time',
    'end with the service',
    'out-of-memory order',
    'files',
    'network',
    'processes',
  ]
  for (const [index, name] of names.entries())
    assert.match(lines[index] ?? '', new RegExp(`^${name} +(yes|no) +\\S`))
  assert.match(lines[0] ?? '', /2 GiB for all processes of a run \(WADI_RENDER_MEMORY\)/)
})

test('doctor shows the programs that render, those of PATH that do not and why, and what is slower', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-doctor-'))
  const helm = join(directory.path, 'helm')
  await writeFile(helm, '#!/bin/sh\necho v4.3\n', { mode: 0o755 })
  const environment = { XDG_CACHE_HOME: cacheHome }
  const path = `${directory.path}:${process.env['PATH'] ?? ''}`
  const passedOver = await runWadi(['doctor'], { environment: { ...environment, PATH: path } })
  assert.match(passedOver.stdout, /^helm +v4\.\d+\.\d+ +\S+ +by default$/m)
  assert.match(passedOver.stdout, /^kustomize +v5\.\d+\.\d+ +\S+ kustomize +by default$/m)
  assert.match(
    passedOver.stdout,
    /^warning: tools: helm at \S+ reports no more of its version than v4\.3, .*WADI_HELM/m,
  )
  const used = await runWadi(['doctor'], { environment: { ...environment, WADI_HELM: helm } })
  assert.match(used.stdout, /^helm +v4\.3\+sha256\.\w{12} /m)
  assert.match(
    used.stdout,
    /^info: tools: Helm v4\.3\S+ runs as a program for every render; within the service Wadi renders as Helm v4\.1\.4 and v4\.3\.1/m,
  )
  assert.match(used.stdout, /^rendered within the service: helm v4\.1\.4, kustomize v5\.7\.1$/m)
  const missing = await runWadi(['doctor'], { environment: { ...environment, WADI_HELM: '/nowhere/helm' } })
  assert.match(
    missing.stdout,
    /^error: tools: helm at \/nowhere\/helm does not report.*\n {2}fix: correct WADI_HELM/m,
  )
  const strict = async (helmPath: string) =>
    (await runWadi(['doctor', '--strict'], { environment: { ...environment, WADI_HELM: helmPath } })).code
  assert.deepEqual([missing.code, await strict(helm), await strict('/nowhere/helm')], [0, 0, 1])
})

test('doctor shows the versions that git may ask for, and why one cannot be used', async () => {
  await using tools = await mkdtempDisposable(join(tmpdir(), 'wadi-doctor-'))
  for (const [version, reported] of Object.entries({ '3.19.0': 'v3.19.0', '4.3.1': 'v4.3.0' })) {
    const directory = join(tools.path, 'helm', version)
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'helm'), `#!/bin/sh\necho ${reported}\n`, { mode: 0o755 })
  }
  const { stdout } = await runWadi(['doctor'], {
    environment: { XDG_CACHE_HOME: cacheHome, WADI_TOOLS_DIRECTORY: tools.path },
  })
  assert.match(
    stdout,
    /^helm +v3\.19\.0 +\S+\/helm\/3\.19\.0\/helm +when git names it or a branch keeps it$/m,
  )
  assert.match(stdout, /^helm +4\.3\.1 +not: \S+\/helm is helm v4\.3\.0 and not 4\.3\.1$/m)
})

test('doctor finds no isolation without the programs for it, says what to do, and is not a failure', async () => {
  const { stdout, code } = await runWadi(['doctor', '-o', 'json'], {
    environment: { PATH: '/nonexistent', XDG_CACHE_HOME: cacheHome },
  })
  assert.equal(code, 0)
  const { protections }: { protections: { name: string; active: boolean; lacks: string; remedy: string }[] } =
    JSON.parse(stdout)
  for (const name of ['files', 'network']) {
    const found = protections.find((protection) => protection.name === name)
    assert.deepEqual(
      [found?.active, found?.lacks],
      [
        false,
        'no namespaces: program unshare, which is part of util-linux, is missing; no Landlock: program perl is missing',
      ],
    )
    assert.match(found?.remedy ?? '', /install util-linux.*install perl/)
  }
})

test('doctor refuses a setting that it cannot read', async () => {
  const { stderr, code } = await runWadi(['doctor'], { environment: { WADI_RENDER_MEMORY: 'much' } })
  assert.notEqual(code, 0)
  assert.match(stderr, /WADI_RENDER_MEMORY.*a number with B, KiB, MiB or GiB/)
})

test('a server of another version or with another clock is found, and errors of services come first', async () => {
  await using gateway = await Gateway.start()
  const time = new Date(Date.now() - 600_000).toISOString()
  gateway.diagnostics = {
    findings: [{ severity: 'info', area: 'tools', message: 'Helm is old', remedy: 'a newer one' }],
    services: [
      { service: 'api-gateway', host: 'node-1', version: 'v9.9.9', time },
      {
        service: 'hydrator',
        findings: [{ severity: 'error', area: 'disk', message: 'full', remedy: 'df -h' }],
        disks: [{ directory: '/data', freeBytes: 3n * 1024n ** 2n, totalBytes: 4n * 1024n ** 2n }],
      },
    ],
  }
  const { environment } = gateway
  const { stdout, code } = await runWadi(['doctor', '--remote', '--strict'], { environment })
  assert.equal(code, 1)
  const [first = '', fix, version = '', , clock = '', , last] = stdout.split('\n')
  assert.deepEqual([first, fix, last], ['error: disk: full', '  fix: df -h', 'info: tools: Helm is old'])
  assert.match(version, /^warning: versions: this command line is v[\d.]+, and the server v9\.9\.9$/)
  assert.match(
    clock,
    /^warning: clock: the clock of the server is (?:600|60[1-9]) s behind that of this machine$/,
  )
  assert.match(stdout, /^hydrator .* 3 MiB at \/data$/m)
  gateway.diagnostics = { findings: [{ severity: 'info', area: 'tools', message: 'Helm is old' }] }
  assert.equal((await runWadi(['doctor', '--remote', '--strict'], { environment })).code, 0)
})

test('the findings and protections of a server are shown with what to do', async () => {
  await using gateway = await Gateway.start()
  gateway.diagnostics = {
    findings: [
      {
        severity: 'error',
        area: 'plugins',
        message: 'plugin lisp: no answer\u001b[2J',
        remedy: 'wadi plugin get lisp',
      },
    ],
    protections: [
      { name: 'network', active: true, by: 'user namespaces' },
      { name: 'memory', active: false, lacks: 'no control groups', remedy: 'start it with systemd' },
    ],
  }
  const { environment } = gateway
  assert.equal(
    (await runWadi(['doctor', '--remote'], { environment })).stdout,
    `error: plugins: plugin lisp: no answer\\x1b[2J
  fix: wadi plugin get lisp

SERVICE  HOST  VERSION  STARTED  FREE

PROTECTION  ACTIVE  BY, OR WHY NOT
network     yes     user namespaces
memory      no      no control groups

memory: no control groups
  start it with systemd
`,
  )
  const json = JSON.parse(
    (await runWadi(['doctor', '--remote', '-o', 'json'], { environment })).stdout,
  ) as object
  assert.partialDeepStrictEqual(json, {
    findings: [{ area: 'plugins' }],
    protections: [{ active: true }, {}],
  })
})
