import { type ObjectSearch, readObjectSearch } from './objects/object-search.ts'
import { t } from '../../language/t.ts'

/** The parts of an Application's page, as the address names them. */
export const applicationTabs = {
  overview: t('Overview'),
  changes: t('Changes'),
  parameters: t('Parameters'),
  history: t('History'),
  compare: t('Compare'),
  objects: t('Objects'),
  runs: t('Runs'),
  preview: t('Preview'),
  object: 'YAML',
} as const

/** A part of the page. */
export type ApplicationTab = keyof typeof applicationTabs

/** The parameters in the address of the page. */
export interface ApplicationSearch extends ObjectSearch {
  tab?: ApplicationTab | undefined
  /** The hydrated commit whose changes are shown; the newest without it. */
  commit?: string | undefined
  /** The dry revision that is previewed. */
  revision?: string | undefined
  /** The hydrated commits that are compared; the newest without it. */
  from?: string | undefined
  to?: string | undefined
  /** `namespace/name` of the Application that this one is compared with; itself without it. */
  other?: string | undefined
  /** The id of the run that is shown; the newest without it. */
  run?: string | undefined
}

/** Returns true if a text names a part of the page. */
export function isApplicationTab(text: unknown): text is ApplicationTab {
  return typeof text === 'string' && Object.hasOwn(applicationTabs, text)
}

/** Reads the address of the page; the overview is not named. */
export function readApplicationSearch(search: Record<string, unknown>): ApplicationSearch {
  const { tab, commit, revision, from, to, other, run } = search
  // Addresses of earlier versions.
  if (tab === 'manifests') return { tab: 'objects', view: 'yaml' }
  return {
    tab: isApplicationTab(tab) && tab !== 'overview' ? tab : undefined,
    commit: isCommit(commit) ? commit : undefined,
    from: isCommit(from) ? from : undefined,
    to: isCommit(to) ? to : undefined,
    other: typeof other === 'string' && /^[^/]+\/[^/]+$/.test(other) ? other : undefined,
    revision: typeof revision === 'string' && revision !== '' ? revision : undefined,
    run: typeof run === 'string' && /^[0-9a-z]{1,20}$/.test(run) ? run : undefined,
    ...(tab === 'objects' && readObjectSearch(search)),
  }
}

function isCommit(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{7,64}$/.test(text)
}
