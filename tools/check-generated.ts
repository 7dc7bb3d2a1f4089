import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Problem, report } from './problem.ts'
import { sourceFiles } from './source-files.ts'

const generatedDirectory = 'libs/protocol/src/gen'

// The committed code must be what `buf generate` writes today. Takes another root as its argument.
const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname))
await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-generated-'))
await promisify(execFile)('buf', ['generate', '--output', scratch.path], { cwd: root })

const [fresh, committed] = await Promise.all([
  readFiles(path.join(scratch.path, generatedDirectory)),
  readFiles(path.join(root, generatedDirectory)),
])
const problems: Problem[] = []
for (const file of new Set([...fresh.keys(), ...committed.keys()])) {
  const [expected, actual] = [fresh.get(file), committed.get(file)]
  if (expected === actual) continue
  const message =
    expected === undefined
      ? 'no proto file generates this; delete it'
      : actual === undefined
        ? "missing; run 'npm run generate'"
        : "differs from its proto file; run 'npm run generate'"
  problems.push({ file: `${generatedDirectory}/${file}`, line: firstDifference(expected, actual), message })
}
report(problems, `${committed.size} generated files are up to date`)

async function readFiles(directory: string): Promise<Map<string, string>> {
  const files = await sourceFiles(directory, true)
  return new Map(
    await Promise.all(
      files.map(async (file) => [file, await readFile(path.join(directory, file), 'utf8')] as const),
    ),
  )
}

function firstDifference(expected = '', actual = ''): number {
  const actualLines = actual.split('\n')
  const index = expected.split('\n').findIndex((line, number) => line !== actualLines[number])
  return index < 0 ? 1 : index + 1
}
