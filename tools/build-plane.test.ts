import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

/** A machine with `nice` and this program as `go`, or none. */
async function machine(go?: string) {
  const directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-build-plane-'))
  const programs = path.join(directory.path, 'bin')
  const cache = path.join(directory.path, 'cache/wadi-test')
  await mkdir(programs)
  await mkdir(cache, { recursive: true })
  for (const name of ['nice', 'sh']) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    await symlink(found, path.join(programs, name))
  }
  if (go !== undefined) {
    await writeFile(path.join(programs, 'go'), `#!/bin/sh\n${go}\n`)
    await chmod(path.join(programs, 'go'), 0o755)
  }
  const build = () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.join(import.meta.dirname, 'build-plane.ts')],
      {
        encoding: 'utf8',
        env: { PATH: programs, XDG_CACHE_HOME: path.join(directory.path, 'cache') },
      },
    )
    return { status, last: stdout.trim().split('\n').at(-1) ?? '' }
  }
  return { build, cache, [Symbol.asyncDispose]: () => directory.remove() }
}

/** Writes its arguments to the file that the argument after -o names. */
const goThatBuilds = 'all="$*"; while [ "$1" != -o ]; do shift; done; echo "$all" > "$2"'

test('the control plane is built once, and those of other sources are removed', async () => {
  await using clean = await machine(goThatBuilds)
  await writeFile(path.join(clean.cache, 'plane-0123456789abcdef'), '')
  await writeFile(path.join(clean.cache, 'else'), '')
  const first = clean.build()
  const [other, program = ''] = (await readdir(clean.cache)).toSorted()
  assert.equal(other, 'else')
  assert.match(program, /^plane-[0-9a-f]{16}$/)
  assert.deepEqual(first, { status: 0, last: `control plane: ${path.join(clean.cache, program)}` })
  await writeFile(path.join(clean.cache, program), 'kept')
  assert.deepEqual(clean.build(), first)
})

for (const [title, go, reason] of [
  ['without Go', undefined, 'Go is missing; install Go 1.26 or newer'],
  ['that fails', 'echo "cannot find module" >&2; exit 1', 'cannot find module'],
  ['that is killed', 'kill -9 $$', 'ended by SIGKILL'],
] as const) {
  test(`a build ${title} says why in the last line, and leaves nothing`, async () => {
    await using clean = await machine(go)
    assert.deepEqual(clean.build(), { status: 1, last: `control plane: not built: ${reason}` })
    assert.deepEqual(await readdir(clean.cache), [])
  })
}
