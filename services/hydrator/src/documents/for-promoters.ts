import type { CommitFacts } from './hydrator-metadata.ts'

/** The fields of references that GitOps Promoter's API bounds; it refuses the whole status of a branch for one that is not thus. */
const allowed: Readonly<Record<string, (value: string) => boolean>> = {
  sha: (value) => /^(?:[a-f0-9]{40}|[a-f0-9]{64})$/.test(value),
  repoUrl: (value) => /^https?:\/\/[^\s/]/.test(value) && URL.canParse(value),
}

/**
 * Leaves out of the references of a commit what GitOps Promoter's API does not accept: Argo CD takes short commit ids and URLs of SSH, but
 * a promotion would stand still. Message and README keep them.
 */
export function forPromoters<Facts extends Pick<CommitFacts, 'references'>>(facts: Facts): Facts {
  const { references } = facts
  if (references === undefined) return facts
  const kept = references.flatMap(({ commit }) => {
    const fields = Object.entries(commit).filter(([field, value]) => allowed[field]?.(value) ?? true)
    return fields.length > 0 ? [{ commit: Object.fromEntries(fields) }] : []
  })
  return { ...facts, references: kept.length > 0 ? kept : undefined }
}
