import { parseArgs } from 'node:util'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { compareReuse } from './reuse-fixture.ts'

// `npm run fuzz:reuse -- [--seed N] [--rounds N] [--each N]`: edits repositories at random and compares a mesh that knows all that it did with
// one that knows nothing. Equal seeds give equal edits; a repository has `each` rounds. With Redis, even seeds have two hydrators.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '10000' },
    each: { type: 'string', default: '20' },
  },
})
const each = Number(values.each)
const repositories = Math.ceil(Number(values.rounds) / each)
const hasRedis = await redisAvailable()
for (let index = 0; index < repositories; index++) {
  const seed = Number(values.seed) + index
  await compareReuse(seed, each, hasRedis && seed % 2 === 0 ? 2 : 1, (line) => console.log(line))
}
