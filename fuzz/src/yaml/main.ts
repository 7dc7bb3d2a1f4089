import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { decodersProgram } from '@wadi/testing/yaml-decoders/decoders-program.ts'
import { runYaml } from './run-yaml.ts'

const maxBytes = 256 * 1024

const { values, positionals } = parseArgs({
  options: {
    inputs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})

const missing = goProgramMissing(decodersProgram)
if (values.help === true) {
  process.stdout.write(`Usage: npm run fuzz:yaml -- [--inputs N] [--seed N] [DIRECTORY…]

Reads many texts of YAML with Wadi and with Go's libraries, and prints what is read otherwise without being listed in
docs/reference/yaml.md. Exits with 1 if there is any.

  DIRECTORY    its files of YAML are read too, and changed; those of this repository by default
  --inputs N   how many texts, 200000 by default
  --seed N     another number gives other texts, 1 by default
`)
} else if (missing !== undefined) throw new Error(missing)
else {
  const directories = positionals.length > 0 ? positionals : [path.resolve(import.meta.dirname, '../../..')]
  run(directories.flatMap(textsIn))
}

function run(seeds: readonly string[]): void {
  const started = performance.now()
  const counts = new Map<string, number>()
  for (const { kind, detail, text } of runYaml(Number(values.seed), Number(values.inputs), seeds)) {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (kind !== 'undocumented') continue
    process.exitCode = 1
    if (count <= 20) console.log(`${JSON.stringify(text.slice(0, 1_000))}\n    ${detail.slice(0, 400)}`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${values.inputs} texts, ${seeds.length} of them files, ${seconds} s`)
  for (const [kind, count] of counts) console.log(`  ${String(count).padStart(7)}  ${kind}`)
}

function textsIn(directory: string): string[] {
  const files = globSync('**/*.{yaml,yml,json,tpl}', {
    cwd: directory,
    exclude: ['**/node_modules/**', '**/.git/**'],
  })
  return files
    .map((file) => path.join(directory, file))
    .filter((file) => statSync(file).isFile() && statSync(file).size <= maxBytes)
    .map((file) => readFileSync(file, 'utf8'))
}
