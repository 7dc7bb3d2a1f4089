import { closeSync, openSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { runTarget } from './run-target.ts'
import { targets } from './targets.ts'

// Runs targets, one after the other, in a process that its parent can end. The number of the input under way is in the file `progress`.

const requestSchema = z.object({
  name: z.string(),
  seed: z.number(),
  inputs: z.number(),
  scratch: z.string(),
  progress: z.string(),
})

process.on('message', (request) => {
  void run(requestSchema.parse(request))
})

async function run({ name, seed, inputs, scratch, progress }: z.infer<typeof requestSchema>): Promise<void> {
  const target = targets.find((candidate) => candidate.name === name)
  if (target === undefined) throw new Error(`unknown target ${name}`)
  const file = openSync(progress, 'w')
  const number = Buffer.alloc(4)
  const findings = await runTarget(target, { seed, inputs, scratch }, (index) => {
    number.writeUInt32LE(index)
    writeSync(file, number, 0, number.length, 0)
  })
  closeSync(file)
  process.send?.(findings)
}
