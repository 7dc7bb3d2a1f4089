import { parseArgs } from 'node:util'
import { applyMutation } from './mutations/apply-mutation.ts'
import { mutations } from './mutations/mutations.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    small: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    mutation: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help === true) {
  process.stdout
    .write(`Usage: npm run simulate -- [--seeds N] [--from N] [--small] [--first] [--mutation NAME]
       npm run simulate -- --seed N [--small] [--story] [--shrink] [--mutation NAME]

Lets hydrators and commit-servers live in worlds whose time, messages and faults follow from a seed, and prints what must not
happen. Exits with 1 if something did. See docs/reliability.md.

  --seeds N        worlds to try, 200 by default
  --from N         the first seed, 1 by default
  --seed N         one world
  --small          worlds of two hydrators, one branch, two dry commits and a crash
  --first          stops after the first world with a problem
  --story          prints who did what in it, in the order of time
  --shrink         leaves out what the failure of a seed does not need
  --mutation NAME  breaks the mesh before: ${mutations.map(({ name }) => name).join('; ')}
`)
} else {
  const mutation = mutations.find(({ name }) => name === values.mutation)
  if (values.mutation !== undefined && !mutation) {
    throw new Error(`unknown mutation ${values.mutation}; see npm run simulate -- --help`)
  }
  // What is loaded before a mutation stays as it is.
  if (mutation) applyMutation(mutation)
  const { simulateSeed, simulateSeeds } = await import('./simulate.ts')
  const write = (text: string): void => void process.stdout.write(`${text}\n`)
  const hasFailed =
    values.seed === undefined
      ? await simulateSeeds(
          { ...values, from: wholeNumber('from', values.from), count: wholeNumber('seeds', values.seeds) },
          write,
        )
      : await simulateSeed(wholeNumber('seed', values.seed), values, write)
  if (hasFailed) process.exitCode = 1
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${flag} must be a whole number, 0 or more`)
  return number
}
