import { readFile } from 'node:fs/promises'

/** A policy, and requests with the answers that the enforcer of Argo CD 3.6 gave for it. */
export interface VerdictCase {
  policy: string
  defaultRole: string
  matchMode: string
  projects: { name: string; roles?: Record<string, unknown>[] }[]
  requests: Verdict[]
}

/** One answer. */
export interface Verdict {
  sub: string
  groups: string[]
  resource: string
  action: string
  object: string
  allow: boolean
}

interface VerdictFile {
  subs: string[]
  groups: string[][]
  resources: string[]
  actions: string[]
  objects: string[]
  /** A request is the positions of its five parts in the lists above, and 1 when it was allowed. */
  cases: (Omit<VerdictCase, 'requests'> & { requests: string[] })[]
}

/** Reads the recorded answers: 100 random policies with 40 requests each, on top of the built-in policy. */
export async function readVerdicts(): Promise<VerdictCase[]> {
  const file = new URL('../../testdata/argocd-verdicts.json', import.meta.url)
  const recorded = JSON.parse(await readFile(file, 'utf8')) as VerdictFile
  const decoded = (text: string): Verdict => {
    const [sub = -1, groups = -1, resource = -1, action = -1, object = -1, allow] = text
      .split(' ')
      .map(Number)
    return {
      sub: recorded.subs[sub] ?? '',
      groups: recorded.groups[groups] ?? [],
      resource: recorded.resources[resource] ?? '',
      action: recorded.actions[action] ?? '',
      object: recorded.objects[object] ?? '',
      allow: allow === 1,
    }
  }
  return recorded.cases.map((one) => ({ ...one, requests: one.requests.map(decoded) }))
}
