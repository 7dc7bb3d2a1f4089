#!/bin/sh
# In BullMQ 6.7.0 a job can be the child of one parent only. A second flow with a child of the same id is accepted without an error, and its
# parent stays in `waiting-children` although it waits for nothing: getDependencies() has no child, processed or not. So two branches
# cannot share the render that both depend on. With a child that was added without a parent, and completed, the flow goes on.
#
# Needs redis-server. Seen with Redis 7.0.15, Node.js 20.20.2 and 26.10.0:
#   first completed; second waiting-children, 0 processed, 0 unprocessed; child completed
#   alone completed
set -eu

redis-server --version >/dev/null || { echo 'this needs redis-server' >&2; exit 1; }
work=$(mktemp -d)
trap 'kill "$redis" 2>/dev/null && wait "$redis" || true; rm -rf "$work"' EXIT
redis=
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact bullmq@6.7.0 ioredis@6.0.0
redis-server --port 0 --unixsocket "$work/redis" --save '' >redis.log &
redis=$!

cat >main.js <<'END_OF_MAIN'
import { setTimeout } from 'node:timers/promises'
import { FlowProducer, Queue, Worker } from 'bullmq'

const connection = { path: 'redis', maxRetriesPerRequest: null }
const queueName = 'renders'
const queue = new Queue(queueName, { connection })
const flows = new FlowProducer({ connection })
const flow = async (name, childId) => {
  const children = [{ name: 'render', queueName, opts: { jobId: childId } }]
  return (await flows.add({ name, queueName, children })).job
}
const first = await flow('first', 'shared')
const second = await flow('second', 'shared')
await queue.add('render', {}, { jobId: 'own' })

const idle = async () => {
  while ((await queue.getJobCountByTypes('waiting', 'active')) > 0) await setTimeout(20)
}
const worker = new Worker(queueName, async () => {}, { connection })
await idle()
const { processed, unprocessed } = await second.getDependencies()
const child = await queue.getJob('shared')
console.log(
  `first ${await first.getState()}; second ${await second.getState()}, ${Object.keys(processed).length} processed, ` +
    `${unprocessed.length} unprocessed; child ${await child.getState()}`,
)
const alone = await flow('alone', 'own')
await idle()
console.log(`alone ${await alone.getState()}`)
await worker.close()
process.exit()
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'first completed; second waiting-children, 0 processed, 0 unprocessed; child completed
alone completed' ]
