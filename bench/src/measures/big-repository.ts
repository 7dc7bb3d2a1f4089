import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { readRepository } from '@wadi/integration-tests/fetched-parts-fixture.ts'
import { type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import type { Effort } from '../effort.ts'
import { atMost, information, type Measurement } from '../measurement.ts'
import { runProgram } from '../run-program.ts'

const bars = { bytes: 1.3, disk: 1.3 }
const standardCommits = 5_000
const standardFiles = 2_000
const fileBytes = 8_000

/** The cost of having the files of one small Application. */
interface Costs {
  readonly bytes: number
  readonly disk: number
  readonly wall: number
}

/**
 * Compares what repo-server fetches to render one small Application of a repository with a long history with what a partial clone of
 * git fetches of one commit to check its files out.
 */
export async function measureBigRepository(directory: string, effort: Effort): Promise<Measurement[]> {
  await using server = await startGitHttpServer()
  const commits = effort.applications(standardCommits)
  const { url, directory: served } = await server.createRepository('big.git')
  await runTestGit(served, ['fast-import', '--quiet'], history(commits, effort.applications(standardFiles)))
  const cloned = path.join(directory, 'clone')
  const git = await costsOf(server, cloned, () => clone(url, cloned))
  const needed = await render(server, url, path.join(directory, 'needed'), 'needed')
  const whole = await render(server, url, path.join(directory, 'whole'), 'whole')
  const name = `big repository of ${commits} commits`
  const basis = `${costsText(needed)}; git: ${costsText(git)}`
  return [
    atMost(`${name}, bytes to a partial clone`, needed.bytes / git.bytes, '×', bars.bytes, basis),
    atMost(`${name}, disk to a partial clone`, needed.disk / git.disk, '×', bars.disk, basis),
    information(`${name}, time of a render to a partial clone`, needed.wall / git.wall, '×', basis),
    information(`${name}, bytes to everything`, needed.bytes / whole.bytes, '×', costsText(whole)),
    information(`${name}, time to everything`, needed.wall / whole.wall, '×', costsText(whole)),
    information(`${name}, history of one commit`, needed.historyBytes / commits, 'bytes', 'lineage: every'),
  ]
}

function costsText({ bytes, disk, wall }: Costs): string {
  return `${bytes} bytes sent, ${disk} in packs, ${wall.toFixed(3)} s wall`
}

/** The input of `git fast-import`: an Application of three files, and commits that each write another file, which nothing compresses. */
function history(commits: number, files: number): string {
  const data = (text: string): string => `data ${text.length}\n${text}`
  const lines: string[] = []
  for (let n = 0; n < commits; n += 1) {
    const file = n % files
    const other = randomBytes(fileBytes / 2).toString('hex')
    lines.push(
      `commit refs/heads/main\ncommitter Bench <bench@example.com> ${1_700_000_000 + n} +0000`,
      data(`Change ${n}`),
      ...(n === 0
        ? ['a', 'b', 'c'].map((name) => `M 100644 inline app/${name}.yaml\n${data(object(name))}`)
        : []),
      `M 100644 inline others/${file % 50}/${file}.txt\n${data(other)}`,
    )
  }
  return `${lines.join('\n')}\n`
}

function object(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
}

async function costsOf(
  server: GitHttpServer,
  directory: string,
  work: () => Promise<unknown>,
): Promise<Costs> {
  const before = server.sent()
  const started = performance.now()
  await work()
  const wall = (performance.now() - started) / 1000
  return { bytes: server.sent() - before, disk: await packBytes(directory), wall }
}

async function clone(url: string, directory: string): Promise<void> {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const flags = ['--quiet', '--depth=1', '--filter=blob:none', '--no-checkout']
  await runProgram('git', ['clone', ...flags, url, directory], environment)
  await runProgram('git', ['-C', directory, 'checkout', '--quiet', 'main', '--', 'app'], environment)
}

/** Renders the Application by a service that has started. */
async function render(
  server: GitHttpServer,
  url: string,
  directory: string,
  gitFetch: 'needed' | 'whole',
): Promise<Costs & { historyBytes: number }> {
  await mkdir(directory, { recursive: true })
  await using read = await readRepository(url, directory, gitFetch)
  let sha = ''
  const costs = await costsOf(server, directory, async () => ({ sha } = await read.render('main', 'app')))
  const before = server.sent()
  await read.list('0'.repeat(40), sha)
  return { ...costs, historyBytes: server.sent() - before }
}

async function packBytes(directory: string): Promise<number> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.pack'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
