import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measurementTable } from './measurement.ts'
import { runBenchmark } from './run-benchmark.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, apps: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})

if (values.help === true) {
  process.stdout.write(`Usage: npm run bench -- [--json FILE] [--apps N] [NAME…]

Measures the mesh against the tools that it runs, all in one run, and prints a table.

  NAME         cold, one-change, no-change, flat, memory, commit-server, plugin-archives, plugin-run,
               plugin-commits, policy, params, templates, explain, application-sets (all of these by default),
               ten-thousand
  --apps N     applications in place of each measure's own number
  --json FILE  also writes [{"name", "value", "unit", "bar", "ok"}]
`)
} else {
  const measurements = await runBenchmark({
    names: positionals,
    applications: values.apps === undefined ? undefined : Number(values.apps),
    progress: (text) => process.stderr.write(`${text}\n`),
  })
  process.stdout.write(`${measurementTable(measurements)}\n`)
  if (values.json !== undefined) {
    const entries = measurements.map(({ name, value, unit, bar, ok }) => ({
      name,
      value,
      unit,
      bar: bar ?? null,
      ok,
    }))
    await writeFile(values.json, `${JSON.stringify(entries, undefined, 2)}\n`)
  }
  process.exitCode = measurements.every(({ ok }) => ok) ? 0 : 1
}
