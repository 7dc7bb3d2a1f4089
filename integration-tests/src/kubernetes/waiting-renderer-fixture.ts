import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { plainOutput, plainPlan } from '@wadi/rendering/plan/plan.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'

/** A renderer that renders directories with a file `a.yaml` to its text, each after `wait`, and without work of a processor. */
export function waitingRenderer(wait: (path: string) => Promise<void>): Renderer {
  return {
    name: 'waiting',
    noun: 'a directory that waits',
    trialValues: 'none',
    detects: async (tree, path) => (await tree.entry(`${path}/a.yaml`)) !== undefined,
    async plan({ path, inputs, trace }) {
      const file = `${path}/a.yaml`
      if ((await trace.entry(file)) === undefined) return undefined
      await inputs.add(file)
      return {
        ...plainPlan,
        renderer: 'waiting',
        inputs: inputs.paths(),
        identity: '1',
        run: async (files) => {
          await wait(path)
          const text = (await files.read(file, 4096)).toString()
          return {
            ...plainOutput,
            result: { files: [{ file, text, jsonnet: false }] },
            record: create(RenderRecordSchema, { tools: [{ name: 'waiting', version: '1' }] }),
          }
        },
      }
    },
  }
}
