import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { smallestEffort, standardEffort } from './effort.ts'
import { measurementTable } from './measurement.ts'
import { measures } from './measures.ts'
import { runBenchmark } from './run-benchmark.ts'

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'string' },
    apps: { type: 'string' },
    smallest: { type: 'boolean' },
    remote: { type: 'boolean' },
    trace: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})

if (values.help === true) process.stdout.write(usage())
else {
  const isSmallest = values.smallest === true
  const named = values.remote === true ? [...positionals, 'remote'] : positionals
  const { measurements, failures } = await runBenchmark({
    names: named,
    effort: isSmallest ? smallestEffort : standardEffort(applicationCount(values.apps)),
    traces: values.trace === true,
    progress: (text) => process.stderr.write(`${text}\n`),
  })
  const judged = isSmallest ? measurements.map((one) => ({ ...one, bar: undefined, ok: true })) : measurements
  process.stdout.write(`${measurementTable(judged)}\n`)
  for (const { measure, error } of failures) console.error(`${measure} failed:`, error)
  if (values.json !== undefined) {
    const entries = judged.map(({ name, value, unit, bar, ok }) => ({
      name,
      value,
      unit,
      bar: bar ?? null,
      ok,
    }))
    await writeFile(values.json, `${JSON.stringify(entries, undefined, 2)}\n`)
  }
  process.exitCode = failures.length === 0 && judged.every(({ ok }) => ok) ? 0 : 1
}

function usage(): string {
  return `Usage: npm run bench -- [--json FILE] [--apps N | --smallest] [--remote] [--trace] [NAME…]

Measures the mesh against the tools that it runs, all in one run, and prints a table.
Exits with 1 if a measure fails or a value misses its bar.

  NAME         by default all of ${measures.flatMap(({ names }) => names).join(', ')}
  --apps N     number of applications, instead of each measure's own; 100 or more
  --smallest   runs each measure at its smallest size to see that it works; no value is compared with its bar
  --remote     the measure remote: a git server that is 40 ms away, over TLS
  --trace      prints what the time of each measure was made of: steps, calls, programs, remotes; it costs some of it
  --json FILE  also writes [{"name", "value", "unit", "bar", "ok"}]
`
}

function applicationCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 100))
    throw new Error('--apps must be a whole number, 100 or more')
  return count
}
