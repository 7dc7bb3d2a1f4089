import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { testPeers } from './test-peers.ts'
import { sourceFiles } from './source-files.ts'

// `npm test [-- pattern…]`: runs every test file, or those whose path contains one of the patterns.
const root = path.dirname(import.meta.dirname)
const patterns = process.argv.slice(2)
const files = (await sourceFiles(root)).filter(
  (file) =>
    file.endsWith('.test.ts') &&
    (patterns.length === 0 || patterns.some((pattern) => file.includes(pattern))),
)
if (files.length === 0) {
  console.error(`no test file's path contains ${patterns.map((pattern) => `'${pattern}'`).join(' or ')}`)
  process.exit(1)
}

for (const { name, found } of await testPeers(root)) {
  console.log(`${name.padEnd(14)} ${found ?? 'missing: the tests that need it are skipped'}`)
}
console.log(`running ${files.length} test files`)

const runner = spawn(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    // Most tests wait for git, redis or a renderer, so one file more than there are processors keeps them busy.
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=240000',
    ...files,
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: [path.join(root, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter),
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
runner.on('close', (code) => {
  process.exitCode = code ?? 1
})
