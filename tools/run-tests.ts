import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { memoryDirectory } from '@wadi/testing/memory-directory.ts'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { offerPlane, planeOfferVariable } from '@wadi/testing/kubernetes-plane/offered-plane.ts'
import { progressOf } from './batch-progress.ts'
import { fastTests } from './fast-tests.ts'
import { readModules } from './module-imports.ts'
import { sourceFiles } from './source-files.ts'
import { batchText, planBatches, type TestBatch } from './test-batches.ts'
import { testPeers } from './test-peers.ts'
import { reportBatches } from './test-report.ts'

/** Time limit of a process with many files; `run-batch.ts` limits each file. */
const maxProcessMs = 3_600_000

// `npm test [-- [--fast] [--second-try] pattern…]`: runs every test file, or those whose path contains one of the patterns; with `--fast` only
// those that start no program or engine. With `--second-try`, a file that failed is run once more, alone, and that run decides: what failed
// only because a busy machine was late passes then, and the output names it. `--root` names another project.
const { values: flags, positionals: patterns } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    'second-try': { type: 'boolean', default: false },
    root: { type: 'string', default: path.dirname(import.meta.dirname) },
  },
  allowPositionals: true,
})
const root = path.resolve(flags.root)
const sources = (await sourceFiles(root)).filter((file) => file.endsWith('.ts'))
const tests = flags.fast
  ? fastTests(await readModules(root, sources))
  : sources.filter((file) => file.endsWith('.test.ts'))
const files = tests.filter(
  (file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)),
)
if (files.length === 0) {
  const kind = flags.fast ? 'fast test file' : 'test file'
  console.error(`no ${kind}'s path contains ${patterns.map((pattern) => `'${pattern}'`).join(' or ')}`)
  process.exit(1)
}

for (const { name, found } of await testPeers(root)) {
  console.log(`${name.padEnd(14)} ${found ?? 'missing: the tests that need it are skipped'}`)
}
console.log(`running ${files.length} test files`)

const cache = path.join(root, '.cache')
await mkdir(cache, { recursive: true })
await using directory = await mkdtempDisposable(path.join(cache, 'tests-'))
await using plane = offerPlane(directory.path)
// Tests make and remove some hundred thousand files; a disk takes a tenth of their time for that.
await using temporary = await openOwnedDirectory('wadi-tests-', await memoryDirectory())
// Some tests run programs as other users.
await chmod(temporary.path, 0o711)
// Where Node.js keeps the code of programs that do not say where.
await symlink(compileCache, path.join(temporary.path, 'node-compile-cache'))
if (!existsSync(compileCache) && files.filter((file) => file.startsWith('integration-tests/')).length > 1) {
  await promisify(execFile)(process.execPath, [
    path.join(root, 'integration-tests/src/warm-caches-fixture.ts'),
  ])
}
const batches = new Map<string, TestBatch>()
if (files.length > 1) {
  const [modules, context, runner] = [
    '../libs/programs/src/quick-modules.ts',
    'test-context.ts',
    'run-batch.ts',
  ].map((name) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, name))))
  for (const [index, batch] of (await planBatches(root, files)).entries()) {
    const entry = path.join(directory.path, `${index + 1}.mjs`)
    await writeFile(entry, `import ${modules}\nawait import(${context})\nawait import(${runner})\n`)
    await writeFile(
      `${entry}.json`,
      batchText({ root, files: [...batch.files], progress: progressOf(entry) }),
    )
    batches.set(entry, batch)
  }
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.exitCode = 1
    interruption.abort()
  })
}
const failed: string[] = []
const passed = await runTests([...(batches.size === 0 ? files : batches.keys())], availableParallelism() + 4)
if (!passed) process.exitCode = 1
if (flags['second-try'] && failed.length > 0 && !interruption.signal.aborted) {
  console.log(`\nrunning again, one after the other: ${failed.join(', ')}`)
  if (await runTests(failed.splice(0), 1)) process.exitCode = 0
}

/**
 * Runs the entries and prints what they report.
 *
 * @param concurrency most tests wait for git, Redis or a renderer, so four processes more than there are processors keep them busy
 * @returns true if every test passed
 */
async function runTests(entries: readonly string[], concurrency: number): Promise<boolean> {
  let success = true
  const events = run({
    files: [...entries],
    cwd: root,
    concurrency,
    timeout: maxProcessMs,
    signal: interruption.signal,
    env: {
      ...process.env,
      TMPDIR: temporary.path,
      [planeOfferVariable]: plane.file,
      PATH: [path.join(root, 'node_modules/.bin'), ...directoriesWithoutRenderers()].join(path.delimiter),
    },
  })
  events.on('test:summary', (summary) => {
    if (summary.file === undefined && !summary.success) success = false
  })
  const ofEntries = new Map([...batches].filter(([entry]) => entries.includes(entry)))
  const reported = events.compose((source) =>
    reportBatches(source, ofEntries, (file) => {
      success = false
      failed.push(file)
    }),
  )
  for await (const text of reported.compose(new spec())) process.stdout.write(text)
  return success
}

/** Tests render with what Wadi brings, whatever this machine has. */
function directoriesWithoutRenderers(): string[] {
  const has = (place: string, name: string): boolean => existsSync(path.join(place, name))
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((place) => has(place, 'git') || !(has(place, 'helm') || has(place, 'kustomize')))
}
