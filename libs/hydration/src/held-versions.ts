import type { HydratedBranchStatus } from './hydrated-branch.ts'
import { agreedVersions, type ToolVersions } from './tool-versions.ts'

type Recorded = Pick<HydratedBranchStatus, 'groups' | 'tools'>

/** The versions that a branch was hydrated with, those that its dry sources name among them; undefined without a record, and in those of older versions. */
export function heldVersions(record: Recorded | undefined): ToolVersions | undefined {
  return record?.tools && { ...record.tools, ...namedVersions(record) }
}

/** Those of them that no dry source names, so that the branch alone keeps them. */
export function keptVersions(record: Recorded | undefined): ToolVersions {
  if (record === undefined) return {}
  const named = namedVersions(record)
  return Object.fromEntries(Object.entries(record.tools ?? {}).filter(([name]) => named[name] === undefined))
}

/** The versions that all dry sources of a branch name for all their directories. */
function namedVersions({ groups }: Recorded): ToolVersions {
  return agreedVersions(groups.map(({ success }) => success?.tools ?? {}))
}
