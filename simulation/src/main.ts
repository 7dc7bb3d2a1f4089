import { parseArgs } from 'node:util'
import { applyMutation } from './mutations/apply-mutation.ts'
import { mutations } from './mutations/mutations.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    small: { type: 'boolean', default: false },
    guided: { type: 'boolean', default: false },
    contested: { type: 'boolean', default: false },
    promoted: { type: 'boolean', default: false },
    sets: { type: 'boolean', default: false },
    gateway: { type: 'boolean', default: false },
    exhaustive: { type: 'string' },
    first: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    mutation: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

const usage = `Usage: npm run simulate -- [--seeds N] [--from N] [--small | --contested | --guided | --promoted | --sets | --gateway] [--first] [--mutation NAME]
       npm run simulate -- --exhaustive N [--first] [--mutation NAME]
       npm run simulate -- --seed N [--small | --contested | --promoted | --sets | --gateway] [--story] [--shrink] [--mutation NAME]

Lets the services live in worlds whose time, messages and faults follow from a seed, and prints what must not
happen. Exits with 1 if something did. See docs/reliability.md.

  --seeds N        worlds to try, 200 by default
  --from N         the first seed, 1 by default
  --small          worlds of two hydrators, one branch, two dry commits and a crash
  --guided         varies worlds in which a step met a fault, or another step, for the first time
  --contested      worlds of one branch whose hydrators lose their jobs to each other
  --promoted       worlds whose branches are promoted by pull requests, at a forge that fails and that people use
  --sets           worlds of appset-services, users and an operator
  --gateway        worlds of gateways, users and an operator who changes their rights
  --exhaustive N   all schedules of the small world with at most N deviations from the order in which messages are sent: a crash
                   at any step, or a step that overtakes others
  --first          stops after the first world with a problem
  --seed N         one world
  --story          prints who did what in it, in the order of time
  --shrink         leaves out what the failure of a seed does not need
  --mutation NAME  breaks the mesh before: ${mutations.map(({ name }) => name).join('; ')}
`

if (values.help === true) process.stdout.write(usage)
else if (await simulate()) process.exitCode = 1

/** Returns true if something happened that must not. */
async function simulate(): Promise<boolean> {
  const mutation = mutations.find(({ name }) => name === values.mutation)
  if (values.mutation !== undefined && !mutation) {
    throw new Error(`unknown mutation ${values.mutation}; see npm run simulate -- --help`)
  }
  // What is loaded before a mutation stays as it is.
  if (mutation) applyMutation(mutation)
  const { simulateAll, simulateSeed, worldsOfSchedules, worldsOfSeeds } = await import('./simulate.ts')
  const { kindOf } = await import('./world-kinds.ts')
  const kind = kindOf(values)
  const write = (text: string): void => void process.stdout.write(`${text}\n`)
  const { seed, seeds, from, exhaustive, first } = values
  if (seed !== undefined) return simulateSeed(seed, { ...values, kind }, write)
  if (exhaustive !== undefined) {
    return simulateAll(worldsOfSchedules(wholeNumber('exhaustive', exhaustive)), first, write)
  }
  const choice = {
    guided: values.guided,
    kind,
    from: wholeNumber('from', from),
    count: wholeNumber('seeds', seeds),
  }
  return simulateAll(worldsOfSeeds(choice), first, write)
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${flag} must be a whole number, 0 or more`)
  return number
}
