import { closeSync, openSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { readBases, runTarget } from './run-target.ts'
import { targets } from './targets.ts'

// Runs targets, one after the other, in a process that its parent can end. The number of the input under way is in the file `progress`.

const requestSchema = z.object({
  name: z.string(),
  seed: z.number(),
  /** The number of inputs to try; absent to read only the bases. */
  inputs: z.number().optional(),
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
  const onInput = (index: number): void => {
    number.writeUInt32LE(index)
    writeSync(file, number, 0, number.length, 0)
  }
  const findings =
    inputs === undefined
      ? await readBases(target, seed, scratch)
      : await runTarget(target, { seed, inputs, scratch }, onInput)
  closeSync(file)
  process.send?.(findings)
}
