import { setTimeout as delay } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { plainOutput, plainPlan } from '@wadi/rendering/plan/plan.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'

/** What renders directories with a file `a.yaml` to its text, each in the same time and without work of a processor. */
interface SlowRenderer {
  readonly renderer: Renderer
  /** When each render began, on the clock of `performance`. */
  readonly begun: number[]
}

/** Makes a renderer whose renders take so long. */
export function slowRenderer(milliseconds: number): SlowRenderer {
  const begun: number[] = []
  const renderer: Renderer = {
    name: 'slow',
    noun: 'a slow directory',
    trialValues: 'none',
    detects: async (tree, path) => (await tree.entry(`${path}/a.yaml`)) !== undefined,
    async plan({ path, inputs, trace }) {
      const file = `${path}/a.yaml`
      if ((await trace.entry(file)) === undefined) return undefined
      await inputs.add(file)
      return {
        ...plainPlan,
        renderer: 'slow',
        inputs: inputs.paths(),
        identity: '1',
        run: async (files) => {
          begun.push(performance.now())
          await delay(milliseconds)
          const text = (await files.read(file, 4096)).toString()
          return {
            ...plainOutput,
            result: { files: [{ file, text, jsonnet: false }] },
            record: create(RenderRecordSchema, { tools: [{ name: 'slow', version: '1' }] }),
          }
        },
      }
    },
  }
  return { renderer, begun }
}
