import type { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { type HydratorMetadata, readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'

/** The parts of a new record that are compared with the previous one. */
export type WantedRecord = Pick<HydratorMetadata, 'applications' | 'files' | 'manifests' | 'tools'>

/** The `hydrator.metadata` of a directory, and what it says. */
export interface RecordContent {
  readonly content: CommitContent
  readonly record: WantedRecord
}

/** Reads what the text of a `hydrator.metadata` says to a comparison, before it goes where contents of a commit go. */
export function wantedRecord(text: string): WantedRecord {
  const { applications, files, manifests, tools } = readHydratorMetadata(text)
  return { applications, files, manifests, tools }
}
