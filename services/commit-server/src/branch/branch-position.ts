import type { MessageInitShape } from '@bufbuild/protobuf'
import type { BranchPositionSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { BranchState } from './branch-state.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { noteId } from './dry-note.ts'

/** Returns the position that a run sends back to say which state of the branch it was computed from. */
export function positionOf({
  head,
  drySha,
  note,
  noteProblem,
}: BranchState): MessageInitShape<typeof BranchPositionSchema> {
  return {
    headSha: head ?? '',
    drySha,
    noteId: noteId(note),
    ...(noteProblem !== undefined && { noteProblem }),
    ...noted(note),
  }
}

function noted(note: string): MessageInitShape<typeof BranchPositionSchema> {
  const { dryCommits, installation } = readHydratorMetadata(note)
  return { dryCommits, installation }
}
