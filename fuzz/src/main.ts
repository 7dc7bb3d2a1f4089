import { parseArgs } from 'node:util'
import { targets } from './targets.ts'
import { TargetWatch } from './watch-target.ts'

const { values, positionals } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})

if (values.help === true) {
  process.stdout.write(`Usage: npm run fuzz -- [--inputs N] [--seed N] [NAME…]

Gives every reader of foreign input many broken inputs, made from valid ones, and prints what it should not have done.
Exits with 1 if there is any. Equal seeds give equal inputs.

  NAME         ${targets.map(({ name }) => name).join(', ')}; all by default
  --inputs N   inputs for each reader, 10000 by default
  --seed N     another number gives other inputs, 1 by default
`)
} else {
  const run = { seed: wholeNumber('seed', values.seed), inputs: wholeNumber('inputs', values.inputs) }
  const unknown = positionals.find((name) => !targets.some((target) => target.name === name))
  if (unknown !== undefined) throw new Error(`unknown target ${unknown}; see npm run fuzz -- --help`)
  using watch = new TargetWatch()
  for (const target of targets) {
    if (positionals.length > 0 && !positionals.includes(target.name)) continue
    const started = performance.now()
    const findings = await watch.run(target, run)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${target.name.padEnd(24)} ${run.inputs} inputs, ${seconds} s, ${findings.length} findings`)
    for (const { index, base, problem, input } of findings) {
      console.log(`  input ${index} from ${base}: ${problem}\n    ${input.slice(0, 400)}`)
    }
    if (findings.length > 0) process.exitCode = 1
  }
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${flag} must be a whole number, 0 or more`)
  return number
}
