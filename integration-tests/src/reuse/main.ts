import { parseArgs } from 'node:util'
import { compareReuse } from './reuse-fixture.ts'

// `npm run fuzz:reuse -- [--seed N] [--rounds N] [--each N]`: edits repositories at random and compares a mesh that knows all that it did with
// one that knows nothing. Equal seeds give equal edits; a repository has `each` rounds.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '10000' },
    each: { type: 'string', default: '20' },
  },
})
const each = Number(values.each)
const repositories = Math.ceil(Number(values.rounds) / each)
for (let index = 0; index < repositories; index++) {
  await compareReuse(Number(values.seed) + index, each, (line) => console.log(line))
}
