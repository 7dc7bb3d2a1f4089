import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'

/**
 * Prints what it was given, with its arguments, its directory and its environment as texts of a ConfigMap. It leaves a file
 * and a process behind, which notes its own id.
 */
const program = `
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
writeFileSync('left-behind', '')
const left = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
left.unref()
const data = {
  arguments: JSON.stringify(process.argv.slice(2)),
  environment: JSON.stringify(process.env),
  directory: process.cwd(),
  left: String(left.pid),
}
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' }, data }))
`

let directory: string
let mesh: MeshFixture
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wadi-hostile-'))
  await writeFile(join(directory, 'program.cjs'), program)
  const run = `node ${join(directory, 'program.cjs')} "$@" "$PARAM_TEXT" # $TAR_OPTIONS $PATH $SIZE`
  const spec = {
    generate: { command: ['sh', '-c', run, 'sh'] },
    // Announces whatever the repository says.
    parameters: { dynamic: { command: ['cat', 'announce.json'] } },
  }
  const file = join(directory, 'plugin.yaml')
  await writeFile(file, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata: { name: 'shows' }, spec }))
  mesh = await startMeshFixture({ plugins: [file] })
})
after(async () => {
  await mesh[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

test('a repository with a plugin gets no program, variable, argument, secret or process of its own', async () => {
  const { fixture } = mesh
  const pwned = join(directory, 'pwned')
  const text = `$(touch ${pwned}) \`touch ${pwned}\`; touch ${pwned} #`
  const names = [
    'tar-options',
    'path',
    'ld-preload',
    'node-options',
    'git-ssh-command',
    'makeflags',
    'announced',
  ]
  const parameters = [
    { name: 'text', string: text },
    { name: 'size', string: 'given' },
    { name: 'post-renderer', string: './evil' },
    ...names.map((name) => ({ name, string: `--require=${pwned}` })),
    { name: 'maven', map: { opts: 'evil' } },
  ]
  const announced = [{ name: 'post-renderer', asArg: true }, { name: 'announced' }, { name: 'makeflags' }]
  const repository = await fixture.createRepository('hostile', {
    'app/announce.json': JSON.stringify(announced),
    'app/.argocd-source.yaml': JSON.stringify({
      plugin: { name: 'shows', parameters, env: [{ name: 'PATH', value: '/evil' }] },
    }),
  })
  const branch = 'environments/hostile'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'app', repoURL: repository.url, branch })
  const manifest = await repository.read(branch, 'app/manifest.yaml')
  const shown = (name: string) =>
    JSON.parse(new RegExp(`^  ${name}: '(.*)'$`, 'm').exec(manifest)?.[1]?.replaceAll("''", "'") ?? '')
  // The shell got the text as one word, and the announcement made no argument.
  assert.deepEqual(shown('arguments'), [text])
  await assert.rejects(access(pwned))
  const environment = new Map(Object.entries(shown('environment') as Record<string, string>))
  assert.equal(environment.get('SIZE'), 'given')
  assert.equal(environment.get('ARGOCD_ENV_PATH'), '/evil')
  assert.equal(environment.get('PATH')?.includes(pwned), false)
  const brought = [
    'TAR_OPTIONS',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'MAKEFLAGS',
    'ANNOUNCED',
    'MAVEN_OPTS',
    'POST_RENDERER',
  ]
  for (const name of brought) {
    assert.equal(environment.get(name), process.env[name], name)
    assert.ok(
      [...environment.keys()].some((key) => key === `PARAM_${name}`),
      `PARAM_${name}`,
    )
  }
  // Neither what configures the services nor their keys.
  const own = [...environment.keys()].filter((name) => name.startsWith('WADI_'))
  assert.deepEqual(own, ['WADI_PLUGIN_RUN'])
  const key = await readFile(join(fixture.directory, 'data/service.key'))
  for (const value of environment.values()) assert.ok(!value.includes(key.toString('hex')))
  // Nothing is left of the run.
  const ran = /^ {2}directory: (.*)$/m.exec(manifest)?.[1] ?? ''
  assert.match(ran, /\/run-\w+\/files\/app$/)
  await assert.rejects(access(ran))
  assert.deepEqual(await readdir(join(fixture.directory, 'data/plugins/0/cmp-server/runs')), [])
  const left = Number(/^ {2}left: "?(\d+)"?$/m.exec(manifest)?.[1])
  assert.ok(left > 1)
  const command = await readFile(`/proc/${left}/cmdline`, 'utf8').catch(() => '')
  assert.ok(!command.startsWith('sleep\0'), `${left} still runs`)
})
