import { create } from '@bufbuild/protobuf'
import { RunEventSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { HydratorEvents } from '../../events.ts'
import { withObjectEvents } from '../../object-events.ts'
import type { RunLog } from './run-log.ts'

/** Adds to the logs of runs what people should see of hydrated branches, as Kubernetes Events have it, and what commits changed. */
export function withRunLog(events: HydratorEvents, runs: RunLog): HydratorEvents {
  const recorder = {
    record: ({
      regarding,
      type,
      reason,
      note,
    }: Parameters<Parameters<typeof withObjectEvents>[1]['record']>[0]) => {
      if (regarding.kind !== 'HydratedBranch') return
      runs.event(regarding.name, create(RunEventSchema, { type, reason, note, at: new Date().toISOString() }))
    },
  }
  const recorded = withObjectEvents(events, recorder)
  return {
    ...recorded,
    committed(run, group, answer) {
      runs.of(run.key)?.committed(answer.changedPaths)
      recorded.committed(run, group, answer)
    },
  }
}
