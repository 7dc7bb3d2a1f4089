/** The parts of an Application's page, as the address names them. */
export const applicationTabs = {
  overview: 'Overview',
  changes: 'Changes',
  parameters: 'Parameters',
  history: 'History',
  manifests: 'Manifests',
  preview: 'Preview',
  object: 'YAML',
} as const

/** A part of the page. */
export type ApplicationTab = keyof typeof applicationTabs

/** The parameters in the address of the page. */
export interface ApplicationSearch {
  tab?: ApplicationTab | undefined
  /** The hydrated commit whose changes are shown; the newest without it. */
  commit?: string | undefined
  /** The dry revision that is previewed. */
  revision?: string | undefined
}

/** Returns true if a text names a part of the page. */
export function isApplicationTab(text: unknown): text is ApplicationTab {
  return typeof text === 'string' && Object.hasOwn(applicationTabs, text)
}

/** Reads the address of the page; the overview is not named. */
export function readApplicationSearch({ tab, commit, revision }: Record<string, unknown>): ApplicationSearch {
  return {
    tab: isApplicationTab(tab) && tab !== 'overview' ? tab : undefined,
    commit: typeof commit === 'string' && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined,
    revision: typeof revision === 'string' && revision !== '' ? revision : undefined,
  }
}
