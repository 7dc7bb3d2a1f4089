import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { create } from '@bufbuild/protobuf'
import { PluginSchema } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { mainFile, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const cases: [string[], string[]][] = [
  [
    ['wadi', 'ap'],
    ['app', 'appset', 'apply'],
  ],
  [
    ['wadi', 'app', 'h'],
    ['hydrate', 'history'],
  ],
  [['wadi', '--server', 'x', 'app', 'get', '--ref'], ['--refresh']],
  [
    ['wadi', 'app', 'get', '-o', ''],
    ['wide', 'json', 'yaml'],
  ],
  [['wadi', 'app', 'get', 'g'], ['guestbook']],
  [['wadi', 'plugin', 'get', 'l'], ['lisp-v1.0']],
  [['wadi', 'app', 'params', 'guestbook', '--set'], ['--set-only']],
  [
    ['wadi', 'admin', 'rbac', 'can', 'role:dev', 's'],
    ['sync', 'secrets', 'settings'],
  ],
  [
    ['wadi', 'admin', 'rbac', 'can', 'role:dev', 'sync', 'appl'],
    ['applications', 'applicationsets'],
  ],
  [
    ['wadi', 'explain', 'apps/shop', '--re'],
    ['--repo', '--revision'],
  ],
  [
    ['wadi', 'repo', 'add', '--ssh'],
    ['--ssh-private-key-path', '--ssh-known-hosts-path'],
  ],
]

test('bash completes commands, flags, values and the names of Applications', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  for (const name of ['api', 'guestbook']) {
    gateway.applications.set(name, sampleApplication(name, { phase: 'Hydrated', dry: '1' }))
  }
  gateway.plugins.push(create(PluginSchema, { name: 'lisp-v1.0' }))
  const { stdout: script } = await runWadi(['completion', 'bash'])
  await writeFile(join(directory.path, 'completion.bash'), script)
  await writeFile(join(directory.path, 'wadi'), `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`)
  await chmod(join(directory.path, 'wadi'), 0o755)
  for (const [words, expected] of cases) {
    const { stdout } = await promisify(execFile)(
      'bash',
      [
        '--norc',
        '-euc',
        'source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wadi; printf "%s\\n" "${COMPREPLY[@]}"',
        'bash',
        ...words,
      ],
      {
        cwd: directory.path,
        env: {
          ...gateway.environment,
          HOME: directory.path,
          PATH: `${directory.path}:${process.env['PATH'] ?? ''}`,
        },
      },
    )
    assert.deepEqual(stdout.trim().split('\n'), expected, words.join(' '))
  }
})

test('every shell gets a script that knows the commands and leaves out the hidden one', async () => {
  for (const shell of ['zsh', 'fish', 'powershell']) {
    const { stdout, code } = await runWadi(['completion', shell])
    assert.equal(code, 0)
    assert.match(stdout, /hydrate-to-branch/)
    assert.doesNotMatch(stdout, /\/__complete/)
  }
})

test('policy actions and effects are completed without a server', async () => {
  const { stdout, code } = await runWadi(['__complete', 'rbac-words', '--server', 'http://127.0.0.1:1'])
  assert.equal(code, 0)
  assert.deepEqual(stdout.trim().split('\n').slice(0, 9), [
    'get',
    'create',
    'update',
    'delete',
    'sync',
    'rollback',
    'override',
    'invoke',
    'applications',
  ])
})

test('names are silently absent when no server answers', async () => {
  const { stdout, stderr, code } = await runWadi([
    '__complete',
    'applications',
    '--server',
    'http://127.0.0.1:1',
  ])
  assert.deepEqual([stdout, stderr, code], ['', '', 1])
})
